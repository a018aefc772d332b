"""`runner.py doctor`: how limits are enforced on this system."""

import json

import click

from commands.errors import errors_for_people
from commands.parameters import MEMORY, json_option


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
        from simulator.terminal.doctor import print_rows

        print_rows(rows, why_not_here(mechanisms))
    if not all(row.is_enforced for row in rows):
        raise SystemExit(1)
