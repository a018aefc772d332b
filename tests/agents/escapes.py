"""Starts a process that shares nothing with it, neither session nor environment nor parent; then ends.

`escapes.py:name=X`: X stands in the command line of the process that escapes.
"""

import os
import sys
from typing import ClassVar

from agents.agent import Agent, register_agent


def escape(name):
    """Forks twice, so that the grandchild is nobody's, and turns it into another program."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            program = f"import time; time.sleep(600)  # {name}"
            os.execve(sys.executable, [sys.executable, "-I", "-S", "-c", program], {})
        os._exit(0)
    os.wait()


@register_agent("escapes_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"name": "escaped"}
    moves = 0

    def step(self, position, clock):
        self.moves += 1
        if self.moves == 2:
            escape(self.options["name"])
            os._exit(5)
        return self.rng.choice(position.legal_moves())
