"""Forgets to return a move."""

from agents.agent import Agent, register_agent


@register_agent("returns_none_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        self.rng.choice(position.legal_moves())
