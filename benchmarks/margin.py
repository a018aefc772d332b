"""How late the referee's stopwatch stops after the agent's own: what the agent's safety margin has to cover.

    python benchmarks/margin.py --games 2 --move-time 0.5
    python benchmarks/margin.py --games 2 --move-time 0.5 --busy

uct_agent plays against itself under the referee. For every move but each player's first (which starts the process), it
prints the referee's seconds less the search's own: two pipes, a wake-up, the choice of the move, its text. And it
prints the slowest answer beside the limit. With `--busy`, every processor also spins meanwhile.
"""

import argparse
import multiprocessing
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

from agents.agent import Limits, parse_agent
from simulator.records import GameRecord, MoveRecord
from simulator.referee import play_game


def _spin() -> None:
    while True:
        pass


@contextmanager
def busy_processors(wanted: bool) -> Iterator[None]:
    """Spin on every processor for as long as the context lasts."""
    count = (os.cpu_count() or 1) if wanted else 0
    spinners = [multiprocessing.get_context("spawn").Process(target=_spin, daemon=True) for _ in range(count)]
    try:
        for spinner in spinners:
            spinner.start()
        yield
    finally:
        for spinner in spinners:
            if spinner.pid is not None:
                spinner.terminate()
                spinner.join()


def later_moves(record: GameRecord) -> list[MoveRecord]:
    """The moves of a game without each player's first, and without those that were replaced."""
    seen: set[int] = set()
    moves = []
    for move in record.moves:
        if move.player in seen:
            moves.append(move)
        seen.add(move.player)
    return moves


def distribution(seconds: list[float]) -> str:
    """Median, 99th percentile and maximum in milliseconds."""
    median, high, worst = np.percentile(seconds, [50, 99, 100]) * 1000
    return f"median {median:.2f} ms, 99 % {high:.2f} ms, worst {worst:.2f} ms"


def main() -> None:
    """Parse, play, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--move-time", type=float, default=0.5, help="seconds a move")
    parser.add_argument("--memory", type=int, default=500, help="MB for each agent")
    parser.add_argument("--agent", default="uct_agent", help="plays against itself; it has to say its `seconds`")
    parser.add_argument("--busy", action="store_true", help="spin on all processors meanwhile")
    arguments = parser.parse_args()
    spec = parse_agent(arguments.agent)
    limits = Limits(move_seconds=arguments.move_time, memory_mb=arguments.memory)
    moves: list[MoveRecord] = []
    with busy_processors(arguments.busy):
        for seed in range(arguments.games):
            record = play_game("pentago", (spec, spec), limits, seed=seed)
            print(f"game {seed + 1}: {record.verdict.text}", flush=True)
            moves += later_moves(record)
    print(f"{len(moves)} moves, {sum(move.replaced for move in moves)} too late and replaced")
    gaps = [move.seconds - move.analysis["seconds"] for move in moves if "seconds" in move.analysis]
    if not gaps:
        sys.exit("no move says how long its search took: there is nothing to compare")
    print(f"referee's seconds less the search's: {distribution(gaps)}")
    slowest = max(move.seconds for move in moves)
    print(
        f"slowest answer {slowest:.4f} s of {arguments.move_time:g} s: {slowest / arguments.move_time:.1%} of the limit"
    )


if __name__ == "__main__":
    main()
