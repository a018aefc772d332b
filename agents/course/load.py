"""Loads the file of an agent of the course's frameworks."""

import hashlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import agents
from agents.course import agent, helpers, store
from agents.course.player import FILE_PREFIX
from python_file import execute


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
