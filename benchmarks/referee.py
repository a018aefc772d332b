"""The referee's own time for a move: in games of two random agents, the time that is on neither agent's clock.

    python benchmarks/referee.py --games 10
    python benchmarks/referee.py --games 10 --isolation none

It passes between one answer and the next request: judging the answer, asking for the agent's view, stopping the agent,
telling the other agent, letting it go on. Each player's first move, which starts its process, is left out.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agents.agent import parse_agent
from benchmarks.command_line import positive, run_script
from game import load_game
from options import Failure
from simulator.player.compile_ahead import compile_ahead
from simulator.referee.conditions import Conditions
from simulator.referee.events import GameEvent
from simulator.referee.game_record import MoveRecord
from simulator.referee.referee import play_game


class Stopwatch:
    """Measures the time between two moves that is not on the agents' clocks.

    Attributes:
        own: seconds of the referee, for each move but the players' first.
        clocks: seconds on the agent's clock, for the same moves.
        processor: processor seconds of this process for the same moves, including its looks at the agent while the
            agent's clock runs; unlike `own` it does not grow when others use the machine.
    """

    def __init__(self) -> None:
        self.own: list[float] = []
        self.clocks: list[float] = []
        self.processor: list[float] = []
        self._last_processor = 0.0
        self._last: float | None = None
        self._seen: set[int] = set()

    def __call__(self, event: GameEvent) -> None:
        """Note a move."""
        if not isinstance(event, MoveRecord):
            return
        now, processor = time.monotonic(), time.process_time()
        if self._last is not None and event.player in self._seen:
            self.own.append(now - self._last - event.seconds)
            self.clocks.append(event.seconds)
            self.processor.append(processor - self._last_processor)
        self._seen.add(event.player)
        self._last, self._last_processor = now, processor


def line(name: str, seconds: list[float]) -> str:
    """The median and 99th percentile in milliseconds, as text."""
    median, high = np.percentile(seconds, [50, 99]) * 1000
    return f"{name:<22}median {median:7.3f} ms, 99 % {high:7.3f} ms"


def main() -> None:
    """Parse, play, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=positive, default=10)
    parser.add_argument("--agent", default="random_agent", help="plays against itself")
    parser.add_argument("--isolation", choices=["best", "none"], default="best", help="none: without the sandbox")
    arguments = parser.parse_args()
    spec = parse_agent(arguments.agent)
    compile_ahead(load_game("pentago"), [spec])
    own: list[float] = []
    clocks: list[float] = []
    processor: list[float] = []
    for seed in range(arguments.games):
        stopwatch = Stopwatch()
        record = play_game((spec, spec), Conditions(isolation=arguments.isolation), seed=seed, observer=stopwatch)
        if record.verdict.reason.is_fault:
            raise Failure(record.verdict.text)
        own += stopwatch.own
        clocks += stopwatch.clocks
        processor += stopwatch.processor
    if not own:
        sys.exit("no player came to a second move: there is nothing to measure")
    print(f"{len(own)} moves")
    print(line("the referee, a move", own))
    print(line("  on the processor", processor))
    print(line("the agent's own clock", clocks))


if __name__ == "__main__":
    run_script(main)
