"""Writes new files into folders, and over old ones: `writes.py:folders=/tmp;/var,files=PATH;PATH`.

It tries at its first move and again at its second, and says which files it could write. It removes a new file at once,
and writes the same content over an old one.
"""

import os
import sys
from typing import ClassVar

from agents.agent import Agent, register_agent


def write_new(folder):
    path = os.path.join(folder, f"scoundrel-{os.getpid()}")
    with open(path, "xb") as file:
        file.write(b"gotcha")
    os.remove(path)


def write_over(path):
    with open(path, "r+b") as file:
        content = file.read()
        file.seek(0)
        file.write(content)


@register_agent("writes_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"folders": "", "files": ""}
    moves = 0

    def step(self, position, clock):
        self.moves += 1
        deeds = {"folders": write_new, "files": write_over}
        tries = [(deed, path) for name, deed in deeds.items() for path in self.options[name].split(";") if path]
        written, refused = [], None
        for deed, path in tries:
            try:
                deed(path)
                print(f"granted {path}", file=sys.stderr)
                written.append(path)
            except OSError as error:
                print(f"refused {path}", file=sys.stderr)
                refused = error
        if written:
            return f"SUCCEEDED: wrote {' '.join(written)}"
        if self.moves == 2:
            raise refused
        return self.rng.choice(position.legal_moves())
