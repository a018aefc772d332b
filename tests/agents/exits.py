"""Ends its process, as if all were well."""

import os

from agents.agent import Agent, register_agent


@register_agent("exits_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            os._exit(0)
        return self.rng.choice(position.legal_moves())
