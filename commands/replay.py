"""`runner.py replay`: games that were played, step by step."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from commands.errors import records_errors
from commands.full_screen import LOOK, is_full_screen_possible
from commands.parameters import COUNT, RECORDS, option
from options import InputError

if TYPE_CHECKING:
    from simulator.play.replay import Replay
    from simulator.records.reader import PlayedGames


@click.command()
@RECORDS
@option(
    "--game",
    type=COUNT,
    metavar="N",
    help="The game's number.  [default: the full screen lists all; else the first game]",
)
@option("--log", is_flag=True, help="At the end: what both players wrote to stdout and stderr.")
@option("--transcript", is_flag=True, help="At the end: the GTP in both directions, if it was kept.")
@option("--plain", is_flag=True, help="In lines of text, without the full screen.")
@LOOK
def replay(records: Path, *, game: int | None, log: bool, transcript: bool, plain: bool, **look: Any) -> None:
    """Step through games that were played.

    FILE is the records of a tournament, the games of `match --save`, the log of
    a game at the course's server, or a game that was saved in `play`. Each page has the board, the move, how long it
    took, how much memory the agent used, and the value that the agent itself gave.

    In a terminal of 80x24 characters or more: a full screen with the list of games, the board, a slider, the agents'
    own values, and their logs (o; with --log or --transcript at once); Space plays the game by itself. With --plain:
    Enter or the right arrow shows the next move, b or the left arrow the one before, f the first, l the last, a number
    that move; q quits. Over a pipe, and on a dumb terminal, all positions are printed. --theme, --ascii and
    --no-animation are for the full screen, and have no effect in lines of text.

    \b
    Examples:
      python runner.py replay league.db --game 17 --log
      python runner.py replay games.jsonl | less
    """
    from simulator.play.replay import Replay
    from simulator.records.reader import read_games
    from simulator.terminal.replay import page
    from simulator.terminal.screen import colour_wanted, is_smart_terminal

    with records_errors():
        with read_games(records, of_play=True) as games:
            if not plain and is_full_screen_possible("showing it in lines"):
                show_on_full_screen(games, game, log or transcript, **look)
                return
            first = next(iter(games.numbers), 1)  # the first pairs of a tournament may still be in play
            replayed = Replay(games.game(game or first))
        page_of = partial(page, replayed, colour=colour_wanted(), logs=log, transcripts=transcript)
        if sys.stdin.isatty() and is_smart_terminal():
            step_through(replayed, page_of)
        else:
            click.echo("\n\n".join(map(page_of, range(replayed.last + 1))))


def show_on_full_screen(
    games: "PlayedGames", game: int | None, with_texts: bool, theme: Any, is_ascii: bool, no_animation: bool
) -> None:
    """Step through games until the person leaves. Raises InputError."""
    from simulator.fullscreen.board_app import Look
    from simulator.fullscreen.replay import ReplayApp

    app = ReplayApp(games, game, Look(theme, is_ascii, not no_animation), with_texts=with_texts)
    app.run()
    if app.return_code:  # after a crash, which it has reported, or a signal
        raise SystemExit(app.return_code)


def step_through(replayed: "Replay", page_of: Callable[[int], str]) -> None:
    """Show pages in the terminal; keys choose the next one."""
    from simulator.terminal.replay import HELP, obey

    message, goes_on = HELP, True
    while goes_on:
        click.clear()
        click.echo(f"{page_of(replayed.ply)}\n\n{message}")
        message = HELP
        try:
            goes_on = obey(replayed, read_keys())
        except InputError as error:
            message = str(error)
        except EOFError:
            return


def read_keys() -> str:
    """A key; if it is `g` or a digit, the text that is typed up to Enter."""
    key = click.getchar()
    if key in ("g", "G"):
        return f"g {input('go to move: ')}"
    if key.isdigit():
        click.echo(key, nl=False)
        return key + input()
    return key
