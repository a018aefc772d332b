"""Positions of Pentago Twist with a forced win in exactly so many plies, with all moves that win that soon.

    python benchmarks/make_tactics.py --plies 7 --output tests/data/pentago_twist_wins_in_7.jsonl
    python benchmarks/make_tactics.py --plies 9 --count 40 --evaluation learned \\
        --output tests/data/pentago_twist_wins_in_9.jsonl

The positions come from games in which a short search on the graph plays both sides, with a random move now and then.
`pentago/forced_wins.py` proves that there is no shorter win, and that no other move wins as soon. Wins for which it
needs a long search are not found. A position and its half turn count as one, and a game gives at most one position.
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agents.uct.graph_searcher import GraphSearcher
from agents.uct.settings import GraphSettings
from benchmarks.command_line import as_input, natural, positive, run_script
from game import Game, load_game
from pentago.features import half_turn
from pentago.forced_wins import LIMIT, NO_LIMIT, NODES, Space, make_space, shortest_win, winning_moves
from simulator.records.file_errors import replacing

FIRST_PLY, LAST_PLY = 6, 20
RANDOM_START = (2, 3, 4, 5)  # plies
TABLE_BITS = 20  # 16 MB
CAPACITY = 50_000
MOST_NODES = 5000  # a tenth of a second; the mean proof that there is no win in 7 takes five times as long at ply 6


def game_positions(pentago: Game, searcher: GraphSearcher, arguments: Any, rng: random.Random) -> Iterator[Any]:
    """The open positions of a game from FIRST_PLY to LAST_PLY."""
    position, plies = pentago.initial(), rng.choice(RANDOM_START)
    while position.result is None and position.ply <= LAST_PLY:
        if position.ply >= FIRST_PLY:
            yield position
        if position.ply < plies or rng.random() < arguments.random_share:
            position = position.play(rng.choice(position.legal_moves()))
        else:
            searcher.begin(position)
            searcher.search(simulations=arguments.simulations)
            position = position.play(searcher.best_move())


def has_win(pentago: Game, space: Space, position: Any, plies: int) -> bool:
    """Whether a small search finds a win in exactly so many plies."""
    space.counters[NODES], space.counters[LIMIT] = 0, NO_LIMIT
    if shortest_win(pentago, space, position, plies - 2):
        return False
    space.counters[LIMIT] = space.counters[NODES] + MOST_NODES
    found = shortest_win(pentago, space, position, plies)
    space.counters[LIMIT] = NO_LIMIT
    return found == plies


def key_of(pentago: Game, position: Any) -> bytes:
    """A key that a position shares with its half turn and with no other position."""
    state = pentago.state(position)
    turned = state.copy()
    half_turn(pentago.kernel, turned)
    return min(state.tobytes(), turned.tobytes())


def cases(pentago: Game, arguments: Any) -> Iterator[dict[str, Any]]:
    """Positions with their winning moves; the iterator never ends."""
    rng, space, plies = random.Random(arguments.seed), make_space(TABLE_BITS), arguments.plies
    settings = GraphSettings(memory="stop", switches={"evaluation": arguments.evaluation})
    with as_input():
        searcher = GraphSearcher(pentago, CAPACITY, arguments.seed, settings)
    seen, a_ply = set(), Counter[int]()
    while True:
        for position in game_positions(pentago, searcher, arguments, rng):
            key = key_of(pentago, position)
            is_wanted = key not in seen and a_ply[position.ply] < arguments.most_a_ply
            if is_wanted and has_win(pentago, space, position, plies):
                seen.add(key)
                a_ply[position.ply] += 1
                moves = winning_moves(pentago, space, position, plies)
                texts = [pentago.format_move(move) for move in moves]
                yield {"position": str(position), "kind": "win", "depth": plies, "moves": texts}
                break


def main() -> None:
    """Parse, and write one JSON line a position."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plies", type=positive, default=7, help="of the win: an odd number")
    parser.add_argument("--count", type=positive, default=60)
    parser.add_argument("--most-a-ply", type=positive, default=6, help="positions with as many stones")
    parser.add_argument("--evaluation", default="lines", help="what plays: lines, learned, or a file of weights")
    parser.add_argument("--simulations", type=positive, default=300, help="a move")
    parser.add_argument("--random-share", type=float, default=0.15, help="of the moves")
    parser.add_argument("--seed", type=natural, default=1)
    parser.add_argument("--output", type=Path, required=True, help="written when all are found")
    arguments = parser.parse_args()
    if arguments.plies % 2 == 0:
        parser.error("--plies: an odd number, since who wins makes the first move and the last")
    found = cases(load_game("pentago"), arguments)
    with replacing(arguments.output) as file:
        for _ in range(arguments.count):
            file.write(json.dumps(next(found), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    run_script(main)
