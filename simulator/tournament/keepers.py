"""Observers that keep the games of a match in other files than its records: JSON lines, SGF.

Games are written in the order of their numbers, also where pairs end in another order.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Sequence

from simulator.records.schema import Pair, game_number
from simulator.referee.game_record import GameRecord
from simulator.tournament.observer import Observer

Write = Callable[[GameRecord, int], None]
"""Keeps a game with its number. Raises OSError."""


class Keeper(Observer):
    """Hands finished games to functions that write them.

    Args:
        half_pairs: whether a game whose pair is not finished at the end is written; where the records go on, it is
            played again.

    Attributes:
        failure: why a game could not be written; None if all were.
        stop: is called then.
    """

    def __init__(self, *writers: Write, half_pairs: bool = True) -> None:
        self.failure: OSError | None = None
        self.stop: Callable[[], None] = lambda: None
        self._writers, self._half_pairs = writers, half_pairs
        self._expected: deque[int] = deque()
        self._games: defaultdict[int, dict[int, GameRecord]] = defaultdict(dict)
        self._complete: set[int] = set()

    def planned(self, pairs: Sequence[Pair], games: int) -> None:
        """Remember in which order the pairs are to be written, those that wait already among them."""
        self._expected = deque(sorted({*self._games, *(pair.id for pair in pairs if pair.id is not None)}))

    def game_over(self, pair: int, number: int, record: GameRecord) -> None:
        """Keep it until it is its turn."""
        self._games[pair][number] = record

    def pair_again(self, pair: int, why: str) -> None:
        """Its games do not count."""
        self._games.pop(pair, None)

    def pair_saved(self, pair: Pair, records: Sequence[GameRecord]) -> None:
        """Write the pair, and those that waited for it."""
        assert pair.id is not None
        self._complete.add(pair.id)
        while self._expected and self._expected[0] in self._complete:
            self._write(self._expected.popleft())

    def ended(self, complete: bool) -> None:
        """Write what waits for pairs that are not played any more, and half pairs if they are wanted."""
        for pair in sorted(self._games):
            if self._half_pairs or pair in self._complete:
                self._write(pair)

    def _write(self, pair: int) -> None:
        for number, record in sorted(self._games.pop(pair).items()):
            for write in self._writers if self.failure is None else ():
                try:
                    write(record, game_number(pair, number))
                except OSError as error:
                    self.failure = error
                    self.stop()
