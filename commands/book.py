"""`runner.py book`: an opening book, position after position."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from commands.errors import errors_for_people, goes_on_from
from commands.parameters import (
    COUNT,
    FILE,
    GAME,
    POSITIVE,
    SIMULATIONS,
    FiniteRange,
    GameCommand,
    chosen_game,
    option,
    refuse_idle_options,
)
from options import InputError

if TYPE_CHECKING:
    from learning.book import Searched
    from learning.book_building import BookFile, Effort

SECONDS = 4.0  # twice a move's time; a quarter of an hour on two cores searches 450 positions


@click.command(cls=GameCommand)
@GAME
@option("--hours", type=POSITIVE, default=0.25, metavar="H", help="How long to build, from now on.")
@option("--seconds", type=POSITIVE, metavar="S", help=f"Seconds to search a position.  [default: {SECONDS:g}]")
@SIMULATIONS
@option("--positions", type=COUNT, metavar="N", help="Stop when the book has N positions.")
@option("--workers", type=COUNT, default=2, metavar="N", help="Processes that search.")
@option("--file", type=FILE, help="The file of the book.  [default: learned/GAME-book.jsonl]")
@option("--report", is_flag=True, help="Only show the book so far.")
@option("--export", type=FILE, help="Only write the book so far as a file that agents read.")
@option(
    "--margin",
    type=FiniteRange(0, 1),
    default=0.01,
    metavar="X",
    help="The book also plays moves that are worse than the best by at most X.",
)
def book(
    *,
    game: str,
    game_options: dict[str, str],
    hours: float,
    seconds: float | None,
    simulations: int | None,
    positions: int | None,
    workers: int,
    file: Path | None,
    report: bool,
    export: Path | None,
    margin: float,
) -> None:
    """Build an opening book for a game: search the positions that are likely to arise, each for a long time.

    The initial position and the positions after all first moves come first; then the position that is likeliest to
    arise when the book plays its best moves against the moves that the search expects of the opponent. Values are
    backed up through the book from the last positions to the first. Mirror images count as one position.

    Everything is kept in FILE: after Ctrl-C or any other stop, the same command goes on. Agents read the file that
    --export writes.

    \b
    Examples:
      python runner.py book --hours 0.25 --seconds 4
      python runner.py book --report --export pentago/book.npz
      python runner.py book --game go --seconds 15 --hours 1
    """
    from game import game_title
    from learning.book_building import BookFile, Effort
    from learning.book_report import render

    with errors_for_people():
        path = file or Path("learned") / f"{game_title(game)}-book.jsonl"
        if report or export:
            others = ("hours", "seconds", "simulations", "positions", "workers", "game_options")
            refuse_idle_options("beside --report and --export", *others)
            found = BookFile.read(path)
        else:
            found = opened(path, game, game_options)
            by_time = SECONDS if seconds is None and simulations is None else seconds
            build(found, Effort(by_time, simulations), workers, hours, positions, margin)
        if report:
            click.echo(render(found.book, margin))
        if export:
            meta = found.export(export, margin)
            click.echo(f"{export}: {meta['positions']:,} positions, {export.stat().st_size / 1e6:.2f} MB")


def opened(path: Path, name: str, texts: dict[str, str]) -> "BookFile":
    """The file of a game's book, which may be new. Raises InputError for a game of which agents read no book."""
    from game import BookGame
    from learning.book_building import BookFile

    game, options = chosen_game(name, texts, needs_kernel=True)
    if not isinstance(game, BookGame):
        raise InputError(f"agents read no opening book of {game.title}: it is no BookGame (game/optional.py)")
    return BookFile.opened(path, name, options)


def build(
    found: "BookFile", effort: "Effort", workers: int, hours: float, positions: int | None, margin: float
) -> None:
    """Build, and print a line for each position; after Ctrl-C, say how to go on."""
    from learning.book_building import BookBuilding

    def say(searched: "Searched") -> None:
        click.echo(f"{len(found.book.searched):>5}  {one_line(searched)}")

    with goes_on_from(found.path):
        BookBuilding(found, effort, workers, say, margin).run(hours, positions)


def one_line(searched: "Searched") -> str:
    """What the search of a position found, in one line."""
    best = searched.replies[0]
    proved = f", a proved {searched.proven}" if searched.proven else ""
    return f"{searched.position}: {best.move}, {best.value:.3f}{proved}, depth {searched.depth}"
