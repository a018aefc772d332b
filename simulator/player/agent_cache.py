"""An agent's own compiled code in its process: it is read from a folder that was filled before the first game.

What `numba.njit(cache=True)` compiles of an agent's own files, and the bytecode of the modules that it imports, is
written in one run only, see `prepare.py`; in games the folder is read, and only until the first move is made. All else
is looked for where `jit/cache.py` keeps the project's compiled code.

The agent's process imports this module, and only if there is such a folder: numba, numpy and the standard library.
"""

import os
import sys
from pathlib import Path
from typing import Any, ClassVar, Self

import numba.core.caching as nb_caching  # (after `jit`, which decides where compiled code is kept)
import numba.core.config as nb_config

import jit

COMPILED, BYTECODE = "compiled", "bytecode"  # folders in it


class AgentLocator(nb_caching.UserProvidedCacheLocator):  # type: ignore[misc]
    """Where numba finds what it compiled of an agent's own files.

    Attributes:
        folder: where that is kept.
        own: the agent's own folder.
        fills: whether it is written.
    """

    folder: ClassVar[Path]
    own: ClassVar[Path]
    fills: ClassVar[bool] = False

    def __init__(self, py_func: Any, py_file: str) -> None:
        self._py_file = py_file
        self._lineno = py_func.__code__.co_firstlineno
        self._cache_path = str(self.folder / self.get_suitable_cache_subpath(py_file))

    def ensure_cache_path(self) -> None:
        """Make the folder in the run that fills it."""
        if self.fills:
            os.makedirs(self._cache_path, exist_ok=True)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Self | None:
        """The locator for a function of the agent's own; None for others."""
        if not is_own(Path(os.path.abspath(py_file)), cls.own):
            return None
        found: Self | None = super().from_function(py_func, py_file)
        return found


def is_own(file: Path, own: Path) -> bool:
    """Whether a source file is the agent's, whose folder is `own`: not where that has this project's code in it, too.

    >>> is_own(jit.PROJECT / "ann" / "agent.py", jit.PROJECT / "ann")
    True
    >>> is_own(jit.PROJECT / "go" / "rules.py", jit.PROJECT)
    False
    """
    if not file.is_relative_to(own):
        return False
    agents = jit.PROJECT / "agents"
    if agents in own.parents or not file.is_relative_to(jit.PROJECT):
        return True
    has_all_in_it = jit.PROJECT.is_relative_to(own)
    is_code = has_all_in_it and any(file.is_relative_to(part) for part in (agents, jit.PROJECT / "simulator"))
    return not is_code and file not in jit.jitted_sources()


def use(folder: Path, own: Path, *, fills: bool) -> None:
    """Look for compiled code of the agent's own in a folder from now on; `fills` writes it there as well."""
    AgentLocator.folder, AgentLocator.own, AgentLocator.fills = folder / COMPILED, own, fills
    locators = [
        f"{__name__}.{AgentLocator.__name__}",
        f"{jit.ReadOnlyLocator.__module__}.{jit.ReadOnlyLocator.__name__}",
    ]
    nb_config.CACHE_LOCATOR_CLASSES = ",".join(locators)
    if fills:
        nb_caching.Cache.save_overload = _save
    sys.pycache_prefix = str(folder / BYTECODE)
    sys.dont_write_bytecode = not fills


def _save(cache: Any, signature: Any, data: Any) -> None:
    """Keep what was compiled of the agent's own; nothing else can be written."""
    if isinstance(cache._impl.locator, AgentLocator):
        cache._save_overload(signature, data)
