"""Raises what `except Exception` does not catch."""

from agents.agent import Agent, register_agent


class Disaster(BaseException):
    pass


@register_agent("raises_base_exception_agent")
class Scoundrel(Agent):
    def step(self, position, clock):
        if position.ply >= 2:
            raise Disaster("gone")
        return self.rng.choice(position.legal_moves())
