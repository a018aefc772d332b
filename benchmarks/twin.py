"""Builds and runs `twin.cpp`, the C++ twin of the compiled code, as the yardstick of its speed.

    python -m benchmarks.twin playouts 1000000 1
    python -m benchmarks.twin search 500000 1 1.0 10000000

It is compiled on the spot for this processor, into `benchmarks/build/`, whenever its source is newer.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).resolve().parent / "twin.cpp"
BUILD = SOURCE.parent / "build"
FLAGS = ("-O3", "-march=native", "-std=c++17")


class TwinError(Exception):
    """The twin cannot be built or run; the message says why and what to do."""


def build(source: Path = SOURCE, folder: Path = BUILD) -> Path:
    """The program, compiled if it is older than its source. Raises TwinError without g++ or if g++ fails."""
    program = folder / source.stem
    if program.exists() and program.stat().st_mtime >= source.stat().st_mtime:
        return program
    compiler = shutil.which("g++")
    if compiler is None:
        raise TwinError("the C++ twin wants g++, which is not on the PATH; on Debian: apt-get install g++")
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f"{source.stem}.{os.getpid()}"  # so that nobody runs half a program
    command = [compiler, *FLAGS, "-o", str(unfinished), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise TwinError(f"{' '.join(command)} failed:\n{done.stderr.strip()}")
    unfinished.replace(program)
    return program


def _run(*arguments: object) -> dict[str, Any]:
    """What the twin prints for these arguments. Raises TwinError."""
    command = [str(build()), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise TwinError(f"{' '.join(command)} failed with {done.returncode}:\n{done.stderr.strip()}")
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def playouts(count: int, seed: int) -> dict[str, Any]:
    """Playouts from the empty board: `playouts`, `total` of their values, `seconds`."""
    return _run("playouts", count, seed)


def search(simulations: int, seed: int, c: float, capacity: int, cached: bool = False) -> dict[str, Any]:
    """UCT from the empty board, `cached` with tables for the terms of UCB1.

    Returns `simulations` done, `playouts`, `nodes`, `node_bytes`, `seconds` without the allocation, and of the most
    visited child its `move` (the number of `pentago`), `visits` and `value`.
    """
    return _run("search-cached" if cached else "search", simulations, seed, c, capacity)


def successors(mine: int, theirs: int) -> list[tuple[int, int, int]]:
    """The distinct successors of an open position, in the order of `game.children`.

    Each is both payload words, then 0 for an open position, 1, 2 or 3 for one that is won, lost or drawn.
    """
    return [(word0, word1, outcome) for word0, word1, outcome in _run("successors", mine, theirs)["successors"]]


if __name__ == "__main__":
    try:
        print(json.dumps(_run(*sys.argv[1:])))
    except TwinError as error:
        sys.exit(str(error))
