"""Finds in the files of agents for a framework of the course which game they play."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click

from commands.errors import errors_for_people
from options import InputError


def game_of_agents(words: Sequence[str]) -> list[str]:
    """The game of the framework for which the agents named by these words are written; [] if there are none.

    Raises UsageError if a file does not show its game, or if the games differ.
    """
    games = dict[str, str]()  # by name, each with an agent that plays it
    for word in words:
        text = word.partition("=")[2] if word.startswith("-") else word
        if (source := _source_of(text)) is not None:
            with errors_for_people():
                games.setdefault(_game_of(source, text), text)
    if len(games) > 1:
        raise click.UsageError(f"{' and '.join(games.values())} are for different games: choose one with --game")
    return list(filter(None, games))


def _source_of(text: str) -> str | None:
    """The text of an agent's Python file; None for any other text or agent."""
    from agents.agent import AgentError, parse_agent
    from simulator.submission.named_agents import looked_into
    from simulator.tournament.fields import split_limits

    # Errors are left for the command to report; RuntimeError comes from ~ with an unknown user.
    with suppress(AgentError, InputError, OSError, RuntimeError), looked_into(split_limits(text)[0]) as named:
        spec = parse_agent(named)
        file = Path(spec.source).expanduser()
        if spec.is_file and file.suffix == ".py" and file.is_file():  # files of boards and records are no agents
            return file.read_text(errors="replace")
    return None


def _game_of(source: str, text: str) -> str:
    """The game of the framework for which a file is written, "" if for none. Raises InputError if it is unclear."""
    from agents.course.styles import STYLES, is_course_file, style_of

    if not is_course_file(source):
        return ""
    if (style := style_of(source)) is None:
        known = ", ".join(style.game for style in STYLES.values())
        raise InputError(f"{text} does not show which of {known} it is for: name the game's file with --game")
    return style.game_file()
