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
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from agents.agent import AgentSpec, gtp_command
from game import Game
from jit import PROJECT
from simulator.gtp.syntax import printable
from simulator.player.imports import Import, imports_of
from simulator.sandbox.visible_files import program_named

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
        program, *arguments = gtp_command(spec.source).argv
        named = [text for text in (program_named(program), *arguments) if text and os.path.isfile(text)]
        found = SourceFiles(PROJECT, MOST_BYTES_OF_PROGRAM)
        for path in {Path(text).resolve() for text in named}:
            found.read(path)
    elif spec.is_unpacked:
        folder = agent_file(spec).parent
        found = SourceFiles(folder)
        for path in walk(folder, lambda name: name == "__pycache__"):  # `debug` leaves compiled code there
            if path.is_file() and path != folder / MANIFEST:
                found.read(path)
    elif spec.is_file:
        found = imported_by(agent_file(spec))
    else:
        begin = [PROJECT / "agents" / f"{spec.source}.py", Path(sys.modules[type(game).__module__].__file__ or "")]
        found = SourceFiles(PROJECT).follow(filter(os.path.isfile, begin))
    return found.by_name()


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


def imported_by(file: Path) -> "SourceFiles":
    """A Python file with all that it imports from its folder, directly or not. Raises SourcesError."""
    return SourceFiles(file.parent).follow([file])


def walk(
    folder: Path,
    is_left_out: Callable[[str], bool],
    most: int | None = None,
    on_error: Callable[[OSError], None] | None = None,
) -> Iterator[Path]:
    """The files below a folder, sorted; links to folders are not followed.

    `is_left_out` is asked about the name of each file and folder; `on_error` is told of folders that cannot be read.
    Raises SourcesError above so many files and folders.
    """
    count = 0
    for place, folders, names in os.walk(folder, onerror=on_error):
        folders[:] = sorted(name for name in folders if not is_left_out(name))
        count += len(folders) + len(names)
        if most is not None and count > most:
            raise SourcesError(f"its folder has more than {most} files")
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]
        yield from (Path(place) / name for name in sorted([*names, *links]) if not is_left_out(name))


class SourceFiles:
    """The files of one agent, read within bounds.

    Attributes:
        digests: the SHA-256 of each that was read.
        modules: the names up to the first dot that they import, from wherever.
    """

    def __init__(self, folder: Path, most_bytes: int | None = None) -> None:
        self.digests: dict[Path, str] = {}
        self.modules: set[str] = set()
        self._folder = folder
        self._most_bytes, self._bytes = most_bytes or MOST_BYTES, 0
        self._imports: set[tuple[Path, str]] = set()

    def by_name(self) -> dict[str, str]:
        """The hashes by path relative to the folder, sorted; by whole paths of files that are not in it."""
        names = {path: path.relative_to(self._folder) if self._is_own(path) else path for path in sorted(self.digests)}
        return {printable(str(name)): self.digests[path] for path, name in names.items()}

    def follow(self, begin: Iterable[Path]) -> "SourceFiles":
        """Take in these files, and all that they import that lies in the folder, directly or not.

        Raises SourcesError.
        """
        waiting = list(begin)
        while waiting:
            path = waiting.pop()
            if path not in self.digests:
                waiting += filter(self._is_own, self._imported_by(path))
        return self

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

    def _is_own(self, path: Path) -> bool:
        return path.is_relative_to(self._folder)

    def _see_that_it_fits(self, more: int) -> None:
        if self._bytes + more > self._most_bytes:
            raise SourcesError(f"its files have more than {self._most_bytes // MB} MB together")

    def _imported_by(self, path: Path) -> Iterator[Path]:
        """Take a file in; the files that it imports by names that were not seen before. Raises SourcesError."""
        beginning = self.read(path)
        for imported in imports_of(beginning) if len(beginning) <= SEARCHED_BYTES else ():
            key = _place(imported, path, self._folder), imported.name
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
