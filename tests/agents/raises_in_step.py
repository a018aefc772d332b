"""Fails in its second step."""

from agents.agent import Agent, register_agent


@register_agent("raises_in_step_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            print("thinking about", position)
            raise ValueError("what now?\n\n= a1/0r")
        return self.rng.choice(position.legal_moves())
