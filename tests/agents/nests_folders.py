"""Where it may write, it makes folders in folders that nobody may look into, more than Python's own rmtree can take."""

import os
import sys
from pathlib import Path

import numba  # noqa: F401  (so that it is prepared)

from agents import Agent, register_agent

DEPTH = 3000


@register_agent("nesting_agent")
class Nesting(Agent):
    def setup(self):
        try:
            os.chdir(Path(sys.pycache_prefix or "/nowhere").parent)
            for _ in range(DEPTH):
                os.mkdir("d")
                os.chdir("d")
            os.mkdir("closed", 0)
        finally:
            os.chdir("/")

    def step(self, position, clock):
        return position.legal_moves()[0]
