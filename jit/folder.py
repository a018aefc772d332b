"""Where compiled code is kept between processes: one folder for each version of what it depends on.

numba's own cache looks only at the file of a cached function: if a function that it calls is edited in another file,
it runs the old code. It names its folders after absolute paths, so every copy of the project compiles anew. Here the
folder's name is a hash of all compiled sources, of the versions of Python and numba, and of the processor; `cache.py`
says what is in the folder.

So a folder for a portable processor can be carried to another machine (`runner.py kernels`), or come with an installed
package, in `jit/kernels`. It is for a machine on which nothing has been compiled. If a process finds such a folder, and
its processor runs that code, then it compiles all for that portable processor, because code for two processors cannot
be linked; its search is slower by some per cent. Once the folder of the machine's own processor has all that the
portable one was made for (`runner.py kernels --compile`), it is used instead. A process decides this once, when it
imports `jit`.

Compiled code is executed without a check. So a folder is not used if it is somebody else's, or if others can write it.
"""

import functools
import hashlib
import json
import os
import re
import shutil
import stat
import sys
import tempfile
import time
import uuid
import warnings
from collections.abc import Iterable
from contextlib import suppress
from itertools import chain
from pathlib import Path

import numba

from jit.processors import PORTABLE, Processor, can_be_chosen, compile_for, own_processor, processor

PROJECT = Path(__file__).resolve().parents[1]
PACKAGED = PROJECT / "jit" / "kernels"  # with an installed package: folders like those in the cache
MANIFEST = "manifest.json"  # a folder that was compiled elsewhere has it, see `simulator/player/kernels.py`
MARK = ".compiled"  # the ending of files that say what has been compiled, see `simulator/player/compile_ahead.py`
# Files of games and of searches that compile nothing, and from which compiled code takes no constant.
UNCOMPILED = (
    *("board_view.py", "position.py", "typed_moves.py"),
    *("analysis.py", "base.py", "choice.py", "compiling.py", "graph_searcher.py", "memory.py", "searcher.py"),
    *("searchers.py", "settings.py"),
)
UNCOMPILED_FOLDERS = (PROJECT / "agents" / "course", PROJECT / "agents" / "plain")
IS_PLAIN = os.environ.get("UNFORCED_PLAIN_NUMBA", "0") not in ("", "0")  # see `whole_program.py`
_VERSION = re.compile("[0-9a-f]{16}")  # the name of a folder
_FOLDERS_KEPT = 8  # of other versions; those that were used last stay
_DAY = 86_400  # seconds
_OTHERS_CAN_WRITE = stat.S_IWGRP | stat.S_IWOTH


def project_environment() -> dict[str, str]:
    """This process's environment, for another process of Python that is to find this project's modules."""
    path = filter(None, (str(PROJECT), os.environ.get("PYTHONPATH")))  # an empty part would be the current folder
    return os.environ | {"PYTHONPATH": os.pathsep.join(path)}


def game_folders() -> list[Path]:
    """The packages of this project that are games: those with a module `game`."""
    return sorted(path.parent for path in PROJECT.glob("*/game.py"))


@functools.cache
def jitted_sources() -> tuple[Path, ...]:
    """The files of this project whose compiled code or constants become part of other files' compiled code; sorted.

    Plain Python of games and agents is not among them, such as a game's `game.py` if its rules are in `rules.py`. All
    files of the studies are, because this list also says which of them an agent in a sandbox sees.
    An agent in one file need not be among them, because the code that is kept of a function carries the hash of the
    function's own file. But on another machine only code of these files is found.
    """
    packages = (PROJECT.glob(glob) for glob in ("jit/", "game/verbs/", "agents/*/", "studies/*/"))
    folders = [*chain.from_iterable(packages), *game_folders()]
    examples = ("tests/tictactoe.py", "tests/learned_tictactoe.py", "tests/extra_turn_nim.py")
    single = ("agents/greedy_agent.py", "agents/outcomes.py", "game/network.py", *examples)
    files = [path for folder in folders for path in folder.rglob("*.py")] + [PROJECT / name for name in single]
    return tuple(sorted(path for path in files if path.is_file() and not _is_uncompiled(path)))


def _is_uncompiled(path: Path) -> bool:
    """Whether an edit to a file leaves all compiled code as it is."""
    if path.is_relative_to(PROJECT / "studies"):
        return False
    if path.name == "game.py":
        return path.with_name("rules.py").is_file()
    return path.name in UNCOMPILED or path.parent in UNCOMPILED_FOLDERS


@functools.cache
def _hash_of_sources() -> str:
    """A hash of the compiled sources as they are when this process begins."""
    sources = hashlib.sha256()
    for path in jitted_sources():
        sources.update(str(path.relative_to(PROJECT)).encode() + b"\0" + path.read_bytes())
    return sources.hexdigest()


def folder_names(*processors: Processor) -> list[str]:
    """The names of folders: for each processor a hash of all that code compiled for it depends on."""
    fixed = (sys.version_info[:2], numba.__version__, IS_PLAIN, bool(numba.config.BOUNDSCHECK), _hash_of_sources())
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
    """Whether only the owner can write there, and is this process's user, or the user has named the folder."""
    if os.name != "posix":
        return True
    status = folder.stat()
    return not status.st_mode & _OTHERS_CAN_WRITE and (is_named or status.st_uid == os.getuid())


def _is_there(folder: Path, is_named: bool) -> bool:
    """Whether there is a folder of compiled code that may be used."""
    can_be_read = os.path.isdir(folder) and os.access(folder, os.R_OK | os.X_OK)
    return can_be_read and _is_safe(folder.parent, is_named) and _is_safe(folder, is_named)


def _remove_stale(parent: Path, keep: Path) -> None:
    """Delete the folders of other versions except those used last: who switches back to a branch needs its folder.

    Nothing else in `parent` is touched: agents' compiled code, or whatever is in a folder that somebody has named.
    """
    versions = (f for f in parent.iterdir() if f != keep and _VERSION.fullmatch(f.name) and f.is_dir())
    others = sorted(versions, key=lambda f: f.stat().st_mtime)
    for folder in others[:-_FOLDERS_KEPT]:
        shutil.rmtree(folder, ignore_errors=True)


def _places() -> list[Path]:
    """Where the folder may be: in the user's cache, in the project, among temporary files."""
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
    return [Path(named).expanduser().absolute()] if named else _places()


def cache_folder() -> Path | None:
    """Where compiled code is kept between processes, or None if there is no such folder and none can be made.

    `UNFORCED_CACHE` names the parent folder. Without it, the parent is in the user's cache folder, which serves all
    copies of the project, else `.cache/kernels` in the project, else among temporary files. A named folder may belong
    to another user (that of a container's image, for example); if others than its owner can write there, it is not used
    and a warning says so. What came with an installed package is copied there, or used where it is if nothing can be
    written.
    """
    named, (name,) = os.environ.get("UNFORCED_CACHE"), folder_names(processor())
    folders = [parent / name for parent in _parents()]
    for folder in folders:
        is_new = not os.path.exists(folder)  # (true, and no error, where one may not look)
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
    """The marks of code that came into a folder from elsewhere, see `compile_ahead`; none if all was compiled here."""
    if not os.path.isfile(folder / MANIFEST):  # (False also where one may not look)
        return frozenset()
    return frozenset(name for name in json.loads((folder / MANIFEST).read_bytes())["files"] if name.endswith(MARK))


def put(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write files, by path and content, into a folder of compiled code; each is whole at once, the manifest last."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name, data in sorted(files, key=lambda file: file[0] == MANIFEST):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        write_at_once(path, data)


def write_at_once(path: Path, data: bytes) -> None:
    """Write a file that others see whole or not at all."""
    partial = path.with_suffix(f".{uuid.uuid4().hex[:16]}")
    try:
        partial.write_bytes(data)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def better_portable() -> Processor | None:
    """The portable processor for which this process should compile; None for the machine's own."""
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
