"""Closes stdout and stderr, which are not the wire, and plays on."""

import contextlib
import os

from agents.agent import Agent, register_agent


@register_agent("closes_stdout_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        for descriptor in (0, 1, 2):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        return self.rng.choice(position.legal_moves())
