"""The end of a search in plain Python: it can look at the clock between any two moves that it tries."""

import time
from collections.abc import Callable, Iterable

from agents.limits import Clock, Limits
from agents.time_control import Pacer

HOST_MOVES = 2  # the agent's process plays these on its clock, too: the opponent's before the search, its own after it


class OutOfTime(Exception):
    """The search is over: the step that it is in the middle of is given up, and what it has found so far counts."""


class Ticker:
    """Called by a search whenever it is going to try a move.

    `chunks` says how many moves may be tried before the clock is read again, as `Pacer.chunks` does; `on_look` is
    called each time that the clock is read.

    Attributes:
        work: moves tried so far.
    """

    def __init__(self, chunks: Iterable[int], on_look: Callable[[], None] = lambda: None) -> None:
        self._chunks, self._on_look = iter(chunks), on_look
        self.work = self._until = 0

    def __call__(self) -> None:
        """Count a move. Raises OutOfTime if no more moves may be tried."""
        if self.work >= self._until:
            self._on_look()
            chunk = next(self._chunks, None)
            if chunk is None:
                raise OutOfTime
            self._until = self.work + chunk
        self.work += 1


def deadline_with_rules(pacer: Pacer, clock: Clock, limits: Limits) -> float:
    """When a search that begins now has to end, by `time.monotonic`.

    It is that of `Pacer.deadline`, less the time for the HOST_MOVES moves that are played outside the search.
    """
    deadline = pacer.deadline(clock, limits)
    seconds = HOST_MOVES / pacer.speed if pacer.speed else 0.0
    return deadline - min(seconds, (deadline - time.monotonic()) / 2)
