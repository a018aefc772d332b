"""Pairs of games: one opening, played from both sides. Both games count together, or not at all."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from simulator.records.schema import StoredGame
from simulator.referee.game_record import GameRecord

Game = GameRecord | StoredGame


@dataclass
class PairCounts:
    """The outcomes of one agent's pairs of games, counted pair by pair.

    Attributes:
        counts: how many pairs brought it 0, 0.5, 1, 1.5 and 2 points.
        unpaired: how many games are half of a pair that was not finished.
    """

    name: str
    counts: list[int] = field(default_factory=lambda: [0] * 5)
    unpaired: int = 0

    def add(self, games: Sequence[Game]) -> None:
        """Count the games of one pair; if one is void, neither counts."""
        if is_void(games):
            return
        if len(games) != 2:
            self.unpaired += len(games)
        else:
            self.counts[round(2 * sum(game.points(self.name) for game in games))] += 1

    @property
    def all_paired(self) -> bool:
        """Whether there are games, and each is half of a finished pair."""
        return any(self.counts) and not self.unpaired


def is_void(games: Iterable[Game]) -> bool:
    """Whether the games of a pair count for nobody, because one of them is void."""
    return any(game.is_void for game in games)


def pairs_of(games: Sequence[GameRecord]) -> Iterator[Sequence[GameRecord]]:
    """The pairs of a match between two agents; `games` are in the order of their numbers.

    The second game of a pair follows the first, with sides swapped; a game that stands alone is half a pair.
    """
    start = 0
    while start < len(games):
        first, second = games[start], games[min(start + 1, len(games) - 1)]
        size = 2 if first.agents == games[0].agents and second.agents == first.agents[::-1] else 1
        yield games[start : start + size]
        start += size


def pair_counts(name: str, games: Sequence[GameRecord]) -> PairCounts:
    """The outcomes of the pairs of a match between two agents, for the one of that name."""
    counted = PairCounts(name)
    for pair in pairs_of(games):
        counted.add(pair)
    return counted
