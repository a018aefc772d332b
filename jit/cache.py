"""How compiled functions are kept on disk, and how processes share them.

If two processes keep code of a function for different types, one overwrites the other's index in numba's own cache.
Here each function that Python calls has a file of its own for each set of types, in the folder that `folder.py` finds;
paths in it are relative to the project.
"""

import functools
import hashlib
import os
import pickle
import sys
import time
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import Any, ClassVar, Self

with suppress(ImportError):  # only systems like Unix have it
    import fcntl

import numba as nb
import numba.core.caching as nb_caching
from numba.core import types
from numba.core.runtime import rtsys

from jit.folder import CACHE_FOLDER, CACHE_IS_READ_ONLY, MARK, PROJECT, jitted_sources, write_at_once

_PAUSE = 0.05  # seconds between two looks at whether another process is still compiling
_named_by_content: set[str] = set()


def keep_code_of(module: str) -> None:
    """Keep code of a module outside the project, and code compiled for its classes, in a folder of the module's name.

    Such a class is that of a game's kernel. The module's name has to contain a hash of its files.
    """
    _named_by_content.add(module)


def is_kept(kind: type) -> bool:
    """Whether `keep_code_of` was told of the module of a class."""
    return kind.__module__ in _named_by_content


class Locator(nb_caching.UserProvidedCacheLocator):  # type: ignore[misc]
    """Finds the place of what is kept of a function; for compiled sources of the project, by their paths in it."""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Self | None:
        """The locator for a function; None if its file does not exist. Writes nothing until there is code to keep."""
        return cls(py_func, py_file) if os.path.exists(py_file) else None

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """The folder for the functions of a file."""
        path = Path(os.path.abspath(py_file))
        if path in HASHED:
            return ".".join(path.relative_to(PROJECT).parent.parts) or "project"
        found: str = super().get_suitable_cache_subpath(py_file)
        return found

    def get_source_stamp(self) -> Any:
        """The hash of a compiled source, read once: times differ from machine to machine. For other files numba's."""
        file = os.path.abspath(self._py_file)
        return _content_hash(file) if Path(file) in HASHED else super().get_source_stamp()


@functools.cache
def _content_hash(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


class ReadOnlyLocator(Locator):
    """Finds what others compiled in a folder that cannot be written; numba's own locators reject such a folder."""

    def ensure_cache_path(self) -> None:
        """Make no folder."""


HASHED = frozenset(jitted_sources())
if CACHE_FOLDER is not None:
    nb.config.CACHE_DIR = str(CACHE_FOLDER)
    numbas_own = ("InTreeCacheLocator", "UserWideCacheLocator", "IPythonCacheLocator", "ZipCacheLocator")
    nb.config.CACHE_LOCATOR_CLASSES = ",".join((f"{__name__}.{Locator.__name__}", *numbas_own))
if CACHE_IS_READ_ONLY:
    # This is a sandbox, where an agent runs. Code that it compiles itself is lost when its process ends; with numba's
    # own locators `cache=True` would be an error if no folder can be written.
    nb.config.CACHE_LOCATOR_CLASSES = f"{__name__}.{ReadOnlyLocator.__name__}"
    nb_caching.Cache.save_overload = lambda self, signature, data: None


def _checksum(content: bytes) -> bytes:
    return zlib.crc32(content).to_bytes(4, "big")


def state_of(file: str) -> tuple[int, int] | None:
    """Time and size of a file, which change when it is edited; None if there is no such file, or no longer."""
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


class _Files:
    """A file for each key, in place of numba's index of a function and its numbered files.

    So no process has to read what another process is writing.
    """

    def __init__(self, folder: str, name: str, stamp: object, module: str) -> None:
        self._folder, self._name, self._stamp, self._module = Path(folder), name, stamp, module

    def _path(self, key: Any) -> Path:
        classes = [t.instance_class.__module__ for t in key[0] if isinstance(t, types.BaseNamedTuple)]
        place = f"{self._name}.{hashlib.sha256(repr((key, classes)).encode()).hexdigest()[:16]}.nbc"
        ours = (name for name in _named_by_content if name in classes or f"{self._module}.".startswith(f"{name}."))
        return self._folder.joinpath(*sorted(ours), place)

    def load(self, key: Any) -> Any:
        """The data that is kept for a key; None if there is none."""
        try:
            content = self._path(key).read_bytes()
        except (FileNotFoundError, PermissionError):  # the second: the file is another user's
            return None
        file = BytesIO(content)
        if file.read(4) != _checksum(content[4:]):  # after a power failure a part of a file may be missing
            return None
        if pickle.load(file) != self._stamp:  # the rest may be of classes that no longer exist
            return None
        kept, data = pickle.load(file)
        return data if kept == key else None

    def save(self, key: Any, data: Any) -> None:
        """Keep data for a key, in place of what was kept for it."""
        content, path = nb_caching.dumps(self._stamp) + nb_caching.dumps((key, data)), self._path(key)
        path.parent.mkdir(exist_ok=True)
        write_at_once(path, _checksum(content) + content)

    def flush(self) -> None:
        """Remove all that is kept of the function."""
        for path in self._folder.rglob(f"{self._name}.*.nbc"):
            path.unlink(missing_ok=True)


def remove_damaged(folder: Path) -> None:
    """Remove files of which a part is missing; if there are any, remove the marks, too, which say that all is there."""
    damaged = []
    for path in folder.rglob(f"*.{'[0-9a-f]' * 16}.nbc"):
        with suppress(FileNotFoundError):  # another process may remove files, too
            content = path.read_bytes()
            if content[:4] != _checksum(content[4:]):
                damaged.append(path)
    for path in (*damaged, *(folder.glob(f"*{MARK}") if damaged else ())):
        path.unlink(missing_ok=True)


class NotKept(LookupError):
    """Nothing is kept of a function that Python calls, so it would have to be compiled; the message names it."""


@contextmanager
def kept_code_only() -> Iterator[None]:
    """Within it, a call that would have to be compiled raises NotKept. Raises NotKept, too, if nothing can be kept."""
    if CACHE_FOLDER is None:
        raise NotKept("no compiled code is kept on this system")
    EntryCache.may_compile = False
    try:
        yield
    finally:
        EntryCache.may_compile = True


def wait_for_others(seconds: float) -> None:
    """Let this process wait for functions that others compile, so many seconds in all; then it compiles them itself.

    Not for an agent: its clock would run meanwhile. If files cannot be locked, no process waits.
    """
    EntryCache.patience = 0.0
    if "fcntl" in sys.modules and CACHE_FOLDER is not None and not CACHE_IS_READ_ONLY:
        if EntryCache._file is None:
            EntryCache._file = (CACHE_FOLDER.parent / "functions.lock").open("w")
        EntryCache.patience = seconds


class EntryCache(nb_caching.FunctionCache):  # type: ignore[misc]
    """The cache of a function that Python calls: its code with that of all that it calls. Other functions have none.

    If a process that waits for others finds nothing, it holds a lock until `unlock`; meanwhile no other process that
    waits compiles the function. The lock is on one byte of a file that all functions share, so it ends with the
    process. The file is beside the folder: an agent that bubblewrap confines does not see it.
    """

    patience: ClassVar[float] = 0.0  # seconds that this process may still wait
    may_compile: ClassVar[bool] = True  # see `kept_code_only`
    _file: ClassVar[Any] = None  # one for all functions: closing it anywhere would end all locks

    def __init__(self, dispatcher: Any) -> None:
        super().__init__(dispatcher.py_func)
        locator = self._impl.locator
        stamp, module = locator.get_source_stamp(), dispatcher.py_func.__module__
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, stamp, module)
        self._dispatcher = dispatcher
        self._byte = zlib.crc32(f"{self.cache_path}/{self._impl.filename_base}".encode())
        self._is_locked = False

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kept code, perhaps after waiting for the process that compiles it, or None. Raises NotKept."""
        if not self._dispatcher.is_for_python:
            return None
        found = self._load(sig, target_context)
        if found is None and EntryCache.patience > 0 and not (self._is_locked or CACHE_IS_READ_ONLY):
            self._lock()
            found = self._load(sig, target_context)
        if found is None and not EntryCache.may_compile:
            raise NotKept(self._dispatcher.py_func.__name__)
        return found

    def _load(self, sig: Any, target_context: Any) -> Any:
        """The kept code or None. numba's own `load_overload` would first import and register what compiling needs."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep compiled code, if Python can call it."""
        if self._dispatcher.is_for_python:
            data.library.is_for_callers = False
            try:
                super().save_overload(sig, data)
            except OSError as error:  # a full disk, for example: the code is lost when the process ends
                warnings.warn(f"compiled code cannot be kept: {error}", stacklevel=2)

    def _lock(self) -> None:
        """Take the lock; if another process has it, wait as long as this process has patience."""
        start = time.monotonic()
        while True:
            try:
                fcntl.lockf(EntryCache._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, self._byte)
                self._is_locked = True
                break
            except (BlockingIOError, PermissionError):  # it is held
                if time.monotonic() - start >= EntryCache.patience:
                    break
                time.sleep(_PAUSE)
            except OSError:  # a file system without locks
                break
        EntryCache.patience -= time.monotonic() - start

    def unlock(self) -> None:
        """Release the lock: others may now load the function, or compile it for other types."""
        if self._is_locked:
            self._is_locked = False
            fcntl.lockf(EntryCache._file, fcntl.LOCK_UN, 1, self._byte)
