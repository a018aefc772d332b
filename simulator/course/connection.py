"""A TCP connection that carries lines of text, read without waiting and within bounds."""

import select
import socket
import struct
import time
from typing import NamedTuple

LONGEST_LINE = 1000  # bytes; a line of the protocol has at most about 100
FLOOD_BYTES = 1 << 16  # in one game, from either end; a player's moves take 300, and a game takes the server 2000
READ_BYTES = 4096  # at a time, so that a client that sends too much does not delay others
SILENT_SECONDS = 60  # after which a machine that does not answer at all, not even the kernel's probes, counts as gone
_RESET = struct.pack("ii", 1, 0)  # SO_LINGER: drop what was not sent, and say so


class Address(NamedTuple):
    """The address of one end of a connection."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class Line(NamedTuple):
    """A line that has come, without its line break, and the time when it came (`time.monotonic`)."""

    text: str
    arrived: float


class LineBuffer:
    r"""Cuts bytes into lines, wherever packets begin and end; a line that is too long is cut off.

    >>> buffer = LineBuffer()
    >>> buffer.add(b"PLAY Pl"), buffer.add(b"ayer-0\r\n1 2"), buffer.add(b" 3 1 0\n0 0 0 0 1\n")
    ([], ['PLAY Player-0'], ['1 2 3 1 0', '0 0 0 0 1'])
    """

    def __init__(self) -> None:
        self.rest = b""  # what came without a line break yet

    def add(self, data: bytes) -> list[str]:
        """The lines that end in these bytes."""
        *lines, rest = (self.rest + data).split(b"\n")
        self.rest = rest[:LONGEST_LINE]
        return [line[:LONGEST_LINE].removesuffix(b"\r").decode("utf-8", "replace") for line in lines]


class Connection:
    """One end of a connection.

    Attributes:
        is_closed: the other end has closed it, or it broke; lines that came before may still be unread.
        received: the number of bytes that came; whoever counts may set it to 0.
        where: the address of the other end.
    """

    def __init__(self, sock: socket.socket) -> None:
        sock.setblocking(False)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL):
            sock.setsockopt(socket.IPPROTO_TCP, option, max(1, SILENT_SECONDS // 4))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_SECONDS * 1000)
        self.is_closed, self.received = False, 0
        self.where = _address(sock)
        self._sock, self._buffer = sock, LineBuffer()

    def fileno(self) -> int:
        """The descriptor, for `select`."""
        return self._sock.fileno()

    def read(self) -> list[Line]:
        """Read at most READ_BYTES, without waiting, and return the lines that these complete."""
        try:
            data = self._sock.recv(READ_BYTES)
        except (BlockingIOError, InterruptedError):
            return []
        except OSError:
            data = b""
        self.is_closed |= not data
        self.received += len(data)
        arrived = time.monotonic()
        return [Line(text, arrived) for text in self._buffer.add(data)]

    @property
    def unfinished(self) -> str:
        """What came after the last line break."""
        return self._buffer.rest.decode("utf-8", "replace")

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until there is something to read, or for so many seconds; returns whether there is."""
        poll = select.poll()
        poll.register(self._sock, select.POLLIN)
        return bool(poll.poll(None if seconds is None else seconds * 1000))

    def send(self, line: str) -> None:
        """Send a line. If the system cannot take all of it, the other end does not read, and counts as closed."""
        data = f"{line}\n".encode()
        try:
            self.is_closed |= self._sock.send(data) < len(data)
        except OSError:
            self.is_closed = True

    def close(self, *, at_once: bool = False) -> None:
        """Close it; `at_once` resets the connection, which tells the other end that nothing is read any more."""
        if at_once and self._sock.fileno() >= 0:
            self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self._sock.close()


def _address(sock: socket.socket) -> str:
    try:
        host, port, *_ = sock.getpeername()
    except (OSError, ValueError):  # the other end is gone already; a socket pair has no address
        return "nowhere"
    return str(Address(host, port))
