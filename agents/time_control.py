"""How an agent that searches in chunks keeps to its time: how long to think, and how much to do between two looks."""

import time
from collections.abc import Callable, Iterator

from agents.agent import Clock, Limits

# From the end of the search to the referee's stopwatch: choosing the move, its text, two pipes and a wake-up. With all
# processors busy, `benchmarks/margin.py --games 4 --busy` found 8.5 ms at the worst of 87 moves.
REPLY_SECONDS = 0.03

CHUNK_SECONDS = 0.004  # the clock is read about this often
SMALLEST_CHUNK = 16


class Pacer:
    """Divides a search into chunks, by the speed of the last one.

    Attributes:
        worst_overrun: seconds by which a search ended after its time, at the worst so far.
    """

    def __init__(self) -> None:
        self.worst_overrun = 0.0
        self._speed = 0.0  # units of work per second

    def thinking_seconds(self, clock: Clock, limits: Limits) -> float:
        """The clock's time, but no more than a later move has, less what the answer takes and twice the overrun."""
        budget = min(clock.remaining, limits.move_seconds)
        return max(0.0, budget - REPLY_SECONDS - min(2 * self.worst_overrun, budget / 2))

    def chunks(self, seconds: float, work_done: Callable[[], int]) -> Iterator[int]:
        """Units of work to do until the clock is read again, as long as there is time.

        `work_done` says how many were done in all, since a search may do less or more of them than it was told.
        """
        end = time.monotonic() + seconds
        while (start := time.monotonic()) < end:
            before = work_done()
            yield max(SMALLEST_CHUNK, int(self._speed * min(end - start, CHUNK_SECONDS)))
            self._speed = (work_done() - before) / max(1e-6, time.monotonic() - start)
        self.worst_overrun = max(self.worst_overrun, time.monotonic() - end)
