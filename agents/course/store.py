"""What a student's file finds as `store`."""

import re
from collections.abc import Callable
from typing import Any

from agents.agent import TEMPLATE, agent_names
from agents.agent import register_agent as register
from agents.course.player import FILE_PREFIX, CoursePlayer

AGENT_REGISTRY: dict[str, type[Any]] = {}  # the authors' classes, by the names under which they register


def register_agent(agent_name: str = "") -> Callable[[type[Any]], type[Any]]:
    """A decorator that registers a class with a method `step`, under a name made from `agent_name`.

    Classes in modules that the agent's file imports are only noted in AGENT_REGISTRY.
    """

    def note(written: type[Any]) -> type[Any]:
        """Register a player that asks this class for its moves."""
        AGENT_REGISTRY[agent_name] = written
        if not written.__module__.startswith(FILE_PREFIX):
            return written
        members = {"written": written, "__module__": written.__module__, "__doc__": written.__doc__}
        register(_name_here(agent_name))(type(written.__name__, (CoursePlayer,), members))
        return written

    return note


def _name_here(name: str) -> str:
    """The name that an agent gets here: in the frameworks it may be any text, even the name of one of our agents."""
    name = re.sub(r"\W", "_", name)
    name = name if name.endswith("_agent") else f"{name}_agent"
    is_ours = name in agent_names() and name != TEMPLATE
    return name if name.isidentifier() and not is_ours else f"course_{name}"
