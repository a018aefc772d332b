"""What an agent may use, and the clock of a move."""

import math
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self


@dataclass(frozen=True)
class Limits:
    """What an agent may use.

    Attributes:
        first_move_seconds: for the first move, with imports and set-up.
        move_seconds: for each later move.
        cushion_seconds: an answer that is late by no more than this is replaced by a random move; one that is later
            loses the game.
        memory_mb: for all processes of the agent together; 1 MB is 2^20 bytes.
        processors: how many the agent may keep busy.
        clock_seconds: for all moves of a game after the first, as on a chess clock; 0 without such a clock.
        increment_seconds: added to the clock after each move.
    """

    first_move_seconds: float = 30.0
    move_seconds: float = 2.0  # infinite if only the game clock counts
    cushion_seconds: float = 1.0
    memory_mb: int = 500
    processors: int = 1
    clock_seconds: float = 0.0
    increment_seconds: float = 0.0

    def __post_init__(self) -> None:
        """Raises ValueError if a limit is below 0 or no number."""
        for field in fields(self):
            value = getattr(self, field.name)
            if not (isinstance(value, int | float) and value >= 0):
                raise ValueError(f"{field.name} must be a number from 0 on, not {value!r}")

    def to_json(self) -> dict[str, Any]:
        """The limits by name; an infinite one is None."""
        return {key: None if value == math.inf else value for key, value in asdict(self).items()}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The limits of what `to_json` made; unknown names are ignored, and missing ones have their defaults."""
        known = {field.name for field in fields(cls)}
        known_values: dict[str, Any] = {
            key: math.inf if value is None else value for key, value in values.items() if key in known
        }
        return cls(**known_values)


class Clock:
    """The time for one move. It starts when the agent is asked, and never goes back (`time.monotonic`).

    Attributes:
        seconds: the limit for the move.
        is_hurried: whether a person who waits for the move wants it now.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.is_hurried = False
        self._start = time.monotonic()

    def hurry(self) -> None:
        """End the time for the move."""
        self.is_hurried = True
        self.seconds = min(self.seconds, self.elapsed)

    @property
    def elapsed(self) -> float:
        """Seconds since the agent was asked."""
        return time.monotonic() - self._start

    @property
    def remaining(self) -> float:
        """Seconds until the limit; negative when it has passed."""
        return self.seconds - self.elapsed
