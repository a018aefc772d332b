"""What is written to a terminal that has been closed is lost, and nothing else is."""

import errno
from io import StringIO

import pytest

from simulator.fullscreen.driver import TerminalFile


class Failing(StringIO):
    """A file of which every use is this error."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def write(self, text: str) -> int:
        raise OSError(self.number, "of a test")

    def flush(self) -> None:
        raise OSError(self.number, "of a test")


def test_what_is_written_to_a_closed_terminal_is_lost() -> None:
    file = TerminalFile(Failing(errno.EIO))
    file.write("board")
    file.flush()


def test_another_error_is_told() -> None:
    file = TerminalFile(Failing(errno.ENOSPC))
    with pytest.raises(OSError, match="of a test"):
        file.write("board")
    with pytest.raises(OSError, match="of a test"):
        file.flush()


def test_what_a_terminal_takes_is_written() -> None:
    text = StringIO()
    TerminalFile(text).write("board")
    assert text.getvalue() == "board"
