"""A breakpoint was left in."""

from agents import Agent, register_agent


@register_agent("stops_for_a_debugger_agent")
class StopsForADebugger(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            breakpoint()
        return position.legal_moves()[0]
