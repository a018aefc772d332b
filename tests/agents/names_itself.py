"""Gives itself a name that looks like a line of what the kernel says of it, or that is no text."""

import ctypes
from typing import ClassVar

from agents.agent import Agent, register_agent

NAMES = {"figure": b"x kB", "bytes": b"\xff\xfe", "lines": b"\nVmRSS: 1 kB", "brackets": b") Z 1 1"}


@register_agent("names_itself_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"name": "figure"}

    def step(self, position, clock):
        ctypes.CDLL(None).prctl(15, NAMES[self.options["name"]], 0, 0, 0)
        return self.rng.choice(position.legal_moves())
