"""What a submission may import: the standard library, what `requirements.txt` installs, this project, its own files."""

import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import PurePosixPath

from agents.course.styles import MODULES as COURSE_MODULES
from agents.course.styles import is_course_file
from jit import PROJECT, game_folders
from simulator.submission.files import Submission

OURS = frozenset(("agents", "game", "jit", "options"))  # these and the games are what agents may import of this project
# Modules of this project that are not for agents: an agent's process imports LOADED before its file, but not BESIDE.
LOADED = frozenset(("simulator", "game_files", "python_file", "board_view"))
BESIDE = frozenset(("commands", "learning", "runner", "unforced"))
_STRING = re.compile(r'("""|\'\'\').*?\1', re.DOTALL)
_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]++(\w++)[\w.]*+[ \t]++import\b|import[ \t]+([^#\n;]+))", re.MULTILINE)
_WORD = re.compile(r"\w+")
_REQUIREMENT = re.compile(r"[A-Za-z0-9._-]+")


@cache
def packages() -> frozenset[str]:
    """The names of distributions that `requirements.txt` installs, directly or not, if they are installed here."""
    file = PROJECT / "requirements.txt"
    # If this project was installed from a wheel, its metadata say the same.
    listed = file.read_text().splitlines() if file.is_file() else distribution("unforced").requires or []
    lines = (line.partition("#")[0] for line in listed if "extra ==" not in line)
    waiting, found = [name for line in lines if (name := _name(line))], set[str]()
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        try:
            required = distribution(name).requires or []
        except PackageNotFoundError:
            continue
        found.add(name)
        waiting += [needed for line in required if "extra ==" not in line and (needed := _name(line))]
    return frozenset(found)


def _name(requirement: str) -> str:
    match = _REQUIREMENT.match(requirement.strip())
    return re.sub(r"[-_.]+", "-", match[0]).lower() if match else ""


@cache
def importable() -> frozenset[str]:
    """The top-level modules that a tournament has, without those of a submission."""
    installed = {
        module for module, owners in packages_distributions().items() if packages().intersection(map(_name, owners))
    }
    return frozenset(installed | sys.stdlib_module_names | OURS | {folder.name for folder in game_folders()})


def own_modules(files: Iterable[PurePosixPath]) -> set[str]:
    """The top-level modules that a submission brings along."""
    return {name.stem if len(name.parts) == 1 else name.parts[0] for name in files if name.suffix == ".py"}


def known_to(submission: Submission) -> frozenset[str]:
    """The top-level modules that a submission may import, those beside its agent's file included."""
    folder = submission.agent.parent
    beside = [name.relative_to(folder) for name in submission.files if name.is_relative_to(folder)]
    own = own_modules(submission.files) | own_modules(beside)
    return importable() | own | (COURSE_MODULES if is_of_course(submission) else frozenset())


def lacking(submission: Submission) -> dict[str, str]:
    """The top-level modules that a submission imports and a tournament lacks, each with one file that imports it.

    Whether the import is ever executed is not known: it may stand in a `try`.
    """
    known, found = known_to(submission), dict[str, str]()
    for name in submission.files:
        if name.suffix == ".py" and not name.name.startswith(("test_", "conftest")):
            for top in _imported(submission.source(name)):
                if top not in known:
                    found.setdefault(top, str(name))
    return found


def is_of_course(submission: Submission) -> bool:
    """Whether a submission is written for the course's frameworks."""
    return is_course_file(submission.source(submission.agent))


def _imported(source: str) -> Iterator[str]:
    """The top-level modules that a file's import statements name; strings of several lines are left out.

    No parser is used, because a file can be written to make one fail.

    >>> list(_imported("import os.path as p, book # x\\nfrom maps.sea import (north)\\nfrom . import near"))
    ['os', 'book', 'maps']
    """
    for module, listed in _IMPORT.findall(_STRING.sub("", source)):
        for name in [module] if module else listed.split(","):
            if match := _WORD.match(name.strip()):
                yield match[0]


def hiding(submission: Submission) -> list[PurePosixPath]:
    """Files and folders of a submission with the name of a tournament's module, which is imported in their place."""
    return _called(
        submission, OURS | LOADED | {folder.name for folder in game_folders()} | {"numpy", "numba", "psutil"}
    )


def maybe_hidden(submission: Submission) -> list[PurePosixPath]:
    """Files and folders with the name of a module of Python or the project, which may be imported in their place."""
    return _called(submission, sys.stdlib_module_names | BESIDE)


def _called(submission: Submission, taken: frozenset[str]) -> list[PurePosixPath]:
    place = submission.agent.parent  # what lies above is not found by an import
    if is_of_course(submission):
        taken -= {"agents"}
    names = (
        name.relative_to(place) for name in submission.files if name.is_relative_to(place) and name.suffix == ".py"
    )
    tops = {PurePosixPath(name.parts[0]) for name in names}
    return sorted(place / top for top in tops if top.name.removesuffix(".py") in taken)
