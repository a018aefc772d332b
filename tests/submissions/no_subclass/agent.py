"""The base class is forgotten."""

from agents import register_agent


@register_agent("no_subclass_agent")
class NoSubclass:
    def step(self, position, clock):
        return position.legal_moves()[0]
