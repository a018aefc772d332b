"""`runner.py export`: games that were played, for other programs."""

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TextIO

import click

from commands.errors import records_errors
from commands.parameters import RECORDS, option
from options import InputError, counted


@click.command()
@RECORDS
@option("--format", "form", type=click.Choice(["jsonl", "csv", "sgf"]), required=True, help="What to write, see above.")
@option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="A file, or for SGF a folder; - is stdout.  [default: stdout; for SGF games/NAME if FILE is NAME.db]",
)
@option("--standings", is_flag=True, help="With csv: write a row for each agent instead, see above.")
def export(records: Path, form: str, output: Path | None, standings: bool) -> None:
    """Write the games of FILE, or its standings, for other programs.

    FILE is the records of a tournament, the games of `match --save`, or the log
    of a game at the course's server.

    \b
    jsonl  a line for each game, with all that the referee saw
    csv    a row for each game: agents, result, reason, times, memory, verdict;
           a ' stands before texts that a spreadsheet would take for formulas
    csv --standings
           a row for each agent, best first: authors, points, games, wins, draws,
           losses, Elo and its 95 % interval, place and Buchholz where the format
           has them, violations, late moves, times, memory, why it was absent
    sgf    a file for each game of Go, with times and values as comments

    Existing files of these names are overwritten.

    \b
    Examples:
      python runner.py export league.db --format csv -o league.csv
      python runner.py export league.db --format csv --standings -o grades.csv
      python runner.py export league.db --format jsonl | head -1
      python runner.py export league.db --format sgf -o games/league
    """
    if standings and form != "csv":
        raise click.UsageError(f"--standings is written as csv, not as {form}")
    if output is not None and os.path.exists(output) and os.path.exists(records) and output.samefile(records):
        raise click.UsageError(f"-o {output} is the file to read from: choose another one")
    if output == Path("-") and form == "sgf":
        raise click.UsageError("SGF files are written into a folder: name one with -o")
    output = None if output == Path("-") else output
    with records_errors():
        if standings:
            export_standings(records, output)
        else:
            export_games(records, form, output)


def export_standings(records: Path, output: Path | None) -> None:
    """Write a tournament's standings to a file, or to stdout if `output` is None."""
    from simulator.records.csv_table import write_rows
    from simulator.records.database import read_store
    from simulator.statistics.grades import grade_rows

    with read_store(records) as store, store.at_one_instant():
        rows = list(grade_rows(store))
    if not rows:
        raise InputError("there is nothing to export: no tournament has begun")
    with opened(output) as stream:
        write_rows(rows, stream)
    say_where(output, counted(len(rows), "agent"))


def export_games(records: Path, form: str, output: Path | None) -> None:
    """Write games to a file or folder, or to stdout if `output` is None."""
    from simulator.records.csv_table import write_csv
    from simulator.records.json_lines import write_jsonl
    from simulator.records.reader import read_games
    from simulator.records.sgf_folder import DEFAULT_FOLDER, write_sgf

    with read_games(records) as games:
        if not games.numbers:  # checked before an existing file of this name is emptied
            raise InputError("there is nothing to export: no game has been played yet")
        if form == "sgf":
            output = output or DEFAULT_FOLDER / records.stem
            if output.exists() and not output.is_dir():
                raise InputError(f"{output} is a file: name a folder for the SGF files with -o")
            write_sgf(games, output)
        else:
            with opened(output) as stream:
                (write_csv if form == "csv" else write_jsonl)(games, stream)
        say_where(output, counted(len(games.numbers), "game"))


def opened(output: Path | None) -> AbstractContextManager[TextIO]:
    """A text stream to a file, which replaces an older file when all is written; stdout if `output` is None."""
    from simulator.records.file_errors import check_can_write, replacing

    if output is None:
        return nullcontext(sys.stdout)
    check_can_write(output)
    return replacing(output)


def say_where(output: Path | None, what: str) -> None:
    """Say what was written, and to which file or folder."""
    if output is not None:
        click.echo(f"{what}: {output}", err=True)
