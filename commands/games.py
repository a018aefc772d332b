"""`runner.py games`: all games, with their rules and options."""

import json
import re
import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

import click

from commands.agents import wrapped
from commands.errors import errors_for_people
from commands.parameters import json_option, whole_name
from options import option_text

if TYPE_CHECKING:
    from game import Game

EXAMPLES = "examples/games"  # in the project's folder
OTHERS = """
Any file with rules is a game, too: --game FILE.py (docs/games.md), and
openspiel:NAME is a game of OpenSpiel, where that is installed."""
_ASIDE = re.compile(r"\s*\(see [^)]*\)")  # notes for readers of the source


@click.command()
@click.argument("names", metavar="[NAME|FILE]...", nargs=-1)
@json_option("Print the descriptions as JSON.")
def games(*, names: tuple[str, ...], as_json: bool) -> None:
    """Describe the games and all their options.

    Without names: the games of this project, and its examples of games in one file. With names
    or files: these games in detail, with the start, its moves, and the agents that play them.

    \b
    Examples:
      python runner.py games
      python runner.py games go examples/games/connect_four.py
      python runner.py games --json
    """
    from game import game_names
    from jit import PROJECT

    examples = sorted((PROJECT / EXAMPLES).glob("*.py"))
    with errors_for_people(), redirect_stdout(sys.stderr):  # rules may print, and stdout may be JSON
        described = [about(whole_name(name)) for name in names or (*game_names(), *map(str, examples))]
    if as_json:
        click.echo(json.dumps(described))
        return
    click.echo("\n\n".join(_text(one, in_detail=bool(names)) for one in described))
    if not names:
        click.echo(OTHERS)


def about(name: str) -> dict[str, Any]:
    """A description of a game, for people and as JSON. Raises InputError, RulesError."""
    from agents.agent import agent_names
    from game import load_game
    from game_files.alarm import guarded

    with guarded(name):
        game = load_game(name)
        start = game.initial()
        moves = start.legal_moves()
    first, *more = _ASIDE.sub("", type(game).__doc__ or "").split("\n\n")
    view = game.board_view()
    rules = " ".join(more) or ("" if view is None else view.rules)
    return {
        "name": game.name,
        "title": game.title,
        "file": str(game.files[0]) if game.files else None,
        "summary": " ".join(first.split()),
        "rules": " ".join(rules.split()),
        "compiled": game.kernel is not None,
        "players": list(game.player_names or game.players),
        "options": [
            {"name": option.name, "default": _shown(option.default), "values": option.range, "help": option.help}
            for option in game.options
        ],
        "start": str(start),
        "board": game.draw(start),
        "moves": [game.format_move(move) for move in moves],
        "agents": [name for name in agent_names() if _plays(name, game)],
    }


def _shown(default: Any) -> str:
    return "" if default is None else option_text(default)


def _plays(agent: str, game: "Game") -> bool:
    from agents.agent import AgentError
    from simulator.player.lookup import find_agent

    try:
        find_agent(agent, game)
    except AgentError:
        return False
    return True


def _text(one: dict[str, Any], in_detail: bool) -> str:
    lines = [one["file"] or one["name"], *wrapped(one["summary"], "  ")]
    if in_detail and one["rules"] not in ("", one["summary"]):
        lines += ["", *wrapped(one["rules"], "  ")]
    for option in one["options"]:
        default = f" [default: {option['default']}]" if option["default"] else ""
        lines += wrapped(f"--{option['name']}: {option['help'] or option['values']}{default}", "    ")
    if not in_detail:
        return "\n".join(lines)
    moves = ", ".join(one["moves"][:8]) + (", ..." if len(one["moves"]) > 8 else "")
    facts = {
        "players": ", ".join(one["players"]),
        "rules": "compiled" if one["compiled"] else "plain Python",
        "agents": ", ".join(one["agents"]),
        f"moves at the start, {len(one['moves'])}": moves,
        "the start": one["start"],
    }
    lines += ["", *(line for name, text in facts.items() for line in wrapped(f"{name}: {text}", "  "))]
    return "\n".join([*lines, "", *(f"  {line}" for line in one["board"].splitlines())])
