"""Agents that are named by their folder, or by the zip file of their submission."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from agents.agent import agent_names
from options import InputError
from simulator.submission.archive import unpack_beside
from simulator.submission.files import SubmissionError, find_submission
from simulator.tournament.toml_file import NamedAgent

ZIP = ".zip"


def with_files(agents: Sequence[NamedAgent], *, may_be_absent: bool = False) -> list[NamedAgent]:
    """The same agents, with its Python file in the place of each folder and zip file; the latter is unpacked, and
    gives its name.

    Raises InputError with a line for each that is refused. With `may_be_absent` only for those that are not
    there: of another, the agent says why it cannot play. Raises OSError where this machine fails, which is nobody's
    fault: an agent that is absent stays so.
    """
    found = [_with_file(agent) for agent in agents]
    refused = [
        f"{agent.text}: {agent.absence}"
        for agent in found
        if agent.absence and not (may_be_absent and os.path.lexists(_place_of(agent.text)[0]))
    ]
    if refused:
        raise InputError("\n".join(["submissions that cannot play:", *refused]))
    return found


def file_of(text: str) -> str:
    """The same for one agent, as a command line names it. Raises InputError if its folder or zip file is refused."""
    agent = _with_file(NamedAgent(text))
    if agent.absence:
        raise InputError(f"{text}: {agent.absence}")
    return agent.text


def _place_of(text: str) -> tuple[str, str]:
    """The path of the folder or zip file that names an agent, empty for another agent, and what stands behind it.

    A path may have `@` in it, behind which limits stand elsewhere: what is there counts.
    """
    if text.startswith("gtp:"):
        return "", ""
    ends = [len(text), *(mark.start() for mark in reversed(list(re.finditer("[:@]", text))))]
    paths = [text[:end] for end in ends]
    for path in paths:
        if (path.endswith(ZIP) and os.path.lexists(path)) or (os.path.isdir(path) and path not in agent_names()):
            return path, text[len(path) :]
    path = next((path for path in reversed(paths) if path.endswith(ZIP)), "")
    return path, text[len(path) :]


def _with_file(agent: NamedAgent) -> NamedAgent:
    """An agent that is named by a folder or zip file, by its Python file; others as they are."""
    place, rest = _place_of(agent.text)
    path = Path(place)
    name = agent.name or (path.stem if place.endswith(ZIP) else path.name)
    try:
        if place.endswith(ZIP):
            return _unpacked(agent._replace(name=name), path, rest)
        if place:
            submission = find_submission(path)
            folder = submission.folder if path.name in ("", "..") else path
            return agent._replace(text=f"{folder / submission.agent}{rest}")
    except SubmissionError as error:
        return agent._replace(name=name, absence=f"{error}; {error.advice}")
    return agent


def _unpacked(agent: NamedAgent, path: Path, rest: str) -> NamedAgent:
    """An agent that is named by a zip file, unpacked. Raises SubmissionError, OSError."""
    submission = unpack_beside(path)
    # As relative as the zip file's path: on other machines of a cluster the same folder may be elsewhere.
    folder = path.parent / submission.folder.relative_to(path.parent.resolve())
    text = f"{folder / submission.agent}{rest}"
    return agent._replace(text=text, given=agent.text, authors=submission.authors)
