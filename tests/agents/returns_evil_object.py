"""Returns an object that interrupts whoever looks at it."""

from agents.agent import Agent, register_agent


class Evil:
    def __str__(self):
        raise KeyboardInterrupt


@register_agent("returns_evil_object_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        return Evil()
