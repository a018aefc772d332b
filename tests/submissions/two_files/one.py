"""One of two."""

from agents import Agent, register_agent


@register_agent("one_agent")
class One(Agent):
    def step(self, position, clock):
        return position.legal_moves()[0]
