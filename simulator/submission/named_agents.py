"""Finding and checking agents as people name them, also by the folder or zip file of a submission."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any

from agents.agent import AGENT_FILE, UNPACKED, AgentSpec, agent_names, parse_agent
from game import Game
from options import InputError
from simulator.gtp.syntax import printable
from simulator.player.lookup import check_agent, unique_names
from simulator.submission.archive import unpack_beside, unpacked
from simulator.submission.files import SubmissionError, find_submission
from simulator.tournament.fields import split_limits

ZIP = ".zip"
UNPRINTABLE = "its name has characters that cannot be printed; rename the file"  # why an agent is absent


def find_named(
    agents: Sequence[str], game: Game, *, names: Sequence[str] = (), may_be_absent: bool = False
) -> tuple[dict[str, AgentSpec], dict[str, dict[str, Any]]]:
    """The agents, and the agents' own limits by key; both by the names that tables show: `names`, or the usual ones.

    Each folder and zip file is replaced by the Python file in it; a zip file is unpacked, and gives the agent its name.

    Raises AgentError, and InputError with a line for each submission that is refused. With `may_be_absent`, only a
    submission that does not exist is refused; for any other, the spec says why it cannot play. Raises OSError if this
    machine fails, because then no agent is to be called absent.
    """
    found = [_found(agent) for agent in agents]
    absent = [spec for _, spec, _ in found if spec.absence]
    if refused := [spec for spec in absent if not (may_be_absent and os.path.lexists(_place_of(spec.text)[0]))]:
        lines = (f"{spec.text}: {spec.absence}" for spec in refused)
        raise InputError("\n".join(["submissions that cannot play:", *lines]))
    if may_be_absent:
        found = [_in_print(*each) for each in found]
    specs = [spec for _, spec, _ in found]
    for spec in specs:
        if not spec.absence:
            check_agent(spec, game, may_be_absent=may_be_absent)
    usual = [name for name, _, _ in found]
    called = unique_names(specs, [name or own for own, name in zip_longest(usual, names, fillvalue="")])
    return dict(zip(called, specs, strict=True)), {name: own for name, (_, _, own) in zip(called, found, strict=True)}


def _found(agent: str) -> tuple[str, AgentSpec, dict[str, Any]]:
    """An agent's name (empty: the usual one), spec, and own limits by key; it is absent if its files are refused."""
    agent = _here(agent)
    place, rest = _place_of(agent)
    if not place:
        text, limits = split_limits(agent)
        return "", parse_agent(text), limits
    # Only the text behind the path has options and limits: files of a submission may have any names.
    text, limits = split_limits(f"{AGENT_FILE}{rest}")
    options, more = parse_agent(text).options, text.removeprefix(AGENT_FILE)
    is_zip, path = place.endswith(ZIP), Path(place)
    try:
        file, authors = _file_in(place)
    except SubmissionError as error:
        spec = AgentSpec(f"{place}{more}", f"{place}{more}", {}, f"{error}; {error.advice}")
        return path.stem if is_zip else path.name, spec, limits
    spec = AgentSpec(f"{place if is_zip else file}{more}", str(file), options, authors=authors)
    return path.stem if is_zip else "", spec, limits


def _in_print(name: str, spec: AgentSpec, limits: dict[str, Any]) -> tuple[str, AgentSpec, dict[str, Any]]:
    """The arguments unchanged, but a submission whose name cannot be printed is made absent, under a printable name."""
    place, _ = _place_of(spec.text)
    if spec.text.isprintable() or not place:
        return name, spec, limits
    shown, absence = printable(spec.text), "; ".join(filter(None, (spec.absence, UNPRINTABLE)))
    return printable(name), AgentSpec(shown, shown, {}, absence, spec.authors), limits


def file_of(text: str) -> str:
    """A text that names an agent, with a folder or zip file in it replaced by the Python file.

    Raises InputError if the submission is refused.
    """
    text = _here(text)
    place, rest = _place_of(text)
    try:
        return f"{_file_in(place)[0]}{rest}" if place else text
    except SubmissionError as error:
        raise InputError(f"{text}: {error}; {error.advice}") from error


@contextmanager
def looked_into(text: str) -> Iterator[str]:
    """As `file_of`, but a zip file is unpacked only within the block. Raises InputError."""
    place, rest = _place_of(text)
    if not place.endswith(ZIP):
        yield file_of(text)
        return
    try:
        with unpacked(Path(place)) as submission:
            yield f"{submission.folder / submission.agent}{rest}"
    except SubmissionError as error:
        raise InputError(f"{text}: {error}; {error.advice}") from error


def _here(text: str) -> str:
    """The text, but `./~x.py` with the whole path of the folder: `Path` leaves `~x.py` of it, the home of a user."""
    return f"{os.getcwd()}{text[1:]}" if text.startswith("./~") else text


def _place_of(text: str) -> tuple[str, str]:
    """The path of the folder or zip file that names an agent (empty for other agents), and the text behind it.

    A path may contain `:` and `@`, which otherwise begin options and limits; so the longest path that exists is taken.
    """
    if text.startswith("gtp:"):
        return "", text
    text = os.path.expanduser(text)  # a shell does not expand the ~ of --agent=~/ann
    ends = [len(text), *(mark.start() for mark in reversed(list(re.finditer("[:@]", text))))]
    paths = [text[:end] for end in ends]
    for path in paths:
        if (path.endswith(ZIP) and os.path.lexists(path)) or (os.path.isdir(path) and path not in agent_names()):
            return path, text[len(path) :]
    path = next((path for path in reversed(paths) if path.endswith(ZIP)), "")
    return path, text[len(path) :]


def _file_in(place: str) -> tuple[Path, tuple[str, ...]]:
    """The Python file of a folder or zip file, and its authors. Raises SubmissionError, OSError."""
    path = Path(place)
    if not place.endswith(ZIP):
        submission = find_submission(path)
        return (submission.folder if path.name in ("", "..") else path) / submission.agent, ()
    submission = unpack_beside(path)
    # Relative if the zip file's path is: on other machines of a cluster, the same folder may be elsewhere.
    folder = path.parent.joinpath(UNPACKED, *submission.folder.parts[-2:])
    return folder / submission.agent, submission.authors
