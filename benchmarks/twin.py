"""Builds and runs the C++ twins of compiled code, the yardsticks of its speed.

They are `twin.cpp`, `evaluation_twin.cpp` for the learned evaluation, `go_twin.cpp` for Go, and `kalah_twin.cpp`. Each
is compiled for this processor, into `benchmarks/build/`, if its source or a header beside it is newer than the program.
"""

import json
import os
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

from options import Failure

FOLDER = Path(__file__).resolve().parent
SOURCE, EVALUATION_SOURCE, GO_SOURCE, KALAH_SOURCE = (
    FOLDER / f"{name}.cpp" for name in ("twin", "evaluation_twin", "go_twin", "kalah_twin")
)
BUILD = FOLDER / "build"
FLAGS = ("-O3", "-march=native", "-std=c++17")


class TwinError(Failure):
    """A twin cannot be built or run; the message says why and what to do."""


def build(source: Path = SOURCE, folder: Path = BUILD) -> Path:
    """The path of the program, compiled if its source is newer. Raises TwinError without g++ or if g++ fails."""
    program = folder / source.stem
    newest = max(path.stat().st_mtime for path in (source, *source.parent.glob("*.hpp")))
    if program.exists() and program.stat().st_mtime >= newest:
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


def _run(*arguments: object, source: Path = SOURCE) -> dict[str, Any]:
    """The JSON that a twin prints for these arguments. Raises TwinError."""
    command = [str(build(source)), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise TwinError(f"{' '.join(command)} failed with {done.returncode}:\n{done.stderr.strip()}")
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def playouts(count: int, seed: int) -> dict[str, Any]:
    """Playouts from the empty board: `playouts`, `total` of their values, `cpu_seconds`."""
    return _run("playouts", count, seed)


def search(simulations: int, seed: int, c: float, capacity: int, cached: bool = False) -> dict[str, Any]:
    """UCT from the empty board; with `cached`, the terms of UCB1 come from tables.

    Returns `simulations` done, `playouts`, `nodes`, `node_bytes`, `seconds` and `cpu_seconds` (both without the
    allocation), and for the most visited child `move` (the number of `pentago`), `visits` and `value`.
    """
    return _run("search-cached" if cached else "search", simulations, seed, c, capacity)


def successors(mine: int, theirs: int) -> list[tuple[int, int, int]]:
    """The distinct successors of an open position, in the order of `game.children`.

    Each is the two payload words and 0 for an open position, 1, 2 or 3 for a won, lost or drawn position.
    """
    return [(word0, word1, outcome) for word0, word1, outcome in _run("successors", mine, theirs)["successors"]]


def write_network(path: Path, network: Any, positions: Any) -> None:
    """Write the input of `evaluation_twin.cpp`: a `pentago.evaluation.Network`, and positions as uint64[n, 2].

    The width of the network is 32, 64, 128 or 256.
    """
    width, count = len(network.shared), len(positions)
    arrays = (network.rows, network.output, network.offset, network.chances, positions)
    path.write_bytes(struct.pack("<2q", width, count) + b"".join(array.tobytes() for array in arrays))


def evaluations(path: Path, rounds: int) -> dict[str, Any]:
    """Compute the values of all positions in a file `rounds` times: number of `values`, their `total`, `seconds`."""
    return _run("evaluate", path, rounds, source=EVALUATION_SOURCE)


def expansions(path: Path, rounds: int) -> dict[str, Any]:
    """As `evaluations`, for the distinct successors of the positions, which are written as well, for their chooser.

    Successors that the next player wins at once count as lost for the player who chooses.
    """
    return _run("expand", path, rounds, source=EVALUATION_SOURCE)


def go_playouts(size: int, komi: float, count: int, seed: int, union_find: bool = False) -> dict[str, Any]:
    """Light playouts of Go from the empty board of 5, 9, 13 or 19 rows.

    With `union_find`, the same games with chains by union-find, where no stone is relabelled.
    Returns `playouts`, `seconds` and sums: `moves`, both passes counted; `points`, black's less white's without komi;
    black's `wins`; and `draws`.
    """
    return _run("playouts-union-find" if union_find else "playouts", size, komi, count, seed, source=GO_SOURCE)


def kalah_playouts(pits: int, stones: int, count: int, seed: int) -> dict[str, Any]:
    """Playouts of Kalah from the start, on a board whose sides fit into a word: `playouts`, `total`, `cpu_seconds`."""
    return _run("playouts", pits, stones, count, seed, source=KALAH_SOURCE)


def kalah_search(
    pits: int, stones: int, simulations: int, seed: int, c: float, capacity: int, cached: bool = False
) -> dict[str, Any]:
    """As `search`, for Kalah from the start; the `move` is a pit, from 1."""
    return _run(
        "search-cached" if cached else "search", pits, stones, simulations, seed, c, capacity, source=KALAH_SOURCE
    )
