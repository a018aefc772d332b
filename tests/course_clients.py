"""Clients and servers of the course's protocol that say just what a test tells them."""

import random
import socket
import struct
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

from agents.limits import Limits
from game import load_game
from simulator.course.connection import Address
from simulator.course.log_file import LogFile
from simulator.course.protocol import GameOver, MoveLine, Start
from simulator.course.server import CourseServer

GENEROUS = Limits(first_move_seconds=600, move_seconds=600, cushion_seconds=600)
TIMEOUT = 60  # seconds, after which a test that hangs fails

WHITE_CELLS = ("0 0", "0 1", "0 2", "0 3", "0 4")  # five in a row
BLACK_CELLS = ("5 5", "5 4", "4 5", "4 4")
# Every move turns the lower left quadrant, which stays empty. White moves first and wins with its fifth stone.
WHITE_WINS = tuple(
    f"{cell} 2 {ply % 2} {ply % 2}"
    for ply, cell in enumerate(cells[i] for i in range(5) for cells in (WHITE_CELLS, BLACK_CELLS) if i < len(cells))
)


class Wire:
    """One end of a connection, which sends lines or bytes and reads lines."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._socket.settimeout(TIMEOUT)
        self._file = connection.makefile("rb")

    def send(self, *lines: str) -> None:
        self.send_bytes("".join(f"{line}\n" for line in lines).encode())

    def send_bytes(self, data: bytes) -> None:
        self._socket.sendall(data)

    def line(self) -> str:
        """The next line; empty at the end."""
        return self._file.readline().decode().removesuffix("\n")

    def lines_until(self, begin: str) -> list[str]:
        """All lines up to and including the first that begins with `begin`."""
        lines = [self.line()]
        while not lines[-1].startswith(begin):
            assert lines[-1], f"no line {begin}: {lines}"
            lines.append(self.line())
        return lines

    def close(self) -> None:
        self._file.close()
        self._socket.close()

    def reset(self) -> None:
        """Close the connection with a reset instead of an orderly end."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def end_sending(self) -> None:
        """Close the connection for sending only."""
        self._socket.shutdown(socket.SHUT_WR)


class Client(Wire):
    """A client's end; with a name, it says START at once."""

    def __init__(self, address: tuple[str, int], name: str | None = None) -> None:
        super().__init__(socket.create_connection(address))
        if name is not None:
            self.send(f"START {name}")


class Table:
    """A server in a thread, and what it said and kept."""

    def __init__(self, limits: Limits, games: int, folder, start_seconds: float) -> None:
        self.said: list[str] = []
        self.records = []
        self._clients: list[Client] = []
        self.server = CourseServer(
            "127.0.0.1",
            0,
            limits,
            games=games,
            seed=0,
            folder=folder,
            say=self.said.append,
            keep=lambda record, number: self.records.append(record),
            start_seconds=start_seconds,
        )
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        with self.server:
            self.server.run()

    def client(self, name: str | None = None) -> Client:
        self._clients.append(Client(self.server.address, name))
        return self._clients[-1]

    def pair(self) -> tuple[Client, Client]:
        """Two clients that have begun a game, white's first."""
        white = self.client("alice")
        black = self.client("bob")
        assert white.line() == "START Player-0 alice"
        assert black.line() == "START Player-1 bob"
        return white, black

    def wait(self) -> None:
        """Wait until the server has ended."""
        self._thread.join(TIMEOUT)
        assert not self._thread.is_alive()

    def close(self) -> None:
        """Close all clients."""
        for client in self._clients:
            client.close()


@contextmanager
def table(limits: Limits = GENEROUS, games: int = 1, folder=None, start_seconds: float = 600.0) -> Iterator[Table]:
    with TemporaryDirectory(ignore_cleanup_errors=True) as place:
        served = Table(limits, games, folder or Path(place), start_seconds)
        try:
            yield served
            served.wait()
        finally:
            served.close()


def write_log(folder: Path, over: GameOver) -> LogFile:
    """Write the log of WHITE_WINS, which black has lost by force from its third move on: it never stops white's row."""
    log = LogFile(folder, "here:1", GENEROUS, ("alice", "bob"), ("a:1", "b:2"))
    for line in (Start(0, "alice"), Start(1, "bob"), *WHITE_WINS):
        log.write(line)
    log.end(over, len(WHITE_WINS))
    return log


def random_client(address: tuple[str, int], games: int, seed: int) -> None:
    """Play so many games as a client, by random legal moves."""
    rng, pentago = random.Random(seed), load_game("pentago")
    for _ in range(games):
        client, position = Client(address, "rando"), pentago.initial()
        while not (line := client.line()).startswith("GAMEOVER"):
            if line.startswith("PLAY"):
                client.send(str(MoveLine.of(rng.choice(position.legal_moves()), position.to_move)))
            elif not line.startswith("START"):
                position = position.play(pentago.parse_move(line[:-2]))
        client.close()


def random_pair(address: tuple[str, int], games: int) -> None:
    """Play games to the end between two clients that play at random."""
    with ThreadPoolExecutor(2) as pool:
        for told in [pool.submit(random_client, address, games, seed) for seed in (1, 2)]:
            told.result(TIMEOUT)


@contextmanager
def at_a_table(limits: Limits = GENEROUS, games: int = 1, seed: int = 1) -> Iterator[Table]:
    """A server at which a client that plays at random waits for an opponent."""
    with table(limits, games) as served, ThreadPoolExecutor(1) as pool:
        other = pool.submit(random_client, served.server.address, games, seed)
        yield served
        other.result(TIMEOUT)


def address_of_nobody() -> Address:
    """An address at which no server listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return Address(*listener.getsockname()[:2])
