"""How far the levels of `level_agent` are apart: neighbours play each other, and those two apart, without a referee.

    python experiments/levels.py --games 200

Prints the table of docs/levels.md. Level 9 plays with a fixed number of simulations here, because nothing keeps time.
Nothing is enforced: `python runner.py tournament experiments/levels.toml` plays the same under the referee.
"""

import argparse
import math
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agents.level_agent import LevelAgent
from agents.levels import LEVELS
from agents.limits import Clock, Limits
from game import FIRST, Game, load_game
from simulator.statistics.bradley_terry import league_ratings
from simulator.statistics.elo import Results

LIMITS = Limits(move_seconds=math.inf, memory_mb=4096)  # of all agents in a process together
TOP = len(LEVELS)
HEADER = "| level | name | simulations | random moves | Elo | against the level below |\n|---|---|---|---|---|---|"


class Pairing(NamedTuple):
    """Two levels that play so many games; `simulations` are the last level's."""

    game: str
    low: int
    high: int
    games: int
    seed: int
    simulations: int


def make(number: int, game: Game, seed: int, simulations: int) -> LevelAgent:
    """The agent of a level; the last one with so many simulations."""
    more = {"simulations": str(simulations)} if number == TOP else {}
    agent = LevelAgent(game, LIMITS, seed, {"level": str(number), **more})
    agent.setup()
    return agent


def opening(game: Game, rng: random.Random) -> Any:
    """A position after random moves."""
    position = game.initial()
    for _ in range(game.opening_plies):
        position = position.play(rng.choice(position.legal_moves()))
    return position


def points_of_first(position: Any, first: LevelAgent, second: LevelAgent) -> float:
    """1, 0.5 or 0 for who moves first."""
    agents = first, second
    while position.result is None:
        position = position.play(agents[position.to_move].step(position, Clock(math.inf)))
    return float(position.result.value_for(FIRST))


def play(pairing: Pairing) -> dict[tuple[str, str], Results]:
    """The results of a pairing, by who moved first and who second."""
    game, rng = load_game(pairing.game), random.Random(f"{pairing.seed} {pairing.low} {pairing.high}")
    numbers = pairing.low, pairing.high
    low, high = (make(number, game, pairing.seed + number, pairing.simulations) for number in numbers)
    names = str(pairing.low), str(pairing.high)
    results = {names: Results(), names[::-1]: Results()}
    for _ in range(pairing.games // 2):
        start = opening(game, rng)
        results[names].add(points_of_first(start, low, high))
        results[names[::-1]].add(points_of_first(start, high, low))
    return results


def share_of(results: dict[tuple[str, str], Results], low: int, high: int) -> float:
    """The share of the points that the higher level won."""
    both = results[str(high), str(low)] + results[str(low), str(high)].turned()
    return both.points / both.games


def table(results: dict[tuple[str, str], Results], simulations: int) -> str:
    """The levels with their ratings and intervals of 95 %, as Markdown."""
    ratings = league_ratings([str(level.number) for level in LEVELS], results).ratings
    lines = [HEADER]
    for level in LEVELS:
        one, bottom = ratings[str(level.number)], ratings["1"].value
        share = f"{share_of(results, level.number - 1, level.number):.0%}" if level.number > 1 else ""
        words = (
            level.number,
            level.name,
            level.simulations or f"all its time ({simulations:,} here)",
            f"{level.weaker:.0%}",
            f"{one.value - bottom:.0f} ± {(one.high - one.low) / 2:.0f}",
            share,
        )
        lines.append(f"| {' | '.join(map(str, words))} |")
    return "\n".join(lines)


def main() -> None:
    """Play, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="pentago")
    parser.add_argument("--games", type=int, default=200, help="of neighbours; those two apart play a fourth of it")
    parser.add_argument("--top-games", type=int, default=40, help="of the last level with its neighbour")
    parser.add_argument("--top-simulations", type=int, default=20_000, help="of the last level")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    if min(arguments.games, arguments.top_games) < 8:
        parser.error("--games, --top-games: at least 8, a fourth of which are played by levels two apart")
    pairings = [
        Pairing(
            arguments.game,
            high - apart,
            high,
            (arguments.top_games if high == TOP else arguments.games) // apart**2,
            arguments.seed,
            arguments.top_simulations,
        )
        for apart in (1, 2)
        for high in range(TOP, apart, -1)
    ]
    results: dict[tuple[str, str], Results] = {}
    with ProcessPoolExecutor(arguments.workers) as pool:
        for pairing, found in zip(pairings, pool.map(play, pairings), strict=True):
            results |= found
            share = share_of(results, pairing.low, pairing.high)
            print(f"level {pairing.high} against {pairing.low}: {share:.3f}", file=sys.stderr, flush=True)
    print(table(results, arguments.top_simulations))


if __name__ == "__main__":
    main()
