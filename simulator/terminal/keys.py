"""Keys that are pressed on a terminal while the program is busy with something else."""

import os
import re
import select
import sys
import termios
from contextlib import suppress
from typing import Any

_KEY = re.compile(r"\x1b[\[O][A-Z]|.", re.DOTALL)  # an arrow key sends several characters
LONGEST_INPUT = 1024  # bytes that are read at once
_GONE = (OSError, ValueError, termios.error)  # of a terminal that is closed, has hung up or belongs to another session


class Keys:
    """Reads keys without waiting for them or for Enter, and without showing them; Ctrl-C and Ctrl-Z work as always.

    Where stdin is no terminal, or belongs to another program because this one runs in the background, nothing is read
    and nothing changed; nor if the terminal goes meanwhile, so that what is busy never fails by its keys.
    """

    def __init__(self) -> None:
        self._before: list[Any] | None = None  # the terminal's settings, while it has ours

    def start(self) -> None:
        """Begin; harmless if it has begun."""
        if _is_ours():
            with suppress(*_GONE):
                self._set_ours()

    def _set_ours(self) -> None:
        """Take over the terminal; again, if a shell has set it back meanwhile, as after Ctrl-Z."""
        settings = termios.tcgetattr(sys.stdin)
        if settings[3] & termios.ICANON:
            self._before = list(settings)
            settings[3] &= ~(termios.ICANON | termios.ECHO)
            termios.tcsetattr(sys.stdin, termios.TCSANOW, settings)

    @property
    def are_read(self) -> bool:
        """Whether somebody can press keys."""
        return self._before is not None

    def pressed(self) -> list[str]:
        """The keys that were pressed since the last call; arrow keys as the terminal sends them."""
        if self._before is None or not _is_ours():
            return []
        text = b""
        with suppress(*_GONE):
            self._set_ours()
            while select.select([sys.stdin], [], [], 0)[0]:
                text += (more := os.read(sys.stdin.fileno(), LONGEST_INPUT))
                if not more:  # the terminal is gone
                    break
        return _KEY.findall(text.decode(errors="replace"))

    def stop(self) -> None:
        """Give the terminal back as it was, without what was typed last; harmless if it has not begun."""
        if self._before is not None and _is_ours():
            with suppress(*_GONE):
                termios.tcsetattr(sys.stdin, termios.TCSAFLUSH, self._before)
        self._before = None


class NoKeys(Keys):
    """Leaves the terminal alone."""

    def start(self) -> None:
        """Nothing begins."""


def _is_ours() -> bool:
    """Whether stdin is a terminal, and this program in its foreground: one in the background would be stopped."""
    try:
        # Python has no stdin if it was started with a closed one.
        return sys.stdin is not None and sys.stdin.isatty() and os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except _GONE:
        return False
