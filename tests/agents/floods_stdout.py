"""Prints for ever."""

from agents.agent import Agent, register_agent


@register_agent("floods_stdout_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            while True:
                print("x" * 10_000)
        return self.rng.choice(position.legal_moves())
