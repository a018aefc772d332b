"""`runner.py replay`: a game that was played, step by step."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from commands.parameters import option
from commands.records_file import RECORDS, records_errors

if TYPE_CHECKING:
    from simulator.terminal.replay import Replay


@click.command()
@RECORDS
@option("--game", type=click.IntRange(min=1), default=1, metavar="N", help="Its number, or its line in a JSONL file.")
@option("--log", is_flag=True, help="At the end: the last lines that both players wrote, whoever won.")
def replay(records: Path, game: int, log: bool) -> None:
    """Step through a game that was played.

    FILE is the records of a tournament, or the games of `match --save`. Shown are the board, the move, how long it
    took, how much memory the agent held, and what the agent itself made of it.

    In a terminal: Enter or the right arrow for the next move, b or the left arrow back, f the first, l the last, g
    and a number to go to that move, q to quit. Over a pipe all positions are printed.

    \b
    Examples:
      python runner.py replay league.db --game 17 --log
      python runner.py replay games.jsonl | less
    """
    from simulator.records.reader import read_games
    from simulator.terminal.replay import Replay

    with records_errors():
        with read_games(records) as games:
            shown = Replay(games.game(game), colour_wanted(), log)
        if sys.stdin.isatty() and sys.stdout.isatty():
            step_through(shown)
        else:
            click.echo("\n\n".join(shown.pages()))


def colour_wanted() -> bool:
    """Whether stdout is a terminal that shows colours, and `NO_COLOR` is not set."""
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb" and not os.environ.get("NO_COLOR")


def step_through(shown: "Replay") -> None:
    """Show one page after the other, as the keys say."""
    from simulator.terminal.replay import HELP, NoCommand, command_of, page_after

    page, said = 0, HELP
    while True:
        click.clear()
        click.echo(f"{shown.page(page)}\n\n{said}")
        said = HELP
        try:
            command, number = command_of(read_keys())
            if command == "quit":
                return
            page = page_after(command, number, page, shown.last)
        except NoCommand as error:
            said = str(error)
        except EOFError:
            return


def read_keys() -> str:
    """A key, or after `g` and after a digit what is typed up to Enter."""
    key = click.getchar()
    if key in ("g", "G"):
        return input("go to move: ")
    return input_after(key) if key.isdigit() else key


def input_after(digit: str) -> str:
    """The rest of a number whose first digit was typed."""
    click.echo(digit, nl=False)
    return digit + input()
