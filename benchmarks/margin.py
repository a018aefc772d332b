"""Whether agents that search by the clock answer in time on a core that others use too, and how much time is left.

    python benchmarks/margin.py --moves 100
    python benchmarks/margin.py --moves 100 --beside 2
    python benchmarks/margin.py uct_agent --move-time 0.2 --beside 1

Each agent plays against itself under the referee, while so many other processes spin on the core of the match. Each
player's first move, which starts the process, does not count. Printed are the number of moves, how many were late, the
slowest answer, the share of its time that the agent's search took (the median, since a search ends early if everything
is proved), and the referee's seconds less the search's own, which the agent's margin has to cover besides the search's
last chunk. Exit code 1 if a move was late, a game was lost by a fault, or all games were void.
"""

import argparse
import itertools
import multiprocessing
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agents.agent import AgentSpec, parse_agent
from agents.limits import Limits
from benchmarks.command_line import duration, natural, positive, run_script
from game import load_game
from simulator.player.compile_ahead import compile_ahead
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import GameRecord, MoveRecord, Reason
from simulator.referee.referee import play_game
from simulator.sandbox.cores import choose_cores

AGENTS = ("uct_agent", "alphabeta_agent")
MOVE_TIMES = (0.2, 0.5, 2.0)  # seconds


def _spin(cores: Sequence[int]) -> None:
    if cores:
        os.sched_setaffinity(0, cores)
    while True:
        pass


@contextmanager
def busy_processors(count: int, cores: Sequence[int] = ()) -> Iterator[None]:
    """Let so many processes spin while the context lasts, on these cores, or on any core if `cores` is empty."""
    context = multiprocessing.get_context("spawn")
    spinners = [context.Process(target=_spin, args=(cores,), daemon=True) for _ in range(count)]
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
    """The moves of a game without each player's first."""
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


class Played(NamedTuple):
    """The games of an agent against itself.

    Attributes:
        moves: all but each player's first in each game that is not void.
        faults: texts of verdicts of games that were lost by a fault.
        void: texts of verdicts of void games, in which the referee itself was held up.
    """

    moves: list[MoveRecord]
    faults: list[str]
    void: list[str]

    @property
    def late(self) -> int:
        """How many answers were judged to come after the limit."""
        return sum(move.replaced for move in self.moves)


def play(spec: AgentSpec, conditions: Conditions, count: int, cores: tuple[int, ...] = ()) -> Played:
    """Play at most so many games until there are so many moves, or a game is lost by a fault."""
    played = Played([], [], [])
    for seed in range(count):
        record = play_game((spec, spec), conditions, seed=seed, cores=cores)
        if record.verdict.reason is Reason.VOID:
            played.void.append(record.verdict.text)
            continue
        played.moves.extend(later_moves(record))
        if record.verdict.reason not in (Reason.NORMAL, Reason.RESIGNATION):
            played.faults.append(record.verdict.text)
        if len(played.moves) >= count or played.faults:
            break
    return played


def show(agent: str, limit: float, played: Played) -> bool:
    """Print the measurements; returns whether there are moves, none was late, and no game was lost by a fault."""
    print(f"{agent} at {limit:g} s: {len(played.moves)} moves, {played.late} late")
    for text in (*played.faults, *played.void):
        print(f"  {text}")
    if played.moves:
        print(f"  slowest answer {max(move.seconds for move in played.moves):.3f} s")
    said = [(move.seconds, move.analysis.seconds) for move in played.moves if move.analysis.seconds is not None]
    if said:
        print(f"  the search takes {np.median([search for _, search in said]) / limit:.1%} of the time")
        print(f"  the referee's seconds less the search's: {distribution([whole - search for whole, search in said])}")
    sys.stdout.flush()
    return bool(played.moves) and not played.late and not played.faults


def main() -> None:
    """Parse, play, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agents", nargs="*", default=AGENTS, metavar="AGENT", help=f"by default {' '.join(AGENTS)}")
    parser.add_argument("--moves", type=positive, default=100, help="of each agent at each time")
    parser.add_argument("--move-time", type=duration, action="append", help="seconds a move; can be repeated")
    parser.add_argument("--game", default="pentago")
    parser.add_argument(
        "--beside", type=natural, default=0, help="processes that spin on the core of the match meanwhile"
    )
    arguments = parser.parse_args()
    cores, is_fine = choose_cores(Limits().processors), True
    print(f"beside the agents, {arguments.beside} processes spin on core {cores[0] if cores else 'any'}", flush=True)
    with busy_processors(arguments.beside, cores):
        for agent, seconds in itertools.product(arguments.agents, arguments.move_time or MOVE_TIMES):
            spec, conditions = parse_agent(agent), Conditions(arguments.game, limits=Limits(move_seconds=seconds))
            compile_ahead(load_game(arguments.game), [spec])
            is_fine &= show(agent, seconds, play(spec, conditions, arguments.moves, cores))
    sys.exit(0 if is_fine else "an answer was late, a game was lost by a fault, or all games were void")


if __name__ == "__main__":
    run_script(main)
