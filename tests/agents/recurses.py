"""Calls itself at its second move: `recurses.py:deed=python` to Python's limit, `frames` without one, `c` in C."""

import sys
from typing import ClassVar

from agents.agent import Agent, register_agent

DEPTH = 200_000


def python():
    return python()


def frames():
    sys.setrecursionlimit(1 << 30)
    return python()


def c():
    """Two lists of lists of lists, compared."""
    sys.setrecursionlimit(1 << 30)
    nested, other = [], []
    for _ in range(DEPTH):
        nested, other = [nested], [other]
    return nested == other


@register_agent("recurses_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"deed": "python"}
    moves = 0

    def step(self, position, clock):
        self.moves += 1
        if self.moves == 2:
            globals()[self.options["deed"]]()
        return self.rng.choice(position.legal_moves())
