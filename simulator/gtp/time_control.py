"""How long a move may take: an agent's limits, a controller's time settings, and the time used so far."""

import math
import time
from dataclasses import dataclass, field, replace

from agents.limits import Limits

LEAST_MOVES_AHEAD = 8  # expected even late in a game: nobody knows when it ends
LEAST_AHEAD_SHARE = 0.25  # of the moves expected at the start are always expected, if that is more
LEAST_SECONDS = 0.1  # for a move, while a third of the main time is more: with less, the reserve leaves no search
RESERVE_SECONDS = 0.1  # not used of a controller's time for a move: for the answer's way, and rounded seconds
RESERVE_SHARE = 0.1  # this share of the time for a move is the reserve, if that is less


def moves_expected(at_start: int, played: int) -> int:
    """How many own moves are still expected after `played` moves, if `at_start` were expected at the start.

    >>> moves_expected(20, 5), moves_expected(20, 30)
    (15, 8)
    """
    return max(at_start - played, LEAST_MOVES_AHEAD, round(at_start * LEAST_AHEAD_SHARE))


@dataclass
class TimeControl:
    """A controller's time settings, in seconds, and what each player has left.

    Attributes:
        main: main time; infinity if none was set.
        period: a period of overtime ("byo-yomi" in GTP).
        stones: the moves in a period (Canadian), or with `is_japanese` the number of periods, each for one move.
        increment: added to the main time after each move (Fischer).
        left: by player, the time left, and the stones (or periods) left in overtime, 0 in main time; a player is
            missing before the first move, unless the controller has said what is left.
    """

    main: float = 0.0
    period: float = 0.0
    stones: int = 0
    is_japanese: bool = False
    increment: float = 0.0
    left: dict[int, tuple[float, int]] = field(default_factory=dict)

    @property
    def is_unlimited(self) -> bool:
        """Whether there is no limit: in GTP, that is a period without stones, or settings without any time."""
        return (self.stones == 0 and self.period > 0) or self.main == self.period == self.increment == 0

    def seconds(self, player: int, moves_ahead: int) -> float | None:
        """The seconds for one of the `moves_ahead` moves still expected, at most what is left; None without limit."""
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
        """Take a move's time off the main time; what the controller says later replaces the result."""
        left, stones = self.left.get(player, (self.main, 0))
        if stones == 0:
            self.left[player] = max(0.0, left - seconds) + self.increment, 0


class MoveTimer:
    """Says how much time the next move may take, and measures what is used.

    The first move may take `limits.first_move_seconds`, less what the engine has spent since `started` (a time of
    `time.monotonic`): set-up counts, waiting for requests does not. Later moves may take `limits.move_seconds`. A
    controller's time settings replace both; but if the limits have a game clock, all of them hold.

    Attributes:
        limits: what the agent may use if the controller sets no time.
        control: the controller's time settings; before any, the limits' game clock, or infinite main time.
        has_moved: whether the first move has been asked for.
    """

    def __init__(self, limits: Limits, started: float | None = None) -> None:
        self.limits = limits
        self.control = TimeControl(limits.clock_seconds or math.inf, increment=limits.increment_seconds)
        self.has_moved = False
        self._request_started = time.monotonic()
        self._spent = 0.0 if started is None else self._request_started - started

    def start_agent(self) -> None:
        """Begin again for a new agent, whose next move is its first."""
        self.has_moved, self._spent = False, 0.0

    def start_request(self) -> None:
        """Begin to measure a request; within a request, what it has taken so far then does not count."""
        self._request_started = time.monotonic()

    def end_request(self) -> None:
        """Count the time of a request as spent before the first move."""
        self._spent += self.request_seconds

    @property
    def request_seconds(self) -> float:
        """The time that the present request has taken so far."""
        return time.monotonic() - self._request_started

    def for_move(self, player: int, moves_ahead: int) -> tuple[Limits, float]:
        """The limits for the agent's next move, and the seconds on its clock.

        With a controller's main time they have a game clock, so that an agent may save time for later moves.
        """
        limits = self.limits
        own = limits.move_seconds if self.has_moved else limits.first_move_seconds - self._spent
        seconds = self.control.seconds(player, moves_ahead)
        if seconds is None:
            return limits, own
        seconds -= min(RESERVE_SECONDS, RESERVE_SHARE * seconds)
        if limits.clock_seconds:
            seconds = min(seconds, own)
        left, stones = self.control.left.get(player, (self.control.main, 0))
        # A period for one move begins anew at the next move, whatever is left of it.
        can_be_saved = 0.0 if stones == 1 or (stones and self.control.is_japanese) else left
        return replace(limits, move_seconds=seconds, clock_seconds=limits.clock_seconds or can_be_saved), seconds
