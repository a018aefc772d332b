"""Closes everything that is open but stdin, stdout and stderr."""

import os

from agents.agent import Agent, register_agent


@register_agent("closes_descriptors_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            os.closerange(3, 1000)
        return self.rng.choice(position.legal_moves())
