"""What foresight costs: simulations a second with it and without it, at several plies of Pentago Twist.

    python benchmarks/foresight.py

Both search the same positions from random play alternately, so that a busy minute hits both; the ratio of their speeds
in processor time counts. Positions that are settled before the simulations are over, as most late positions are, are
left out: with foresight such a search ends early, and its speed says nothing.
"""

import argparse
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agents.uct.searcher import Searcher
from agents.uct.settings import TreeSettings
from benchmarks.bench import alternately
from benchmarks.command_line import positive, run_script
from game import Game, load_game

PLIES = (0, 4, 8, 12, 14, 16)
CAPACITY = 4_000_000
TRIES = 1000  # random games until there are enough positions of a ply


def searcher_of(pentago: Game, foresight: bool) -> Searcher:
    """A searcher that frees no nodes, so that only foresight makes a difference."""
    return Searcher(pentago, CAPACITY, 1, TreeSettings(memory="stop", switches={"foresight": foresight}))


def random_position(pentago: Game, ply: int, rng: random.Random) -> Any:
    """An open position after so many random moves; None if the game ended before."""
    position = pentago.initial()
    while position.result is None and position.ply < ply:
        position = position.play(rng.choice(position.legal_moves()))
    return None if position.result else position


def rate(searcher: Searcher, positions: Sequence[Any], simulations: int) -> float:
    """Simulations a second of processor time, `simulations` from each position, each with an empty tree."""
    done, seconds = 0, 0.0
    for position in positions:
        searcher.begin(position)
        start = time.process_time()
        searcher.search(simulations=simulations)
        done, seconds = done + searcher.simulations, seconds + time.process_time() - start
    return done / seconds


def is_settled_by(searcher: Searcher, position: Any, simulations: int) -> bool:
    """Whether a search ends before it has done all its simulations."""
    rate(searcher, [position], simulations)
    return searcher.simulations < simulations


def open_positions(searchers: Sequence[Searcher], ply: int, count: int, simulations: int) -> list[Any]:
    """Positions of a ply that no searcher settles; fewer than `count` if these are rare."""
    pentago, rng = searchers[0].game, random.Random(ply)
    found: list[Any] = []
    for _ in range(1 if ply == 0 else TRIES):
        position = random_position(pentago, ply, rng)
        if position is not None and not any(is_settled_by(one, position, simulations) for one in searchers):
            found.append(position)
        if len(found) == count:
            break
    return found


def show(ply: int, searchers: tuple[Searcher, Searcher], count: int, simulations: int, rounds: int) -> None:
    """Measure at a ply and print a line."""
    positions = open_positions(searchers, ply, count, simulations)
    if not positions:
        print(f"{ply:>3}{0:>11}   all are settled before the simulations are over")
        return
    seeing, blind = searchers
    rates = alternately(
        rounds,
        seeing=lambda _: rate(seeing, positions, simulations),
        blind=lambda _: rate(blind, positions, simulations),
    )
    ratio = rates["seeing"] / rates["blind"]
    print(f"{ply:>3}{len(positions):>11}{rates['seeing']:>16,.0f}{rates['blind']:>12,.0f}{ratio:>8.2f}", flush=True)


def main() -> None:
    """Parse, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=positive, default=6, help="of each ply")
    parser.add_argument("--simulations", type=positive, default=100_000, help="of each search")
    parser.add_argument("--rounds", type=positive, default=5, help="the median counts")
    arguments = parser.parse_args()
    pentago = load_game("pentago")
    seeing, blind = searcher_of(pentago, True), searcher_of(pentago, False)
    print("simulations a second of processor time")
    print(f"{'ply':>3}{'positions':>11}{'with foresight':>16}{'without':>12}{'ratio':>8}")
    for ply in PLIES:
        show(ply, (seeing, blind), arguments.positions, arguments.simulations, arguments.rounds)


if __name__ == "__main__":
    run_script(main)
