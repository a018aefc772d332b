"""Files beside the page, for other programs: every game as JSON lines and as a table, and the standings as a table."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from simulator.records.csv_table import write_csv, write_rows
from simulator.records.file_errors import replacing
from simulator.records.json_lines import write_jsonl
from simulator.records.reader import games_of
from simulator.records.store import Store
from simulator.statistics.grades import grade_rows

DOWNLOADS = "downloads"  # the folder's name, in the folder of the page


def write_downloads(store: Store, folder: Path) -> list[dict[str, Any]]:
    """Write the files, replacing older ones, and return what the page says about them. Raises OSError."""
    files: dict[str, tuple[str, Callable[[TextIO], None]]] = {
        "standings.csv": ("a row for each agent", partial(write_rows, grade_rows(store))),
        "games.csv": ("a row for each game", partial(write_csv, games_of(store))),
        "games.jsonl": (
            "the whole record of each game, for runner.py replay and export",
            partial(write_jsonl, games_of(store)),
        ),
    }
    written = []
    for name, (what, write) in files.items():
        path = folder / DOWNLOADS / name
        with replacing(path) as stream:
            write(stream)
        written.append({"href": f"{DOWNLOADS}/{name}", "what": what, "bytes": path.stat().st_size})
    return written
