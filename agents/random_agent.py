"""The first baseline: a uniformly random legal move."""

from typing import Any

from agents.agent import Agent, register_agent
from agents.limits import Clock


@register_agent("random_agent")
class RandomAgent(Agent):
    """Plays uniformly random legal moves."""

    def step(self, position: Any, clock: Clock) -> Any:
        """A random one of the legal moves."""
        return self.rng.choice(position.legal_moves())
