"""Writes as much as it can where it may write: `fills_the_disk.py:deed=deleted`.

By default, it writes files named like compiled code. `deleted` keeps up to 300 MB in files that it deletes at once,
and says how many MB it had. `folders` puts more folders into each other than Python's own rmtree can remove; nobody
may look into the innermost.
"""

import mmap
import os
import sys
from pathlib import Path
from typing import ClassVar

import numba  # noqa: F401  (so that it is prepared)

from agents import Agent, register_agent

MB, TAKEN_MB, PIECE_MB = 1 << 20, 300, 4
DEPTH = 3000


def files(folder):
    for number in range(100_000):
        (folder / f"{number}.nbc").write_bytes(b"x")


def deleted(folder):
    kept = []
    try:
        while PIECE_MB * len(kept) < TAKEN_MB:
            with open(folder / "hoard", "w+b") as file:
                file.write(b"x" * (PIECE_MB * MB))
                file.flush()
                kept.append(mmap.mmap(file.fileno(), 0))
            (folder / "hoard").unlink()
    finally:
        taken = PIECE_MB * len(kept)
        kept.clear()
        (folder / "hoard").unlink(missing_ok=True)
        (folder / "taken.nbc").write_text(f"{taken} MB")


def folders(folder):
    try:
        os.chdir(folder)
        for _ in range(DEPTH):
            os.mkdir("d")
            os.chdir("d")
        os.mkdir("closed", 0)
    finally:
        os.chdir("/")


@register_agent("filling_agent")
class Filling(Agent):
    default_options: ClassVar = {"deed": "files"}

    def setup(self):
        folder = Path(sys.pycache_prefix or "/nowhere").parent
        try:
            globals()[self.options["deed"]](folder)
        except OSError as error:
            print(error.strerror)
        if (folder / "taken.nbc").exists():
            print("took", (folder / "taken.nbc").read_text())

    def step(self, position, clock):
        return position.legal_moves()[0]
