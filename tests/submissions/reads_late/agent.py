"""It reads its book when it needs it."""

from contextlib import suppress
from pathlib import Path

from agents import Agent, register_agent


@register_agent("reads_late_agent")
class ReadsLate(Agent):
    def step(self, position, clock):
        with suppress(OSError):
            self.book = Path(__file__).with_name("book.txt").read_text()
        return position.legal_moves()[0]
