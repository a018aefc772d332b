"""It loops for ever."""

import time

from agents import Agent, register_agent


@register_agent("hangs_agent")
class Hangs(Agent):
    def step(self, position, clock):
        while position.ply >= 2:
            time.sleep(0.01)
        return position.legal_moves()[0]
