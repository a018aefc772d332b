"""A text that is no move."""

from agents import Agent, register_agent


@register_agent("returns_text_agent")
class ReturnsText(Agent):
    def step(self, position, clock):
        return "the middle"
