"""What a game costs a tournament beside the agents' thinking, with agents that answer at once.

    python benchmarks/games_per_second.py --games 10

A game's time is cut in three: the first moves, each of which starts a process; the later answers; and the rest, which
is the referee's own. Its ratio is to the same moves played again without any agent, in this process, in the same run.
"""

import argparse
import sys
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

from agents.agent import AgentSpec, parse_agent
from benchmarks.command_line import positive, run_script
from game import load_game
from options import Failure
from simulator.player.compile_ahead import compile_ahead
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import GameRecord
from simulator.referee.referee import play_game
from simulator.sandbox.isolation import IsolationLevel


class Cost(NamedTuple):
    """Seconds of one game: in all, first moves, later answers, and the same moves without agents."""

    whole: float
    first: float
    later: float
    replayed: float

    @property
    def referee(self) -> float:
        """What neither agent's clock has."""
        return self.whole - self.first - self.later


def measure(spec: AgentSpec, seed: int, isolation: IsolationLevel) -> Cost:
    """Play one game of an agent against itself, and its moves again."""
    started = time.monotonic()
    record = play_game((spec, spec), Conditions(isolation=isolation), seed=seed)
    whole = time.monotonic() - started
    if record.verdict.reason.is_fault:
        raise Failure(record.verdict.text)
    seconds = [[move.seconds for move in record.moves if move.player == player] for player in (0, 1)]
    first = sum(clock[0] for clock in seconds)
    return Cost(whole, first, sum(map(sum, seconds)) - first, replay(record))


def replay(record: GameRecord) -> float:
    """Seconds for reading and playing a game's moves."""
    game = load_game(record.game)
    started = time.monotonic()
    position = game.initial()
    for move in record.moves:
        position = position.play(game.parse_move(move.move, position))
    return time.monotonic() - started


def main() -> None:
    """Parse, play, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=positive, default=10)
    parser.add_argument("--agent", default="random_agent", help="plays against itself")
    parser.add_argument("--isolation", choices=["best", "none"], default="best")
    arguments = parser.parse_args()
    spec = parse_agent(arguments.agent)
    compile_ahead(load_game("pentago"), [spec])
    costs = [measure(spec, seed, arguments.isolation) for seed in range(arguments.games)]
    print(f"{len(costs)} games, {len(costs) / sum(cost.whole for cost in costs):.2f} games a second")
    for name, values in (
        ("a game", [cost.whole for cost in costs]),
        ("  both first moves", [cost.first for cost in costs]),
        ("  later answers", [cost.later for cost in costs]),
        ("  the referee's own", [cost.referee for cost in costs]),
        ("the moves alone", [cost.replayed for cost in costs]),
    ):
        print(f"{name:<22}median {median(values) * 1000:8.2f} ms")
    print(f"the referee's own / the moves alone: {median(cost.referee / cost.replayed for cost in costs):.1f}")


if __name__ == "__main__":
    run_script(main)
