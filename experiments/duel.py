"""Compare two settings of an agent quickly: both in one process, without a referee, in pairs of games.

    python experiments/duel.py uct_agent:memory=recycle uct_agent:memory=stop --games 100 --move-time 0.5
    python experiments/duel.py uct_agent:c=0.3 uct_agent --game go --size 9 --games 100

For tuning only: nothing is enforced here. `runner.py match` is the judge of strength. From a random opening of Pentago
the first player wins nearly every game, so a pair says little: an opening is the most even of 16 random ones.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.command_line import duration, natural, positive, run_script
from game import load_game, options_by_name, read_options
from learning.workers import Workers
from studies.matches import CAPACITY, LIMITS, PAIRS_A_SEED, play_pair, share_of


def play_pairs(arguments: argparse.Namespace) -> Iterator[float]:
    """Play all pairs; yields the points of `a`, 0 to 2, as each pair is finished."""
    limits = replace(LIMITS, move_seconds=arguments.move_time)
    texts = (arguments.a, arguments.b)
    options = game_options(arguments)
    game, plies, balance = load_game(arguments.game, **options), arguments.opening_plies, arguments.opening_balance
    first = arguments.seed * PAIRS_A_SEED
    seeds = range(first, first + arguments.games // 2)
    tasks = ((texts, game, seed, limits, plies, arguments.capacity, balance) for seed in seeds)
    with Workers(arguments.workers) as workers:
        yield from (points for _, points in workers.results(play_pair, tasks))


def game_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options of the game that the command line gave. Raises InputError."""
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
    parser.add_argument("--games", type=positive, default=100, help="an even number: they are played in pairs")
    parser.add_argument("--move-time", type=duration, default=0.5)
    parser.add_argument("--capacity", type=positive, default=CAPACITY, help="nodes of a search (default: %(default)s)")
    parser.add_argument("--opening-plies", type=natural, default=4, help="random moves before each pair (default: 4)")
    parser.add_argument(
        "--opening-balance",
        type=natural,
        default=3000,
        help="simulations to find an even one; 0 for any (default: 3000)",
    )
    parser.add_argument("--seed", type=natural, default=1)
    parser.add_argument("--workers", type=positive, default=2)
    points: list[float] = []
    arguments = parser.parse_args()
    if arguments.games % 2:
        parser.error("--games: an even number, since two games are played from each opening")
    for pair in play_pairs(arguments):
        points.append(pair)
        print(f"\r{share_of(points)['games']} games, {sum(points):g} points", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    found = share_of(points)
    print(
        f"{arguments.a} against {arguments.b}: {found['share']:.3f} ({found['low']:.3f} .. {found['high']:.3f}) of the "
        f"points in {found['games']} games at {arguments.move_time} s a move (95 % interval from pairs)"
    )


if __name__ == "__main__":
    run_script(main)
