"""The other."""

from agents import Agent, register_agent


@register_agent("two_agent")
class Two(Agent):
    def step(self, position, clock):
        return position.legal_moves()[0]
