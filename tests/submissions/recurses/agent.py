"""A recursion without end."""

from agents import Agent, register_agent


@register_agent("recurses_agent")
class Recurses(Agent):
    def search(self, position):
        return self.search(position)

    def step(self, position, clock):
        return self.search(position) if position.ply >= 2 else position.legal_moves()[0]
