"""Where compiled code is kept between processes: one folder for each version of what it depends on.

numba's own cache looks at the file of a cached function only: it does not see that a function called from another file
was edited, and would run the old code. It names its folders after absolute paths, so that every copy of the project
compiles anew. Of two processes that keep code for different types, one overwrites the other's index. So the folder's
name is a hash of all compiled sources, of Python's and numba's versions, and of the processor; in it, paths are
relative to the project, and each compiled function is a file of its own.

So a folder that was made for a portable processor can be carried to another machine (`runner.py kernels`), or come with
an installed package, in `jit/kernels`. It is for a machine on which nothing has been compiled: a process that finds one
that its processor runs compiles all for that portable processor, because code for two processors cannot be linked; its
search is slower by some per cent. Once the folder of the machine's own processor has all for which that one was made
(`runner.py kernels --compile`), it is used instead. A process decides this when it imports `jit`, and for all.

Compiled code is executed as it is found. A folder that belongs to somebody else, or that others can write, is not used.
"""

import functools
import hashlib
import json
import os
import pickle
import re
import shutil
import stat
import sys
import tempfile
import time
import uuid
import warnings
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import Any, ClassVar, Self

with suppress(ImportError):  # only systems like Unix have it
    import fcntl

# numba reads these when it is imported. One thread is all that an agent may use, and every BLAS thread that starts
# costs 40 MB of address space.
for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

# numba imports scipy where it is installed, for linear algebra that nothing here needs: 13 MB, a quarter of a second.
_hides_scipy = "scipy" not in sys.modules
if _hides_scipy:
    sys.modules["scipy"] = None  # type: ignore[assignment]
try:
    import numba as nb
    import numba.np.arraymath  # (which looks for scipy, and would be imported by the first compiled call)
finally:
    if _hides_scipy:
        del sys.modules["scipy"]

import numba.core.caching as nb_caching  # noqa: E402
from numba.core import types  # noqa: E402

from jit.processors import PORTABLE, Processor, can_be_chosen, compile_for, own_processor, processor  # noqa: E402

PROJECT = Path(__file__).resolve().parents[1]
PACKAGED = PROJECT / "jit" / "kernels"  # with an installed package: folders like those in the cache
MANIFEST = "manifest.json"  # what was compiled elsewhere has one, see `simulator/player/kernels.py`
MARK = ".compiled"  # how the names of files end that say what is there, see `simulator/player/compile_ahead.py`
VIEWS = ("board_view.py", "set_up_view.py")  # files of games that compile nothing
IS_PLAIN = os.environ.get("UNFORCED_PLAIN_NUMBA", "0") not in ("", "0")  # see `whole_program.py`
_VERSION = re.compile("[0-9a-f]{16}")  # the name of a folder
_FOLDERS_KEPT = 8  # of other versions, those that were used last
_DAY = 86_400  # seconds
_PAUSE = 0.05  # seconds between two looks at whether another process is still compiling
_OTHERS_CAN_WRITE = stat.S_IWGRP | stat.S_IWOTH


def game_folders() -> list[Path]:
    """The packages of this project that are games: those with a module `game`."""
    return sorted(path.parent for path in PROJECT.glob("*/game.py"))


def jitted_sources() -> list[Path]:
    """The files of this project whose compiled code, or frozen constants, other files' compiled code uses; sorted.

    An agent that is one file need not be among them, because what is kept of a function carries the hash of its own
    file; but only what is among them is found on another machine.
    """
    folders = [PROJECT / "jit", *game_folders(), *PROJECT.glob("agents/*/"), PROJECT / "studies" / "synthetic"]
    examples = ("tests/tictactoe.py", "tests/learned_tictactoe.py", "tests/extra_turn_nim.py")
    single = ("options.py", "game.py", "agents/greedy_agent.py", "agents/outcomes.py", "learning/network.py", *examples)
    files = [path for folder in folders for path in folder.rglob("*.py")] + [PROJECT / name for name in single]
    return sorted(path for path in files if path.is_file() and path.name not in VIEWS)


# --- The folder -----------------------------------------------------------------------------------------------------


def folder_names(*processors: Processor) -> list[str]:
    """The names of folders: for each processor a hash of all that code compiled for it depends on."""
    sources = hashlib.sha256()
    for path in jitted_sources():
        sources.update(str(path.relative_to(PROJECT)).encode() + b"\0" + path.read_bytes())
    fixed = (sys.version_info[:2], nb.__version__, IS_PLAIN, sources.hexdigest())
    return [hashlib.sha256(repr((*fixed, *processor)).encode()).hexdigest()[:16] for processor in processors]


def _is_writable(folder: Path) -> bool:
    """Whether this process can write there; the folder is made if need be, for its user alone."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _is_safe(folder: Path, is_named: bool) -> bool:
    """Whether nobody else writes there: it is this process's user's, or a folder that this user has named."""
    if os.name != "posix":
        return True
    status = folder.stat()
    return not status.st_mode & _OTHERS_CAN_WRITE and (is_named or status.st_uid == os.getuid())


def _is_there(folder: Path, is_named: bool) -> bool:
    """Whether there is a folder of compiled code that may be used."""
    return folder.is_dir() and _is_safe(folder.parent, is_named) and _is_safe(folder, is_named)


def _remove_stale(parent: Path, keep: Path) -> None:
    """Delete the folders of other versions but for those used last, which a branch switched back to will want.

    Nothing else in `parent` is touched: agents' compiled code, or whatever is in a folder that somebody has named.
    """
    versions = (f for f in parent.iterdir() if f != keep and _VERSION.fullmatch(f.name) and f.is_dir())
    others = sorted(versions, key=lambda f: f.stat().st_mtime)
    for folder in others[:-_FOLDERS_KEPT]:
        shutil.rmtree(folder, ignore_errors=True)


def _places() -> list[Path]:
    """Where the folder may be: with the user, in the project, among temporary files."""
    places = []
    with suppress(RuntimeError):  # a user without a home
        user_cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        places.append(user_cache / "unforced" / "kernels")
    places.append(PROJECT / ".cache" / "kernels")
    with suppress(FileNotFoundError):  # a system without a folder for temporary files
        user = os.getuid() if hasattr(os, "getuid") else "user"
        places.append(Path(tempfile.gettempdir()) / f"unforced-kernels-{user}")
    return places


def _parents() -> list[Path]:
    """The folders in which folders of compiled code may be."""
    named = os.environ.get("UNFORCED_CACHE")
    return [Path(named)] if named else _places()


def cache_folder() -> Path | None:
    """Where compiled code is kept between processes, or None if there is no such folder and none can be made.

    `UNFORCED_CACHE` names its parent; without it, that is in the user's cache folder, which serves all copies of the
    project, else `.cache/kernels` in the project, else among temporary files. One that is named may belong to another
    user (of a container's image, say); if others than its owner can write there, a warning says that it is not used.
    What came with an installed package is copied there, or used where it is if nothing can be written.
    """
    named, (name,) = os.environ.get("UNFORCED_CACHE"), folder_names(processor())
    folders = [parent / name for parent in _parents()]
    for folder in folders:
        is_new = not folder.exists()
        if not (_is_writable(folder.parent) and _is_writable(folder)):
            continue
        if _is_safe(folder.parent, bool(named)) and _is_safe(folder, bool(named)):
            if is_new:
                _remove_stale(folder.parent, folder)
            elif folder.stat().st_mtime < time.time() - _DAY:
                os.utime(folder)  # it is in use
            if ready_in(PACKAGED / name) > ready_in(folder):
                packaged = [file for file in (PACKAGED / name).rglob("*") if file.is_file()]
                put(folder, ((str(file.relative_to(PACKAGED / name)), file.read_bytes()) for file in packaged))
            return folder
        if named:
            warnings.warn(f"{named}: others can write there; no compiled code is kept (chmod go-w)", stacklevel=2)
            return None
    usable = [*((folder, bool(named)) for folder in folders), (PACKAGED / name, True)]
    return next((folder for folder, is_named in usable if _is_there(folder, is_named)), None)


# --- What was compiled elsewhere ------------------------------------------------------------------------------------


def ready_in(folder: Path) -> frozenset[str]:
    """The marks of what came into a folder from elsewhere, see `compile_ahead`; none if all was compiled here."""
    if not os.path.isfile(folder / MANIFEST):  # (False also where one may not look)
        return frozenset()
    return frozenset(name for name in json.loads((folder / MANIFEST).read_bytes())["files"] if name.endswith(MARK))


def put(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write files, by their paths in a folder of compiled code; each appears at once, the manifest last."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name, data in sorted(files, key=lambda file: file[0] == MANIFEST):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        _write_at_once(path, data)


def _write_at_once(path: Path, data: bytes) -> None:
    partial = path.with_suffix(f".{uuid.uuid4().hex[:16]}")
    try:
        partial.write_bytes(data)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def better_portable() -> Processor | None:
    """The portable processor for which this process had better compile; None for the machine's own."""
    own, is_named = own_processor(), bool(os.environ.get("UNFORCED_CACHE"))
    portable = [candidate for candidate in PORTABLE.values() if not own.lacks(candidate)]
    own_name, *names = folder_names(own, *portable)
    for candidate, name in zip(portable, names, strict=True):
        folders = [folder for parent in _parents() if _is_there(folder := parent / name, is_named)]
        if ready := frozenset[str]().union(*map(ready_in, (*folders, PACKAGED / name))):
            own_folders = [parent / own_name for parent in _parents()]
            is_filled = any(all((folder / mark).is_file() for mark in ready) for folder in own_folders)
            return None if is_filled else candidate
    return None


if can_be_chosen() and (_portable := better_portable()) is not None:
    compile_for(_portable)
CACHE_FOLDER = cache_folder()
CACHE_IS_READ_ONLY = CACHE_FOLDER is not None and not _is_writable(CACHE_FOLDER)


class Locator(nb_caching.UserProvidedCacheLocator):  # type: ignore[misc]
    """Finds what is kept of a function: for compiled sources of the project, by their paths in it."""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Self | None:
        """The locator for a function; None for one of no file. Nothing is written before something is to be kept."""
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
        """What a compiled source was when it was imported: a hash, because times differ from machine to machine."""
        file = os.path.abspath(self._py_file)
        return _content_hash(file) if Path(file) in HASHED else super().get_source_stamp()


@functools.cache
def _content_hash(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


class ReadOnlyLocator(Locator):
    """Finds what others compiled in a folder that cannot be written; numba's own gives such a folder up."""

    def ensure_cache_path(self) -> None:
        """Nothing is made."""


HASHED = frozenset(jitted_sources())
if CACHE_FOLDER is not None:
    nb.config.CACHE_DIR = str(CACHE_FOLDER)
    numbas_own = ("InTreeCacheLocator", "UserWideCacheLocator", "IPythonCacheLocator", "ZipCacheLocator")
    nb.config.CACHE_LOCATOR_CLASSES = ",".join((f"{__name__}.{Locator.__name__}", *numbas_own))
if CACHE_IS_READ_ONLY:
    # In a sandbox, where an agent runs. What it compiles itself lasts as long as its process; with numba's own
    # locators `cache=True` would be an error where no folder can be written.
    nb.config.CACHE_LOCATOR_CLASSES = f"{__name__}.{ReadOnlyLocator.__name__}"
    nb_caching.Cache.save_overload = lambda self, signature, data: None


# --- What is kept of a function -------------------------------------------------------------------------------------


def _checksum(content: bytes) -> bytes:
    return zlib.crc32(content).to_bytes(4, "big")


def state_of(file: str) -> tuple[int, int] | None:
    """What changes when a file is edited; None if there is no such file, or no longer."""
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


class _Files:
    """A file for each key, in place of numba's index of a function and its numbered files: no process needs to read
    what another one writes at the same time.
    """

    def __init__(self, folder: str, name: str, stamp: object) -> None:
        self._folder, self._name, self._stamp = Path(folder), name, stamp

    def _path(self, key: Any) -> Path:
        classes = [t.instance_class.__module__ for t in key[0] if isinstance(t, types.BaseNamedTuple)]
        return self._folder / f"{self._name}.{hashlib.sha256(repr((key, classes)).encode()).hexdigest()[:16]}.nbc"

    def load(self, key: Any) -> Any:
        """What is kept for a key, None if nothing is."""
        try:
            content = self._path(key).read_bytes()
        except FileNotFoundError:
            return None
        file = BytesIO(content)
        if file.read(4) != _checksum(content[4:]):  # a machine that lost its power may leave a part of it
            return None
        if pickle.load(file) != self._stamp:  # what follows may be of classes that are no more
            return None
        kept, data = pickle.load(file)
        return data if kept == key else None

    def save(self, key: Any, data: Any) -> None:
        """Keep something for a key, in place of what was kept."""
        content = nb_caching.dumps(self._stamp) + nb_caching.dumps((key, data))
        _write_at_once(self._path(key), _checksum(content) + content)

    def flush(self) -> None:
        """Keep nothing more."""
        for path in self._folder.glob(f"{self._name}.*.nbc"):
            path.unlink(missing_ok=True)


def remove_damaged(folder: Path) -> None:
    """Remove files of which a part is missing, and then the marks too, which say that all was compiled."""
    damaged = []
    for path in folder.rglob(f"*.{'[0-9a-f]' * 16}.nbc"):
        with suppress(FileNotFoundError):  # another process removes, too
            content = path.read_bytes()
            if content[:4] != _checksum(content[4:]):
                damaged.append(path)
    for path in (*damaged, *(folder.glob(f"*{MARK}") if damaged else ())):
        path.unlink(missing_ok=True)


class NotKept(LookupError):
    """A function that Python calls would have to be compiled; the message names it."""


@contextmanager
def kept_code_only() -> Iterator[None]:
    """Within it, a call that would have to be compiled raises NotKept instead. Where nothing is kept, so does this."""
    if CACHE_FOLDER is None:
        raise NotKept("no compiled code is kept on this system")
    EntryCache.may_compile = False
    try:
        yield
    finally:
        EntryCache.may_compile = True


def wait_for_others(seconds: float) -> None:
    """Let this process wait for what others compile, so many seconds in all; then it compiles as they do.

    Not for an agent, whose clock would run meanwhile. Where files cannot be locked, nobody waits.
    """
    EntryCache.patience = 0.0
    if "fcntl" in sys.modules and CACHE_FOLDER is not None and not CACHE_IS_READ_ONLY:
        if EntryCache._file is None:
            EntryCache._file = (CACHE_FOLDER.parent / "functions.lock").open("w")
        EntryCache.patience = seconds


class EntryCache(nb_caching.FunctionCache):  # type: ignore[misc]
    """What is kept of a function that Python calls, with all that it calls; nothing of others.

    From a search without success until `unlock`, no other process that waits compiles the function. The lock is that of
    a byte in a file that all functions share: such a lock ends with its process. The file is beside the folder, where
    no agent sees it that bubblewrap confines.
    """

    patience: ClassVar[float] = 0.0  # seconds that this process may still wait
    may_compile: ClassVar[bool] = True  # see `kept_code_only`
    _file: ClassVar[Any] = None  # one for all: to close any would end all locks

    def __init__(self, dispatcher: Any) -> None:
        super().__init__(dispatcher.py_func)
        locator = self._impl.locator
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, locator.get_source_stamp())
        self._dispatcher = dispatcher
        self._byte = zlib.crc32(f"{self.cache_path}/{self._impl.filename_base}".encode())
        self._is_locked = False

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What is kept, perhaps after waiting for the process that compiles it; None if nothing is. Raises NotKept."""
        if not self._dispatcher.is_for_python:
            return None
        found = super().load_overload(sig, target_context)
        if found is None and EntryCache.patience > 0 and not (self._is_locked or CACHE_IS_READ_ONLY):
            self._lock()
            found = super().load_overload(sig, target_context)
        if found is None and not EntryCache.may_compile:
            raise NotKept(self._dispatcher.py_func.__name__)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep it, if Python can call it."""
        if self._dispatcher.is_for_python:
            data.library.is_for_callers = False
            super().save_overload(sig, data)

    def _lock(self) -> None:
        """Wait for the others, as long as this process has patience."""
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
        """Let the others load it, or compile it for other types."""
        if self._is_locked:
            self._is_locked = False
            fcntl.lockf(EntryCache._file, fcntl.LOCK_UN, 1, self._byte)
