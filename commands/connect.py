"""`runner.py connect`: games of an agent at the course's server."""

import sys
from typing import Any

import click

from commands.errors import FAILURE, errors_for_people, opponents_fault
from commands.parameters import (
    AGENT,
    AGENT_HELP,
    ISOLATION,
    MEMORY,
    NOT_NEGATIVE,
    SEED,
    conditions_for,
    field_options,
    option,
    refuse_idle_options,
)
from commands.server_games import GAMES, HOW_MANY, ServerGames


@click.command(epilog=AGENT_HELP)
@click.argument("server", metavar="[HOST[:PORT]]", default="127.0.0.1:8123")
@option("--agent", type=AGENT, default="uct_agent", help="The agent that plays.")
@option("--name", metavar="NAME", help="The agent's name at the server.  [default: its usual name]")
@HOW_MANY
@field_options("move-time", "first-move-time", "cushion")
@option(
    "--margin",
    type=NOT_NEGATIVE,
    default=0.2,
    metavar="S",
    help="Seconds taken off the agent's time, for the network; at most a quarter of it.",
)
@option("--wait", type=NOT_NEGATIVE, metavar="S", help="How long to wait for a server.  [default: for ever]")
@GAMES
@field_options("transcripts")
@MEMORY
@ISOLATION
@SEED
def connect(
    *, server: str, agent: str, name: str | None, games: int, margin: float, wait: float | None, **flags: Any
) -> None:
    """Play games at the course's server for Pentago Twist, as one of its clients.

    The agent plays in its usual process and sandbox, and is started before it takes a place at the server. The server
    decides who is white: the first to connect. The server does not tell its time limits, so give here those that it
    was started with. If there is no server yet, the command waits; Ctrl-C or SIGTERM stops it, and loses a game in
    play.

    docs/course-server.md describes the protocol.

    \b
    Examples:
      python runner.py connect --agent uct_agent
      python runner.py connect lab.example:8123 --agent my_agent.py --games 2
      python runner.py connect --agent my_agent.py --display --save games.jsonl
    """
    from simulator.course.client import CourseClient, address_of
    from simulator.course.client_game import ServerError
    from simulator.course.protocol import fit_name, pentago
    from simulator.player.compile_ahead import compile_ahead
    from simulator.player.lookup import find_agent
    from simulator.tournament.agreement import entry_of

    if not (flags["records"] or flags["save"]):
        refuse_idle_options("without --records or --save", "transcripts")
    with errors_for_people(), opponents_fault():
        run, address, spec = ServerGames(flags), address_of(server), find_agent(agent, pentago())
        own_name = checked_name(name or fit_name(spec.name))
        conditions = conditions_for(flags, {})
        client = CourseClient(address, spec, own_name, conditions, margin, flags["seed"], wait, run.say)
        compile_ahead(pentago(), [spec], run.say, client.told)
        with run.kept(conditions, [entry_of(own_name, spec, pentago())]):
            for number in range(1, games + 1):
                try:
                    run.keep(client.play(number, run.observer()), number)
                except ServerError as error:
                    raise click.ClickException(f"{error} ({address})") from error
    if any(record.is_void for record in run.played):
        sys.exit(FAILURE)


def checked_name(name: str) -> str:
    """A name that fits into a line of the protocol and is not the other player's. Raises UsageError."""
    from simulator.course.client_game import OPPONENT
    from simulator.course.protocol import LONGEST_NAME, fit_name

    if fit_name(name) != name or not name:
        raise click.UsageError(
            f"--name {name!r}: expected a printable name of at most {LONGEST_NAME} characters without a comma"
        )
    if name == OPPONENT:
        raise click.UsageError(f"--name {name}: that is what records call the other player; choose another name")
    return name
