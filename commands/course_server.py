"""`runner.py course-server`: our referee's rules behind the course's protocol."""

from pathlib import Path
from typing import Any

import click

from commands.errors import errors_for_people
from commands.parameters import FOLDER, SEED, WholeNumber, field_options, limits_of, option
from commands.server_games import GAMES, HOW_MANY, ServerGames

LOOPBACK = ("127.0.0.1", "::1", "localhost")


@click.command("course-server")
@option("--port", type=WholeNumber(0, 65535), default=8123, metavar="N", help="The port to listen on; 0: any free one.")
@option(
    "--host", default="127.0.0.1", metavar="ADDRESS", help="The address to listen on; 0.0.0.0: for other machines, too."
)
@HOW_MANY
@field_options("move-time", "first-move-time", "cushion")
@option("--logs", type=FOLDER, default="logs", help="The folder for outcomes.txt and the logs of the games.")
@GAMES
@SEED
def course_server(*, port: int, host: str, games: int, logs: Path, seed: int | None, **flags: Any) -> None:
    """Serve games of Pentago Twist to two clients that speak the course's protocol.

    Of the clients that are ready, the first to have connected is white. Others wait for the next game. If an answer is
    late but within the cushion, a random move is played instead; a later answer, an illegal move or a closed
    connection loses. A line that cannot be read is ignored while the clock runs. Time is the only limit that is
    enforced: clients run wherever they are.

    The server listens on this machine only, unless --host says otherwise. Ctrl-C or SIGTERM ends the game in play;
    nobody wins it.

    docs/course-server.md describes the protocol, and the logs.

    \b
    Examples:
      python runner.py course-server --games 2
      python runner.py course-server --move-time 1 --logs logs/today --display
      python runner.py connect & python runner.py connect --agent greedy_agent
    """
    from simulator.course.server import CourseServer
    from simulator.referee.conditions import Conditions

    with errors_for_people():
        run, limits = ServerGames(flags), limits_of(flags)
        told: dict[str, Any] = {"say": run.say, "keep": run.keep, "observer": run.observer()}
        how: dict[str, Any] = {"games": games, "seed": seed, "folder": logs, **told}
        with run.kept(Conditions(limits=limits)), CourseServer(host, port, limits, **how) as server:
            who = "this machine only" if host in LOOPBACK else "everybody who can reach it"
            run.say(f"listening on {host}, port {server.address[1]}, to {who}")
            seconds = f"{limits.first_move_seconds:g} s for the first move, {limits.move_seconds:g} s for later ones"
            run.say(f"{seconds}, logs in {logs}")
            server.run()
