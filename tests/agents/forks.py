"""Makes processes or threads at its second move until somebody stops it: `forks.py:deed=children`.

Where nobody does, it stops at some hundred, so that the machine it is tried on survives.
"""

import os
import threading
import time
from typing import ClassVar

from agents.agent import Agent, register_agent

MANY = 400
GENERATIONS = 8


def children():
    """Its own, which sleep."""
    for _ in range(MANY):
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
    return f"{MANY} children"


def bomb():
    """Its own, and theirs: 2^GENERATIONS processes, all of them busy."""
    error = None
    for _ in range(GENERATIONS):
        try:
            os.fork()
        except OSError as refused:
            error = refused
    while error is None:
        pass
    raise error


def threads():
    for _ in range(MANY):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    return f"{MANY} threads"


@register_agent("forks_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"deed": "children"}
    moves = 0

    def step(self, position, clock):
        self.moves += 1
        if self.moves == 2:
            return f"SUCCEEDED: {globals()[self.options['deed']]()}"
        return self.rng.choice(position.legal_moves())
