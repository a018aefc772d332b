"""Which files an agent may read: the system's programs, Python, this project's code, and what the agent brought along.

Nothing else can be seen from inside the sandbox, and in a game nothing at all can be written.
"""

import functools
import os
import shutil
import site
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from agents.agent import UNPACKED, AgentSpec, gtp_command
from jit import CACHE_FOLDER, PROJECT, game_folders, jitted_sources

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
CONFIGURATION = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "passwd", "group")  # in /etc
GAMES_FOLDERS = ("/usr/games", "/usr/local/games")  # Debian puts gnugo there; many a PATH does not have them
# Of this project, beside its games:
CODE = ("jit", "options.py", "python_file.py", "board_view.py", "game", "game_files", "agents", "studies", "simulator")


class VisibleFiles(NamedTuple):
    """The files and folders that an agent may read: absolute paths that exist.

    Attributes:
        shared: can be read during the whole game: the system, Python, this project, the game, an installed program.
        own: what the agent brought along; it can be read until the agent's first move is made.
        hidden: files and folders that lie below the others, but belong to somebody else.
        written: the path of a folder in memory that the agent may write, see `Sandbox.written`; None in games.
        program: the executable of an agent that speaks GTP; if it lies below `own`, it still runs when that is gone.
    """

    shared: tuple[Path, ...]
    own: tuple[Path, ...]
    hidden: tuple[Path, ...] = ()
    program: Path | None = None
    written: Path | None = None


def files_visible_to(spec: AgentSpec, opponent: AgentSpec | None = None, game: Sequence[Path] = ()) -> VisibleFiles:
    """What an agent may read; `game` are the files of a game outside the project.

    What the opponent handed in is hidden, except code in the folder of the game, which counts as the game's.
    """
    installed: list[Path] = []
    brought = [Path(spec.source).expanduser().resolve()] if spec.is_file else []
    program = None
    if spec.is_gtp:
        argv = gtp_command(spec.source)
        program = program_named(argv[0])
        installed, brought = _program_files(program, argv[1:])
    shared = _existing([*_shared(), *installed])
    own = [path if path.is_dir() else _own_folder(path, shared) for path in brought]
    own = [path for path in _existing(own) if not any(path.is_relative_to(folder) for folder in shared)]
    own = [path for path in own if not any(folder in path.parents for folder in own)]  # an outer folder has it already
    seen = [*own, *installed, *game]
    handed_in = (path for path in _handed_in(opponent, brought, shared) if any(map(path.is_relative_to, seen)))
    hidden = tuple(path for path in handed_in if not is_of_game(path, game))
    return VisibleFiles((*shared, *game), tuple(own), hidden, Path(program).resolve() if program else None)


def search_path() -> str:
    """Where programs are looked for: the folders of PATH, then those for games."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join([*folders, *(folder for folder in GAMES_FOLDERS if folder not in folders)])


def program_named(name: str) -> str | None:
    """The path of an installed program, None if there is none of that name."""
    return shutil.which(name, path=search_path())


def _shared() -> list[Path]:
    """The system, Python, this project's code, and its compiled code with all the sources on which that depends."""
    system = [*map(Path, SYSTEM), *(Path("/etc") / name for name in CONFIGURATION)]
    packages = [*site.getsitepackages(), *([site.getusersitepackages()] if site.ENABLE_USER_SITE else [])]
    cache = [CACHE_FOLDER] if CACHE_FOLDER is not None else []
    ours = [*project_code(), *_sources_elsewhere()]
    return [*system, *map(Path, (sys.prefix, sys.base_prefix, *packages)), *ours, *cache]


def project_code() -> list[Path]:
    """The files and folders of this project that agents may import."""
    return [*(PROJECT / name for name in CODE), *game_folders()]


@functools.cache
def _sources_elsewhere() -> list[Path]:
    """Compiled sources that lie in no folder of `project_code`."""
    code = project_code()
    return [path for path in jitted_sources() if not any(path.is_relative_to(part) for part in code)]


def _program_files(program: str | None, arguments: Iterable[str]) -> tuple[list[Path], list[Path]]:
    """The folders in which a program is installed, and the files that it or its arguments bring along."""
    installed, brought = [], [path for argument in arguments if (path := named_path(argument)) is not None]
    for step in _links(Path(program).absolute()) if program else ():
        if step.parent.name in ("bin", "sbin"):
            installed.append(step.parent.parent)
        else:
            brought.append(step)
    return [path for path in installed if path != Path("/")], brought


def named_path(argument: str) -> Path | None:
    """The absolute path of the file or folder that a program's argument names; None if it names none.

    A word without a slash can name a file, but no folder: it may be the value of an option, like `pentago`. An argument
    may be longer than any file's name, for which `Path.is_file` would raise an error.
    """
    is_path = os.path.isfile(argument) or ("/" in argument and os.path.isdir(argument))
    return Path(argument).absolute() if is_path else None


def _links(path: Path) -> Iterable[Path]:
    """A path, and the target of each symbolic link on the way to the file."""
    yield path
    while path.is_symlink():
        path = path.parent / path.readlink()
        yield path
    yield path.resolve()


def _own_folder(file: Path, shared: tuple[Path, ...]) -> Path:
    """The folder of an agent's file, or the file alone if the folder also serves others, like a home folder."""
    folder = file.parent
    common = {Path("/"), Path("/tmp"), Path("/var/tmp"), PROJECT}
    with suppress(RuntimeError):  # a user without a home
        common.add(Path.home())
    return file if folder in common or any(path.is_relative_to(folder) for path in shared) else folder


def _handed_in(opponent: AgentSpec | None, brought: Sequence[Path], shared: Sequence[Path]) -> Iterator[Path]:
    """What the opponent handed in, without the agent's own files.

    That is its Python file; if it came in a zip file, also that and the folder into which it was unpacked. For a
    program: the files that its command names, without those that are installed.
    """
    if opponent is not None and opponent.is_gtp:
        program, *arguments = gtp_command(opponent.source)
        _, named = _program_files(program_named(program), arguments)
        own = [path.resolve() for path in brought]
        for path in map(Path.resolve, named):  # a link may lead to Python
            is_mine = any(path.is_relative_to(mine) or mine.is_relative_to(path) for mine in own)
            if not is_mine and not any(map(path.is_relative_to, shared)):
                yield path
    if opponent is None or not opponent.is_file:
        return
    file = Path(opponent.source).expanduser().resolve()
    if file in brought or not file.is_file():
        return
    yield file
    if opponent.is_unpacked:
        yield Path(opponent.zip_file).resolve()
        whole = Path(opponent.source).expanduser().absolute()  # a link may lead to the zip file, or to what is unpacked
        folders = (path.resolve() for path in whole.parents if path.parent.parent.name == UNPACKED)
        yield from (folder for folder in folders if not any(path.is_relative_to(folder) for path in brought))


def is_of_game(path: Path, game: Iterable[Path]) -> bool:
    """Whether a file is code of a game outside the project, without which its rules cannot be loaded."""
    return path.suffix == ".py" and UNPACKED not in path.parts and any(map(path.is_relative_to, game))


def _existing(paths: Iterable[Path]) -> tuple[Path, ...]:
    """The paths that exist, each once, a folder before what lies in it.

    The target of each symbolic link among them is added; a path that goes through such a link is resolved.
    """
    existing = {path for path in paths if path.exists()}
    links = {path for path in existing if path.is_symlink()}
    direct = {path.resolve() if links.intersection(path.parents) else path for path in existing}
    return tuple(sorted({*direct, *(link.resolve() for link in links)}, key=lambda path: (len(path.parts), path)))
