"""It has a module of its own called game."""

from agents import Agent, register_agent


@register_agent("hides_a_module_agent")
class HidesAModule(Agent):
    def step(self, position, clock):
        return position.legal_moves()[0]
