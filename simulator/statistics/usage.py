"""An agent's figures over its games: results by colour, times, memory, late moves, faults; also as JSON.

Begin reading at `Tally`. Figures of strength are computed from pairs if all games are in pairs, else from the games as
if they were independent.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import Any

import numpy as np

from simulator.referee.game_record import GameRecord, Reason
from simulator.statistics.elo import (
    Results,
    elo_estimate,
    likelihood_of_superiority,
    normalized_elo,
    share_estimate,
    wilson_interval,
)
from simulator.statistics.pentanomial import PairCounts, is_void, pair_counts, pairs_of

Json = dict[str, Any]


@dataclass
class Tally:
    """One agent's figures, added up game by game.

    Attributes:
        as_player: results as the player who moves first, and as the second; void pairs are left out.
        faults: games lost by each kind of fault, and by resignation; void pairs are left out.
        replaced: moves that came late and were replaced by random ones.
        first_seconds: times of the first moves, start-up included.
        later_seconds: times of all other moves. If an agent did not answer, the time until it was ended counts.
        memory_mb: for each game, the most memory that its processes held together.
    """

    name: str
    as_player: tuple[Results, Results] = field(default_factory=lambda: (Results(), Results()))
    faults: Counter[Reason] = field(default_factory=Counter)
    replaced: int = 0
    first_seconds: list[float] = field(default_factory=list)
    later_seconds: list[float] = field(default_factory=list)
    memory_mb: list[float] = field(default_factory=list)

    def add(self, record: GameRecord, *, counts: bool = True) -> None:
        """Add a game that the agent played; if its pair is void (`counts=False`), only times, memory and late moves."""
        player = record.agents.index(self.name)
        if counts and not record.is_void:
            self.as_player[player].add(record.points(self.name))
            if record.verdict.loser == player:
                self.faults[record.verdict.reason] += 1
        self.replaced += sum(move.replaced for move in record.moves if move.player == player)
        first, later = record.times_of(player)
        self.first_seconds += first
        self.later_seconds += later
        self.memory_mb.append(record.peak_memory_mb[player])

    @property
    def total(self) -> Results:
        """The results as first and second player together."""
        return self.as_player[0] + self.as_player[1]

    @property
    def peak_memory_mb(self) -> float:
        """The most memory that it held in any game."""
        return max(self.memory_mb, default=0.0)


def tally(agent: str, records: Sequence[GameRecord]) -> Tally:
    """The figures of a match that an agent played."""
    total = Tally(agent)
    for pair in pairs_of(records):
        for record in pair:
            total.add(record, counts=not is_void(pair))
    return total


def distinct_games(records: Sequence[GameRecord]) -> int:
    """How many of the games that count are different: deterministic agents repeat games, which proves nothing."""
    counted = (record for pair in pairs_of(records) if not is_void(pair) for record in pair)
    return len({(record.opening, *(move.move for move in record.moves)) for record in counted})


def agent_json(agent: str, records: Sequence[GameRecord]) -> Json:
    """One agent's match. `timeouts illegal crashes memory files processor` count lost games, `replaced` counts moves.

    `max_move_seconds` and `median_move_seconds` leave out each game's first move, which has another limit and includes
    start-up; `max_first_move_seconds` is for those. Numbers that would be infinite are null.
    """
    figures = tally(agent, records)
    total, (first, second) = figures.total, figures.as_player
    low, high = wilson_interval(total.points, total.games)
    elo, *elo_interval = elo_estimate(total.counts).rounded(1) if total.games else (None, None, None)
    return {
        **asdict(total),
        "games": total.games,
        "score": total.points / total.games if total.games else None,
        "score_interval": [round(low, 4), round(high, 4)],
        "elo": elo,
        "elo_interval": elo_interval,
        "as_first": asdict(first),
        "as_second": asdict(second),
        "timeouts": figures.faults[Reason.TIMEOUT],
        "illegal": figures.faults[Reason.ILLEGAL],
        "crashes": figures.faults[Reason.CRASH],
        "memory": figures.faults[Reason.MEMORY],
        "files": figures.faults[Reason.FILES],
        "processor": figures.faults[Reason.PROCESSOR],
        "resignations": figures.faults[Reason.RESIGNATION],
        "replaced": figures.replaced,
        "max_move_seconds": round(max(figures.later_seconds, default=0.0), 4),
        "median_move_seconds": round(median(figures.later_seconds or [0.0]), 4),
        "max_first_move_seconds": round(max(figures.first_seconds, default=0.0), 4),
        "peak_memory_mb": round(figures.peak_memory_mb, 1),
        "pairs": pairs_json(pair_counts(agent, records)),
    }


def pairs_json(pairs: PairCounts) -> Json | None:
    """What the pairs say of an agent's strength; None unless all games are in pairs."""
    if not pairs.all_paired:
        return None
    normalized, (elo, *elo_interval) = normalized_elo(pairs.counts), elo_estimate(pairs.counts).rounded(1)
    return {
        "counts": pairs.counts,
        "score_interval": share_estimate(pairs.counts).rounded(4)[1:],
        "elo": elo,
        "elo_interval": elo_interval,
        "los": round(likelihood_of_superiority(pairs.counts), 4),
        "normalized_elo": _finite(normalized.value),
        "normalized_elo_interval": [_finite(normalized.low), _finite(normalized.high)],
    }


def _finite(number: float) -> float | None:
    return round(number, 1) if math.isfinite(number) else None


def usage_json(figures: Tally) -> Json:
    """What an agent used in a tournament's games; each percentile is one of the measured times."""
    return {
        "first": percentiles(figures.first_seconds),
        "later": percentiles(figures.later_seconds),
        "memory_mb": round(figures.peak_memory_mb, 1),
        "moves": len(figures.first_seconds) + len(figures.later_seconds),
        "replaced": figures.replaced,
        "faults": {reason.value: count for reason, count in sorted(figures.faults.items()) if reason.is_fault},
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
