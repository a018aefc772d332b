"""Writes a file and reads it again: `writes.py:folders=/tmp;/var` a new one, `writes.py:file=PATH` over an old one.

Of several folders, one is enough. The new file is removed at once; the old one keeps its contents. `move` says at
which of its moves it does that.
"""

import os
from typing import ClassVar

from agents.agent import Agent, register_agent


def write_new(path):
    with open(path, "xb") as file:
        file.write(b"gotcha")
    with open(path, "rb") as file:
        written = file.read()
    os.remove(path)
    return written == b"gotcha"


def write_somewhere(folders):
    """The first folder that can be written. Raises OSError if none can."""
    for folder in folders:
        try:
            if write_new(os.path.join(folder, f"scoundrel-{os.getpid()}")):
                return folder
        except OSError as refused:
            error = refused
    raise error


def write_over(path):
    with open(path, "r+b") as file:
        content = file.read()
        file.seek(0)
        file.write(content)
    return path


@register_agent("writes_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"folders": "", "file": "", "move": 2}
    moves = 0

    def step(self, position, clock):
        self.moves += 1
        if self.moves == self.options["move"]:
            folders, file = self.options["folders"], self.options["file"]
            return f"SUCCEEDED: wrote {write_over(file) if file else write_somewhere(folders.split(';'))}"
        return self.rng.choice(position.legal_moves())
