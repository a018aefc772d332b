"""A file is opened and never closed."""

from pathlib import Path

from agents import Agent, register_agent


@register_agent("keeps_a_file_open_agent")
class KeepsAFileOpen(Agent):
    def setup(self):
        self.file = Path(__file__).open()

    def step(self, position, clock):
        return position.legal_moves()[0]
