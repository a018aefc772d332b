"""How an agent that searches in chunks keeps to its time: until when to search, and how large a chunk is.

The search ends before the limit, by a margin that follows what the process itself has measured: the longest time
between two looks at the clock. On a core of its own that is the time of a chunk; on a shared core, the turns of other
processes come on top.
"""

import time
from collections.abc import Callable, Iterator

from agents.limits import Clock, Limits

# The time from the referee's question to `step`, and from its return to the referee's stopwatch: the text of a move,
# two sockets, two wake-ups. `benchmarks/margin.py` measures a median of 1 ms on a core of its own, and up to 0.26 s on
# an overloaded core, for which the rest of the margin has room.
REPLY_SECONDS = 0.03

CHUNK_SECONDS = 0.004  # the clock is read about this often
SMALLEST_CHUNK = 16

# Beside the reply, the margin has room for so many of the longest intervals: the question may be seen one interval
# late, the last chunk may end one interval late, and choosing the move and sending it may take another each.
INTERVALS = 4

# After each later move without an interval as long, an interval counts for this share of what it counted before. A
# search has hundreds of chunks, so on a core that is always shared, each move measures it anew; only rare stalls fade.
DECAY = 0.7

# The most that a measured interval may add to the margin, as a share of a move's time. A single long interval, with no
# other in its move or the one before, is a stall of the machine: however long, it costs the next move a quarter of its
# time, all moves together less than the time of one, and after ten moves it is forgotten (below 1 % of a move's time).
# Two long intervals mean that the core is shared.
STALL_SHARE, SHARED_SHARE = 0.25, 0.5


class Pacer:
    """Ends searches in time, and divides them into chunks by the speed of the last one.

    Attributes:
        longest_interval: the seconds between two looks at the clock that the margin allows for: the longest of the last
            move, or a longer one of an earlier move, which fades.
        speed: units of work a second in the last chunk, 0 before the first.
    """

    def __init__(self) -> None:
        self.longest_interval = 0.0
        self.speed = 0.0
        self._longest, self._second = 0.0, 0.0  # intervals since the last answer
        self._longest_before = 0.0  # the longest interval of the move that was answered last
        self._budget = 0.0  # seconds of the present move
        self._last_look: float | None = None  # by `time.monotonic`; None when no search is to be timed
        self._skipped = 0.0  # seconds since then that are not measured
        self._clock: Clock | None = None  # of the present move

    def deadline(self, clock: Clock, limits: Limits, first_factor: float = 1.0) -> float:
        """When the search of a move that begins now has to end, by `time.monotonic`.

        A first move has more time on its clock than a later one. It gets `first_factor` times the time of a later move,
        or half of what its clock has left after set-up, whichever is less.
        """
        self._clock = clock
        longest = max(limits.move_seconds, min(first_factor * limits.move_seconds, clock.remaining / 2))
        self._budget = max(0.0, min(clock.remaining, longest))
        self._last_look, self._skipped = time.monotonic(), 0.0
        margin = REPLY_SECONDS + INTERVALS * self._at_most(SHARED_SHARE, self.longest_interval)
        return self._last_look + max(0.0, self._budget - margin)

    def chunks(self, deadline: float, work_done: Callable[[], int], smallest: int = SMALLEST_CHUNK) -> Iterator[int]:
        """Units of work to do until the clock is read again, `smallest` or more, until time is up or the clock hurried.

        `work_done` says how many units were done in all, since a search may do fewer or more than it was told.
        """
        self._last_look, self._skipped = time.monotonic(), 0.0
        while self._last_look < deadline and not (self._clock is not None and self._clock.is_hurried):
            before = work_done()
            yield max(smallest, int(self.speed * min(deadline - self._last_look, CHUNK_SECONDS)))
            work = work_done() - before
            self.speed = work / max(1e-6, self._look())

    def skip(self, seconds: float) -> None:
        """Leave so many of the seconds since the last look at the clock unmeasured: they did not belong to a chunk."""
        self._skipped += seconds

    def answered(self) -> None:
        """Say that the move is chosen, which ends the last interval; does nothing if there was no deadline."""
        if self._last_look is None:
            return
        self._look()
        twice = max(self._second, min(self._longest, self._longest_before))
        measured = max(self._at_most(STALL_SHARE, self._longest), self._at_most(SHARED_SHARE, twice))
        self.longest_interval = max(DECAY * self.longest_interval, measured)
        self._longest_before, self._longest, self._second, self._last_look = self._longest, 0.0, 0.0, None
        self._clock = None

    def _at_most(self, share: float, interval: float) -> float:
        """An interval, cut so that the INTERVALS in the margin take at most that share of the move's time."""
        return min(interval, share * self._budget / INTERVALS)

    def _look(self) -> float:
        """Read the clock, and measure the interval since the last look; returns its seconds."""
        assert self._last_look is not None
        now = time.monotonic()
        interval = now - self._last_look - self._skipped
        self._last_look, self._skipped = now, 0.0
        _, self._second, self._longest = sorted((self._second, self._longest, interval))
        return interval
