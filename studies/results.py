"""Writes tables and pictures of a study, each with its provenance."""

import csv
import textwrap
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from simulator.records.file_errors import replacing
from studies.journal import Journal
from studies.plots import note_of
from studies.study import Extent, Row, Rows, Study

WIDTH = 100  # of the comments above a table
INCHES = (8, 4.5)  # of a picture
DOTS_AN_INCH = 100
CHARACTERS_AN_INCH, LINE = 16, 0.13  # of the note below a picture; the height of a line in inches


def text_of(value: Any) -> str:
    """A value as text of a table: four significant digits for a fraction, "" for None."""
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def columns_of(rows: Rows) -> list[str]:
    """The columns of rows, in order of appearance."""
    return list(dict.fromkeys(column for row in rows for column in row))


def provenance(study: Study, extent: Extent, journal: Journal) -> list[str]:
    """Lines about a table: its content, command, share of the plan, cost, version and machine."""
    options = "--quick " if extent.quick else "" if extent.scale == 1 else f"--scale {extent.scale:g} "
    plan = study.plan(extent)
    done = journal.entries(plan)
    hours = sum(entry["seconds"] for entry in done) / 3600
    versions, machines = (sorted({entry[what] for entry in done}) for what in ("commit", "machine"))
    return [
        study.title,
        *textwrap.wrap(f"Claim: {study.claim}", WIDTH),
        f"Command: python -m studies {study.name} {options}--seed {extent.seed}",
        f"Done: {len(done):,} of {len(plan):,} units of work",
        f"Cost: {hours:.2g} processor hours",
        f"Version: {', '.join(versions) or 'unknown'}",
        f"Machine: {'; and '.join(machines)}",
    ]


def write_table(path: Path, rows: Rows, comments: Sequence[str]) -> None:
    """Write rows as CSV below lines that begin with #."""
    with replacing(path) as file:
        file.writelines(f"# {comment}\n" for comment in comments)
        writer = csv.DictWriter(file, columns_of(rows), lineterminator="\n")
        writer.writeheader()
        writer.writerows({column: text_of(value) for column, value in row.items()} for row in rows)


def read_table(path: Path) -> list[Row]:
    """The rows that `write_table` wrote; numbers are numbers again, and empty cells None."""
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    return [{column: _value_of(text) for column, text in row.items()} for row in csv.DictReader(lines)]


def _value_of(text: str) -> Any:
    """The value of a cell: a number if it is one, None if it is empty."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text or None


def draw_picture(path: Path, study: Study, rows: Rows, quick: bool = False) -> None:
    """Draw the rows of a study as PNG. Raises ModuleNotFoundError without matplotlib."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=INCHES, layout="constrained")
    figure.suptitle(study.title, fontsize=11)
    study.draw(rows, figure)
    characters = int(CHARACTERS_AN_INCH * figure.get_size_inches()[0])
    texts = [f"Claim: {study.claim}", note_of(rows, study.half), "" if quick else study.setting]
    lines = [line for text in texts for line in textwrap.wrap(text, characters)]
    figure.set_figheight(figure.get_figheight() + len(lines) * LINE)
    figure.supxlabel("\n".join(lines), fontsize=8)
    figure.savefig(path, dpi=DOTS_AN_INCH, metadata={"Software": None})


def as_text(rows: Rows) -> str:
    """The rows in columns, for a terminal."""
    columns = columns_of(rows)
    cells = [columns, *([text_of(row.get(column)) for column in columns] for row in rows)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(columns))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells
    )
