"""It leaves in the middle of a game."""

import os

from agents import Agent, register_agent


@register_agent("ends_its_process_agent")
class EndsItsProcess(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            os._exit(0)
        return position.legal_moves()[0]
