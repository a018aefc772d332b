"""An agent of the course's frameworks as an agent of this project: loads its file, and calls it as they do."""

import hashlib
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

import agents
from agents.agent import Agent, AgentError
from agents.course import helpers, styles
from agents.limits import Clock
from python_file import execute

FILE_PREFIX = "agents.course_file_"  # of the name of an agent's module


def load_course_file(path: Path) -> ModuleType:
    """Execute a file, which finds the frameworks' modules, and return its module. Raises what the file raises.

    As in the frameworks it is a module of the package `agents`: it can import the modules beside it as `agents.NAME`,
    `.NAME` and `NAME`.
    """
    digest = hashlib.sha256(str(path).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    with _frameworks_modules(path.parent):
        return execute(path, f"{FILE_PREFIX}{path.stem}_{digest}")


@contextmanager
def _frameworks_modules(folder: Path) -> Iterator[None]:
    """In this context a file finds the frameworks' modules, and the modules of its folder before ours.

    `helpers` and `store` stay afterwards, for functions that import them late. A `helpers.py` in the file's folder is
    preferred to ours.
    """
    from agents.course import agent, store  # noqa: PLC0415  (`store` imports this module)

    ours = sys.modules["agents.agent"]
    sys.modules |= {"agents.agent": agent, "store": store}
    sys.modules.pop("helpers", None)
    if not (folder / "helpers.py").is_file():
        sys.modules["helpers"] = helpers
    agents.__path__.insert(0, str(folder))
    try:
        yield
    finally:
        agents.__path__.append(agents.__path__.pop(0))
        sys.modules["agents.agent"] = ours


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
            raise AgentError(
                f"its step{signature(step)} is that of another game: {self.game.title} calls "
                f"step(self, {', '.join(parameters)})"
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
