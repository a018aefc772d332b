"""Which game agents for a framework of the course play, found in their files."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click

from commands.errors import errors_for_people
from options import InputError


def game_of_agents(words: Sequence[str]) -> list[str]:
    """The game of the framework for which the agents in files and folders among these words are written, if any.

    Raises UsageError where a file does not show which, or where not all show the same.
    """
    games = dict[str, str]()  # with an agent for each
    for word in words:
        text = word.partition("=")[2] if word.startswith("-") else word
        if (source := _source_of(text)) is not None:
            with errors_for_people():
                games.setdefault(_game_of(source, text), text)
    if len(games) > 1:
        raise click.UsageError(f"{' and '.join(games.values())} are not of one game: name it with --game")
    return list(filter(None, games))


def _source_of(text: str) -> str | None:
    """What is in the file of an agent, None for another one and for a text that names no agent."""
    from agents.agent import AgentError, parse_agent
    from simulator.submission.named_agents import looked_into
    from simulator.tournament.fields import split_limits

    # What the command will refuse is not refused here; RuntimeError is for ~ of somebody who is not known.
    with suppress(AgentError, InputError, OSError, RuntimeError), looked_into(split_limits(text)[0]) as named:
        spec = parse_agent(named)
        file = Path(spec.source).expanduser()
        if spec.is_file and file.suffix == ".py" and file.is_file():  # a board and records are no agents
            return file.read_text(errors="replace")
    return None


def _game_of(source: str, text: str) -> str:
    """The game of the framework for which a file is written, "" if it is for none. Raises InputError if unclear."""
    from agents.course.styles import STYLES, is_course_file, style_of

    if not is_course_file(source):
        return ""
    if (style := style_of(source)) is None:
        known = ", ".join(style.game for style in STYLES.values())
        raise InputError(f"{text} does not show for which of {known} it is: name the file with --game")
    return style.game_file()
