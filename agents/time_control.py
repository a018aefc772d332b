"""How an agent that searches in chunks keeps to its time: until when to search, and how large a chunk is.

The search ends before the limit by a margin that follows what the process itself has measured: the longest time
between two looks at the clock. On a core of its own that is a chunk; on a core that others use too, a chunk and their
turns.
"""

import time
from collections.abc import Callable, Iterator

from agents.limits import Clock, Limits

# From the referee's question to `step`, and from its return to the referee's stopwatch: the text of a move, two pipes,
# two wake-ups. `benchmarks/margin.py` measures a median of 1 ms on a core of its own, and up to 0.26 s on an overloaded
# core, for which the margin has room besides.
REPLY_SECONDS = 0.03

CHUNK_SECONDS = 0.004  # the clock is read about this often
SMALLEST_CHUNK = 16

# The margin has room for so many of the longest intervals, beside the reply: the question may be seen that late, the
# last chunk may begin in time and end that late, and choosing the move may take as long again.
INTERVALS = 3

# An interval counts for so much of itself after each later move that had none as long. A search has hundreds of
# chunks, so on a core that is shared throughout, each move measures it anew; only what is rare fades.
DECAY = 0.7

# Of a move's time, the most that the margin follows what was measured. One interval that has no equal in its move and
# the one before is a stall of the machine: however long, it costs the next move a quarter of its time, all moves
# together less than the time of one, and is forgotten (below 1 % of a move's time) after ten. Two are a core that is
# shared.
STALL_SHARE, SHARED_SHARE = 0.25, 0.5


class Pacer:
    """Ends searches in time, and divides them into chunks by the speed of the last one.

    Attributes:
        longest_interval: seconds between two looks at the clock to reckon with: the longest of the last move, or a
            longer one before it, which fades.
        speed: units of work a second in the last chunk, 0 before the first.
    """

    def __init__(self) -> None:
        self.longest_interval = 0.0
        self.speed = 0.0
        self._longest, self._second = 0.0, 0.0  # intervals since the last answer
        self._longest_before = 0.0  # of the move that was answered last
        self._budget = 0.0  # seconds of the present move
        self._last_look: float | None = None  # by `time.monotonic`; None when no search is to be timed
        self._skipped = 0.0  # seconds since then that are not measured
        self._clock: Clock | None = None  # of the present move

    def deadline(self, clock: Clock, limits: Limits, first_factor: float = 1.0) -> float:
        """When the search of a move that begins now has to end, by `time.monotonic`.

        A first move, whose clock has more than a later one's, gets so many times as much as that, or half of what its
        clock has left after set-up, whichever is less.
        """
        self._clock = clock
        longest = max(limits.move_seconds, min(first_factor * limits.move_seconds, clock.remaining / 2))
        self._budget = max(0.0, min(clock.remaining, longest))
        self._last_look, self._skipped = time.monotonic(), 0.0
        margin = REPLY_SECONDS + INTERVALS * self._at_most(SHARED_SHARE, self.longest_interval)
        return self._last_look + max(0.0, self._budget - margin)

    def chunks(self, deadline: float, work_done: Callable[[], int], smallest: int = SMALLEST_CHUNK) -> Iterator[int]:
        """Units of work to do until the clock is read again, `smallest` or more, as long as there is time.

        A clock that is hurried ends them.

        `work_done` says how many were done in all, since a search may do less or more of them than it was told.
        """
        self._last_look, self._skipped = time.monotonic(), 0.0
        while self._last_look < deadline and not (self._clock is not None and self._clock.is_hurried):
            before = work_done()
            yield max(smallest, int(self.speed * min(deadline - self._last_look, CHUNK_SECONDS)))
            work = work_done() - before
            self.speed = work / max(1e-6, self._look())

    def skip(self, seconds: float) -> None:
        """Do not measure so many of the seconds since the last look at the clock: they were no part of a chunk."""
        self._skipped += seconds

    def answered(self) -> None:
        """The move is chosen, and the last interval over. Without a deadline, there was nothing to measure."""
        if self._last_look is None:
            return
        self._look()
        twice = max(self._second, min(self._longest, self._longest_before))
        measured = max(self._at_most(STALL_SHARE, self._longest), self._at_most(SHARED_SHARE, twice))
        self.longest_interval = max(DECAY * self.longest_interval, measured)
        self._longest_before, self._longest, self._second, self._last_look = self._longest, 0.0, 0.0, None
        self._clock = None

    def _at_most(self, share: float, interval: float) -> float:
        """An interval, or as much of it as makes the margin that share of the move's time."""
        return min(interval, share * self._budget / INTERVALS)

    def _look(self) -> float:
        """Read the clock, and measure the interval since it was read before; returns its seconds."""
        assert self._last_look is not None
        now = time.monotonic()
        interval = now - self._last_look - self._skipped
        self._last_look, self._skipped = now, 0.0
        _, self._second, self._longest = sorted((self._second, self._longest, interval))
        return interval
