"""`runner.py new`: the folder of a new agent."""

import json
import os
import shlex
import sys
import tempfile
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

import click

from commands.errors import errors_for_people
from commands.parameters import field_options, option
from commands.wrong_rules import refuse_wrong_rules
from options import InputError
from simulator import INSTALLED, command_line

if TYPE_CHECKING:
    from agents.course.styles import Style
    from game import Game

TEMPLATES = Path(__file__).parent / "templates"
FILES = {"agent.py": "agent.txt", "test_agent.py": "test_agent.txt", "README.md": "readme.txt"}
COURSE_FILES = {"student_agent.py": "student_agent.txt", "README.md": "readme.txt"}
OPENINGS = """
Games of `match` and of tournaments begin with {plies} random moves, so a table of openings has to know the positions
after those, too; with `--opening-plies 0` they begin here."""
READABLE = 0o755  # the mode of the folder


@click.command()
@click.argument("name", metavar="NAME")
@field_options("game")
@option("--style", metavar="STYLE", help="For a framework of COMP 424: course2022, course2024 or course2025.")
def new(*, name: str, game: str | None, style: str | None) -> None:
    """Make the folder of a new agent, NAME, which plays as it is.

    In it are agent.py, which registers NAME_agent and explains positions and moves, a test, and README.md with the
    everyday commands: match, pytest, check, debug, pack. Nothing is overwritten.

    With --style, the folder has student_agent.py, written for that year's framework and its game.

    \b
    Examples:
      python runner.py new ann
      python runner.py new ann --game go
      python runner.py new ann --style course2024
      python runner.py match ann greedy_agent
    """
    from agents.course.styles import style_named
    from game import file_and_hash, load_game
    from game_files.alarm import guarded

    with errors_for_people():
        folder, of_course = Path(name), style_named(style) if style else None
        game = _game_of_style(of_course, game) if of_course else game or "pentago"
        with guarded(game):
            loaded = load_game(game)
        refuse_wrong_rules(loaded)
        texts = contents(folder, loaded, of_course)
        write_folder(folder, texts)
    runner = _runner()
    click.echo(f"{folder}/ has {', '.join(texts)}. It plays as it is:")
    chosen = f"--game {shlex.quote(file_and_hash(game)[0])}"
    click.echo(f"  {runner} match {shlex.quote(name)} greedy_agent {chosen}")
    click.echo(f"  {runner} check {shlex.quote(name)} {chosen}")


def _game_of_style(style: "Style", named: str | None) -> str:
    """The game of a style, or `named` if no example of that game is installed. Raises UsageError, InputError."""
    try:
        own = style.game_file()
    except InputError:
        if named is None:
            raise
        return named
    if named:
        raise click.UsageError("--style has its own game: leave --game out")
    return own


def contents(folder: Path, game: "Game", style: "Style | None") -> dict[str, str]:
    """The texts of a new agent's files by name. Raises InputError if the folder's name cannot be an agent's."""
    agent_name, files = agent_name_for(folder.name), COURSE_FILES if style else FILES
    words = {
        "agent_name": agent_name,
        "class_name": class_name_of(agent_name),
        "title": folder.name,
        "name": shlex.quote(folder.name),
        "path": shlex.quote(str(folder)),
        "runner": _runner(),
        "python": "python" if _is_at_home() else shlex.quote(sys.executable),
        "project": repr(str(Path(__file__).resolve().parents[1])),
        **about(game),
        "file": next(iter(files)),
        "described": "board and a move" if style else "position and a move",
    }
    tests = f"| run its tests (`pip install pytest`) | `{words['python']} -m pytest {words['path']}` |\n"
    words["tests"] = "" if style else tests
    words |= about_style(style) if style else {}
    return {name: Template((TEMPLATES / file).read_text()).substitute(words) for name, file in files.items()}


def about_style(style: "Style") -> dict[str, str]:
    """Words about a style for the templates."""
    return {
        "parameters": ", ".join(style.parameters),
        "board_words": style.board,
        "answer": style.answer,
        "helpers_import": f"from helpers import {style.helpers}\n" if style.helpers else "",
        "body": style.body,
    }


def agent_name_for(name: str) -> str:
    """The name that the agent of a folder registers. Raises InputError."""
    from agents.agent import agent_names

    found = name if name.endswith("_agent") else f"{name}_agent"
    if not (name.isidentifier() and name.isascii()):
        if not name:
            raise InputError("the name is empty: give a name for the agent and its folder")
        raise InputError(f"{name!r} is no name for an agent: use letters, digits and _, and no digit in front")
    if found in agent_names():
        raise InputError(f"there is an agent {found} already: choose another name")
    return found


def class_name_of(agent_name: str) -> str:
    """The name of an agent's class, which pytest does not take for a class of tests.

    >>> class_name_of("ann_agent"), class_name_of("test_agent")
    ('AnnAgent', 'TheTestAgent')
    """
    name = "".join(part[:1].upper() + part[1:] for part in agent_name.split("_"))
    return f"The{name}" if name.startswith("Test") else name


def about(game: "Game") -> dict[str, str]:
    """Words about a game for the templates: its moves, its board, and how it begins."""
    from agents.limits import Limits
    from game import file_and_hash

    position = game.initial()
    moves, board = position.legal_moves(), position.board
    move = moves[len(moves) // 3]
    described = type(move).__doc__ or ""
    fields = described.partition("Attributes:\n")[2].partition("\n\n")[0].rstrip()
    lines = [f"    {line.strip()}" for line in fields.splitlines()]
    name = file_and_hash(game.name)[0]
    words = (type(position).board.__doc__ or "").strip().partition(": ")[2]
    return {
        "game": game.title,
        "game_word": shlex.quote(name),
        "game_text": json.dumps(name),
        "first": game.players[0],
        "second": game.players[1],
        "move_repr": repr(move),
        "move_fields": "".join(f"{line}\n" for line in [*lines, ""]) if lines else "",
        "move_text": game.format_move(move),
        "move_count": str(len(moves)),
        "board_type": str(board.dtype),
        "board_shape": str(list(board.shape)),
        "board_words": words.rstrip("."),
        "start": str(position),
        "openings": OPENINGS.format(plies=game.opening_plies) if game.opening_plies else "",
        "first_move_seconds": f"{Limits().first_move_seconds:g}",
    }


def write_folder(folder: Path, texts: dict[str, str]) -> None:
    """Make a folder with these files, all or nothing. Raises InputError if something of that name exists, OSError."""
    from simulator.records.file_errors import writing

    if os.path.lexists(folder):
        raise InputError(f"{folder} is there already, and nothing is overwritten: choose another name")
    with writing(folder), tempfile.TemporaryDirectory(prefix=".new-", dir=folder.parent) as place:
        half = Path(place) / "folder"
        half.mkdir(READABLE)
        for name, text in texts.items():
            (half / name).write_text(text)
        half.rename(folder)


def _is_at_home() -> bool:
    return Path.cwd() == Path(__file__).resolve().parents[1]


def _runner() -> str:
    """The command that calls this program from the present folder."""
    if _is_at_home() or command_line() == INSTALLED:
        return command_line()
    return shlex.join([sys.executable, str(Path(__file__).resolve().parents[1] / "runner.py")])
