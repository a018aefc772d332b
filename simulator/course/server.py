"""The course's server: it accepts clients, lets two of them play, and makes the others wait for the next game.

Everything happens in one thread, which waits for sockets and clocks. Clients play in the order in which they connected:
of the clients that have said START, the first two play, and the first of these is Player-0. A client that does not say
START for long, or finds no place, is told so with a GAMEOVER and disconnected; a client that sends too much before its
game is disconnected. Begin reading at `CourseServer.run`.
"""

import selectors
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from agents.limits import Limits
from simulator.course.connection import FLOOD_BYTES, Address, Connection
from simulator.course.log_file import LogFile
from simulator.course.protocol import (
    NO_MORE_GAMES,
    NO_START,
    SERVER_FULL,
    UNDECIDED,
    GameOver,
    name_in_start,
    two_names,
)
from simulator.course.server_game import ServerGame
from simulator.referee.events import Observer, ignore
from simulator.referee.game_record import GameRecord
from simulator.referee.seeds import game_seed

START_SECONDS = 30.0  # from the connection to START
MOST_WAITING = 32  # clients that are connected, including the two in play
LEAVE_SECONDS = 1.0  # from the last line to a client until the reset, after which some systems drop unread data
LOOK_SECONDS = 0.1  # between two looks at the clock, for people who watch
AGAIN_SECONDS = 5.0  # until clients are accepted again, after the system could not


@dataclass(eq=False)
class _Client:
    """A client that is connected.

    Attributes:
        name: None before it says START.
        game: the game in play if it is one of the players, and then `player` says which.
    """

    connection: Connection
    since: float
    name: str | None = None
    game: ServerGame | None = None
    player: int = 0


class CourseServer:
    """A server that listens, used in a `with`.

    Args:
        host, port: where it listens; port 0 leaves the choice to the system.
        limits: the time limits of both players.
        games: how many games are played.
        folder: the folder for logs and outcomes.
        say: is called with a sentence for everything that happens.
        keep: is called with each finished game and its number.
        observer: is told the events of every game.
        start_seconds: how long a client may take to say START.

    Attributes:
        address: where it listens.
        played: how many games are over.
    """

    def __init__(
        self,
        host: str,
        port: int,
        limits: Limits,
        *,
        games: int,
        folder: Path,
        seed: int | None = None,
        say: Callable[[str], None] = print,
        keep: Callable[[GameRecord, int], None] = lambda record, number: None,
        observer: Observer = ignore,
        start_seconds: float = START_SECONDS,
    ) -> None:
        """Raises OSError if it cannot listen, or if the folder cannot be made."""
        self.played = 0
        self._limits, self._games, self._seed, self._folder = limits, games, seed, folder
        self._say, self._keep, self._observer, self._start_seconds = say, keep, observer, start_seconds
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            self._listener = socket.create_server((host, port), family=family)
        except (OSError, UnicodeError, TypeError) as error:  # the last two: a text that cannot be the name of a host
            reason = str(getattr(error, "strerror", None) or error).partition(" (while")[0]
            raise OSError(f"cannot listen on {host}, port {port}: {reason}") from error
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            self._listener.close()
            raise
        self._listener.setblocking(False)
        self.address = Address(*self._listener.getsockname()[:2])
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._pause_ends: float | None = None  # until when no client is accepted
        self._clients: list[_Client] = []  # in the order in which they connected
        self._leaving: dict[_Client, float] = {}  # told that they do not play; until when they may read that
        self._game: ServerGame | None = None
        self._log: LogFile  # of the game in play

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """End the game in play, tell all clients, and close all sockets."""
        if self._game is not None:
            self._game.cancel()
            self._finish(self._game)
        for client in list(self._clients):
            self._dismiss(client, NO_MORE_GAMES)
        if self._pause_ends is None:
            self._selector.unregister(self._listener)
        self._listener.close()
        while self._leaving:
            for key, _ in self._selector.select(max(0.0, min(self._leaving.values()) - time.monotonic())):
                self._read(key.data)
            self._reset_late(time.monotonic())
        self._selector.close()

    def run(self) -> None:
        """Play all games. Raises OSError if a log cannot be written, and what `keep` raises."""
        while self.played < self._games:
            for key, _ in self._selector.select(self._patience(time.monotonic())):
                if key.fileobj is self._listener:
                    self._accept()
                else:
                    self._read(key.data)
            self._look(time.monotonic())

    # --- Clients ---

    def _patience(self, now: float) -> float | None:
        """Seconds until there is something to do, if nobody sends anything; None if there is nothing to do."""
        if self._game is not None:
            return max(0.0, min(LOOK_SECONDS, self._game.deadline - now))
        silent = [client.since + self._start_seconds for client in self._clients if client.name is None]
        ends = [*silent, *self._leaving.values(), *filter(None, [self._pause_ends])]
        return max(0.0, min(ends) - now) if ends else None

    def _accept(self) -> None:
        try:
            sock, _ = self._listener.accept()
        except (BlockingIOError, ConnectionError):  # the client has gone again
            return
        except OSError as error:  # mostly: no descriptor is left; without a pause, `select` would report it at once
            self._say(f"no client can be accepted for {AGAIN_SECONDS:g} s: {error.strerror}")
            self._selector.unregister(self._listener)
            self._pause_ends = time.monotonic() + AGAIN_SECONDS
            return
        client = _Client(Connection(sock), time.monotonic())
        self._clients.append(client)
        self._selector.register(client.connection, selectors.EVENT_READ, client)
        self._say(f"connected: {client.connection.where}")
        if len(self._clients) > MOST_WAITING:
            self._dismiss(client, SERVER_FULL)

    def _read(self, client: _Client) -> None:
        if client in self._leaving:
            client.connection.read()
            if client.connection.is_closed or client.connection.received > FLOOD_BYTES:
                self._reset(client)
        if client not in self._clients:  # disconnected since
            return
        for line in client.connection.read():
            if client.game is None:
                self._take_name(client, line.text)
            else:
                client.game.received(client.player, line.text, line.arrived)
        if client.connection.is_closed:
            self._gone(client)
        elif client.connection.received > FLOOD_BYTES:
            if client.game is None:
                self._say(f"{client.connection.where} sent more than {FLOOD_BYTES} bytes before its game")
                self._drop(client)
            else:
                client.game.flooded(client.player, client.connection.received)

    def _take_name(self, client: _Client, text: str) -> None:
        """Take the name from a line of a client that is not in play, if it is a START; other lines are ignored."""
        if client.name is None and (name := name_in_start(text)) is not None:
            client.name = name
            self._say(f"{client.connection.where} is ready: {name or 'without a name'}")

    def _gone(self, client: _Client) -> None:
        if client.game is not None:
            client.game.left(client.player)
        else:
            self._say(f"disconnected: {client.connection.where}, it closed the connection")
            self._drop(client)

    def _dismiss(self, client: _Client, reason: str) -> None:
        """Tell a client that it does not play, and disconnect it when it has had time to read that.

        The connection is reset: after an orderly end, the course's Java client, which waits for START, would go on
        reading for ever and keep a processor busy.
        """
        self._say(f"disconnected: {client.connection.where}, {reason.lower()}")
        client.connection.send(str(GameOver(UNDECIDED, reason=reason)))
        self._clients.remove(client)
        self._leaving[client] = time.monotonic() + LEAVE_SECONDS
        for earliest in list(self._leaving)[:-MOST_WAITING]:  # connecting again and again takes no more sockets
            self._reset(earliest)

    def _reset_late(self, now: float) -> None:
        """Disconnect clients that have had time to read that they do not play."""
        for client, end in list(self._leaving.items()):
            if now >= end:
                self._reset(client)

    def _reset(self, client: _Client) -> None:
        del self._leaving[client]
        self._selector.unregister(client.connection)
        client.connection.close(at_once=True)

    def _drop(self, client: _Client) -> None:
        self._clients.remove(client)
        self._selector.unregister(client.connection)
        client.connection.close()

    # --- Games ---

    def _look(self, now: float) -> None:
        """Look at clocks and silent clients, finish a game that is over, begin the next."""
        self._reset_late(now)
        if self._pause_ends is not None and now >= self._pause_ends:
            self._pause_ends = None
            self._selector.register(self._listener, selectors.EVENT_READ)
        if self._game is not None:
            self._look_at_game(self._game, now)
        for client in [each for each in self._clients if each.name is None]:
            if now - client.since > self._start_seconds:
                self._dismiss(client, NO_START)
        ready = [client for client in self._clients if client.name is not None]
        if self._game is None and self.played < self._games and len(ready) >= 2:
            self._begin(ready[0], ready[1])

    def _players(self) -> list[_Client]:
        """The clients that play the game in play."""
        return [client for client in self._clients if client.game is not None]

    def _look_at_game(self, game: ServerGame, now: float) -> None:
        game.look(now)
        for client in self._players():
            if client.connection.is_closed:  # a line could not be sent to it
                self._gone(client)
        if game.over is not None:
            self._finish(game)

    def _begin(self, first: _Client, second: _Client) -> None:
        clients, number = (first, second), self.played + 1
        names = two_names(first.name or "", second.name or "")
        hosts = (first.connection.where, second.connection.where)
        log = LogFile(self._folder, str(self.address), self._limits, names, hosts)
        game = ServerGame(
            names,
            self._limits,
            seed=game_seed(self._seed, number),
            send=lambda player, line: clients[player].connection.send(str(line)),
            log=log.write,
            say=lambda text: self._say(f"game {number}, {text}"),
            observer=self._observer,
            unfinished=lambda player: clients[player].connection.unfinished,
        )
        for player, client in enumerate(clients):
            client.game, client.player, client.connection.received = game, player, 0
        self._say(f"game {number} begins: {names[0]} (white) against {names[1]}, {log.path}")
        self._game, self._log = game, log
        game.begin(time.monotonic())

    def _finish(self, game: ServerGame) -> None:
        """After a game: disconnect its players, pass its record on, and complete its log."""
        self._game = None
        self.played += 1
        for client in self._players():
            self._drop(client)
        assert game.record is not None and game.over is not None
        try:
            self._keep(game.record, self.played)
        finally:  # even if the record cannot be kept
            self._log.end(game.over, game.ply)
