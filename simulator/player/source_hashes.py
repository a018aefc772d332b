"""Hashes of an agent's files, by which a continued tournament notices that an agent was changed.

Which files count: for a Python file, the modules of its folder that it imports, directly or not, but none of this
project's; for a zip file, all that is in it, data too; for an agent of this project, the modules of `agents/` that it
imports, the game's, and those that all of them build on (BASIS); for another program, its file and every file that its
command names. Files that the agent opens while it runs (a table of weights, say) do not count.

Imports are not found by a parser, because a file can be written to make one fail: each word of a statement that begins
with `from` or `import` may be a module, and if the folder has a module of that name, it counts.

These files are somebody else's, and the referee's own process reads them. So it reads plain files only, in pieces,
without waiting, and within the bounds at the top of this module.
"""

import hashlib
import os
import re
import stat
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from agents.agent import AgentSpec, gtp_command
from agents.plain import PLAIN_AGENTS
from game import Game
from jit import PROJECT
from options import Failure
from simulator.gtp.syntax import printable
from simulator.sandbox.visible_files import program_named, project_code

MB = 1 << 20  # bytes
MOST_BYTES = 100 * MB  # of a Python agent's modules together; weights are no modules
MOST_BYTES_OF_PROGRAM = 4096 * MB  # of the files that a program's command names: some networks have hundreds of MB
MOST_FILES = 1000  # of an agent
MOST_NAMES = 10_000  # different words in all of an agent's import statements
MOST_FOLDERS = 2000  # that are searched for an agent's modules
SEARCHED_BYTES = 1 * MB  # a longer file must be a table, and is not searched for imports
PIECE_BYTES = 1 * MB
BASIS = (
    "jit/*.py",
    "game/**/*.py",
    "options.py",
    "python_file.py",
    "board_view.py",
)  # files of this project on which all of its agents build
_IMPORT = re.compile(  # comments within brackets may have brackets, too; all repetitions are possessive
    r"(?:^|[;:])[ \t\f]*+(?:from|import)\b((?:[^()\n\\;#]++|\\\n)*+(?:\((?:[^)#]++|#.*+)*+)?)", re.MULTILINE
)
_NAME = re.compile(r"[^\W\d]\w*")
MANIFEST = "manifest.json"  # what a submission's zip file says about itself; not part of the agent


class SourcesError(Failure):
    """An agent's files cannot be read; the message is a sentence that says which file and why."""


def sources_of(spec: AgentSpec, game: Game) -> dict[str, str]:
    """The SHA-256 of each file of an agent, by path relative to the project or the agent's own folder, else absolute.

    Raises SourcesError if a file cannot be read or is no plain file, or if the files are too many or too large.
    """
    if spec.is_gtp:
        program, *arguments = gtp_command(spec.source)
        named = [text for text in (program_named(program), *arguments) if text and os.path.isfile(text)]
        found = SourceFiles(PROJECT, MOST_BYTES_OF_PROGRAM)
        for path in {Path(text).resolve() for text in named}:
            found.read(path)
    elif spec.is_unpacked:
        folder = agent_file(spec).parent
        found = SourceFiles(folder)
        for path in walk(folder, lambda path: path.name == "__pycache__"):  # `debug` leaves compiled code there
            if path.is_file() and path != folder / MANIFEST:
                found.read(path)
    elif spec.is_file:
        found = imported_by(agent_file(spec))
    else:
        found = SourceFiles(PROJECT)
        game_module = Path(sys.modules[type(game).__module__].__file__ or "")
        names = [f"agents.{spec.source}"]
        if game.kernel is None and spec.source in PLAIN_AGENTS:
            names.append(PLAIN_AGENTS[spec.source].partition(":")[0])
        own = [PROJECT / f"{name.replace('.', '/')}.py" for name in names]
        for files in (own, [game_module]):
            found.follow(filter(os.path.isfile, files), PROJECT / "agents" if files is own else game_module.parent)
        for path in (path for glob in BASIS for path in PROJECT.glob(glob)):
            found.read(path)
    return found.by_name()


def can_be_read(spec: AgentSpec, game: Game) -> bool:
    """Whether `sources_of` can read all files of an agent."""
    try:
        sources_of(spec, game)
    except SourcesError:
        return False
    return True


def agent_file(spec: AgentSpec) -> Path:
    """The absolute path of an agent's file. Raises SourcesError if it cannot be opened as a plain file."""
    try:
        path = Path(spec.source).expanduser().resolve()
    except (OSError, RuntimeError) as error:  # links that lead in a circle; "~name" of an unknown user
        raise SourcesError(f"its file {printable(spec.source)} cannot be found: {_reason(error)}") from error
    with _opened(path):
        return path


def imported_by(file: Path) -> "SourceFiles":
    """A Python file and the modules of its folder that it imports, directly or not. Raises SourcesError."""
    found = SourceFiles(file.parent)
    found.follow([file], file.parent)
    return found


def walk(
    folder: Path,
    is_left_out: Callable[[Path], bool],
    most: int | None = None,
    on_error: Callable[[OSError], None] | None = None,
) -> Iterator[Path]:
    """The files below a folder, sorted; links to folders are not followed.

    `is_left_out` is asked about each file and folder; `on_error` is told of folders that cannot be read.
    Raises SourcesError if there are more than `most` files and folders.
    """
    count = 0
    for place, folders, names in os.walk(folder, onerror=on_error):
        folders[:] = sorted(name for name in folders if not is_left_out(Path(place, name)))
        count += len(folders) + len(names)
        if most is not None and count > most:
            raise SourcesError(f"its folder has more than {most} files")
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]
        yield from (path for name in sorted([*names, *links]) if not is_left_out(path := Path(place, name)))


class _Modules:
    """The modules below a folder, found by name. A folder is read once, when the names of all folders above it occur.

    Links to folders are followed, but not out of the folder, because an agent sees nothing outside in games.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._top, self._read = folder, folder.resolve(), set[Path]()
        self._ours = frozenset(project_code())
        self._names = {"__init__"}
        self._others: defaultdict[str, list[Path]] = defaultdict(list)  # paths under names that nothing imports so far

    def named(self, names: set[str]) -> set[Path]:
        """The modules of these names that no earlier call has returned. Raises SourcesError."""
        known = [path for name in sorted(names - self._names) for path in self._others.pop(name, ())]
        self._names |= names
        if not self._read:
            known.extend(self._known_in(self._folder))
        found = set()
        for path in known:  # the list grows meanwhile
            if path.suffix == ".py":
                found.update([path] if os.path.isfile(path) else [])
            elif os.path.isdir(path):
                known.extend(self._known_in(path))
        return found

    def _known_in(self, folder: Path) -> Iterator[Path]:
        """The entries of a folder whose names are known; the others are noted."""
        real = folder.resolve()
        if real in self._read or not real.is_relative_to(self._top):
            return
        self._read.add(real)
        if len(self._read) > MOST_FOLDERS:
            raise SourcesError(f"its modules lie in more than {MOST_FOLDERS} folders")
        try:
            entries = sorted(os.listdir(folder))
        except OSError as error:
            raise SourcesError(f"its folder {printable(str(folder))} cannot be read: {_reason(error)}") from error
        for entry in entries:
            name = entry.removesuffix(".py")
            if folder / entry in self._ours:
                continue
            if name in self._names:
                yield folder / entry
            elif name.isidentifier():
                self._others[name].append(folder / entry)


class SourceFiles:
    """The files of one agent, read within bounds.

    Attributes:
        names: all words in their imports.
    """

    def __init__(self, folder: Path, most_bytes: int | None = None) -> None:
        self.digests: dict[Path, str] = {}
        self.names: set[str] = set()
        self._folder = folder
        self._most_bytes, self._bytes = most_bytes or MOST_BYTES, 0

    def by_name(self) -> dict[str, str]:
        """The hashes by path, sorted; paths are relative to the folder, or absolute for files outside it."""
        own = self._folder
        names = {path: path.relative_to(own) if path.is_relative_to(own) else path for path in sorted(self.digests)}
        return {printable(str(name)): self.digests[path] for path, name in names.items()}

    def follow(self, begin: Iterable[Path], folder: Path) -> None:
        """Read these files, and the modules of a folder that they import, directly or not. Raises SourcesError."""
        modules, waiting = _Modules(folder), set(begin)
        while waiting:
            for path in sorted(waiting):
                beginning = self.read(path)
                if len(beginning) <= SEARCHED_BYTES:
                    text = beginning.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
                    self.names.update(name for listed in _IMPORT.findall(text) for name in _NAME.findall(listed))
                if len(self.names) > MOST_NAMES:
                    raise SourcesError(f"its files import more than {MOST_NAMES} names")
            waiting = modules.named(self.names) - self.digests.keys()

    def read(self, path: Path) -> bytes:
        """Add the hash of a file; returns the file's first bytes, at most SEARCHED_BYTES + 1. Raises SourcesError."""
        if len(self.digests) == MOST_FILES:
            raise SourcesError(f"it has more than {MOST_FILES} files")
        digest, beginning = hashlib.sha256(), b""
        with _opened(path) as fd:
            self._see_that_it_fits(os.fstat(fd).st_size)
            while piece := os.read(fd, PIECE_BYTES):
                self._see_that_it_fits(len(piece))  # again: a file can grow, and files in /proc have no size
                self._bytes += len(piece)
                digest.update(piece)
                beginning += piece[: SEARCHED_BYTES + 1 - len(beginning)]
        self.digests[path] = digest.hexdigest()
        return beginning

    def _see_that_it_fits(self, more: int) -> None:
        if self._bytes + more > self._most_bytes:
            raise SourcesError(f"its files have more than {self._most_bytes // MB} MB together")


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """A descriptor of a plain file. Raises SourcesError if it is none, or opening or reading it fails."""
    try:
        _require_plain(os.stat(path))  # before it is opened, because opening some devices has effects
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
        raise ValueError("it is not a plain file")


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
