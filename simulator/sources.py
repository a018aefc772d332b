"""What an agent consists of, as hashes of files, so that a tournament that goes on notices an agent that was changed.

A Python file counts with the modules that it imports from its own folder, directly or not; an agent of this project
with all that it imports from the project, and the game's modules; another program with its file, and every file that
its command names. What a file opens while it runs (a table of weights, say) is not seen.
"""

import ast
import hashlib
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from agents.agent import AgentSpec, gtp_command
from game import Game
from simulator.machine import PROJECT
from simulator.seat import search_path


def sources_of(spec: AgentSpec, game: Game) -> dict[str, str]:
    """The SHA-256 of each file of an agent, by path: within the project or its own folder, else the whole path."""
    if spec.is_gtp:
        return hashes(_program_files(spec), PROJECT)
    if spec.is_file:
        path = Path(spec.source).expanduser().resolve()
        return hashes(imported_files([path], path.parent), path.parent)
    begin = [PROJECT / "agents" / f"{spec.source}.py", Path(sys.modules[type(game).__module__].__file__ or "")]
    return hashes(imported_files(begin, PROJECT), PROJECT)


def hashes(paths: Iterable[Path], folder: Path) -> dict[str, str]:
    """SHA-256 by path relative to a folder, sorted."""
    return {
        str(path.relative_to(folder) if path.is_relative_to(folder) else path): hashlib.sha256(
            path.read_bytes()
        ).hexdigest()
        for path in sorted(paths)
    }


def imported_files(begin: Iterable[Path], folder: Path) -> set[Path]:
    """These files, and all that they import that lies in a folder, directly or not."""
    found: set[Path] = set()
    waiting = [path for path in begin if path.is_file()]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            imported = (file for place, name in _imports(path, folder) for file in _files_of(name, place))
            waiting += [file for file in imported if file.is_relative_to(folder)]
    return found


def _imports(path: Path, folder: Path) -> Iterator[tuple[Path, str]]:
    """Dotted names that a file may import, and the folder that each leads from; none of what Python cannot parse."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last two where an expression is too deep
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((folder, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            place = path.parents[min(node.level, len(path.parents)) - 1] if node.level else folder
            base = f"{node.module}." if node.module else ""
            yield from ((place, f"{base}{alias.name}") for alias in node.names)


def _files_of(name: str, folder: Path) -> Iterator[Path]:
    """The files in a folder that importing a name executes: packages on the way, then the module."""
    place = folder
    for part in name.split("."):
        place /= part
        yield from (file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file())


def _program_files(spec: AgentSpec) -> set[Path]:
    program, *arguments = gtp_command(spec.source).argv
    found = shutil.which(program, path=search_path())
    files = [Path(text) for text in ([found] if found else []) + arguments]
    return {path.resolve() for path in files if _is_file(path)}


def _is_file(path: Path) -> bool:
    """An argument that is too long for a path is none."""
    try:
        return path.is_file()
    except OSError:
        return False
