"""What each agent of a tournament took: times, memory, moves that came late, games lost by faults."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simulator.referee.game_record import GameRecord, Reason
from simulator.terminal.match_summary import tally


@dataclass
class Usage:
    """One agent's figures, added up game by game.

    Attributes:
        first_seconds, later_seconds: as in `summary.Tally`.
        memory_mb: the most that it held, of each game.
        replaced: moves that came late.
        faults: games lost by each kind of fault.
    """

    first_seconds: list[float] = field(default_factory=list)
    later_seconds: list[float] = field(default_factory=list)
    memory_mb: list[float] = field(default_factory=list)
    replaced: int = 0
    faults: Counter[Reason] = field(default_factory=Counter)

    def add(self, name: str, record: GameRecord) -> None:
        """Count a game that the agent played."""
        game = tally(name, [record])
        self.first_seconds += game.first_seconds
        self.later_seconds += game.later_seconds
        self.memory_mb.append(game.peak_memory_mb)
        self.replaced += game.replaced
        self.faults.update({reason: n for reason, n in game.faults.items() if reason.is_fault})

    def to_json(self) -> dict[str, Any]:
        """Percentiles that were measured (none is interpolated), and counts."""
        return {
            "first": percentiles(self.first_seconds),
            "later": percentiles(self.later_seconds),
            "memory_mb": round(max(self.memory_mb, default=0.0), 1),
            "moves": len(self.first_seconds) + len(self.later_seconds),
            "replaced": self.replaced,
            "faults": {reason.value: count for reason, count in sorted(self.faults.items())},
        }


def percentiles(seconds: Sequence[float]) -> dict[str, float] | None:
    """The median, the time that 99 of 100 moves did not exceed, and the longest; None if there is no time.

    >>> percentiles([0.5, 0.1, 0.2])
    {'p50': 0.2, 'p99': 0.5, 'max': 0.5}
    """
    if not seconds:
        return None
    p50, p99, longest = np.quantile(seconds, (0.5, 0.99, 1), method="inverted_cdf")
    return {"p50": round(float(p50), 3), "p99": round(float(p99), 3), "max": round(float(longest), 3)}
