"""The table of `runner.py doctor`: how each limit is enforced here, and what would do it better."""

from collections.abc import Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from simulator.sandbox.isolation import Enforcement
from simulator.terminal.lines import plain_console


def print_rows(rows: Sequence[Enforcement], not_prepared: str) -> None:
    """Print the table, then what is missing and how to get it.

    `not_prepared` says what is needed for agents to compile their own code only once; empty if nothing is missing.
    """
    console = plain_console()
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("limit", no_wrap=True)
    table.add_column("enforced by", overflow="fold")
    for row in rows:
        table.add_row(row.limit, Text(row.mechanism, "" if row.is_enforced else "bold red"))
    console.print(table)
    for advice, names in _by_advice(rows).items():
        console.print(Text(f"Better for {', '.join(names)}: {advice}"))
    enforced = sum(row.is_enforced for row in rows)
    console.print(f"{enforced} of {len(rows)} limits are enforced.")
    if not_prepared:
        console.print(f"Agents that compile their own code do so in every game: to do it once, {not_prepared}.")


def _by_advice(rows: Sequence[Enforcement]) -> dict[str, list[str]]:
    advice: dict[str, list[str]] = {}
    for row in rows:
        if row.advice:
            advice.setdefault(row.advice, []).append(row.limit)
    return advice
