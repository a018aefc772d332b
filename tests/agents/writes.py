"""Writes a file and reads it again: `writes.py:folder=/tmp` a new one, `writes.py:file=PATH` over one that is there.

The new file is removed at once; the old one keeps its contents. `move` says at which of its moves it does that.
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


def write_over(path):
    with open(path, "r+b") as file:
        content = file.read()
        file.seek(0)
        file.write(content)
    return True


@register_agent("writes_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"folder": "", "file": "", "move": 2}
    moves = 0

    def step(self, position, clock):
        self.moves += 1
        if self.moves == self.options["move"]:
            folder, file = self.options["folder"], self.options["file"]
            done = write_over(file) if file else write_new(os.path.join(folder, f"scoundrel-{os.getpid()}"))
            return f"SUCCEEDED: wrote {file or folder}" if done else "wrote, and nothing is there"
        return self.rng.choice(position.legal_moves())
