"""What an agent writes: bounded in size, and made safe to show."""

import os
import re
import time
from contextlib import suppress

from simulator.gtp.syntax import printable

KEPT_LOG_BYTES = 1 << 15  # of the beginning of an agent's log, and as many of its end
KEPT_TRANSCRIPT_BYTES = 1 << 19  # of the beginning of a transcript, and as many of its end
SHOWN_LINES = 40  # in a verdict: enough for the stacks of two threads, with our own frames below the agent's
_MOST_BYTES, _MOST_READS = 1 << 20, 4  # of a look: an agent that goes on writing must not hold it up
_FRAME = re.compile(r'File ".*", line \d+ in ')  # as faulthandler writes it


class BoundedText:
    """The beginning and the end of a text that may be endless."""

    def __init__(self, kept_bytes: int) -> None:
        self.received = 0  # bytes
        self._kept = kept_bytes
        self._head, self._tail = b"", b""

    def add(self, data: bytes) -> None:
        """Append to the text."""
        self.received += len(data)
        room = self._kept - len(self._head)
        self._head += data[:room]
        self._tail = (self._tail + data[room:])[-self._kept :]

    def text(self) -> str:
        """All that was kept: line breaks and indentation stay, and characters that cannot be printed become spaces."""
        left_out = self.received - len(self._head) - len(self._tail)
        if left_out == 0:
            return _shown(self._head + self._tail)[: 2 * self._kept]
        head, tail = _shown(self._head)[: self._kept], _shown(self._tail)[-self._kept :]
        return f"{head}\n[{left_out} bytes left out]\n{tail}"


def _shown(data: bytes) -> str:
    lines = data.decode("utf-8", "replace").expandtabs().splitlines()
    return "\n".join("".join(c if c.isprintable() else " " for c in line).rstrip() for line in lines).rstrip("\n")


class AgentLog(BoundedText):
    """What an agent writes to stderr, to which its stdout is redirected; a flood fills neither memory nor disk."""

    def __init__(self) -> None:
        super().__init__(KEPT_LOG_BYTES)
        self._fd: int | None = None

    def attach(self, fd: int) -> None:
        """Read from this socket from now on."""
        self._fd = fd
        os.set_blocking(fd, False)

    def read(self) -> None:
        """Read what has arrived, without waiting."""
        if self._fd is None:
            return
        with suppress(BlockingIOError):
            for _ in range(_MOST_READS):
                self.add(os.read(self._fd, _MOST_BYTES))

    def detach(self) -> None:
        """Read for the last time, before the socket is closed."""
        self.read()
        self._fd = None

    def last_lines(self) -> tuple[str, ...]:
        """The last SHOWN_LINES lines as a verdict shows them, each of bounded length."""
        return tuple(map(printable, self.text().splitlines()[-SHOWN_LINES:]))

    @property
    def shows_stacks(self) -> bool:
        """Whether the last lines have a frame of some thread's stack, not only what was printed after it."""
        return any(map(_FRAME.search, self.last_lines()))


class Transcript(BoundedText):
    """What went over the wire: each line with the seconds since the beginning, and `>` to the agent or `<` from it."""

    def __init__(self) -> None:
        super().__init__(KEPT_TRANSCRIPT_BYTES)
        self._begun = time.monotonic()

    def write(self, sign: str, data: bytes) -> None:
        """Add bytes that were sent (`sign` is ">") or received ("<")."""
        seconds = time.monotonic() - self._begun
        begin = f"{seconds:9.3f} {sign} ".encode()
        self.add(b"".join(begin + line + b"\n" for line in data.splitlines() if line))
