"""Interrupts functions of a game's file that do not end; if such a function is compiled, the process is killed.

Python calls the handler of a signal only after compiled code has returned. So a small process of our own watches: it
is told of each signal at once (`signal.set_wakeup_fd`), and kills this process if the handler is not called in time.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from traceback import walk_stack
from types import FrameType

from game import game_class, game_names, game_title

HANGS_SECONDS = 10.0  # after which a function is taken for one that does not end
CTRL_C_SECONDS = 2.0  # within which the handler of Ctrl-C has to be called
_WATCH = """
import os, select, signal, sys, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
process, alarm_seconds, ctrl_c_seconds, message = sys.argv[1:]
patience = {signal.SIGALRM: float(alarm_seconds), signal.SIGINT: float(ctrl_c_seconds)}
end = float("inf")  # of patience
while select.select([0], [], [], None if end == float("inf") else max(0, end - time.monotonic()))[0]:
    byte = os.read(0, 1)  # the number of a signal, or 0 if the alarm's handler was called
    if not byte:
        sys.exit()
    end = float("inf") if byte[0] == 0 else min(end, time.monotonic() + patience.get(byte[0], float("inf")))
print(message, file=sys.stderr, flush=True)
os.kill(int(process), signal.SIGKILL)
"""


class Alarm:
    """Raises TimeoutError when `seconds` seconds have passed since `set`, unless numba is compiling.

    Only in the main thread, and not on Windows, which has no alarms.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._works = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
        self._pipe: int | None = None

    def set(self, seconds: float | None = None) -> None:
        """Let the seconds begin now; 0 switches the alarm off."""
        if self._works:
            signal.setitimer(signal.ITIMER_REAL, self.seconds if seconds is None else seconds)

    @contextmanager
    def works(self, message: str = "") -> Iterator[None]:
        """Inside the `with`, the alarm can be set.

        With a message, compiled code is watched as well: if it goes on for as many seconds again, or for two after
        Ctrl-C, the message is printed and this process is killed.
        """
        if not self._works:
            yield
            return
        before = signal.signal(signal.SIGALRM, self._wake)
        try:
            with self._watched(message) if message else nullcontext():
                yield
        finally:
            self.set(0)
            signal.signal(signal.SIGALRM, before)

    @contextmanager
    def _watched(self, message: str) -> Iterator[None]:
        words = (str(os.getpid()), str(self.seconds), str(CTRL_C_SECONDS), message)
        with subprocess.Popen([sys.executable, "-ISc", _WATCH, *words], stdin=subprocess.PIPE) as watch:
            assert watch.stdin is not None
            self._pipe = watch.stdin.fileno()
            os.set_blocking(self._pipe, False)
            before = signal.set_wakeup_fd(self._pipe)
            try:
                yield
            finally:
                signal.set_wakeup_fd(before)
                self._pipe = None

    def _wake(self, number: int, frame: FrameType | None) -> None:
        if self._pipe is not None:
            os.write(self._pipe, b"\0")
        if any(under.f_globals.get("__name__", "").startswith("numba.core") for under, _ in walk_stack(frame)):
            self.set()
            return
        raise TimeoutError(f"no end after {self.seconds:g} s")


@contextmanager
def guarded(name: str) -> Iterator[None]:
    """Interrupt functions in the `with` that do not end, of the game of that name, unless it is one of this project.

    Raises UnknownGame, InputError before the `with` begins.
    """
    if name in game_names():
        yield
        return
    game_class(name)  # refuses names that could not be an argument of the process that watches
    alarm = Alarm(HANGS_SECONDS)
    with alarm.works(f"Error: {game_title(name)}: a compiled function that is asked at the start does not end"):
        alarm.set()
        yield
