"""The terminal as Textual drives it, which may be closed while something is written to it."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from textual.drivers.linux_driver import LinuxDriver


class TerminalFile:
    """The file of a terminal; what is written after the terminal has been closed is lost.

    An error would end Textual's thread that writes, and the others would wait for it forever.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> None:
        """Write, if there is still a terminal."""
        with _unless_closed():
            self._file.write(text)

    def flush(self) -> None:
        """Flush, if there is still a terminal."""
        with _unless_closed():
            self._file.flush()

    def fileno(self) -> int:
        """The file's descriptor."""
        return self._file.fileno()


@contextmanager
def _unless_closed() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno != errno.EIO:
            raise


class TerminalDriver(LinuxDriver):
    """Textual's driver, with which a program comes to its end when its terminal has been closed."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._file: Any = TerminalFile(cast(TextIO, self._file))  # there is one: a full screen wants a terminal

    def _sigcont_application(self, *arguments: Any) -> None:
        """Draw again after Ctrl-Z.

        A closed terminal sends SIGCONT too. Textual would begin to read a second time, and wait for that forever.
        """
        if self._must_signal_resume:
            super()._sigcont_application(*arguments)
