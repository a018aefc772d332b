"""What a student's file finds as `store`."""

import re
from collections.abc import Callable
from typing import Any

from agents.agent import TEMPLATE, agent_names
from agents.agent import register_agent as register
from agents.course.player import FILE_PREFIX, CoursePlayer

AGENT_REGISTRY: dict[str, type[Any]] = {}  # the classes as they are written, by the names that they gave


def register_agent(agent_name: str = "") -> Callable[[type[Any]], type[Any]]:
    """A decorator that registers a class, which needs only `step`, under a name made of this one.

    Classes of modules that the agent's file imports are only noted in AGENT_REGISTRY.
    """

    def note(written: type[Any]) -> type[Any]:
        """Register a player that asks this class."""
        AGENT_REGISTRY[agent_name] = written
        if not written.__module__.startswith(FILE_PREFIX):
            return written
        members = {"written": written, "__module__": written.__module__, "__doc__": written.__doc__}
        register(_name_here(agent_name))(type(written.__name__, (CoursePlayer,), members))
        return written

    return note


def _name_here(name: str) -> str:
    """The name that an agent has here: in the frameworks it may be any text, also the name of an agent of ours."""
    name = re.sub(r"\W", "_", name)
    name = name if name.endswith("_agent") else f"{name}_agent"
    is_ours = name in agent_names() and name != TEMPLATE
    return name if name.isidentifier() and not is_ours else f"course_{name}"
