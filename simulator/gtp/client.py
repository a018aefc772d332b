"""The controller's end of GTP: a client that trusts nothing an engine sends.

An answer may never come, never end, or be no text; each of these raises an error of its own.
"""

import os
import select
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from simulator.gtp.syntax import MAX_ANSWER_BYTES, MAX_LINE_BYTES, ParsedAnswer, one_line, parse_answer

WAIT_SECONDS = 0.02  # between two calls of `on_wait`
STALL_SECONDS = 0.25  # a look that is late by more than this is a stall of this process, which puts deadlines off
FLOOD_SECONDS = 0.1  # how long bytes that have already arrived are read after a deadline; 1 MiB takes 0.001 s


class EngineError(Exception):
    """The engine gave no proper answer; the subclass says in which way."""


class EngineClosed(EngineError):
    """The engine has ended, or has closed its input or output."""


class EngineTimeout(EngineError):
    """No complete answer before the deadline."""


class MalformedAnswer(EngineError):
    """Bytes that are no GTP answer, an endless answer, or an answer to no request; the message describes them."""


class Refused(EngineError):
    """An answer with `?`; the message is the answer's text."""


class Delays(NamedTuple):
    """How late this process looked for an answer, in seconds.

    Attributes:
        worst: the longest delay of a look.
        stalled: the sum of all delays of more than STALL_SECONDS.
        last: the delay of the last look, which found the answer.
    """

    worst: float = 0.0
    stalled: float = 0.0
    last: float = 0.0

    def after(self, delay: float) -> "Delays":
        """The delays after one more look; a negative delay, of an early look, counts as 0."""
        delay = max(0.0, delay)
        return Delays(max(self.worst, delay), self.stalled + (delay if delay > STALL_SECONDS else 0.0), delay)

    @property
    def unsure(self) -> float:
        """How many seconds earlier than measured the answer may have come."""
        return self.stalled + (self.last if self.last <= STALL_SECONDS else 0.0)


class Client:
    """Sends requests and reads answers on two descriptors, with deadlines on `time.monotonic`.

    `on_wait` is called about every WAIT_SECONDS while an answer is awaited; an exception that it raises ends the
    waiting. `on_bytes` is called with ">" and the bytes that are sent, or "<" and those that are received.

    This process may have no processor for a while (a stopped terminal job, a busy machine), and then cannot tell when
    an answer arrived. So it measures how late it looks: stalls put deadlines off, and `take_delays` reports all delays.

    Attributes:
        sent: when the last requests were written (`time.monotonic`); if the engine did not read them at once, when
            writing first had to wait.
        arrived: when the last answer was read to its end (`time.monotonic`).
    """

    def __init__(
        self,
        read_fd: int,
        write_fd: int,
        on_wait: Callable[[], None] = lambda: None,
        on_bytes: Callable[[str, bytes], None] = lambda sign, data: None,
    ) -> None:
        self.on_wait, self._on_bytes = on_wait, on_bytes
        self._read_fd, self._write_fd = read_fd, write_fd
        for fd in (read_fd, write_fd):
            os.set_blocking(fd, False)
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(read_fd, select.POLLIN)
        self._writable.register(write_fd, select.POLLOUT)
        self._buffer = b""
        self._last_id = 0
        self._next_wait = 0.0
        self._abandoned: set[str] = set()
        self.sent = self.arrived = self._last_look = time.monotonic()
        self._delays = Delays()

    def take_delays(self) -> Delays:
        """The delays since the last call of this method."""
        delays, self._delays = self._delays, Delays()
        return delays

    def send(self, commands: Sequence[str], deadline: float) -> list[int]:
        """Write requests and return their ids; `deadline` is a time of `time.monotonic`.

        Raises MalformedAnswer if the engine has written something that nobody asked for, EngineClosed, EngineTimeout,
        and what `on_wait` raises.
        """
        self._expect_silence()
        self._last_look = time.monotonic()
        ids = list(range(self._last_id + 1, self._last_id + 1 + len(commands)))
        self._last_id += len(commands)
        data = "".join(f"{i} {one_line(command, MAX_LINE_BYTES)}\n" for i, command in zip(ids, commands, strict=True))
        self._on_bytes(">", data.encode())
        self._write(data.encode(), deadline)
        return ids

    def receive(self, request_id: int, deadline: float) -> str:
        """The text of the answer to a request.

        Raises Refused for an answer with `?`, EngineClosed, EngineTimeout, MalformedAnswer, and what `on_wait` raises.
        """
        while (answer := self._next_answer(deadline)).id in self._abandoned:
            self._abandoned.discard(answer.id)
        if answer.id != str(request_id):
            raise MalformedAnswer(f"an answer numbered {answer.id!r:.20} to request {request_id}")
        if not answer.success:
            raise Refused(answer.text)
        self.arrived = time.monotonic()
        return answer.text

    def abandon(self, request_id: int) -> None:
        """Give up waiting for this answer: if it still comes, it is dropped."""
        self._abandoned.add(str(request_id))

    def _expect_silence(self) -> None:
        self._read()
        while (end := self._buffer.find(b"\n\n")) >= 0:
            answer = parse_answer(self._buffer[:end])
            if answer is None or answer.id not in self._abandoned:
                break
            self._abandoned.discard(answer.id)
            self._buffer = self._buffer[end:].lstrip(b"\n")
        if self._buffer.strip() and not (self._abandoned and b"\n\n" not in self._buffer):
            raise MalformedAnswer(f"{_excerpt(self._buffer)} before it was asked")

    def _next_answer(self, deadline: float) -> ParsedAnswer:
        while (end := self._buffer.find(b"\n\n")) < 0:
            self._wait(self._readable, deadline)
            self._read()
            if self._buffer[:1] not in (b"", b"=", b"?"):
                raise MalformedAnswer(_excerpt(self._buffer))
            if len(self._buffer) > MAX_ANSWER_BYTES:
                raise MalformedAnswer(
                    f"more than {MAX_ANSWER_BYTES} bytes without an end, beginning {_excerpt(self._buffer)}"
                )
        data, self._buffer = self._buffer[:end], self._buffer[end:].lstrip(b"\n")
        answer = parse_answer(data)
        if answer is None:
            raise MalformedAnswer(_excerpt(data))
        return answer

    def _read(self) -> None:
        """Read what has arrived, without waiting."""
        try:
            data = os.read(self._read_fd, 1 << 16)
        except BlockingIOError:
            return
        except OSError as error:
            raise EngineClosed(str(error)) from error
        if not data:
            raise EngineClosed("end of its output")
        self._on_bytes("<", data)
        self._buffer = (self._buffer + data.replace(b"\r", b"")).lstrip(b" \t\n")

    def _write(self, data: bytes, deadline: float) -> None:
        held_up = None
        while data:
            try:
                data = data[os.write(self._write_fd, data) :]
            except BlockingIOError:
                held_up = held_up or time.monotonic()
                self._wait(self._writable, deadline)
            except OSError as error:
                raise EngineClosed(str(error)) from error
        self.sent = held_up or time.monotonic()

    def _wait(self, poll: select.poll, deadline: float) -> None:
        """Return when `poll` reports something, or after WAIT_SECONDS. Raises EngineTimeout after the deadline."""
        now = time.monotonic()
        if now >= self._next_wait:
            self._next_wait = now + WAIT_SECONDS
            self.on_wait()
        wake = min(deadline + self._delays.stalled, self._next_wait)
        ready = poll.poll(max(0.0, wake - time.monotonic()) * 1000)
        now = time.monotonic()
        self._delays = self._delays.after(now - self._last_look - WAIT_SECONDS)
        self._last_look = now
        # The answer may have come while this process had no processor, so it is read even after the deadline; but
        # not for ever, because an engine that floods it never leaves it empty.
        if now >= deadline + self._delays.stalled + (FLOOD_SECONDS + self._delays.last if ready else 0.0):
            raise EngineTimeout


def _excerpt(data: bytes) -> str:
    return repr(data[:60])[1:] + ("..." if len(data) > 60 else "")
