"""How long each player has thought. Where this program was stopped - Ctrl-Z, a laptop's sleep - nobody has."""

import time
from collections.abc import Callable

LONGEST_TICK_SECONDS = 1.0  # between two looks; what is longer was a stop


class Clocks:
    """Seconds of both players. Nothing runs unless `tick` is called, several times a second.

    Attributes:
        seconds: of FIRST and SECOND; the list that was given is counted in, so that a game keeps its times.
    """

    def __init__(self, seconds: list[float] | None = None, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._last = now()
        self.seconds = [0.0, 0.0] if seconds is None else seconds

    def tick(self, player: int | None) -> None:
        """Count the time since the last call for this player, or for nobody."""
        now = self._now()
        passed, self._last = now - self._last, now
        if player is not None and passed <= LONGEST_TICK_SECONDS:
            self.seconds[player] += passed


def clock_text(seconds: float) -> str:
    """Minutes and seconds.

    >>> clock_text(0), clock_text(75.9), clock_text(3600)
    ('0:00', '1:15', '60:00')
    """
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
