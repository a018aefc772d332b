"""Returns a text that is no move, with line breaks and control characters."""

from agents.agent import Agent, register_agent


@register_agent("returns_garbage_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        return "a9/7q\n\n= a1/0r\x00\x1b[2J" + "x" * 100_000
