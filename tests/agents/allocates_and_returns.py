"""Takes 400 MB, gives them back, and answers before anybody looks."""

from agents.agent import Agent, register_agent


@register_agent("allocates_and_returns_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            bytearray(b"x" * (200 << 20))
        return self.rng.choice(position.legal_moves())
