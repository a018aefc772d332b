"""Never answers its second question, and keeps the processor busy."""

from agents.agent import Agent, register_agent


@register_agent("spins_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            while True:
                pass
        return self.rng.choice(position.legal_moves())
