"""`runner.py report`: a tournament as a web page."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from commands.errors import records_errors, show_progress
from commands.parameters import RECORDS, option
from options import Failure, InputError, counted

if TYPE_CHECKING:
    from simulator.records.store import Store

PLACE = click.Path(path_type=Path)


@click.command()
@RECORDS
@option("-o", "--output", type=PLACE, help="Where to write it.  [default: report; with --for NAME.html]")
@option("--for", "agent", metavar="NAME", help="One page, an .html or .txt file, for the author of this agent.")
def report(records: Path, output: Path | None, agent: str | None) -> None:
    """Make a web page of a tournament: FOLDER/index.html, which needs no network.

    FILE is the records of a tournament, which may still be going on. The page shows the standings with 95 % intervals,
    who beat whom, settings, machine and isolation, times and memory, who was absent and why, every violation with what
    the agent wrote to stderr, and every game, to step through. Two folders belong to it and must be moved with it:
    FOLDER/games, which the page shows, and FOLDER/downloads: the standings and the games as tables, and the games'
    whole records as JSON lines.

    With --for, one file for the author of one agent: its standing, and its games, to step through (in .html), with
    verdicts, its logs and advice. The file has nothing that other agents wrote.

    \b
    Examples:
      python runner.py report league.db
      python runner.py report league.db -o /var/www/league
      python runner.py report league.db --for ann -o ann.html
    """
    from simulator.records.database import read_store
    from simulator.records.sgf_folder import in_file_name
    from simulator.report.document import SUFFIXES, write_document
    from simulator.report.student import tournament_blocks

    if agent is not None and output is not None and output.suffix not in SUFFIXES:
        raise click.BadParameter(f"{output} ends neither with {' nor with '.join(SUFFIXES)}", param_hint="'-o'")
    if agent is None and output is not None and output.is_file():
        raise click.BadParameter(f"{output} is a file, but the page needs a folder", param_hint="'-o'")
    with records_errors(), read_store(records) as store, store.at_one_instant():
        if not store.settings():
            raise InputError(f"{records} holds no tournament yet")
        if agent is not None:
            page = output or Path(f"{in_file_name(agent)}.html")
            write_document(tournament_blocks(store, agent), page)
            click.echo(page)
            return
        make_page(store, output or Path("report"))


def make_page(store: "Store", folder: Path) -> None:
    """Write the page of a tournament with its games and downloads, and print their numbers.

    Raises Failure if another process is writing there, OSError.
    """
    from simulator.records.file_errors import locked, writing
    from simulator.report.downloads import write_downloads
    from simulator.report.game_files import game_files
    from simulator.report.page import write_page
    from simulator.report.page_data import report_json

    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    in_use = Failure(f"{folder} is in use: another report is being written there: wait, or name another folder with -o")
    with locked(folder, in_use, folder / ".lock"), game_files(folder) as keep:
        try:
            page_data = report_json(store, keep, lambda done, games: show_progress(f"{done} of {games} games"))
        finally:
            show_progress("")
        page_data["downloads"] = write_downloads(store, folder)
        page = write_page(page_data, folder)
    games, agents = counted(len(page_data["games"]), "game"), counted(len(page_data["agents"]), "agent")
    click.echo(f"{games} of {agents}, {page.stat().st_size / 1e6:.1f} MB: {page}")
