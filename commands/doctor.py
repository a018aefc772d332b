"""`runner.py doctor`: what holds agents to the rules on this system."""

import json

import click

from commands.errors import errors_for_people
from commands.parameters import MEMORY, option


@click.command()
@MEMORY
@option("--json", "as_json", is_flag=True, help="The table as JSON, for programs.")
def doctor(*, memory: int, as_json: bool) -> None:
    """Show what holds agents to the rules on this system.

    For each limit: the mechanism that is in force here, and what would hold it better and how to get it. A row that
    says "none" is not held: `--isolation required` then refuses to play. Every game's record carries the same facts.

    \b
    Exit code 0 if every limit is held, 1 if not.

    \b
    Examples:
      python runner.py doctor
      sudo .venv/bin/python runner.py doctor
    """
    from agents.agent import Limits
    from simulator.sandbox.cores import choose_cores
    from simulator.sandbox.isolation import survey

    with errors_for_people():
        limits = Limits(memory_mb=memory)
        rows = survey().rows(limits, choose_cores(limits))
    if as_json:
        click.echo(json.dumps([row._asdict() | {"held": row.is_held} for row in rows]))
    else:
        from simulator.terminal.doctor import print_rows

        print_rows(rows)
    if not all(row.is_held for row in rows):
        raise SystemExit(1)
