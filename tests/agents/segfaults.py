"""Reads from address 0."""

import ctypes

from agents.agent import Agent, register_agent


@register_agent("segfaults_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            ctypes.string_at(0)
        return self.rng.choice(position.legal_moves())
