"""Where a person reads and types: a terminal, a dumb terminal, or a pipe."""

import os
import select
import shutil
import sys
import termios
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module

from simulator.terminal.elapsed import ERASE

WIDTH = 78  # of paragraphs, at most
WAIT_SECONDS = 0.05  # between two looks at what is waited for, and at the keyboard
LINE_BYTES = 4096  # the most that a terminal gives at once


def colour_wanted() -> bool:
    """Whether stdout is a terminal that shows colours, and `NO_COLOR` is not set."""
    return is_smart_terminal() and not os.environ.get("NO_COLOR")


def is_smart_terminal() -> bool:
    """Whether stdout is a terminal on which lines can be erased."""
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


class Screen:
    """Prints lines and reads what a person types.

    Attributes:
        colour: whether to draw with colours.
        can_erase: whether a line, such as a count of seconds, can be erased.
        is_interactive: a person types on a terminal; otherwise the input is a pipe or a file.
    """

    def __init__(self) -> None:
        self.can_erase = is_smart_terminal()
        self.is_interactive = sys.stdin.isatty()
        self.colour = colour_wanted()
        if self.is_interactive and self.can_erase:
            with suppress(ImportError):  # not every Python has it; typing works without
                import_module("readline")  # gives `input` a history and editing keys

    def say(self, text: str = "") -> None:
        """Print lines."""
        print(text, flush=True)

    def say_wrapped(self, text: str, indent: str = "") -> None:
        """Print a paragraph that fits the terminal, or 80 columns if it has more."""
        width = min(WIDTH, shutil.get_terminal_size().columns)
        self.say(textwrap.fill(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False))

    def ask(self, prompt: str) -> str | None:
        """A line that the person typed, or None when the input has ended. Over a pipe, the line is printed too."""
        try:
            line = input(prompt)
        except EOFError:
            self.say()
            return None
        if not self.is_interactive:
            self.say(line)
        return line.strip()

    def confirms(self, question: str) -> bool:
        """Whether the person says yes; the end of the input is a no."""
        return (self.ask(f"{question} (y/n) ") or "").lower() in ("y", "yes")

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """Show what is being waited for, if the line can be erased afterwards.

        What a person types on a terminal meanwhile is ignored, because it was not meant for what is shown next. Input
        over a pipe is kept.
        """
        if self.can_erase:
            print(text, end="", flush=True)
        try:
            yield
        finally:
            if self.can_erase:
                print(ERASE, end="", flush=True)
            self._ignore_what_was_typed()

    def wait(self, text: str, wait: Callable[[float], bool], on_line: Callable[[str], bool]) -> None:
        """Show `text` and wait until `wait`, which waits at most for the seconds that it is given, returns True.

        A line that is typed on a terminal meanwhile goes to `on_line`; if that returns True, the waiting ends too.
        """
        with self.waiting(text):
            while not wait(WAIT_SECONDS):
                line = self._typed_line()
                if line and on_line(line):
                    return

    def _typed_line(self) -> str:
        """A line that was typed on a terminal, if there is one; empty if not."""
        if not self.is_interactive or not select.select([sys.stdin], [], [], 0)[0]:
            return ""
        return os.read(sys.stdin.fileno(), LINE_BYTES).decode("utf-8", "replace").strip()

    def _ignore_what_was_typed(self) -> None:
        if not self.is_interactive:
            return
        has_lines = bool(select.select([sys.stdin], [], [], 0)[0])
        termios.tcflush(sys.stdin, termios.TCIFLUSH)
        if has_lines:
            self.say("(what you typed while waiting is ignored)")
