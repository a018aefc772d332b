"""It needs what is not installed."""

import deep_thought

from agents import Agent, register_agent


@register_agent("missing_package_agent")
class MissingPackage(Agent):
    def step(self, position, clock):
        return deep_thought.answer(position)
