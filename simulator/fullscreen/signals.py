"""SIGTERM and SIGHUP end a full screen as `q` does: the terminal is put back as it was, and a game is kept."""

import asyncio
import errno
import os
import signal
import termios

from textual.app import App

ENDING = (signal.SIGTERM, signal.SIGHUP)
BY_SIGNAL = 128  # plus the signal's number: the exit status after a signal, as shells report it


def end_at_signals(app: App[None]) -> None:
    """Let these signals end an application that runs in the main thread; its return code says which one came."""
    loop = asyncio.get_running_loop()  # removes the handlers when it is closed
    for number in ENDING:
        loop.add_signal_handler(number, _end, app, number)


def _end(app: App[None], number: signal.Signals) -> None:
    _let_go_of_lost_terminal()
    app.exit(return_code=BY_SIGNAL + number)


def _let_go_of_lost_terminal() -> None:
    """If the terminal has been closed, as when a connection ends, read from and write to /dev/null."""
    for descriptor in (0, 1, 2):
        try:
            termios.tcgetattr(descriptor)
        except termios.error as error:
            if error.args[0] == errno.EIO:  # ENOTTY would mean that it never was a terminal
                nowhere = os.open(os.devnull, os.O_RDWR)
                os.dup2(nowhere, descriptor)
                os.close(nowhere)
