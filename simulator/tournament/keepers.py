"""An observer that keeps the games of a match in other files than its records: JSON lines, SGF."""

from collections.abc import Callable, Sequence

from simulator.records.schema import Pair, game_number
from simulator.referee.game_record import GameRecord
from simulator.tournament.observer import Observer

Write = Callable[[GameRecord, int], None]
"""Keeps a game with its number. Raises OSError."""


class Keeper(Observer):
    """Hands the games of each pair to functions that write them, as soon as the pair is in the records.

    Attributes:
        failure: why a game could not be written; None if all were.
        stop: is called then.
    """

    def __init__(self, *writers: Write) -> None:
        self.failure: OSError | None = None
        self.stop: Callable[[], None] = lambda: None
        self._writers = writers

    def pair_saved(self, pair: Pair, records: Sequence[GameRecord]) -> None:
        """Write its games."""
        assert pair.id is not None
        for number, record in enumerate(records, 1):
            for write in self._writers if self.failure is None else ():
                try:
                    write(record, game_number(pair.id, number))
                except OSError as error:
                    self.failure = error
                    self.stop()
