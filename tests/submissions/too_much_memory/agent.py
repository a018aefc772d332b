"""A table that does not fit."""

import numpy as np

from agents import Agent, register_agent


@register_agent("too_much_memory_agent")
class TooMuchMemory(Agent):
    def setup(self):
        self.table = np.ones(100_000_000)

    def step(self, position, clock):
        return position.legal_moves()[0]
