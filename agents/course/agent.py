"""What a student's file finds as `agents.agent`."""

from typing import Any


class Agent:
    """The frameworks' base class: made without arguments, for each game anew.

    Attributes:
        name: what the agent calls itself; not used here.
        autoplay: whether it may play many games in a row; not used here.
    """

    def __init__(self) -> None:
        self.name = "DummyAgent"
        self.autoplay = True

    def __str__(self) -> str:
        return self.name

    def step(self, *arguments: Any) -> Any:
        """The move to play."""
        raise NotImplementedError(f"{type(self).__name__} has no method `step`")
