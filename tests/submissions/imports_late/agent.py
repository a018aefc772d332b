"""It imports its own module when it needs it."""

from agents import Agent, register_agent


@register_agent("imports_late_agent")
class ImportsLate(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            import opening_book  # noqa: F401
        return position.legal_moves()[0]
