"""The wire: GTP, version 2, both ends, on the standard library alone.

The Go Text Protocol (Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2", 2002) is a line a request,
`[id] command [arguments]`, and for each an answer that ends with a blank line, `=[id] [text]` or `?[id] error`.

`Server` is the engine's end: a table of commands that answers every line and never fails; its lines come from `Lines`.
`Wire` is the controller's end: it trusts nothing that comes back, neither that it comes, nor that it ends, nor that it
is text.
"""

import math
import os
import re
import select
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

PROTOCOL_VERSION = "2"

# The error texts of the specification, which controllers compare.
UNKNOWN_COMMAND = "unknown command"
SYNTAX_ERROR = "syntax error"
ILLEGAL_MOVE = "illegal move"
CANNOT_UNDO = "cannot undo"
CANNOT_SCORE = "cannot score"
UNACCEPTABLE_SIZE = "unacceptable size"
BOARD_NOT_EMPTY = "board not empty"
INVALID_NUMBER_OF_STONES = "invalid number of stones"
BAD_VERTEX_LIST = "bad vertex list"
CANNOT_LOAD_FILE = "cannot load file"

MAX_LINE_BYTES = 1 << 16  # of a request; a move list that a person pastes is below a tenth of it
MAX_ANSWER_BYTES = 1 << 20  # the longest honest answer (a 19x19 SGF file) is below a tenth of it
WAIT_SECONDS = 0.02  # how often a waiting controller looks after other things
STALL_SECONDS = 0.25  # a look that is late by more is a stall: the controller's own, so the time does not count
FLOOD_SECONDS = 0.1  # how long after a deadline a controller reads what is already there: 1 MiB takes 0.001

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")  # all but tab and newline
_REQUEST = re.compile(r"(?:([0-9]+)(?:\s+|$))?(\S*)\s*(.*)")
_ANSWER = re.compile(r"([=?])(\d*)[ \t]*(.*)", re.DOTALL)

Command = Callable[[list[str]], str | Iterator[str]]
"""What answers a request, given its arguments: with a text, or line by line with an iterator for a live answer."""


def one_line(text: str, longest: int = 300) -> str:
    """A text from anywhere as one printable line of bounded length."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text[: 4 * longest]).split())
    return line if len(line) <= longest else line[: longest - 3] + "..."


# --- The engine's end -----------------------------------------------------------------------------------------------


class GtpError(Exception):
    """A request that cannot be served; the message becomes the text after `?`."""


class Request(NamedTuple):
    """A line taken apart; `id` is its number as text, empty if it has none."""

    id: str
    command: str
    arguments: list[str]


def parse_request(line: str) -> Request | None:
    """The request on a line: without comment and control characters, tabs as spaces; None for a blank line.

    >>> parse_request("7 play\\tb D4  # a comment")
    Request(id='7', command='play', arguments=['b', 'D4'])
    """
    cleaned = _CONTROL.sub("", line.replace("\t", " ")).partition("#")[0].strip()
    match = _REQUEST.fullmatch(cleaned)
    if not cleaned or match is None:
        return None
    number, command, arguments = match.groups()
    return Request(number or "", command, arguments.split())


def format_answer(request_id: str, text: str, success: bool = True) -> str:
    """An answer as it goes on the wire; blank lines, which would end it early, are left out.

    >>> format_answer("7", "D4"), format_answer("", "illegal move", success=False)
    ('=7 D4\\n\\n', '? illegal move\\n\\n')
    """
    lines = [line.rstrip() for line in _CONTROL.sub("", text).split("\n")]
    body = "\n".join(line for i, line in enumerate(lines) if line or i == 0)
    return f"{'=' if success else '?'}{request_id} {body}".rstrip() + "\n\n"


class Server:
    """Answers requests from a table of commands, which it completes with those that every engine has.

    `finished` is set by `quit`.
    """

    def __init__(self, commands: Mapping[str, Command]) -> None:
        self.finished = False
        self.commands: dict[str, Command] = {
            "protocol_version": lambda arguments: PROTOCOL_VERSION,
            "known_command": lambda arguments: "true" if " ".join(arguments) in self.commands else "false",
            "list_commands": lambda arguments: "\n".join(sorted(self.commands)),
            "quit": self._quit,
        }
        self.commands.update(commands)

    def _quit(self, arguments: list[str]) -> str:
        self.finished = True
        return ""

    def answer(self, line: str) -> str | None:
        """The whole answer to one line, None if it needs none. Whatever goes wrong becomes an answer with `?`."""
        return "".join(self.pieces(line)) or None

    def pieces(self, line: str) -> Iterator[str]:
        """The answer in the pieces in which it is to be sent: one, none, or many if the command answers live."""
        request = parse_request(line)
        if request is None:
            return
        answer = self._result(request, line)
        if isinstance(answer, str):
            yield answer
        else:
            yield f"={request.id}\n"
            yield from _live_lines(answer)
            yield "\n"

    def _result(self, request: Request, line: str) -> str | Iterator[str]:
        command = self.commands.get(request.command)
        if command is None:
            return format_answer(request.id, UNKNOWN_COMMAND, success=False)
        if len(line.rstrip("\n").encode()) > MAX_LINE_BYTES and "#" not in line:  # its end is missing: no comment
            return format_answer(request.id, f"a line of more than {MAX_LINE_BYTES} bytes", success=False)
        try:
            answer = command(request.arguments)
        except GtpError as error:
            return format_answer(request.id, one_line(str(error)), success=False)
        except Exception as error:  # a bug of ours: it goes to the log, and the controller still gets its answer
            traceback.print_exc(file=sys.stderr)
            return format_answer(request.id, one_line(f"internal error: {error!r}"), success=False)
        return format_answer(request.id, answer) if isinstance(answer, str) else answer


def _live_lines(answer: Iterator[str]) -> Iterator[str]:
    """The lines of an answer that has begun. What goes wrong now cannot become a `?`: it ends the answer."""
    try:
        for text in answer:
            if cleaned := one_line(text, MAX_ANSWER_BYTES):
                yield f"{cleaned}\n"
    except GtpError as error:
        print(one_line(str(error)), file=sys.stderr)
    except Exception:  # a bug of ours, as in `Server`
        traceback.print_exc(file=sys.stderr)


class Lines:
    """Lines from a descriptor that can be asked whether there is another one already.

    Nothing else may read the descriptor. Of a line of more than MAX_LINE_BYTES, MAX_LINE_BYTES + 1 are kept, so that
    its length can be told, and the rest up to the newline is thrown away.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._readable = select.poll()
        self._readable.register(fd, select.POLLIN)
        self._buffer = b""
        self._is_skipping = False  # within the rest of a line that is too long
        self._has_ended = False

    def read(self) -> bytes:
        """The next line with its newline, the last one perhaps without; empty at the end. Waits. Raises OSError."""
        while not self._has_line:
            self._fill()
        line, newline, self._buffer = self._buffer.partition(b"\n")
        return line[: MAX_LINE_BYTES + 1] + newline

    def wait(self, seconds: float) -> bool:
        """Whether there is another line, or the end, within that time. Raises OSError."""
        deadline = time.monotonic() + seconds
        while not self._has_line:
            if not self._readable.poll(max(0.0, deadline - time.monotonic()) * 1000):
                return False
            self._fill()
        return True

    @property
    def _has_line(self) -> bool:
        return self._has_ended or b"\n" in self._buffer

    def _fill(self) -> None:
        data = os.read(self._fd, 1 << 16)
        self._has_ended = not data
        if self._is_skipping:
            _, newline, data = data.partition(b"\n")
            self._is_skipping = not newline
            data = newline + data
        self._buffer += data
        if len(self._buffer) > 2 * MAX_LINE_BYTES and b"\n" not in self._buffer:
            self._buffer, self._is_skipping = self._buffer[: MAX_LINE_BYTES + 1], True


# --- Arguments ------------------------------------------------------------------------------------------------------


def one(arguments: list[str]) -> str:
    """The only argument. Raises GtpError."""
    if len(arguments) != 1:
        raise explained(SYNTAX_ERROR, f"one argument is wanted, not {len(arguments)}")
    return arguments[0]


def integer(text: str) -> int:
    """A non-negative integer of at most nine digits. Raises GtpError."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise explained(SYNTAX_ERROR, f"{text!r} is no whole number from 0 to 999999999")
    return int(text)


def number(text: str) -> float:
    """A finite number. Raises GtpError."""
    try:
        value = float(text)
    except ValueError as error:
        raise explained(SYNTAX_ERROR, f"{text!r} is no number") from error
    if not math.isfinite(value):
        raise explained(SYNTAX_ERROR, f"{text!r} is no finite number")
    return value


def duration(text: str) -> float:
    """Seconds; the specification has whole ones, fractions are read too. Raises GtpError."""
    seconds = number(text)
    if seconds < 0:
        raise explained(SYNTAX_ERROR, f"a time of {text} s is less than none")
    return seconds


def explained(error_text: str, reason: Exception | str) -> GtpError:
    """The specification's error text for the wire; for people, the reason on stderr."""
    print(f"{error_text}: {one_line(str(reason))}", file=sys.stderr)
    return GtpError(error_text)


# --- The controller's end -------------------------------------------------------------------------------------------


class WireError(Exception):
    """The other end did not give a proper answer; the subclass says in which way."""


class WireClosed(WireError):
    """The other end is gone."""


class WireTimeout(WireError):
    """No complete answer before the deadline."""


class WireGarbage(WireError):
    """Bytes that are no GTP answer, an endless one, or one that nobody asked for; the message describes them."""


class Refused(WireError):
    """An answer with `?`; the message is its text."""


class Reply(NamedTuple):
    """An answer with `=`: its text, and when its last newline was read (`time.monotonic`)."""

    text: str
    arrived: float


class Delays(NamedTuple):
    """By how many seconds a controller looked too late at what it waits for.

    Attributes:
        worst: how late the latest look was.
        stalled: how late those looks were together that were late by more than STALL_SECONDS.
        last: how late the last look was, at which the answer was found.
    """

    worst: float = 0.0
    stalled: float = 0.0
    last: float = 0.0

    def after(self, delay: float) -> "Delays":
        """With one more look; it was early if the delay is negative."""
        delay = max(0.0, delay)
        return Delays(max(self.worst, delay), self.stalled + (delay if delay > STALL_SECONDS else 0.0), delay)

    @property
    def unsure(self) -> float:
        """By how much less than measured the time until the answer may have been."""
        return self.stalled + (self.last if self.last <= STALL_SECONDS else 0.0)


class Wire:
    """Sends requests and reads answers on two descriptors, with deadlines on `time.monotonic`.

    `on_wait` is called about every WAIT_SECONDS while an answer is outstanding; what it raises ends the waiting.

    This process may have no processor for a while (a stopped terminal job, a busy machine), and then cannot tell when
    an answer arrived. So it measures how late it looks: stalls put deadlines off, and `take_delays` tells of all.
    """

    def __init__(self, read_fd: int, write_fd: int, on_wait: Callable[[], None] = lambda: None) -> None:
        self.on_wait = on_wait
        self._read_fd, self._write_fd = read_fd, write_fd
        for fd in (read_fd, write_fd):
            os.set_blocking(fd, False)
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(read_fd, select.POLLIN)
        self._writable.register(write_fd, select.POLLOUT)
        self._buffer = b""
        self._last_id = 0
        self._next_wait = 0.0
        self._abandoned: set[int] = set()
        self._last_look = time.monotonic()
        self._delays = Delays()

    def take_delays(self) -> "Delays":
        """What this process was late by since this was last asked."""
        delays, self._delays = self._delays, Delays()
        return delays

    def send(self, commands: Sequence[str], deadline: float) -> list[int]:
        """Write requests and return their ids.

        Raises WireGarbage if the other end has spoken unasked, WireClosed, WireTimeout, and what `on_wait` raises.
        """
        self._expect_silence()
        self._last_look = time.monotonic()
        ids = list(range(self._last_id + 1, self._last_id + 1 + len(commands)))
        self._last_id += len(commands)
        data = "".join(f"{i} {one_line(command, MAX_LINE_BYTES)}\n" for i, command in zip(ids, commands, strict=True))
        self._write(data.encode(), deadline)
        return ids

    def receive(self, request_id: int, deadline: float) -> Reply:
        """The answer to a request.

        Raises Refused for one with `?`, WireClosed, WireTimeout, WireGarbage, and what `on_wait` raises.
        """
        while True:
            answer = self._next_answer(deadline)
            sign, number, text = answer.groups()
            if number.isascii() and number.isdigit() and len(number) < 10 and int(number) in self._abandoned:
                self._abandoned.discard(int(number))
                continue
            if number != str(request_id):
                raise WireGarbage(f"an answer numbered {number!r:.20} to request {request_id}")
            if sign == "?":
                raise Refused(text.strip())
            return Reply(text.strip(), time.monotonic())

    def abandon(self, request_id: int) -> None:
        """Wait no more for this answer: if it comes, it is thrown away."""
        self._abandoned.add(request_id)

    def _expect_silence(self) -> None:
        self._read()
        self._drop_abandoned()
        if self._buffer.strip() and not (self._abandoned and b"\n\n" not in self._buffer):
            raise WireGarbage(f"{_excerpt(self._buffer)} before it was asked")

    def _drop_abandoned(self) -> None:
        """Throw away answers that nobody waits for any more, if they are there."""
        while (end := self._buffer.find(b"\n\n")) >= 0:
            number = self._buffer[1:end].split()[:1]
            if self._buffer[:1] not in (b"=", b"?") or not number or not number[0].isdigit() or len(number[0]) > 9:
                return
            if int(number[0]) not in self._abandoned:
                return
            self._abandoned.discard(int(number[0]))
            self._buffer = self._buffer[end:].lstrip(b"\n")

    def _next_answer(self, deadline: float) -> re.Match[str]:
        while (end := self._buffer.find(b"\n\n")) < 0:
            self._wait(self._readable, deadline)
            self._read()
            if self._buffer[:1] not in (b"", b"=", b"?"):
                raise WireGarbage(_excerpt(self._buffer))
            if len(self._buffer) > MAX_ANSWER_BYTES:
                raise WireGarbage(
                    f"more than {MAX_ANSWER_BYTES} bytes without an end, beginning {_excerpt(self._buffer)}"
                )
        data, self._buffer = self._buffer[:end], self._buffer[end:].lstrip(b"\n")
        match = _ANSWER.fullmatch(_CONTROL.sub("", data.decode("utf-8", "replace")))
        if match is None:
            raise WireGarbage(_excerpt(data))
        return match

    def _read(self) -> None:
        """Take what is there, without waiting."""
        try:
            data = os.read(self._read_fd, 1 << 16)
        except BlockingIOError:
            return
        except OSError as error:
            raise WireClosed(str(error)) from error
        if not data:
            raise WireClosed("end of its output")
        self._buffer = (self._buffer + data.replace(b"\r", b"")).lstrip(b" \t\n")

    def _write(self, data: bytes, deadline: float) -> None:
        while data:
            try:
                data = data[os.write(self._write_fd, data) :]
            except BlockingIOError:
                self._wait(self._writable, deadline)
            except OSError as error:
                raise WireClosed(str(error)) from error

    def _wait(self, poll: select.poll, deadline: float) -> None:
        """Return when `poll` reports something or a while has passed. Raises WireTimeout after the deadline."""
        now = time.monotonic()
        if now >= self._next_wait:
            self._next_wait = now + WAIT_SECONDS
            self.on_wait()
        wake = min(deadline + self._delays.stalled, self._next_wait)
        ready = poll.poll(max(0.0, wake - time.monotonic()) * 1000)
        now = time.monotonic()
        self._delays = self._delays.after(now - self._last_look - WAIT_SECONDS)
        self._last_look = now
        # The answer may have come while this process had no processor, so what lies in the pipe is read even after
        # the deadline; not for ever, because a flood never leaves the pipe empty.
        if now >= deadline + self._delays.stalled + (FLOOD_SECONDS + self._delays.last if ready else 0.0):
            raise WireTimeout


def _excerpt(data: bytes) -> str:
    return repr(data[:60])[1:] + ("..." if len(data) > 60 else "")
