"""The steps of a check that look at files and starts; `conduct.py` has those that look at games."""

import re
from hashlib import sha256
from pathlib import PurePosixPath

from agents.limits import Limits
from simulator import command_line
from simulator.player.kept_code import why_not_here
from simulator.player.source_hashes import MANIFEST
from simulator.sandbox.isolation import available_mechanisms
from simulator.sandbox.visible_files import files_visible_to
from simulator.submission.advice import finding_of
from simulator.submission.archive import contents_of
from simulator.submission.environment import hiding, known_to, lacking, maybe_hidden
from simulator.submission.files import MB, MOST_BYTES, MOST_FILES, Submission, SubmissionError
from simulator.submission.findings import Finding, fault, good, remark
from simulator.submission.manifest import compare, read_manifest
from simulator.submission.trials import Start

SHARE_OF_TIME = 0.5  # of the first move's time; if a start takes more, a slower machine may be too slow
SHARE_OF_MEMORY = 0.9
_NUMBA_DECORATOR = re.compile(r"^[ \t]*@(?:\w+\.)?n?jit\b", re.MULTILINE)
INSTALLED = "numpy, numba and the standard library are there; put anything else into your folder, or do without"


def check_files(submission: Submission) -> list[Finding]:
    """Findings on the size, number and names of the files."""
    found = [
        good(
            f"{submission.size / MB:.2f} MB in all (limit {MOST_BYTES // MB} MB), number of files: "
            f"{len(submission.files)} (limit {MOST_FILES}); the agent is in {submission.agent}"
        )
    ]
    found += [
        fault(f"{path} has the name of a module of the tournament, which is imported instead of it", "rename it")
        for path in hiding(submission)
    ]
    found += _of_manifest(submission) + _is_alone(submission)
    may_be = "has the name of a module of Python or this project, which may be imported instead of it"
    return found + [remark(f"{path} {may_be}", "rename it") for path in maybe_hidden(submission)]


def _of_manifest(submission: Submission) -> list[Finding]:
    """Whether a folder's `manifest.json` would be in the way in a zip file of the folder."""
    if PurePosixPath(MANIFEST) not in submission.files:
        return []
    try:
        contents = contents_of(submission)
    except SubmissionError as error:
        return [fault(str(error), error.advice)]
    try:
        manifest = read_manifest((submission.folder / MANIFEST).read_bytes())
        compare(manifest, {name: sha256(content).hexdigest() for name, content in contents.items()})
    except SubmissionError as error:
        return [remark(f"{error}: a zip file of this folder is refused, unless `pack` makes it", error.advice)]
    return []


def _is_alone(submission: Submission) -> list[Finding]:
    """Whether an agent of several files lies in a folder of which it sees only its own file in games."""
    file = submission.folder / submission.agent
    if len(submission.files) == 1 or files_visible_to(submission.spec).own != (file,):
        return []
    text = f"in a match it sees nothing but {submission.agent}, because its folder serves others too"
    return [remark(text, "put its files into a folder of their own, or play the zip file of `pack`")]


def check_imports(submission: Submission) -> list[Finding]:
    """Whether a tournament has what the files import, and whether numba code is compiled only once."""
    found = [
        remark(f"{file} imports {module}, which a tournament does not have", INSTALLED)
        for module, file in lacking(submission).items()
    ]
    sources = {file: submission.source(file) for file in submission.files if file.suffix == ".py"}
    compiling = {file: text for file, text in sources.items() if "numba" in text and _NUMBA_DECORATOR.search(text)}
    found += [
        remark(f"{file} compiles with numba in every game: cache=True is missing", "write @njit(cache=True)")
        for file, text in compiling.items()
        if "cache=True" not in text.replace(" ", "")
    ]
    if compiling and (why := why_not_here(available_mechanisms())):
        text = f"it compiles code of its own, which a tournament on this system compiles anew in every game ({why})"
        found.append(remark(text, f"`{command_line('doctor')}` says what is missing here"))
    return found or [good("a tournament has all that it imports")]


def check_start(submission: Submission, start: Start, limits: Limits, when: str) -> list[Finding]:
    """Whether the agent can be loaded and set up within the first move's time and memory."""
    if start.fault is not None:
        return [finding_of(start.fault.reason, f"it {start.fault}", start.reports.rest, submission)]
    said = start.reports
    assert start.seconds is not None
    parts = f"{said.load_seconds:.2f} s for imports, " if said.load_seconds is not None else ""
    name = f"{said.agent}, " if said.agent else ""
    text = (
        f"{name}{when}: ready after {start.seconds:.2f} s ({parts}limit {limits.first_move_seconds:g} s), "
        f"{start.peak_mb:.0f} MB (limit {limits.memory_mb} MB)"
    )
    found = [good(text)]
    known = known_to(submission)
    found += [
        fault(f"it imports {module}, which is installed here and not in a tournament", INSTALLED)
        for module in said.modules
        if module not in known
    ]
    if start.seconds > SHARE_OF_TIME * limits.first_move_seconds:
        advice = "do less at the top of the file and in `setup`: the machine may be slower"
        found.append(remark("more than half of the first move's time", advice))
    if start.peak_mb > SHARE_OF_MEMORY * limits.memory_mb:
        found.append(remark("almost all of the memory before the first move", "load less, or use smaller types"))
    return found
