"""What a student's file finds as `store`."""

from collections.abc import Callable
from typing import Any

from agents.agent import register_agent as register
from agents.course.player import FILE_PREFIX, CoursePlayer

AGENT_REGISTRY: dict[str, type[Any]] = {}  # the classes as they are written, by the names that they gave


def register_agent(agent_name: str = "") -> Callable[[type[Any]], type[Any]]:
    """A decorator that makes a class loadable, which need have nothing but `step`; its name gets `_agent` at its end.

    Classes of modules that the agent's file imports are noted only. Raises AgentError for a malformed name, or one of
    ours.
    """

    def note(written: type[Any]) -> type[Any]:
        """Register a player that asks this class."""
        AGENT_REGISTRY[agent_name] = written
        if not written.__module__.startswith(FILE_PREFIX):
            return written
        members = {"written": written, "__module__": written.__module__, "__doc__": written.__doc__}
        name = agent_name if agent_name.endswith("_agent") else f"{agent_name}_agent"
        register(name)(type(written.__name__, (CoursePlayer,), members))
        return written

    return note
