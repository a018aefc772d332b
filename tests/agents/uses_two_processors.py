"""Keeps two processes busy for a second at its second move, and looks how much processor time they got."""

import os
import time

from agents.agent import Agent, register_agent

SECONDS = 1.0
MORE_THAN_ONE = 1.3


def busy_child(until):
    """A child that works until then."""
    child = os.fork()
    if child == 0:
        while time.monotonic() < until:
            pass
        os._exit(0)
    return child


def processors_used():
    """Processor time of two busy children by the time that passed."""
    started = time.monotonic()
    children = [busy_child(started + SECONDS) for _ in range(2)]
    used = 0.0
    for child in children:
        usage = os.wait4(child, 0)[2]
        used += usage.ru_utime + usage.ru_stime
    return used / (time.monotonic() - started)


@register_agent("uses_two_processors_agent")
class Scoundrel(Agent):
    moves = 0

    def step(self, position, clock):
        self.moves += 1
        if self.moves == 2:
            used = processors_used()
            if used > MORE_THAN_ONE:
                return f"SUCCEEDED: used {used:.2f} processors"
            raise PermissionError(1, f"used {used:.2f} processors")
        return self.rng.choice(position.legal_moves())
