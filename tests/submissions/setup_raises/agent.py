"""A mistake in setup."""

from agents import Agent, register_agent


@register_agent("setup_raises_agent")
class SetupRaises(Agent):
    def setup(self):
        self.table = dict(size=8)["width"]

    def step(self, position, clock):
        return position.legal_moves()[0]
