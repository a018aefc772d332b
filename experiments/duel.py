"""Compare two settings of an agent quickly: both in one process, no referee, pairs of games from random openings.

    python experiments/duel.py uct_agent:memory=recycle uct_agent:memory=stop --games 100 --move-time 0.5
    python experiments/duel.py uct_agent:c=0.3 uct_agent --game go --size 9 --games 100

For tuning only: nothing is enforced here. `runner.py match` is the judge of strength.
"""

import argparse
import math
import statistics
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agents.agent import Agent, load_agent, parse_agent
from agents.limits import Clock, Limits
from game import load_game, options_by_name, read_options
from options import InputError
from simulator.tournament.openings import random_openings


def make_agent(text: str, game: Any, limits: Limits, seed: int, capacity: int) -> Agent:
    """An agent in this process, set up.

    Two trees share the process, so that the memory left, of which a tree takes all, says nothing here: an agent that
    has a capacity and does not set it gets the one given.
    """
    agent_class = load_agent(text)
    if isinstance(agent_class, tuple):
        raise SystemExit(f"{text}: only Python agents can play here; use runner.py match")
    options = parse_agent(text).options
    if "capacity" in agent_class.default_options:
        options = {"capacity": str(capacity)} | options
    agent = agent_class(game, limits, seed, options)
    agent.setup()
    return agent


def opening(game: Any, plies: int, seed: int) -> Any:
    """The position after the first opening that a match with this seed would play."""
    position = game.initial()
    for text in next(random_openings(game, plies, seed)):
        position = position.play(game.parse_move(text, position))
    return position


def play_pair(
    texts: tuple[str, str],
    game_name: str,
    game_options: dict[str, Any],
    limits: Limits,
    plies: int,
    seed: int,
    capacity: int,
) -> float:
    """The first agent's share of the points of two games from one opening, one with each colour."""
    game = load_game(game_name, **game_options)
    start = opening(game, plies, seed)
    points = 0.0
    for swapped in (0, 1):
        seats = [make_agent(text, game, limits, 2 * seed + swapped, capacity) for text in texts]
        points += points_of_game(game, start, seats, limits, swapped)
        for seat in seats:
            seat.close()
    return points / 2


def points_of_game(game: Any, position: Any, seats: list[Agent], limits: Limits, swapped: int) -> float:
    """1, 0.5 or 0 for the first seat, which moves second if `swapped` is 1."""
    while position.result is None and position.ply < game.longest_game:
        seat = seats[position.to_move ^ swapped]
        position = position.play(seat.step(position, Clock(limits.move_seconds)))
    winner = (position.result or game.adjudicate(position)).winner
    return 0.5 if winner is None else float(winner == swapped)


def play_pairs(arguments: argparse.Namespace) -> Iterator[float]:
    """The shares of all pairs, as they come in."""
    limits = Limits(move_seconds=arguments.move_time)
    texts = (arguments.a, arguments.b)
    options = game_options(arguments)
    game = load_game(arguments.game, **options)
    plies = game.opening_plies if arguments.opening_plies is None else arguments.opening_plies
    with ProcessPoolExecutor(arguments.workers) as pool:
        seeds = range(arguments.seed, arguments.seed + arguments.games // 2)
        pairs = [
            pool.submit(play_pair, texts, arguments.game, options, limits, plies, seed, arguments.capacity)
            for seed in seeds
        ]
        for pair in as_completed(pairs):
            yield pair.result()


def game_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options of the game that were given. Raises InputError."""
    given = {name: getattr(arguments, name) for name in options_by_name()}
    return read_options(arguments.game, {name: text for name, text in given.items() if text is not None})


def main() -> None:
    """Parse, play, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--game", default="pentago")
    for name, games in options_by_name().items():
        parser.add_argument(f"--{name}", help="; ".join(f"{game}: {option.help}" for game, option in games.items()))
    parser.add_argument("--games", type=int, default=100, help="an even number: they are played in pairs")
    parser.add_argument("--move-time", type=float, default=0.5)
    parser.add_argument("--capacity", type=int, default=10_000_000, help="nodes of a tree, as many as in a match")
    parser.add_argument(
        "--opening-plies", type=int, help="random moves before each pair; by default what the game says"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    shares: list[float] = []
    arguments = parser.parse_args()
    if arguments.games < 2:
        parser.error("--games: at least 2, which are one pair")
    try:
        load_game(arguments.game, **game_options(arguments))
    except InputError as error:
        parser.error(str(error))
    for share in play_pairs(arguments):
        shares.append(share)
        print(f"\r{2 * len(shares)} games, {statistics.mean(shares):.3f}", end="", file=sys.stderr, flush=True)
    mean = statistics.mean(shares)
    spread = 1.96 * statistics.stdev(shares) / math.sqrt(len(shares)) if len(shares) > 1 else float("nan")
    print(file=sys.stderr)
    print(
        f"{arguments.a} against {arguments.b}: {mean:.3f} +- {spread:.3f} of the points "
        f"in {2 * len(shares)} games at {arguments.move_time} s a move (95 % interval from pairs)"
    )


if __name__ == "__main__":
    main()
