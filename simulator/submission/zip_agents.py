"""Agents that are named by the zip file of their submission, for a match or tournament."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from options import InputError
from simulator.submission.archive import unpack_beside
from simulator.submission.files import SubmissionError
from simulator.tournament.toml_file import NamedAgent

_ZIP = re.compile(r"([^:@]*\.zip)([:@].*)?", re.DOTALL)


def without_zips(agents: Sequence[NamedAgent], *, may_be_absent: bool = False) -> list[NamedAgent]:
    """The same agents, with the unpacked file in the place of each zip file, which gives its name.

    Raises InputError with a line for each zip file that is refused. With `may_be_absent` only for those that are not
    there: of another, the agent says why it cannot play. Raises OSError where this machine fails, which is nobody's
    fault: an agent that is absent stays so.
    """
    found = [_unpacked(agent) for agent in agents]
    refused = [
        f"{agent.text}: {agent.absence}"
        for agent in found
        if agent.absence and not (may_be_absent and os.path.lexists(_zip_of(agent)[0]))
    ]
    if refused:
        raise InputError("\n".join(["submissions that cannot play:", *refused]))
    return found


def _zip_of(agent: NamedAgent) -> tuple[str, str]:
    """The path of the zip file that names an agent, empty for another agent, and what stands behind it."""
    match = None if agent.text.startswith("gtp:") else _ZIP.fullmatch(agent.text)
    return ("", "") if match is None else (match[1], match[2] or "")


def _unpacked(agent: NamedAgent) -> NamedAgent:
    """An agent that is named by a zip file, unpacked; others as they are."""
    name, rest = _zip_of(agent)
    if not name:
        return agent
    path = Path(name)
    named = agent._replace(name=agent.name or path.stem)
    try:
        submission = unpack_beside(path)
    except SubmissionError as error:
        return named._replace(absence=f"{error}; {error.advice}")
    # As relative as the zip file's path: on other machines of a cluster the same folder may be elsewhere.
    folder = path.parent / submission.folder.relative_to(path.parent.resolve())
    text = f"{folder / submission.agent}{rest}"
    return named._replace(text=text, given=agent.text, authors=submission.authors)
