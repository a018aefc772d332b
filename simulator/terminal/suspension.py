"""Ctrl-Z and `fg`: agents stand still with the program that plays, and the time counts for nobody."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from simulator.play.thinker import Task

SUSPEND_SECONDS = 0.5  # for an agent to be stopped before this program is


@contextmanager
def suspending(tasks: Callable[[], Sequence[Task[Any]]]) -> Iterator[None]:
    """Meanwhile, Ctrl-Z stops what agents were asked with this program, and `fg` lets all go on.

    `tasks` returns what agents think about now. In the main thread only.
    """

    def suspend(number: int, frame: Any) -> None:
        """Pause what runs, stop this process, and go on with both when it is continued."""
        running = [task for task in tasks() if not task.is_paused]
        for task in running:
            task.pause(SUSPEND_SECONDS)
        handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)  # this program stands here until `fg`
        signal.signal(signal.SIGTSTP, handler)
        for task in running:
            task.resume()

    before = signal.signal(signal.SIGTSTP, suspend)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, before)
