"""`runner.py doctor`: how limits are enforced on this system."""

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from commands.errors import FAILURE, errors_for_people
from commands.parameters import MEMORY, json_option

if TYPE_CHECKING:
    from simulator.sandbox.isolation import Enforcement


@click.command()
@MEMORY
@json_option("Print the table as JSON.")
def doctor(*, memory: int, as_json: bool) -> None:
    """Show how limits are enforced on this system.

    For each limit: the mechanism that is in force here, and what would enforce it better and how to get it. A limit
    whose mechanism is "none" is not enforced: `--isolation required` then refuses to play. The record of every game
    has the same table.

    \b
    Exit code 0 if every limit is enforced, 1 if not.

    \b
    Examples:
      python runner.py doctor
      sudo .venv/bin/python runner.py doctor
    """
    from agents.limits import Limits
    from simulator.player.kept_code import why_not_here
    from simulator.player.launch import enforced_limits
    from simulator.sandbox.cores import choose_cores
    from simulator.sandbox.isolation import available_mechanisms

    with errors_for_people():
        limits = Limits(memory_mb=memory)
        mechanisms = available_mechanisms()
        rows = enforced_limits(mechanisms, limits, choose_cores(limits.processors))
    if as_json:
        click.echo(json.dumps([row._asdict() | {"enforced": row.is_enforced} for row in rows]))
    else:
        show(rows, why_not_here(mechanisms))
    if not all(row.is_enforced for row in rows):
        sys.exit(FAILURE)


def show(rows: "Sequence[Enforcement]", not_prepared: str) -> None:
    """Print how each limit is enforced here, then what is missing and how to get it.

    `not_prepared` says what is needed for agents to compile their own code only once; empty if nothing is missing.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from simulator.terminal.lines import plain_console

    console, advice = plain_console(), dict[str, list[str]]()
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("limit", no_wrap=True)
    table.add_column("enforced by", overflow="fold")
    for row in rows:
        table.add_row(row.limit, Text(row.mechanism, "" if row.is_enforced else "bold red"))
        if row.advice:
            advice.setdefault(row.advice, []).append(row.limit)
    console.print(table)
    for what, names in advice.items():
        console.print(Text(f"Better for {', '.join(names)}: {what}"))
    console.print(f"{sum(row.is_enforced for row in rows)} of {len(rows)} limits are enforced.")
    if not_prepared:
        console.print(f"Agents that compile their own code do so in every game: to do it once, {not_prepared}.")
