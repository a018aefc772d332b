"""Gives up at its second move."""

from agents.agent import Agent, register_agent


@register_agent("resigns_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            return "resign"
        return self.rng.choice(position.legal_moves())
