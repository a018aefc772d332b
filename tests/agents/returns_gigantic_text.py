"""Returns a text of 50 MB that begins like a move."""

from agents.agent import Agent, register_agent


@register_agent("returns_gigantic_text_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        return "a1/0r" + "r" * (50 << 20)
