"""Which files belong to a submission: those of a folder, or one file and the modules of its folder that it imports."""

import json
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from agents.agent import AGENT_FILE, COURSE_FILE, AgentSpec
from agents.course.styles import is_course_file
from simulator.gtp.syntax import printable
from simulator.player.source_hashes import MANIFEST, SourcesError, imported_by, walk

MB = 1 << 20  # bytes
MOST_BYTES = 10 * MB
MOST_FILES = 500
MOST_MANIFEST_BYTES = 1 << 18  # 500 files with names of 200 characters have less
MOST_WALKED = 20_000  # files and folders that are looked at, those that are left out among them: a folder may be a disk
LONGEST_NAME = 200  # characters of a path within a submission
NOT_NEEDED = frozenset(("__pycache__", "node_modules", "__MACOSX"))  # folders; macOS adds the last one to zip files
FOLDER_ICON = "Icon\r"  # macOS puts it into a folder with an icon of its own, and does not show it
# Advice that several errors give.
NAME_ONE = "name the agent's folder, its .py file, or a .zip"
CALL_IT_SO = f"call the file with your agent {AGENT_FILE}"
GET_PERMISSION = "give yourself the permission to read it"
LEAVE_OUT = "leave out what no game needs"
VIRTUAL_ENVIRONMENT = "pyvenv.cfg"  # a folder with this file is a virtual environment, whatever its name


class SubmissionError(Exception):
    """Files cannot be taken as a submission; the message says which and why.

    Attributes:
        advice: what to do.
    """

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


@dataclass(frozen=True)
class Submission:
    """The files of a submission.

    Attributes:
        path: the path as it was given.
        name: the folder's name, or the file's name without `.py`; the folder's if the file is `agent.py`.
        folder: the folder that the files are in.
        agent: the agent's file, relative to the folder.
        files: all files, relative to the folder, with their sizes in bytes; sorted.
        authors: the authors, if the manifest names them.
    """

    path: Path
    name: str
    folder: Path
    agent: PurePosixPath
    files: dict[PurePosixPath, int]
    authors: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The size of all files together, bytes."""
        return sum(self.files.values())

    def shown(self, text: str) -> str:
        """A text in which paths of the folder, which may be a copy, are replaced by those that the student knows."""
        folder = PurePosixPath(self.path if self.path.is_dir() else self.path.parent)
        prefix = "" if str(folder) == "." or self.path.suffix == ".zip" else f"{folder}/"
        return text.replace(f"{self.folder}/", prefix).replace(str(self.folder), str(folder))

    def source(self, name: PurePosixPath) -> str:
        """The text of a Python file; bytes that are not UTF-8 are replaced."""
        return (self.folder / name).read_text(encoding="utf-8-sig", errors="replace")

    @property
    def spec(self) -> AgentSpec:
        """The submission's agent, for the referee."""
        file = str(self.folder / self.agent)
        return AgentSpec(file, file, {})


def find_submission(path: Path, agent: str | None = None) -> Submission:
    """The submission of a folder, or of one Python file. Raises SubmissionError.

    `agent` names the agent's file in the folder. By default it is the one that the manifest names (if a zip file of
    `pack` was unpacked there), else `agent.py`, else `student_agent.py` in the folder or in its folder `agents`, else
    the only Python file. If `agent.py` is the base class of the course's framework, it is `student_agent.py`.
    """
    try:
        place = (path if os.path.lexists(path) else path.expanduser()).resolve(strict=True)  # `./~x` is `~x` in a Path
    except (OSError, RuntimeError) as error:
        raise SubmissionError(f"there is no {printable(str(path))}", NAME_ONE) from error
    if place.is_dir():
        files = dict(sorted(_files_in(place)))
        _check_size(files)
        return Submission(path, place.name, place, _agent_file(place, files, agent or _in_manifest(place)), files)
    return _of_file(path, place)


def _of_file(path: Path, place: Path) -> Submission:
    if place.suffix != ".py":
        raise SubmissionError(f"{printable(place.name)} is not a Python file", NAME_ONE)
    try:
        imported = imported_by(place).digests
    except SourcesError as error:
        raise SubmissionError(str(error), "correct that, or name the agent's folder") from error
    files = {PurePosixPath(found.relative_to(place.parent)): found.stat().st_size for found in sorted(imported)}
    _check_size(files)
    name = place.parent.name if place.name == AGENT_FILE else place.stem
    return Submission(path, name, place.parent, PurePosixPath(place.name), files)


def _files_in(folder: Path) -> Iterator[tuple[PurePosixPath, int]]:
    """All files below a folder that a game may need, with their sizes. Raises SubmissionError."""

    def refuse(error: OSError) -> None:
        raise SubmissionError(f"{error.filename} cannot be read: {error.strerror}", GET_PERMISSION)

    def is_passed_over(path: Path) -> bool:  # asked before a folder is entered: an environment has thousands of files
        is_not_needed = path.name in NOT_NEEDED and path.is_dir()
        return path.name.startswith(".") or is_not_needed or os.path.isfile(path / VIRTUAL_ENVIRONMENT)

    try:
        found = list(walk(folder, is_passed_over, MOST_WALKED, refuse))
    except SourcesError as error:
        raise SubmissionError(f"{error}, the limit is {MOST_FILES}", "name the folder of the agent alone") from error
    for name in needed([PurePosixPath(path.relative_to(folder)) for path in found]):
        check_name(str(name))
        status = (folder / name).lstat()
        if stat.S_ISLNK(status.st_mode):
            raise SubmissionError(f"{name} is a symbolic link", "replace it by the file that it leads to")
        if not stat.S_ISREG(status.st_mode):
            raise SubmissionError(f"{name} is a device, pipe or socket, not a plain file", "take it out of the folder")
        if not os.access(folder / name, os.R_OK):
            raise SubmissionError(f"{name} cannot be read", GET_PERMISSION)
        yield name, status.st_size


def needed(names: Sequence[PurePosixPath]) -> list[PurePosixPath]:
    """The files that a game may need: without hidden files, bytecode, caches and virtual environments.

    Raises SubmissionError if all of them are in a virtual environment.
    """
    environments = {name.parent for name in names if name.name == VIRTUAL_ENVIRONMENT}
    kept = [name for name in names if not is_left_out(name)]
    found = [name for name in kept if environments.isdisjoint(name.parents)]
    if kept and not found:
        text = f"its folder is a virtual environment: {VIRTUAL_ENVIRONMENT} is in it"
        raise SubmissionError(text, "put the agent into a folder of its own")
    return found


def is_left_out(name: PurePosixPath) -> bool:
    """Whether no game needs a file: it is hidden, bytecode, or in a hidden folder or a cache."""
    parts = [part for part in name.parts if part != ".."]
    is_dropped = any(part.startswith(".") or part.endswith((".pyc", ".pyo")) for part in parts)
    return is_dropped or name.name == FOLDER_ICON or not NOT_NEEDED.isdisjoint(parts[:-1])


def check_name(name: str) -> None:
    """Raises SubmissionError for a path that cannot be printed, is too long, or leads elsewhere on Windows."""
    if not name.isprintable():
        raise SubmissionError(
            f"the name {printable(name, 80)!r} has characters that cannot be printed", "rename the file"
        )
    check_length(name)
    if "\\" in name or any(part[1:2] == ":" for part in name.split("/")):
        raise SubmissionError(f"{name} would lead to another folder on Windows", "rename the file")


def check_length(name: str) -> None:
    """Raises SubmissionError for a path in a submission that is too long."""
    if len(name) > LONGEST_NAME:
        raise SubmissionError(f"the name {printable(name, 60)} has more than {LONGEST_NAME} characters", "shorten it")


def _in_manifest(folder: Path) -> str | None:
    """The agent's file that the manifest names, if a zip file of `pack` was unpacked in the folder; else None."""
    with suppress(OSError, ValueError, RecursionError, LookupError, TypeError):
        name = str(json.loads((folder / MANIFEST).read_bytes())["agent"])
        return name if (folder / name).is_file() else None
    return None


def _agent_file(folder: Path, files: dict[PurePosixPath, int], named: str | None) -> PurePosixPath:
    """The agent's file among those of a folder. Raises SubmissionError."""
    if named is not None:
        if PurePosixPath(named) not in files or not named.endswith(".py"):
            text = f"{MANIFEST} names {printable(named)} as the agent's file: there is no .py file of that name"
            raise SubmissionError(text, "add it, or name another")
        return PurePosixPath(named)
    usual = [name for name in map(PurePosixPath, (AGENT_FILE, COURSE_FILE, f"agents/{COURSE_FILE}")) if name in files]
    if len(usual) > 1 and usual[0].name == AGENT_FILE:
        with suppress(OSError):
            if is_course_file((folder / usual[1]).read_text(encoding="utf-8", errors="replace")):
                return usual[1]
    if usual:
        return usual[0]
    top = [name for name in files if len(name.parts) == 1 and name.suffix == ".py"]
    likely = [name for name in top if not name.name.startswith(("test_", "conftest", "setup"))]
    if not likely:
        where = next((name for name in files if name.name == AGENT_FILE), None)
        found, advice = (f", but {where}", f"submit the folder {where.parent}") if where else ("", CALL_IT_SO)
        if not where and any(name.suffix == ".zip" for name in files):
            advice = "name the zip files in it: FOLDER/*.zip"
        raise SubmissionError(f"there is no {AGENT_FILE} in the folder{found}", advice)
    if len(likely) > 1:
        listed = ", ".join(name.name for name in likely[:4])
        raise SubmissionError(f"it is not clear which of {listed} has the agent", CALL_IT_SO)
    return likely[0]


def _check_size(files: Mapping[PurePosixPath, int]) -> None:
    """Raises SubmissionError for too many or too large files; the manifest that `pack` adds has a limit of its own."""
    sizes = dict(files)
    if sizes.pop(PurePosixPath(MANIFEST), 0) > MOST_MANIFEST_BYTES:
        raise SubmissionError(f"its {MANIFEST} has more than {MOST_MANIFEST_BYTES >> 10} KB", "leave it out")
    if len(sizes) > MOST_FILES:
        raise SubmissionError(f"{len(sizes)} files, the limit is {MOST_FILES}", f"{LEAVE_OUT}, such as data")
    if (size := sum(sizes.values())) > MOST_BYTES:
        largest = max(sizes, key=lambda name: sizes[name])
        raise SubmissionError(
            f"{size / MB:.1f} MB, the limit is {MOST_BYTES // MB} MB; the largest file is {largest} with "
            f"{sizes[largest] / MB:.1f} MB",
            f"{LEAVE_OUT}, and store weights as float16 or compressed (np.savez_compressed)",
        )
