"""Terminals that were closed, stopped, or send what is no text."""

import errno
import os
import pty
import termios
import threading
import tty
from contextlib import nullcontext
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest

from simulator.fullscreen.driver import TerminalDriver, TerminalFile


class Failing(StringIO):
    """A file of which every use is this error."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def write(self, text: str) -> int:
        raise OSError(self.number, "of a test")

    def flush(self) -> None:
        raise OSError(self.number, "of a test")


@pytest.mark.parametrize(("number", "is_lost"), [(errno.EIO, True), (errno.ENOSPC, False)])
def test_what_is_written_to_a_closed_terminal_is_lost_and_another_error_is_told(number: int, is_lost: bool) -> None:
    file = TerminalFile(Failing(number))
    for use in (lambda: file.write("board"), file.flush):
        with nullcontext() if is_lost else pytest.raises(OSError, match="of a test"):
            use()


def test_what_a_terminal_takes_is_written() -> None:
    text = StringIO()
    TerminalFile(text).write("board")
    assert text.getvalue() == "board"


def test_a_program_that_was_stopped_from_elsewhere_draws_again() -> None:
    posted: list[Any] = []
    _, terminal = pty.openpty()
    tty.setraw(terminal)
    driver = TerminalDriver.__new__(TerminalDriver)
    driver._must_signal_resume, driver._raw, driver.fileno = False, termios.tcgetattr(terminal), terminal
    driver._app = SimpleNamespace(post_message=posted.append)  # type: ignore[assignment]
    tty.setcbreak(terminal)  # as a shell might
    driver._sigcont_application()
    assert termios.tcgetattr(terminal) == driver._raw
    assert [type(message) for message in posted] == [TerminalDriver.SignalResume]


def test_a_byte_that_is_no_text_ends_no_reading() -> None:
    keys: list[str] = []
    here, there = os.pipe()
    driver = TerminalDriver.__new__(TerminalDriver)
    driver.fileno, driver._debug, driver.exit_event = here, False, threading.Event()

    def take(message: Any) -> None:
        keys.append(message.key)
        driver.exit_event.set()

    driver.process_message = take  # type: ignore[method-assign]
    os.write(there, b"\xff\xe9q")
    driver.run_input_thread()  # type: ignore[no-untyped-call]
    assert keys[-1] == "q"
