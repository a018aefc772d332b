"""What an agent consists of, as hashes of files, so that a tournament that goes on notices an agent that was changed.

A Python file counts with the modules that it imports from its own folder, directly or not; a zip file with all that it
has, data too; an agent of this project with all that it imports from the project, and the game's modules; another
program with its file, and every file that its command names. What a file opens while it runs (a table of weights, say)
is not seen.

These files are somebody else's, and the referee's own process reads them: plain files only, in pieces, without waiting,
and within the bounds that stand here on top.
"""

import hashlib
import os
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from agents.agent import AgentSpec, gtp_command
from game import Game
from jit import PROJECT
from simulator.gtp.syntax import printable
from simulator.player.imports import Import, imports_of
from simulator.player.launch import search_path

MB = 1 << 20  # bytes
MOST_BYTES = 100 * MB  # of a Python agent's modules together; weights are no modules
MOST_BYTES_OF_PROGRAM = 4096 * MB  # of the files that a program's command names: networks of some have hundreds of MB
MOST_FILES = 1000  # of an agent
MOST_IMPORTS = 10_000  # different ones in all of an agent's files
SEARCHED_BYTES = 1 * MB  # of a file; a longer one is a table, and not searched for imports
PIECE_BYTES = 1 * MB
MANIFEST = "manifest.json"  # of a submission: what a zip file says about itself, which is not the agent


class SourcesError(Exception):
    """An agent whose files cannot be read; the message is a sentence that says which and why."""


def sources_of(spec: AgentSpec, game: Game) -> dict[str, str]:
    """The SHA-256 of each file of an agent, by path: within the project or its own folder, else the whole path.

    Raises SourcesError if a file of it cannot be read, is no plain file, or there are too many or too large ones.
    """
    if spec.is_gtp:
        reading = _Reading(MOST_BYTES_OF_PROGRAM)
        for path in _program_files(spec):
            reading.read(path)
        return by_name(reading.digests, PROJECT)
    if spec.is_file:
        path = agent_file(spec)
        if spec.is_unpacked:
            return by_name(_files_in(path.parent), path.parent)
        return by_name(imported_files([path], path.parent), path.parent)
    begin = [PROJECT / "agents" / f"{spec.source}.py", Path(sys.modules[type(game).__module__].__file__ or "")]
    return by_name(imported_files(filter(os.path.isfile, begin), PROJECT), PROJECT)


def can_be_read(spec: AgentSpec, game: Game) -> bool:
    """Whether `sources_of` can say what an agent consists of."""
    try:
        sources_of(spec, game)
    except SourcesError:
        return False
    return True


def agent_file(spec: AgentSpec) -> Path:
    """The file of an agent, from the root on. Raises SourcesError if it cannot be opened as a plain file."""
    try:
        path = Path(spec.source).expanduser().resolve()
    except (OSError, RuntimeError) as error:  # links that lead in a circle; a home that nobody has
        raise SourcesError(f"its file {printable(spec.source)} cannot be found: {_reason(error)}") from error
    with _opened(path):
        return path


def imported_files(begin: Iterable[Path], folder: Path) -> dict[Path, str]:
    """The SHA-256 of these files, and of all that they import that lies in a folder, directly or not.

    Raises SourcesError, see `sources_of`.
    """
    return _read_all(begin, folder).digests


def _files_in(folder: Path) -> dict[Path, str]:
    """The SHA-256 of each file of a folder, but for its manifest, and for what `debug` leaves there: compiled code.

    Raises SourcesError, see `sources_of`.
    """
    reading = _Reading(MOST_BYTES)
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path != folder / MANIFEST):
        if "__pycache__" not in path.relative_to(folder).parts:
            reading.read(path)
    return reading.digests


class PythonFiles(NamedTuple):
    """What an agent's file, and what it imports from its folder, are.

    Attributes:
        digests: the SHA-256 of each file.
        modules: the names up to the first dot that they import, from wherever.
    """

    digests: dict[Path, str]
    modules: set[str]


def python_files(file: Path) -> PythonFiles:
    """What an agent's file is, with all that it imports from its folder. Raises SourcesError, see `sources_of`."""
    reading = _read_all([file], file.parent)
    return PythonFiles(reading.digests, reading.modules)


def _read_all(begin: Iterable[Path], folder: Path) -> "_Reading":
    reading, waiting = _Reading(MOST_BYTES), list(begin)
    while waiting:
        path = waiting.pop()
        if path not in reading.digests:
            waiting += [file for file in reading.imported_by(path, folder) if file.is_relative_to(folder)]
    return reading


def by_name(digests: Mapping[Path, str], folder: Path) -> dict[str, str]:
    """The same by path relative to a folder, sorted; whole paths of files that are not in it."""
    names = ((path.relative_to(folder) if path.is_relative_to(folder) else path, path) for path in sorted(digests))
    return {printable(str(name)): digests[path] for name, path in names}


class _Reading:
    """Reads the files of one agent, within bounds.

    Attributes:
        digests: the SHA-256 of each that was read.
        modules: the names up to the first dot that they import.
    """

    def __init__(self, most_bytes: int) -> None:
        self.digests: dict[Path, str] = {}
        self.modules: set[str] = set()
        self._most_bytes, self._bytes = most_bytes, 0
        self._imports: set[tuple[Path, str]] = set()

    def read(self, path: Path) -> bytes:
        """Take a file in; returns its beginning, one byte more than SEARCHED_BYTES at most. Raises SourcesError."""
        if len(self.digests) == MOST_FILES:
            raise SourcesError(f"it has more than {MOST_FILES} files")
        digest, beginning = hashlib.sha256(), b""
        with _opened(path) as fd:
            self._see_that_it_fits(os.fstat(fd).st_size)
            while piece := os.read(fd, PIECE_BYTES):
                self._see_that_it_fits(len(piece))  # once more: a file can grow, and those of /proc have no size
                self._bytes += len(piece)
                digest.update(piece)
                beginning += piece[: SEARCHED_BYTES + 1 - len(beginning)]
        self.digests[path] = digest.hexdigest()
        return beginning

    def _see_that_it_fits(self, more: int) -> None:
        if self._bytes + more > self._most_bytes:
            raise SourcesError(f"its files have more than {self._most_bytes // MB} MB together")

    def imported_by(self, path: Path, folder: Path) -> Iterator[Path]:
        """Take a file in; the files that it imports by names that were not seen before. Raises SourcesError."""
        beginning = self.read(path)
        for imported in imports_of(beginning) if len(beginning) <= SEARCHED_BYTES else ():
            key = _place(imported, path, folder), imported.name
            if key not in self._imports:
                self._imports.add(key)
                self.modules.add(imported.name.partition(".")[0])
                if len(self._imports) > MOST_IMPORTS:
                    raise SourcesError(f"its files import more than {MOST_IMPORTS} names")
                yield from _files_of(*key)


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """A descriptor of a plain file. Raises SourcesError if it is none, or opening or reading it fails."""
    try:
        _require_plain(os.stat(path))  # before it is opened: opening some devices does something
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        try:
            _require_plain(os.fstat(fd))
            yield fd
        finally:
            os.close(fd)
    except (OSError, ValueError) as error:
        raise SourcesError(f"its file {printable(str(path))} cannot be read: {_reason(error)}") from error


def _require_plain(found: os.stat_result) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise ValueError("it is a folder")
    if not stat.S_ISREG(found.st_mode):
        raise ValueError("it is no plain file")


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _place(imported: Import, path: Path, folder: Path) -> Path:
    """The folder from which a name leads that is imported in a file."""
    return path.parents[min(imported.level, len(path.parents)) - 1] if imported.level else folder


def _files_of(place: Path, name: str) -> Iterator[Path]:
    """The files in a folder that importing a name executes: packages on the way, then the module."""
    for part in name.split("."):
        place /= part
        yield from filter(os.path.isfile, (place.with_suffix(".py"), place / "__init__.py"))
        if not os.path.isdir(place):
            return


def _program_files(spec: AgentSpec) -> set[Path]:
    """A program's file, and the plain files that its arguments name; one that is too long for a path names none."""
    program, *arguments = gtp_command(spec.source).argv
    found = shutil.which(program, path=search_path())
    return {Path(text).resolve() for text in [*([found] if found else []), *arguments] if os.path.isfile(text)}
