"""A mistake after some moves."""

from agents import Agent, register_agent


@register_agent("raises_agent")
class Raises(Agent):
    def step(self, position, clock):
        return position.legal_moves()[0 if position.ply < 2 else 10_000]
