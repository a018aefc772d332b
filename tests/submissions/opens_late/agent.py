"""It opens its own book when it needs it."""

from pathlib import Path

from agents import Agent, register_agent


@register_agent("opens_late_agent")
class OpensLate(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            self.book = (Path(__file__).parent / "book.txt").read_text()
        return position.legal_moves()[0]
