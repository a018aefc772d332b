"""`runner.py connect`: games of an agent at the course's server."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from commands.course_games import KEEPING, Played, playing, refuse_other_games, speaker, summary, watchers
from commands.errors import FAILURE, errors_for_people, opponents_fault
from commands.parameters import (
    AGENT,
    AGENT_HELP,
    GAME_NAME,
    ISOLATION,
    MEMORY,
    POSITIVE,
    SEED,
    FiniteRange,
    insist_on_isolation,
    option,
)

if TYPE_CHECKING:
    from simulator.course.client import Address, CourseClient
    from simulator.referee.watcher import Watcher

NOT_NEGATIVE = FiniteRange(min=0)


@click.command(epilog=AGENT_HELP)
@click.argument("server", metavar="[HOST[:PORT]]", default="127.0.0.1:8123")
@option("--agent", type=AGENT, default="uct_agent", metavar="AGENT", help="Who plays.")
@option("--name", metavar="NAME", help="What it calls itself at the server.  [default: the agent's name]")
@option("--games", type=click.IntRange(min=1), default=1, metavar="N", help="How many, one after the other.")
@option("--move-time", type=POSITIVE, default=2.0, metavar="S", help="Seconds that the server gives for each move.")
@option("--first-move-time", type=POSITIVE, default=30.0, metavar="S", help="The same for the first move.")
@option(
    "--cushion", type=NOT_NEGATIVE, default=1.0, metavar="S", help="By how much an answer may be late at the server."
)
@option(
    "--margin",
    type=NOT_NEGATIVE,
    default=0.2,
    metavar="S",
    help="By how much less the agent is told, for the way there and back; at most a quarter of the time.",
)
@option("--wait", type=NOT_NEGATIVE, metavar="S", help="How long to wait for a server.  [default: for ever]")
@option("--game", type=GAME_NAME, default="pentago", metavar="NAME", help="Only pentago is played like this.")
@KEEPING
@option("--transcripts", is_flag=True, help="Keep the GTP of each game in the records, too.")
@MEMORY
@ISOLATION
@SEED
def connect(
    *,
    server: str,
    agent: str,
    name: str | None,
    games: int,
    move_time: float,
    first_move_time: float,
    cushion: float,
    margin: float,
    wait: float | None,
    game: str,
    records: Path | None,
    save: Path | None,
    display: bool,
    as_json: bool,
    transcripts: bool,
    memory: int,
    isolation: Any,
    seed: int | None,
) -> None:
    """Play games at the course's server for Pentago Twist, as one of its clients.

    The agent plays in its usual process and sandbox, and is started before it takes a place at the server. The server
    decides who is white: the first to connect. It does not say its times, so give those that it was started with. A
    server that is not there yet is waited for; Ctrl-C stops, and loses a game in play.

    docs/course-server.md describes the protocol.

    \b
    Examples:
      python runner.py connect --agent uct_agent
      python runner.py connect lab.example:8123 --agent my_agent.py --games 2
      python runner.py connect --agent my_agent.py --display --save games.jsonl
    """
    from simulator.course.client import CourseClient
    from simulator.course.client_game import OPPONENT, ServerTimes
    from simulator.course.protocol import pentago
    from simulator.player.lookup import find_agent
    from simulator.tournament.agreement import entries_of

    refuse_other_games(game)
    address, say = checked_address(server), speaker(as_json)
    with errors_for_people(), opponents_fault():
        spec = find_agent(agent, pentago())
        own_name = checked_name(name or spec.name, OPPONENT)
        times = ServerTimes(first_move_time, move_time, cushion, margin)
        client = CourseClient(
            address, spec, own_name, times, memory, isolation, seed, wait, transcripts=transcripts, say=say
        )
        entries = entries_of({own_name: spec}, pentago())
        prepared(client)
        with playing(say, client.limits, records, save, entries) as played, summary(played, say, as_json=as_json):
            play_all(client, games, played, watchers(display, as_json))
    if any(record.is_void for record in played.records):
        sys.exit(FAILURE)


def prepared(client: "CourseClient") -> None:
    """See that the agent can be held to its limits, and compile what it needs. Raises IsolationError, OSError."""
    from simulator.course.protocol import pentago
    from simulator.player.compile_ahead import compile_ahead

    limits = client.times.limits(client.memory_mb)
    insist_on_isolation(client.isolation, limits)
    compile_ahead(pentago().name, [client.spec], client.say, pentago().settled_options, limits)


def play_all(client: "CourseClient", games: int, played: Played, watcher: "Callable[[], Watcher]") -> None:
    """Play the games, one after the other, and keep each. Raises ClickException if one is not begun."""
    from simulator.course.client_game import ServerError

    for number in range(1, games + 1):
        try:
            played.keep(client.play(number, watcher()), number)
        except ServerError as error:
            raise click.ClickException(f"{error} ({client.address})") from error


def checked_address(text: str) -> "Address":
    """The address of a server. Raises UsageError."""
    from simulator.course.client import address_of

    try:
        return address_of(text)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def checked_name(name: str, taken: str) -> str:
    """A name that fits into a line of the protocol. Raises UsageError."""
    from simulator.course.protocol import LONGEST_NAME, name_in_start

    if name_in_start(f"START {name}") != name or not name:
        raise click.UsageError(
            f"--name {name!r}: expected a printable name of at most {LONGEST_NAME} characters without a comma"
        )
    if name == taken:
        raise click.UsageError(f"--name {name}: that is what records call the other player; take another one")
    return name
