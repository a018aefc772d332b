"""Two versions in one file."""

from agents import Agent, register_agent


@register_agent("first_try_agent")
class FirstTry(Agent):
    def step(self, position, clock):
        return position.legal_moves()[0]


@register_agent("second_try_agent")
class SecondTry(Agent):
    def step(self, position, clock):
        return position.legal_moves()[0]
