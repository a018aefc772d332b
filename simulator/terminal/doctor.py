"""The table of `runner.py doctor`: what holds agents to the rules here, and what would hold them better."""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from simulator.sandbox.isolation import Row


def print_rows(rows: Sequence[Row], console: Console | None = None) -> None:
    """Print the table, then what is missing and how to get it."""
    console = console or Console(highlight=False)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("limit", no_wrap=True)
    table.add_column("held by", overflow="fold")
    for row in rows:
        table.add_row(row.name, Text(row.mechanism, "" if row.is_held else "bold red"))
    console.print(table)
    for advice, names in _by_advice(rows).items():
        console.print(Text(f"Better for {', '.join(names)}: {advice}"))
    held = sum(row.is_held for row in rows)
    console.print(f"{held} of {len(rows)} limits are held.")


def _by_advice(rows: Sequence[Row]) -> dict[str, list[str]]:
    advice: dict[str, list[str]] = {}
    for row in rows:
        if row.advice:
            advice.setdefault(row.advice, []).append(row.name)
    return advice
