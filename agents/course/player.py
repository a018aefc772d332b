"""An agent of the course's frameworks as an agent of this project: calls it as they do."""

import random
from inspect import signature
from typing import Any, ClassVar

import numpy as np

from agents.agent import Agent, AgentError
from agents.course import helpers, styles
from agents.limits import Clock

FILE_PREFIX = "agents.course_file_"  # of the name of an agent's module


class CoursePlayer(Agent):
    """Asks an agent of the frameworks for its moves.

    Attributes:
        written: the class that the author has written.
    """

    written: ClassVar[type[Any]]

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        try:
            parameters = styles.parameters_of(self.game)
        except ValueError as error:
            raise AgentError(f"{self.registered_name} is written for the course's frameworks: {error}") from error
        step = getattr(self.written, "step", None)
        if step is None:
            raise AgentError(f"{self.written.__name__} has no method `step`")
        try:
            signature(step).bind("self", *parameters)
        except TypeError as error:
            what = "lacks `self`" if tuple(signature(step).parameters) == parameters else "is that of another game"
            raise AgentError(
                f"its step{signature(step)} {what}: {self.game.title} calls step(self, {', '.join(parameters)})"
            ) from error

    def setup(self) -> None:
        """Make an object of the author's class; the random generators that it may use without a seed are seeded."""
        random.seed(self.seed)
        np.random.seed(self.seed)
        helpers.use(self.game)
        self._player = self.written()

    def step(self, position: Any, clock: Clock) -> Any:
        """What the author's `step` answers, as a move here; as in the course, it is not asked when it has to pass."""
        if position.legal_moves() == (None,):
            return None
        helpers.use(self.game)
        answer = self._player.step(*styles.arguments_for(position))
        if answer is None:
            return "None"  # a text is no move; None would be a pass
        if isinstance(answer, helpers.MoveCoordinates) or hasattr(answer, "get_src"):
            return helpers.move_of(position.board, answer, position.to_move + 1)
        return answer
