"""Files beside the page, for other programs: every game as JSON lines and as a table, and the standings as a table."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from simulator.records.csv_table import write_csv, write_rows
from simulator.records.file_errors import replacing
from simulator.records.json_lines import write_jsonl
from simulator.records.reader import games_of
from simulator.records.store import Store
from simulator.statistics.grades import grade_rows

DOWNLOADS = "downloads"  # the folder, in the page's


class Download(NamedTuple):
    """A file. Attributes: what: says what is in it. write: writes it from records."""

    name: str
    what: str
    write: Callable[[Store, TextIO], None]


FILES = (
    Download("standings.csv", "a row for each agent", lambda store, stream: write_rows(grade_rows(store), stream)),
    Download("games.csv", "a row for each game", lambda store, stream: write_csv(games_of(store), stream)),
    Download(
        "games.jsonl",
        "the whole record of each game, for runner.py replay and export",
        lambda store, stream: write_jsonl(games_of(store), stream),
    ),
)


def write_downloads(store: Store, folder: Path) -> list[dict[str, Any]]:
    """Write the files, over older ones, and return what the page says of them. Raises OSError."""
    written = []
    for download in FILES:
        path = folder / DOWNLOADS / download.name
        with replacing(path) as stream:
            download.write(store, stream)
        about = {"href": f"{DOWNLOADS}/{download.name}", "what": download.what, "bytes": path.stat().st_size}
        written.append(about)
    return written
