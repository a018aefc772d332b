"""What the zip file of a submission says about itself, in `manifest.json`."""

import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib.metadata import version
from pathlib import PurePosixPath
from typing import Any

from simulator import command_line
from simulator.gtp.syntax import printable
from simulator.player.source_hashes import MANIFEST
from simulator.submission.files import Submission, SubmissionError
from simulator.submission.findings import CheckReport

MOST_AUTHORS, LONGEST_AUTHOR = 10, 80  # how many authors are shown, and how many characters of each name
PACKAGES = ("numpy", "numba")


def manifest_of(
    submission: Submission,
    authors: Sequence[str],
    game: str,
    contents: Mapping[PurePosixPath, bytes],
    report: CheckReport,
) -> dict[str, Any]:
    """The manifest: name, authors, game, the SHA-256 of each file, versions, and the result of the check."""
    return {
        "format": 1,
        "name": submission.name,
        "agent_name": report.agent,
        "agent": str(submission.agent),
        "authors": list(authors),
        "game": game,
        "packed": datetime.now().astimezone().isoformat(timespec="seconds"),
        "versions": {"python": platform.python_version(), **{package: version(package) for package in PACKAGES}},
        "files": {str(name): hashlib.sha256(content).hexdigest() for name, content in contents.items()},
        "check": {
            "passed": report.passed,
            "faults": [finding.text for finding in report.faults],
            "figures": report.figures,
        },
    }


def read_manifest(content: bytes) -> dict[str, Any]:
    """Read a manifest that somebody else wrote; others use only its `agent`, `files` and `authors`.

    Raises SubmissionError if it is no JSON, or does not name its agent and files.
    """
    advice = f"pack it with `{command_line('pack')}`, or leave manifest.json out"
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise SubmissionError(f"its {MANIFEST} is not JSON", advice) from error
    if not (isinstance(found, dict) and isinstance(found.get("agent"), str) and isinstance(found.get("files"), dict)):
        raise SubmissionError(f"its {MANIFEST} does not name its agent and files", advice)
    return found


def authors_in(manifest: Mapping[str, Any]) -> tuple[str, ...]:
    """The authors of a submission that its manifest names, in printable characters."""
    listed = manifest.get("authors")
    names = [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []
    return tuple(printable(name, LONGEST_AUTHOR) for name in names[:MOST_AUTHORS])


def compare(manifest: Mapping[str, Any], contents: Mapping[PurePosixPath, str]) -> None:
    """Raises SubmissionError if files, given by their SHA-256, are not those of the manifest."""
    advice = f"pack it again with `{command_line('pack')}`"
    listed = manifest["files"]
    for name in sorted({*listed, *map(str, contents)}):
        shown = printable(name, 80)
        if name not in listed:
            raise SubmissionError(f"{shown} is not in its {MANIFEST}", advice)
        if listed[name] != contents.get(PurePosixPath(name)):
            raise SubmissionError(f"{shown} is not the file that its {MANIFEST} lists", advice)
