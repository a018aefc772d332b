"""A person at the keyboard. The terminal front (`runner.py play`) asks for the moves; this class holds the place."""

from collections.abc import Callable
from typing import Any

from agents.agent import Agent, AgentError, Clock, register_agent


@register_agent("human_agent")
class HumanAgent(Agent):
    """Asks a person for each move, through `ask(position) -> move`, which the front sets."""

    ask: Callable[[Any], Any] | None = None

    def step(self, position: Any, clock: Clock) -> Any:
        """The move that the person chose; a person has no clock."""
        if self.ask is None:
            raise AgentError("human_agent needs a person: use `runner.py play`")
        return self.ask(position)
