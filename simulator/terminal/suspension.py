"""Ctrl-Z and `fg`: agents stand still with the program that plays, and the time counts for nobody."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from simulator.play.thinker import Task

SUSPEND_SECONDS = 0.5  # for an agent to be stopped before this program is


@contextmanager
def suspending(task_of: Callable[[], Task[Any] | None]) -> Iterator[None]:
    """Meanwhile, Ctrl-Z stops what an agent was asked with this program, and `fg` lets both go on.

    `task_of` returns the task, None if nobody thinks. In the main thread only.
    """

    def suspend(number: int, frame: Any) -> None:
        task = task_of()
        pauses = task is not None and not task.is_paused
        if task is not None and pauses:
            task.pause(SUSPEND_SECONDS)
        handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)  # this program stands here until `fg`
        signal.signal(signal.SIGTSTP, handler)
        if task is not None and pauses:
            task.resume()

    before = signal.signal(signal.SIGTSTP, suspend)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, before)
