"""Playing with our agent at the course's server: connect, wait for a game, play, leave.

Begin reading at `CourseClient.play`.
"""

import errno
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from agents.agent import AgentSpec
from agents.limits import Limits
from options import InputError
from simulator.course.client_game import OPPONENT, ClientGame, Inbox, begin, in_order, told_limits
from simulator.course.connection import Address, Connection
from simulator.course.protocol import PORT
from simulator.course.scoresheet import CourseScoresheet
from simulator.player.faults import AgentFailed, Fault
from simulator.player.player import Player
from simulator.referee.conditions import Conditions
from simulator.referee.events import Observer, ignore
from simulator.referee.game_record import GameRecord, Reason, Verdict
from simulator.referee.seeds import game_seed

CONNECT_SECONDS = 5.0  # for an attempt to connect
AGAIN_SECONDS = 0.5  # between two attempts, if the server is not there
HOST = "127.0.0.1"


def address_of(text: str) -> Address:
    """`host`, `host:port` or `[address]:port`. Raises InputError.

    >>> address_of("lab.example"), address_of("[::1]:9000"), address_of(":9000")
    (Address(host='lab.example', port=8123), Address(host='::1', port=9000), Address(host='127.0.0.1', port=9000))
    """
    host, colon, port = text.rpartition(":") if text.count(":") == 1 or "]:" in text else (text, "", "")
    if colon and not (port.isascii() and port.isdigit() and len(port) < 6 and 0 < int(port) < 1 << 16):
        raise InputError(f"{text!r} is not an address: expected HOST or HOST:PORT, with a port from 1 to 65535")
    return Address(host.strip("[]") or HOST, int(port) if colon else PORT)


def connect(address: Address, say: Callable[[str], None], wait_seconds: float | None = None) -> Connection:
    """Connect to a server; if it is not there yet, wait for it, `wait_seconds` at most (None: as long as it takes).

    `say` is told once that the server is waited for. Raises OSError.
    """
    deadline = None if wait_seconds is None else time.monotonic() + wait_seconds
    has_said = False
    while True:
        try:
            return Connection(socket.create_connection(address, CONNECT_SECONDS))
        except (socket.gaierror, UnicodeError) as error:  # UnicodeError: a text that cannot be a name
            raise OSError(f"there is no host {address.host!r}: {getattr(error, 'strerror', error)}") from error
        except OSError as error:
            why = "the connection is refused" if error.errno == errno.ECONNREFUSED else str(error)
            if deadline is not None and time.monotonic() >= deadline:
                raise OSError(f"there is no server at {address}: {why}") from error
        if not has_said:
            say(f"waiting for a server at {address} ({why}); Ctrl-C stops")
            has_said = True
        time.sleep(AGAIN_SECONDS)


@dataclass(frozen=True)
class CourseClient:
    """An agent that plays at a server, in a new process for each game.

    Attributes:
        address: the server's address.
        spec, name: the agent, and what it calls itself there.
        conditions: the server's time limits, which the user has to know, as the server does not say them; all else as
            in a match.
        margin: by how many seconds less the agent is told, see `told_limits`.
        wait_seconds: how long to wait for a server, None for as long as it takes.
        say: is told what happens, a sentence each.
    """

    address: Address
    spec: AgentSpec
    name: str
    conditions: Conditions
    margin: float = 0.2
    seed: int | None = None
    wait_seconds: float | None = None
    say: Callable[[str], None] = print

    def play(self, number: int, observer: Observer = ignore) -> GameRecord:
        """Play the game of that number, from 1. Leaves no process and no connection behind.

        Raises AgentFailed if the agent cannot be started, OSError or ServerError if no game was begun.
        """
        conditions = replace(self.conditions, limits=self.told)
        launch = conditions.launch(self.spec, self.name, seed=game_seed(self.seed, number))
        player = Player(launch)
        connection: Connection | None = None
        verdict: Verdict | None = None
        incidents: list[str] = []
        try:
            self._start(player)
            connection = connect(self.address, self.say, self.wait_seconds)
            self.say(f"game {number}: connected to {self.address}, waiting for the game to begin")
            inbox = Inbox(connection)
            side = begin(inbox, self.name).player
            names = in_order(side, self.name, OPPONENT)
            sheet = CourseScoresheet(names, self.conditions.limits, seed=launch.seed, observer=observer)
            sheet.begin()
            self.say(f"game {number}: {sheet.called(side)} is Player-{side}")
            game = ClientGame(inbox, player, side, self.told, sheet, self.say)
            game.play()
            verdict = sheet.verdict
        finally:
            if connection is not None:
                # The course's server notices the end at once only if the connection breaks.
                connection.close(at_once=verdict is None or verdict.loser == side)
            try:
                player.close(polite=verdict is not None and verdict.reason is Reason.NORMAL)
            except OSError as error:
                incidents.append(f"after its game, {self.name} was not tidied up: {error}")
        enforced = {row.limit: row.mechanism for row in launch.enforcement}
        return game.record(enforced, incidents)

    @property
    def told(self) -> Limits:
        """The limits that the agent is told."""
        return told_limits(self.conditions.limits, self.margin)

    def _start(self, player: Player) -> None:
        """Start the agent before it takes a place at the server; it may read its files until its first move."""
        try:
            player.start()
            player.stop()
        except Fault as fault:
            player.close()
            raise AgentFailed(f"{self.name} {fault}", player.log.last_lines()) from fault
