"""It reads where there is nothing."""

import ctypes

from agents import Agent, register_agent


@register_agent("breaks_python_agent")
class BreaksPython(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            ctypes.string_at(0)
        return position.legal_moves()[0]
