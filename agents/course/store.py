"""What a student's file finds as `store`."""

import re
from collections.abc import Callable
from typing import Any

from agents.agent import TEMPLATE, agent_names
from agents.agent import register_agent as register
from agents.course.player import FILE_PREFIX, CoursePlayer

AGENT_REGISTRY: dict[str, type[Any]] = {}  # the classes as they are written, by the names that they gave


def register_agent(agent_name: str = "") -> Callable[[type[Any]], type[Any]]:
    """A decorator that makes a class loadable, which need have nothing but `step`, under a name like this one.

    Classes of modules that the agent's file imports are noted only.
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
    """The name that an agent has here: that of the frameworks may be any text, or that of an agent of ours."""
    name = re.sub(r"\W", "_", name)
    name = name if name.endswith("_agent") else f"{name}_agent"
    is_ours = name in agent_names() and name != TEMPLATE
    return name if name.isidentifier() and not is_ours else f"course_{name}"
