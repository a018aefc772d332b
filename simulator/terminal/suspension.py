"""Ctrl-Z and `fg`: agents stand still with the program that plays, and the time counts for nobody."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from simulator.play.thinker import Request

SUSPEND_SECONDS = 0.5  # in which an agent should stop, before this program stops


@contextmanager
def suspending(requests: Callable[[], Sequence[Request[Any]]]) -> Iterator[None]:
    """While this lasts, Ctrl-Z also stops the agents that think, and `fg` lets all go on.

    `requests` returns the requests about which agents think now. To be called in the main thread only.
    """

    def suspend(number: int, frame: Any) -> None:
        """Pause what runs, stop this process, and go on with both when it is continued."""
        running = [request for request in requests() if not request.is_paused]
        for request in running:
            request.pause(SUSPEND_SECONDS)
        handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)  # this program stands here until `fg`
        signal.signal(signal.SIGTSTP, handler)
        for request in running:
            request.resume()

    before = signal.signal(signal.SIGTSTP, suspend)
    try:
        yield
    finally:
        signal.signal(signal.SIGTSTP, before)
