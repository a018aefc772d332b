"""The terminal driver of Textual, for terminals that close while we write to them."""

import codecs
import errno
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TextIO, cast

from textual.drivers import linux_driver
from textual.drivers.linux_driver import LinuxDriver

# Some terminals send a byte that is no UTF-8 for Alt and a key. It would end Textual's thread that reads.
linux_driver.getincrementaldecoder = lambda encoding: partial(  # type: ignore[attr-defined]
    codecs.getincrementaldecoder(encoding), errors="replace"
)


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
    """Textual's driver, changed so that a program can end when its terminal has been closed."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._raw: list[Any] = []
        self._file: Any = TerminalFile(cast(TextIO, self._file))  # not None: a full screen has a terminal

    def start_application_mode(self) -> None:
        """Begin, and remember the settings that the terminal then has."""
        super().start_application_mode()  # type: ignore[no-untyped-call]
        with suppress(termios.error):
            self._raw = termios.tcgetattr(self.fileno)

    def _sigcont_application(self, *arguments: Any) -> None:
        """Draw again after Ctrl-Z, and after a SIGSTOP from elsewhere.

        After such a SIGSTOP, and after the SIGCONT that a closed terminal sends, Textual would begin to read a second
        time, and wait forever.
        """
        if self._must_signal_resume:
            super()._sigcont_application(*arguments)
        elif self._raw:
            with suppress(termios.error):  # of a closed terminal; the shell has used an open one meanwhile
                termios.tcsetattr(self.fileno, termios.TCSANOW, self._raw)
            self._app.post_message(self.SignalResume())
