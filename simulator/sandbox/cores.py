"""Which processors an agent's processes run on."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from agents.agent import Limits

HAS_AFFINITY = hasattr(os, "sched_setaffinity")


def choose_cores(limits: Limits) -> tuple[int, ...]:
    """The cores for the seats of one game: the last ones of those that this thread may use."""
    if not HAS_AFFINITY:
        return ()
    return tuple(sorted(os.sched_getaffinity(0))[-max(1, limits.processors) :])


@contextmanager
def pinned(cores: tuple[int, ...]) -> Iterator[None]:
    """What this thread starts meanwhile is born on these cores; the thread itself returns to its own afterwards."""
    if not cores:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
