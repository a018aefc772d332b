"""How long a move may take: an agent's limits, a controller's time settings, and what has been used of both."""

import math
import time
from dataclasses import dataclass, field, replace

from agents.limits import Limits

LEAST_MOVES_AHEAD = 8  # late in a game: nobody knows when it ends
LEAST_AHEAD_SHARE = 0.25  # of the moves expected at the start, if that is more
LEAST_SECONDS = 0.1  # of main time for a move while a third of it is more: below that, the reserves leave no search
RESERVE_SECONDS = 0.1  # of a controller's time for a move: what the answer takes on its way, and rounded seconds
RESERVE_SHARE = 0.1  # of the time for a move, if that is less


def moves_expected(at_start: int, played: int) -> int:
    """Own moves still to be expected after so many, if at the start it was `at_start`.

    >>> moves_expected(20, 5), moves_expected(20, 30)
    (15, 8)
    """
    return max(at_start - played, LEAST_MOVES_AHEAD, round(at_start * LEAST_AHEAD_SHARE))


@dataclass
class TimeControl:
    """A controller's time settings, in seconds, and what each player has left.

    Attributes:
        main: main time; infinity where nothing was said of it.
        period: a period of overtime ("byo-yomi" in GTP).
        stones: moves in a period (Canadian), or with `is_japanese` the number of periods, each for one move.
        increment: added to the main time after each move (Fischer).
        left: for each player that the controller has told of, the time left and the stones (or periods) left in
            overtime, 0 in main time.
    """

    main: float = 0.0
    period: float = 0.0
    stones: int = 0
    is_japanese: bool = False
    increment: float = 0.0
    left: dict[int, tuple[float, int]] = field(default_factory=dict)

    @property
    def is_unlimited(self) -> bool:
        """GTP: a period without stones means no limit; so do settings without any time."""
        return (self.stones == 0 and self.period > 0) or self.main == self.period == self.increment == 0

    def seconds(self, player: int, moves_ahead: int) -> float | None:
        """The time for one move if so many are to be expected, None without a limit. No more than is left."""
        seconds, stones = self.left.get(player, (self.main, 0))
        if self.is_unlimited or math.isinf(seconds):
            return None
        if stones > 0:
            return seconds if self.is_japanese else seconds / stones
        share = max(seconds / max(1, moves_ahead), min(LEAST_SECONDS, seconds / 3))
        return min(share + self.increment, seconds) + self._overtime

    @property
    def _overtime(self) -> float:
        if self.stones == 0:
            return 0.0
        return self.period if self.is_japanese else self.period / self.stones

    def spend(self, player: int, seconds: float) -> None:
        """Take a move's time off the main time, until the controller says what is left."""
        left, stones = self.left.get(player, (self.main, 0))
        if stones == 0:
            self.left[player] = max(0.0, left - seconds) + self.increment, 0


class MoveTimer:
    """Says how much time the next move may take, and measures what is used.

    The first move may take `limits.first_move_seconds`, less what the engine has spent since `started` (a time of
    `time.monotonic`): set-up counts, waiting for requests does not. Later moves may take `limits.move_seconds`. A
    controller's time settings replace both; only with a game clock among the limits do all hold together.

    Attributes:
        limits: what the agent may use if the controller says nothing else.
        control: the controller's time settings, with infinite main time before any.
        has_moved: whether the first move has been asked for.
    """

    def __init__(self, limits: Limits, started: float | None = None) -> None:
        self.limits = limits
        self.control = TimeControl(limits.clock_seconds or math.inf, increment=limits.increment_seconds)
        self.has_moved = False
        self._request_started = time.monotonic()
        self._spent = 0.0 if started is None else self._request_started - started

    def start_agent(self) -> None:
        """The next move is the first of a new agent."""
        self.has_moved, self._spent = False, 0.0

    def start_request(self) -> None:
        """A request has come, or what the present one has taken so far shall not count."""
        self._request_started = time.monotonic()

    def end_request(self) -> None:
        """Count the time of a request as spent before the first move."""
        self._spent += self.request_seconds

    @property
    def request_seconds(self) -> float:
        """What the present request has taken so far."""
        return time.monotonic() - self._request_started

    def for_move(self, player: int, moves_ahead: int) -> tuple[Limits, float]:
        """What the agent may use for its next move, and the seconds on its clock."""
        limits = self.limits
        own = limits.move_seconds if self.has_moved else limits.first_move_seconds - self._spent
        seconds = self.control.seconds(player, moves_ahead)
        if seconds is None:
            return limits, own
        seconds -= min(RESERVE_SECONDS, RESERVE_SHARE * seconds)
        if limits.clock_seconds:
            seconds = min(seconds, own)
        return replace(limits, move_seconds=seconds), seconds
