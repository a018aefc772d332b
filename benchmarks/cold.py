"""How long `uct_agent` takes to be ready to move: with an empty cache of compiled code, with that cache, in a copy.

    python benchmarks/cold.py
    python benchmarks/cold.py pentago --rounds 3 --plain

Printed are processor seconds and, in brackets, seconds by the clock, of the fastest round. The yardstick is g++ -O3 on
the C++ twins of the games, compiled in the same minutes: divide by it to compare machines. `--plain` adds the time that
numba takes without the project's changes. Needs g++; start it with nothing else running.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

from benchmarks import twin
from benchmarks.command_line import positive, run_script

GAMES = {"pentago": {}, "go": {"size": 9}, "kalah": {}}
SOURCES = (twin.SOURCE, twin.EVALUATION_SOURCE, twin.GO_SOURCE, twin.KALAH_SOURCE)
READY = "from agents.uct_agent import UctAgent; from game import load_game; UctAgent(load_game({!r}, **{!r})).setup()"
NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__", "docs", "build")


class Seconds(NamedTuple):
    """Seconds of one start: of the processor (user and system), and of the clock."""

    processor: float
    clock: float

    def __str__(self) -> str:
        return f"{self.processor:.1f} ({self.clock:.1f})"


def seconds_of(work: Callable[[], object]) -> Seconds:
    """How long the programs take that some work starts."""
    before, start = os.times(), time.monotonic()
    work()
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return Seconds(used, time.monotonic() - start)


def run(command: list[str], folder: Path = PROJECT, **environment: str) -> Seconds:
    """How long a program takes. Raises CalledProcessError if it fails."""
    own = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}  # as for users
    return seconds_of(lambda: subprocess.run(command, cwd=folder, env=own | environment, check=True))


def starts(name: str, copy: Path, *, plain: bool) -> dict[str, Seconds]:
    """How long it takes to be ready: with an empty cache, with that cache again, and in a copy of the project."""
    command = [sys.executable, "-c", READY.format(name, GAMES[name])]
    found = {}
    with tempfile.TemporaryDirectory() as cache:
        for what, folder in (("cold", PROJECT), ("warm", PROJECT), ("in a copy", copy)):
            found[what] = run(command, folder, UNFORCED_CACHE=cache)
    if plain:
        with tempfile.TemporaryDirectory() as cache:
            found["cold, numba alone"] = run(command, UNFORCED_CACHE=cache, UNFORCED_PLAIN_NUMBA="1")
    return found


def yardstick() -> Seconds:
    """How long g++ takes for all twins. Raises TwinError without g++."""
    with tempfile.TemporaryDirectory() as folder:
        return seconds_of(lambda: [twin.build(source, Path(folder)) for source in SOURCES])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(GAMES)}; all of them unless named")
    parser.add_argument("--rounds", type=positive, default=2, help="of which the fastest counts (2)")
    parser.add_argument("--plain", action="store_true", help="also as numba compiles by itself")
    chosen = parser.parse_args()
    if unknown := set(chosen.games) - set(GAMES):
        parser.error(f"no game here is called {' or '.join(sorted(unknown))}; there are: {', '.join(GAMES)}")
    print(f"{'g++ -O3, the C++ twins':<28}{min(yardstick() for _ in range(chosen.rounds))!s:>14}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(PROJECT, copy, ignore=NOT_COPIED)
        for name in chosen.games or GAMES:
            rounds = [starts(name, copy, plain=chosen.plain) for _ in range(chosen.rounds)]
            for what in rounds[0]:
                print(f"{f'{name}, {what}':<28}{min(found[what] for found in rounds)!s:>14}", flush=True)


if __name__ == "__main__":
    run_script(main)
