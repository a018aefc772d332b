"""An agent's own compiled code in its process: it is read from a folder that was filled before the first game.

The folder has what `numba.njit(cache=True)` compiles from the agent's own files, and the bytecode of the modules that
the agent imports. It is written in one run only, see `prepare.py`; in games it is read, and only until the first move
is made. All other compiled code is looked for where `jit/cache.py` keeps it.

The agent's process imports this module if there is such a folder, so nothing but numba, numpy, the standard library and
this project's modules may be imported here.
"""

import os
import sys
from pathlib import Path
from typing import Any, ClassVar, Self

import numba.core.caching as nb_caching  # (after `jit`, which decides where compiled code is kept)
import numba.core.config as nb_config

import jit

COMPILED, BYTECODE = "compiled", "bytecode"  # the folders in an agent's folder


class AgentLocator(nb_caching.UserProvidedCacheLocator):  # type: ignore[misc]
    """Tells numba where it keeps what it compiles from an agent's own files.

    Attributes:
        folder: where compiled code is kept.
        own: the agent's own folder.
        fills: whether compiled code is written there.
    """

    folder: ClassVar[Path]
    own: ClassVar[Path]
    fills: ClassVar[bool] = False

    def __init__(self, py_func: Any, py_file: str) -> None:
        self._py_file = py_file
        self._lineno = py_func.__code__.co_firstlineno
        self._cache_path = str(self.folder / self.get_suitable_cache_subpath(py_file))

    def ensure_cache_path(self) -> None:
        """Make the folder, in the run that fills it."""
        if self.fills:
            os.makedirs(self._cache_path, exist_ok=True)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Self | None:
        """The locator for a function in one of the agent's own files; None for any other function."""
        if not is_own(Path(os.path.abspath(py_file)), cls.own):
            return None
        found: Self | None = super().from_function(py_func, py_file)
        return found


def is_own(file: Path, own: Path) -> bool:
    """Whether a source file belongs to the agent whose folder is `own`; this project's code in that folder does not.

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
    """Look for the agent's own compiled code in a folder from now on; with `fills`, write it there as well."""
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
    """Write what was compiled from the agent's own files; nothing else can be written."""
    if isinstance(cache._impl.locator, AgentLocator):
        cache._save_overload(signature, data)
