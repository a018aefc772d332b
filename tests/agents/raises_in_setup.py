"""Fails in setup."""

from agents.agent import Agent, register_agent


@register_agent("raises_in_setup_agent")
class Scoundrel(Agent):
    def setup(self):
        raise RuntimeError("no opening book")

    def step(self, position, clock):
        return self.rng.choice(position.legal_moves())
