"""`runner.py bench`: the agent's speed and memory, and the signature of its search."""

import json

import click

from commands.errors import errors_for_people
from commands.parameters import COUNT, json_option, option, refuse_idle_options
from options import InputError


@click.command()
@option("--rounds", type=COUNT, default=5, metavar="N", help="How often each speed is measured.")
@option("--signature", "signature_only", is_flag=True, help="Only print the signature.")
@json_option("Print the result as one JSON object.")
def bench(rounds: int, signature_only: bool, as_json: bool) -> None:
    """Measure the agent against a C++ twin of its algorithms, which is first compiled with g++.

    Measured are: playouts and simulations a second from the empty board, in both languages by turns; seconds from the
    start of a process to its first move, with and without kept compiled code; nodes and memory. The signature is a
    hash of the trees of fixed searches: it changes only if the search itself is changed. All this takes about a
    minute; run nothing else meanwhile.

    \b
    Examples:
      python runner.py bench
      python runner.py bench --signature
    """
    with errors_for_people():
        try:
            from benchmarks import bench as measurements
        except ModuleNotFoundError as error:
            if error.name != "benchmarks":
                raise
            raise InputError("the benchmarks are not installed: run this in the project's folder") from error
        if signature_only:
            refuse_idle_options("with --signature", "rounds")
            signature = measurements.signature()
            click.echo(json.dumps({"signature": signature}) if as_json else signature)
            return
        found = measurements.run(rounds)
        click.echo(json.dumps(found) if as_json else measurements.render(found))
