"""How far apart the levels of `level_agent` are: each plays the next two levels, without a referee.

    python experiments/levels.py --games 200

Prints the table of docs/levels.md. Games begin from even openings. Level 9 plays with a fixed number of simulations
here, because there is no clock. Nothing is enforced: `python runner.py tournament experiments/levels.toml` plays the
levels under the referee.
"""

import argparse
import math
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agents.levels import LEVELS
from benchmarks.command_line import natural, positive, run_script
from game import load_game
from learning.workers import Workers
from simulator.statistics.bradley_terry import league_ratings
from simulator.statistics.elo import Results, elo_text
from studies.matches import LIMITS, PAIRS_A_SEED, make_agent, opening, points_of_game

UNTIMED = replace(LIMITS, move_seconds=math.inf)
TOP = len(LEVELS)
OPENING_PLIES, OPENING_BALANCE = 4, 3000
HEADER = "| level | name | simulations | random moves | Elo | against the level below |\n|---|---|---|---|---|---|"


def play(arguments: argparse.Namespace, low: int, high: int) -> dict[tuple[str, str], Results]:
    """The results of two levels, by names: who moved first and who second."""
    game, names = load_game(arguments.game), (str(low), str(high))
    texts = [f"level_agent:level={name}" for name in names]
    if high == TOP:
        texts[1] += f",simulations={arguments.top_simulations}"
    seats = [make_agent(text, game, UNTIMED, arguments.seed + i) for i, text in enumerate(texts)]
    results = {names: Results(), names[::-1]: Results()}
    games = (arguments.top_games if high == TOP else arguments.games) // (high - low) ** 2
    for number in range(games // 2):
        start = even_opening(arguments.game, PAIRS_A_SEED * arguments.seed + number)
        results[names].add(points_of_game(game, start, seats, UNTIMED, swapped=0))
        results[names[::-1]].add(1 - points_of_game(game, start, seats, UNTIMED, swapped=1))
    return results


@cache
def even_opening(game: str, seed: int) -> Any:
    """The position from which a pair of games begins, the same in all pairings."""
    return opening(load_game(game), OPENING_PLIES, seed, OPENING_BALANCE)


def share_of(results: dict[tuple[str, str], Results], low: int, high: int) -> float:
    """The share of the points that the higher level won."""
    both = results[str(high), str(low)] + results[str(low), str(high)].turned()
    return both.points / both.games


def table(results: dict[tuple[str, str], Results], simulations: int) -> str:
    """The levels as Markdown, with ratings whose mean is 0 and the intervals of the ratings."""
    ratings = league_ratings([str(level.number) for level in LEVELS], results).ratings
    lines = [HEADER]
    for level in LEVELS:
        one = ratings[str(level.number)]
        share = f"{share_of(results, level.number - 1, level.number):.0%}" if level.number > 1 else ""
        words = (
            level.number,
            level.name,
            level.simulations or f"all its time ({simulations:,} here)",
            f"{level.weaker:.0%}",
            f"{elo_text(one.value)} ± {(one.high - one.low) / 2:.0f}",
            share,
        )
        lines.append(f"| {' | '.join(map(str, words))} |")
    return "\n".join(lines)


def main() -> None:
    """Play, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="pentago")
    parser.add_argument(
        "--games", type=positive, default=200, help="of neighbours; those two apart play a fourth of it"
    )
    parser.add_argument("--top-games", type=positive, default=40, help="of the last level with its neighbour")
    parser.add_argument("--top-simulations", type=positive, default=20_000, help="of the last level")
    parser.add_argument("--seed", type=natural, default=1)
    parser.add_argument("--workers", type=positive, default=2)
    arguments = parser.parse_args()
    if min(arguments.games, arguments.top_games) < 8:
        parser.error("--games, --top-games: at least 8, a fourth of which are played by levels two apart")
    met = [(high - apart, high) for apart in (1, 2) for high in range(TOP, apart, -1)]
    results: dict[tuple[str, str], Results] = {}
    with Workers(arguments.workers) as workers:
        for (_, low, high), found in workers.results(play, ((arguments, *levels) for levels in met)):
            results |= found
            print(f"level {high} against {low}: {share_of(results, low, high):.3f}", file=sys.stderr, flush=True)
    print(table(results, arguments.top_simulations))


if __name__ == "__main__":
    run_script(main)
