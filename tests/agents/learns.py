"""Leaves notes for its next game wherever it can, and looks for them when a game begins.

`learns.py:folders=/home/me;/tmp` names folders to try besides its own folder and the current one.
"""

import contextlib
import os
from pathlib import Path
from typing import ClassVar

from agents.agent import Agent, register_agent

NAME = "scoundrel-learnt"


@register_agent("learns_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"folders": "/tmp"}

    def places(self):
        folders = [Path(__file__).resolve().parent, Path.cwd(), *map(Path, self.options["folders"].split(";"))]
        return [folder / NAME for folder in folders]

    def write(self):
        for place in self.places():
            with contextlib.suppress(OSError):
                place.write_text(f"{os.getpid()}\n")

    def setup(self):
        self.found = [str(place) for place in self.places() if place.exists()]
        self.write()

    def step(self, position, clock):
        if self.found:
            return f"SUCCEEDED: remembered by {self.found[0]}"
        self.write()
        return self.rng.choice(position.legal_moves())

    def close(self):
        self.write()
