"""`runner.py export`: games that were played, for other programs."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from commands.errors import records_errors
from commands.parameters import RECORDS, option

if TYPE_CHECKING:
    from simulator.records.reader import PlayedGames


@click.command()
@RECORDS
@option("--format", "form", type=click.Choice(["jsonl", "csv", "sgf"]), required=True, help="What to write, see above.")
@option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="A file, or for SGF a folder.  [default: stdout; SGF: games/ and FILE's name]",
)
def export(records: Path, form: str, output: Path | None) -> None:
    """Write the games of FILE for other programs.

    FILE is the records of a tournament, the games of `match --save`, or the log
    of a game at the course's server.

    \b
    jsonl  a line for each game, with all that the referee saw
    csv    a row for each game: agents, result, reason, times, memory, verdict;
           texts that spreadsheets take for formulas have a ' before them
    sgf    a file for each game of Go, with times and values as comments

    Existing files of these names are overwritten.

    \b
    Examples:
      python runner.py export league.db --format csv -o league.csv
      python runner.py export league.db --format jsonl | head -1
      python runner.py export league.db --format sgf -o games/league
    """
    from simulator.records.reader import read_games
    from simulator.records.sgf_folder import DEFAULT_FOLDER

    with records_errors(), read_games(records) as games:
        if form == "sgf":
            output = output or DEFAULT_FOLDER / records.stem
        if output is not None and output.exists() and output.samefile(records):
            raise click.UsageError(f"-o {output} is the file to be read: choose another one")
        write(games, form, output)
        if output is not None:
            click.echo(f"{len(games.numbers)} games: {output}", err=True)


def write(games: "PlayedGames", form: str, output: Path | None) -> None:
    """Write games to a file or folder, None for stdout."""
    from simulator.records.csv_table import write_csv
    from simulator.records.file_errors import writing
    from simulator.records.json_lines import write_jsonl
    from simulator.records.reader import GamesError
    from simulator.records.sgf_folder import write_sgf

    if not games.numbers:  # before what is there of this name is emptied
        raise GamesError("there is nothing to export: no game has been played yet")
    if form == "sgf":
        assert output is not None
        write_sgf(games, output)
        return
    writer = write_csv if form == "csv" else write_jsonl
    if output is None:
        writer(games, sys.stdout)
        return
    with writing(output):
        stream = output.open("w", encoding="utf-8", newline="")
    with stream:
        writer(games, stream)
