"""It thinks a little too long."""

import time

from agents import Agent, register_agent


@register_agent("late_agent")
class Late(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            time.sleep(clock.remaining + 0.3)
        return position.legal_moves()[0]
