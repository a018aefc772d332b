"""Leaves files that are not compiled code where it may write; prints which files it finds and can change."""

import os
import sys
from contextlib import suppress
from pathlib import Path

import numba  # noqa: F401  (so that it is prepared)

from agents import Agent, register_agent

FOLDER = Path(sys.pycache_prefix or "/nowhere").parent


def attempts():
    (FOLDER / "diary.txt").write_text("what I learned")
    (FOLDER / "code.py").write_text("X = 1")
    (FOLDER / "late.pyc").symlink_to("/etc/passwd")
    (FOLDER / "pipe.nbc").unlink(missing_ok=True)
    os.mkfifo(FOLDER / "pipe.nbc")


@register_agent("leaving_agent")
class Leaving(Agent):
    def setup(self):
        print("begins with", sorted(path.name for path in FOLDER.glob("*.*")))
        self.mark("first")

    def step(self, position, clock):
        self.mark("later")
        return position.legal_moves()[0]

    def mark(self, when):
        try:
            with suppress(FileExistsError):
                attempts()
            (FOLDER / "mark.nbc").write_text(when)
            print(when, "written")
        except OSError as error:
            print(when, "refused", error.strerror)
        try:
            print(when, "reads", (FOLDER / "mark.nbc").read_text())
        except OSError as error:
            print(when, "cannot read", error.strerror)
