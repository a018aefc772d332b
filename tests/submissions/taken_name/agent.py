"""The name of an agent of the project."""

from agents import Agent, register_agent


@register_agent("uct_agent")
class TakenName(Agent):
    def step(self, position, clock):
        return position.legal_moves()[0]
