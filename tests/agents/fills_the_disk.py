"""Where it may write, it writes as much as it can, in files called like compiled code."""

import sys
from pathlib import Path

import numba  # noqa: F401  (so that it is prepared)

from agents import Agent, register_agent


@register_agent("filling_agent")
class Filling(Agent):
    def setup(self):
        folder = Path(sys.pycache_prefix or "/nowhere").parent
        for number in range(100_000):
            try:
                (folder / f"{number}.nbc").write_bytes(b"x")
            except OSError:
                return

    def step(self, position, clock):
        return position.legal_moves()[0]
