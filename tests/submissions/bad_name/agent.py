"""A name without _agent."""

from agents import Agent, register_agent


@register_agent("superbot")
class BadName(Agent):
    def step(self, position, clock):
        return position.legal_moves()[0]
