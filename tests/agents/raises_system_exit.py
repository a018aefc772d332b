"""Calls sys.exit, which is an exception."""

import sys

from agents.agent import Agent, register_agent


@register_agent("raises_system_exit_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            sys.exit(0)
        return self.rng.choice(position.legal_moves())
