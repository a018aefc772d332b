"""`runner.py replay`: a game that was played, step by step."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from commands.errors import records_errors
from commands.parameters import RECORDS, option

if TYPE_CHECKING:
    from simulator.terminal.replay import Replay


@click.command()
@RECORDS
@option("--game", type=click.IntRange(min=1), default=1, metavar="N", help="Its number, or its line in a JSONL file.")
@option("--log", is_flag=True, help="At the end: what both players wrote to stdout and stderr.")
@option("--transcript", is_flag=True, help="At the end: the GTP that went both ways, if it was kept.")
def replay(records: Path, game: int, log: bool, transcript: bool) -> None:
    """Step through a finished game.

    FILE is the records of a tournament, the games of `match --save`, or the log
    of a game at the course's server. Shown are the board, the move, how long it
    took, how much memory the agent used, and how the agent itself valued it.

    In a terminal: Enter or the right arrow shows the next move, b or the left arrow the one before, f the first, l the
    last, a number that move; q quits. Over a pipe all positions are printed.

    \b
    Examples:
      python runner.py replay league.db --game 17 --log
      python runner.py replay games.jsonl | less
    """
    from simulator.records.reader import read_games
    from simulator.terminal.replay import Replay, Shown
    from simulator.terminal.screen import colour_wanted

    with records_errors():
        with read_games(records) as games:
            shown = Replay(games.game(game), Shown(colour_wanted(), log, transcript))
        if sys.stdin.isatty() and sys.stdout.isatty():
            step_through(shown)
        else:
            click.echo("\n\n".join(shown.pages()))


def step_through(shown: "Replay") -> None:
    """Show one page after the other, as the keys say."""
    from simulator.terminal.replay import HELP, NoCommand, command_of, page_after

    page, message = 0, HELP
    while True:
        click.clear()
        click.echo(f"{shown.page(page)}\n\n{message}")
        message = HELP
        try:
            command, number = command_of(read_keys())
            if command == "quit":
                return
            page = page_after(command, number, page, shown.last)
        except NoCommand as error:
            message = str(error)
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
