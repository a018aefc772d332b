"""`runner.py course-server`: our referee's rules behind the course's protocol."""

from pathlib import Path

import click

from commands.course_games import KEEPING, playing, refuse_other_games, speaker, summary, watchers
from commands.errors import errors_for_people
from commands.parameters import GAME_NAME, POSITIVE, SEED, FiniteRange, option

LOGS = Path("logs")
LOOPBACK = ("127.0.0.1", "::1", "localhost")


@click.command("course-server")
@option("--port", type=click.IntRange(0, 65535), default=8123, metavar="N", help="Where to listen; 0 takes a free one.")
@option("--host", default="127.0.0.1", metavar="ADDRESS", help="Whom to listen to; 0.0.0.0 is everybody.")
@option("--games", type=click.IntRange(min=1), default=1, metavar="N", help="How many, one after the other.")
@option("--move-time", type=POSITIVE, default=2.0, metavar="S", help="Seconds for each later move.")
@option("--first-move-time", type=POSITIVE, default=30.0, metavar="S", help="Seconds for each player's first.")
@option(
    "--cushion",
    type=FiniteRange(min=0),
    default=1.0,
    metavar="S",
    help="By how much an answer may be late, to be replaced by a random move.",
)
@option(
    "--logs",
    type=click.Path(file_okay=False, path_type=Path),
    default=LOGS,
    metavar="DIR",
    help="Where game00001.log and so on are written, and outcomes.txt.",
)
@option("--game", type=GAME_NAME, default="pentago", metavar="NAME", help="Only pentago is played like this.")
@KEEPING
@SEED
def course_server(
    *,
    port: int,
    host: str,
    games: int,
    move_time: float,
    first_move_time: float,
    cushion: float,
    logs: Path,
    game: str,
    records: Path | None,
    save: Path | None,
    display: bool,
    as_json: bool,
    seed: int | None,
) -> None:
    """Serve games of Pentago Twist to two clients that speak the course's protocol.

    Of the clients that are ready, the first to have connected is white. Others wait for the next game. An answer within
    the cushion is replaced by a random move; a later one, an illegal move or a closed connection loses. A line that
    cannot be read is ignored while the clock runs. Time is all that is enforced: clients run wherever they are.

    The server listens on this machine only, unless --host says otherwise. Ctrl-C ends the game in play; nobody wins it.

    docs/course-server.md describes the protocol, and the logs.

    \b
    Examples:
      python runner.py course-server --games 2
      python runner.py course-server --move-time 1 --logs logs/today --display
      python runner.py connect & python runner.py connect --agent greedy_agent
    """
    from agents.limits import Limits
    from simulator.course.server import CourseServer

    refuse_other_games(game)
    say = speaker(as_json)
    limits = Limits(first_move_time, move_time, cushion)
    with (
        errors_for_people(),
        playing(say, limits, records, save) as played,
        CourseServer(
            host,
            port,
            limits,
            games=games,
            seed=seed,
            folder=logs,
            say=say,
            keep=played.keep,
            watcher=watchers(display, as_json),
        ) as server,
        summary(played, say, as_json=as_json),
    ):
        say(where(host, server.address[1]))
        say(f"{first_move_time:g} s for the first move, {move_time:g} s for later ones, logs in {logs}")
        server.run()


def where(host: str, port: int) -> str:
    """Where the server listens, and to whom."""
    who = "this machine only" if host in LOOPBACK else "everybody who can reach it"
    return f"listening on {host}, port {port}, to {who}"
