"""The syntax of GTP: requests, answers, arguments and error texts; uses only the standard library.

In the Go Text Protocol (Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2", 2002) a request is a
line, `[id] command [arguments]`, and its answer ends with a blank line: `=[id] [text]` or `?[id] error`.
"""

import math
import re
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

# The error texts of the specification, by which controllers recognize an error.
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

MAX_LINE_BYTES = 1 << 16  # of a request; a list of moves that a person pastes is below a tenth of it
MAX_ANSWER_BYTES = 1 << 20  # the longest honest answer (a 19x19 SGF file) is below a tenth of it
LONGEST_LINE = 300  # characters of a line for people: an error, a line of an agent's log

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")  # all control characters but tab and newline
_REQUEST = re.compile(r"(?:([0-9]+)(?:\s+|$))?(\S*)\s*(.*)")
_ANSWER = re.compile(r"([=?])(\d*)[ \t]*(.*)", re.DOTALL)

Command = Callable[[list[str]], str | Iterator[str] | None]
"""A function that answers a request, given its arguments: by a text, None, or an iterator of lines (a live answer)."""


class GtpError(Exception):
    """A request cannot be served; the message becomes the text after `?`."""


class Request(NamedTuple):
    """A parsed request; `id` is its number as text, empty if it has none."""

    id: str
    command: str
    arguments: list[str]


class ParsedAnswer(NamedTuple):
    """A parsed answer; `id` is its number as text, empty if it has none."""

    success: bool
    id: str
    text: str


def parse_request(line: str) -> Request | None:
    """The request on a line, without comment and control characters, and with tabs as spaces; None for a blank line.

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
    """An answer with its blank line; blank lines within `text`, which would end it early, are left out.

    >>> format_answer("7", "D4"), format_answer("", "illegal move", success=False)
    ('=7 D4\\n\\n', '? illegal move\\n\\n')
    """
    lines = [line.rstrip() for line in _CONTROL.sub("", text).split("\n")]
    body = "\n".join(line for i, line in enumerate(lines) if line or i == 0)
    return f"{'=' if success else '?'}{request_id} {body}".rstrip() + "\n\n"


def parse_answer(data: bytes) -> ParsedAnswer | None:
    """The answer in `data`, which ends before the blank line; None if `data` is no answer.

    >>> parse_answer(b"=7 D4")
    ParsedAnswer(success=True, id='7', text='D4')
    """
    match = _ANSWER.fullmatch(_CONTROL.sub("", data.decode("utf-8", "replace")))
    return None if match is None else ParsedAnswer(match[1] == "=", match[2], match[3].strip())


def one(arguments: list[str]) -> str:
    """The only argument. Raises GtpError if there is none, or more than one."""
    if len(arguments) != 1:
        raise explained(SYNTAX_ERROR, f"expected one argument, got {len(arguments)}")
    return arguments[0]


def integer(text: str) -> int:
    """A non-negative integer of at most nine digits. Raises GtpError."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise explained(SYNTAX_ERROR, f"{text!r} is not a whole number from 0 to 999999999")
    return int(text)


def number(text: str) -> float:
    """A finite number. Raises GtpError."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise explained(SYNTAX_ERROR, f"{text!r} is not a finite number")
    return value


def duration(text: str) -> float:
    """A time in seconds; the specification has whole seconds, but fractions are read too. Raises GtpError."""
    seconds = number(text)
    if seconds < 0:
        raise explained(SYNTAX_ERROR, f"a time cannot be negative: {text} s")
    return seconds


def explained(error_text: str, reason: Exception | str) -> GtpError:
    """An error with one of the specification's texts, for the controller; prints the reason to stderr, for people."""
    print(f"{error_text}: {one_line(str(reason))}", file=sys.stderr)
    return GtpError(error_text)


def printable(text: str, longest: int = LONGEST_LINE) -> str:
    """A text as one line of at most `longest` printable characters; its indentation and columns are kept.

    Tabs become spaces, and so do control characters, surrogates, and marks that turn the direction of writing.

    >>> printable("  File x.py\\x1b[2J\\n\\t^ here  ")
    '  File x.py [2J         ^ here'
    """
    spaced = text[: longest + 1].expandtabs()
    line = "".join(character if character.isprintable() else " " for character in spaced).rstrip()
    return line if len(line) <= longest else line[: longest - 3] + "..."


def one_line(text: str, longest: int = LONGEST_LINE) -> str:
    """A text as one printable line of at most `longest` characters, with single spaces between words."""
    return printable(" ".join(printable(text, 4 * longest).split()), longest)
