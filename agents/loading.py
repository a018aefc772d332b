"""Finding an agent's class, in this folder by its name or in a student's file. Begin reading at `load_agent`."""

import hashlib
import importlib
import os
import sys
from pathlib import Path
from types import ModuleType

from agents.agent import AGENTS_FOLDER, Agent, AgentError, AgentSpec, agent_names, parse_agent, registered
from agents.course.styles import is_course_file
from options import did_you_mean
from python_file import execute, own_traceback

ALIKE = 0.8  # how alike a name must be to be suggested; `_agent` alone makes many names half alike


def load_agent(agent: str | AgentSpec) -> type[Agent]:
    """The agent class of a registered name or a .py file.

    Options in the text are ignored: pass `parse_agent(text).options` to the class. A file is executed, so call this
    only in a process that may crash. Raises AgentError, with the file's own traceback if the file fails.
    """
    spec = parse_agent(agent) if isinstance(agent, str) else agent
    if spec.is_gtp:
        raise AgentError(f"{spec.source!r} is a program that speaks GTP by itself; name an agent in Python")
    if spec.is_file:
        return _load_file(Path(spec.source))
    if spec.source not in agent_names():
        if os.path.isfile(spec.source):
            raise AgentError(f'{spec.source} is no agent: name a folder, a .py or .zip file, or "gtp:COMMAND"')
        name = spec.source if "_" in spec.source else f"{spec.source}_agent"
        raise AgentError(
            f'no agent is called {spec.source!r}, and no folder, .py or .zip file ("gtp:COMMAND" is a program); '
            f"{did_you_mean(name, agent_names(), ALIKE)}"
        )
    return _of_this_folder(spec.source)


def _of_this_folder(name: str) -> type[Agent]:
    """The agent of a file in this folder. Raises AgentError if the file registers it under another name."""
    importlib.import_module(f"agents.{name}")
    if name not in registered:
        raise AgentError(f"agents/{name}.py has to register {name}: in this folder an agent has the name of its file")
    return registered[name]


def _load_file(path: Path) -> type[Agent]:
    """Execute a student's file and return the one agent that it registered."""
    path = path.expanduser().resolve()
    if not os.path.isfile(path):
        raise AgentError(f"there is no file {path}")
    if path.parent == AGENTS_FOLDER and path.stem in agent_names():
        return _of_this_folder(path.stem)
    if sys.path[0] != (folder := str(path.parent)):  # so that a submission of several files finds its own
        sys.path.insert(0, folder)
    try:
        module_name = _executed(path).__name__
    except AgentError as error:
        raise AgentError(f"{path}: {error}") from error
    except (Exception, SystemExit) as error:
        raise AgentError(f"{path} fails when it is imported:\n{own_traceback(error, path)}") from error
    found = [agent_class for agent_class in registered.values() if agent_class.__module__ == module_name]
    if len(found) != 1:
        many = f"registers {len(found)} agents" if found else "registers no agent"
        raise AgentError(f'{path} {many}: decorate one subclass of Agent with @register_agent("my_agent")')
    return found[0]


def _executed(path: Path) -> ModuleType:
    """Execute a student's file, and return its module; what the file can import depends on its style."""
    if is_course_file(path.read_text("utf-8", "replace")):
        found: ModuleType = importlib.import_module("agents.course.load").load_course_file(path)
        return found
    return execute(path, _module_name(path))


def _module_name(path: Path) -> str:
    """The name by which other files of an agent, and its tests, import its file; if that is taken, another name.

    Under two names the file would be executed twice, and what numba or pickle keep under one name could not be found
    under the other.
    """
    taken = sys.modules.get(path.stem)
    if taken is None or getattr(taken, "__file__", None) == str(path):
        return path.stem
    digest = hashlib.sha256(str(path).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"agent_file_{path.stem}_{digest}"
