"""The time of one player in one game, and whether an answer was in time."""

from agents.limits import Limits
from simulator.player import faults
from simulator.player.move_time import Answer, MoveTime

# If the referee was held up for at most this long, an answer that may have been in time counts; else the game is void.
TOLERATED_SECONDS = 0.1


class HeldUp(Exception):
    """The referee was held up for so long that nobody can say whether an answer was in time."""


class PlayerClock:
    """One player's time: for the first move, for each later one, and on a game clock if there is one.

    The first move does not count on the game clock, because its time includes the start of a process.

    Attributes:
        left: seconds on the game clock, None without one.
    """

    def __init__(self, limits: Limits) -> None:
        self.left: float | None = limits.clock_seconds or None
        self._limits = limits
        self._has_moved = False

    def for_move(self) -> MoveTime:
        """The time for the next move."""
        limits = self._limits
        if self._has_moved:
            return MoveTime(limits.move_seconds, limits.cushion_seconds, self.left)
        return MoveTime(limits.first_move_seconds, limits.cushion_seconds)

    def is_late(self, answer: Answer, allowed: MoveTime, *, is_strict: bool) -> bool:
        """Whether an answer came too late to be played.

        Raises Fault if the game is lost by that, HeldUp if the referee was held up for too long to tell.
        """
        clock, limit = allowed.clock, allowed.limit
        if clock is not None and _is_after(answer, clock):
            raise faults.late(answer.seconds, clock, f"its clock had {clock:.3f} s left")
        late = _is_after(answer, limit)
        if late and is_strict:
            raise faults.late(answer.seconds, limit, f"the limit is {limit:g} s")
        return late

    def moved(self, answer: Answer) -> None:
        """Take the time of an answer off the game clock; the referee's own delays cost a player no time."""
        if self.left is not None and self._has_moved:
            spent = max(0.0, answer.seconds - answer.unsure_seconds)
            self.left = max(0.0, self.left - spent) + self._limits.increment_seconds
        self._has_moved = True


def _is_after(answer: Answer, limit: float) -> bool:
    """Whether an answer came after a limit; False if that is in doubt because the referee was held up for a moment."""
    if answer.seconds <= limit or answer.seconds - answer.unsure_seconds > limit:
        return answer.seconds > limit
    if answer.unsure_seconds > TOLERATED_SECONDS:
        raise HeldUp(
            f"the referee itself was held up for {answer.unsure_seconds:.2f} s: nobody can say whether the answer, "
            f"seen after {answer.seconds:.2f} s, was within {limit:g} s"
        )
    return False
