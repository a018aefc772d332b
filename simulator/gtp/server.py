"""The engine's end of GTP: a server that answers every line, and a reader of lines for it."""

import os
import select
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO

from options import Failure
from simulator.gtp import syntax
from simulator.gtp.syntax import MAX_LINE_BYTES, Command, GtpError, Request, format_answer, one_line


class Server:
    """Answers requests from a table of commands, and adds the commands that ask about the table.

    Attributes:
        commands: for each command's name, the function that answers it.
        finished: a command sets it to end the server.
        wait_for_input: waits at most the given seconds; returns whether the controller has written another line. Before
            `serve`, it always returns True, so that live answers end.
    """

    def __init__(self, commands: Mapping[str, Command]) -> None:
        self.finished = False
        self.wait_for_input: Callable[[float], bool] = lambda seconds: True
        self.commands: dict[str, Command] = {
            "protocol_version": lambda arguments: "2",
            "known_command": lambda arguments: "true" if " ".join(arguments) in self.commands else "false",
            "list_commands": lambda arguments: "\n".join(sorted(self.commands)),
            **commands,
        }

    def serve(self, reader: BinaryIO, writer: BinaryIO) -> None:
        """Answer every line of `reader` on `writer` until `quit` or the end. Raises OSError if a pipe breaks.

        `reader` must have a descriptor, and nothing must have been read from it.
        """
        lines = LineReader(reader.fileno())
        self.wait_for_input = lines.wait
        while not self.finished and (line := lines.read()):
            for piece in self.pieces(line.decode("utf-8", "replace")):
                writer.write(piece.encode("utf-8", "replace"))
                writer.flush()

    def pieces(self, line: str) -> Iterator[str]:
        """The answer to a line, in the pieces to send: none for a blank line, one, or many if the command answers live.

        Every error becomes an answer with `?`, except errors of a live answer that has begun.
        """
        request = syntax.parse_request(line)
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
            return format_answer(request.id, syntax.UNKNOWN_COMMAND, success=False)
        if len(line.rstrip("\n").encode()) > MAX_LINE_BYTES and "#" not in line:  # more than a comment was cut off
            return format_answer(request.id, f"a line of more than {MAX_LINE_BYTES} bytes", success=False)
        try:
            answer = command(request.arguments) or ""
        except GtpError as error:
            return format_answer(request.id, one_line(str(error)), success=False)
        except Failure as error:  # the rules in a game's file fail, for example
            print(error, file=sys.stderr)
            return format_answer(request.id, one_line(str(error).partition("\n")[0]), success=False)
        except Exception as error:  # a bug of ours: it is logged, and the controller still gets an answer
            traceback.print_exc(file=sys.stderr)
            return format_answer(request.id, one_line(f"internal error: {error!r}"), success=False)
        return format_answer(request.id, answer) if isinstance(answer, str) else answer


def _live_lines(answer: Iterator[str]) -> Iterator[str]:
    """The lines of an answer that has begun. An error cannot become an answer with `?` any more: it ends the answer."""
    try:
        for text in answer:
            if cleaned := one_line(text, syntax.MAX_ANSWER_BYTES):
                yield f"{cleaned}\n"
    except GtpError as error:
        print(one_line(str(error)), file=sys.stderr)
    except Failure as error:
        print(error, file=sys.stderr)
    except Exception:  # a bug of ours, as in `Server`
        traceback.print_exc(file=sys.stderr)


class LineReader:
    """Reads lines from a descriptor, and can tell whether another line comes within some time.

    Nothing else may read the descriptor. Of a line that is too long, MAX_LINE_BYTES + 1 bytes are kept, which shows
    that it was too long; the rest up to the newline is dropped.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._readable = select.poll()
        self._readable.register(fd, select.POLLIN)
        self._buffer = b""
        self._is_skipping = False  # within the rest of a line that is too long
        self._has_ended = False

    def read(self) -> bytes:
        """Wait for the next line, with its newline; the last line may have none. Empty at the end. Raises OSError."""
        while not self._has_line:
            self._fill()
        line, newline, self._buffer = self._buffer.partition(b"\n")
        return line[: MAX_LINE_BYTES + 1] + newline

    def wait(self, seconds: float) -> bool:
        """Whether another line, or the end, comes within `seconds`. Raises OSError."""
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
