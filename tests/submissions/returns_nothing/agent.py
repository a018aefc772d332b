"""A path without return."""

from agents import Agent, register_agent


@register_agent("returns_nothing_agent")
class ReturnsNothing(Agent):
    def step(self, position, clock):
        if position.ply < 2:
            return position.legal_moves()[0]
        return print("no idea")
