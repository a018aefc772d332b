"""Who is told what happens in a tournament: a screen, a log, a program that reads JSON. This one does nothing.

`league_screen.py` has those that show something.
"""

from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from simulator.records.schema import Entrant, Pair
from simulator.referee.game_record import GameRecord
from simulator.tournament.tasks import ClockRuns, GameBegun

if TYPE_CHECKING:
    from simulator.tournament.coordinator import Tournament


class Spectator:
    """Sees a tournament being played. Used as a context manager around it; every method does nothing here."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """The tournament is over, or was stopped."""

    def started(self, tournament: "Tournament") -> None:
        """Before anything is played; what was played before is in `tournament.store`."""

    def agent_tried(self, entrant: Entrant) -> None:
        """An agent was started once, and is present or absent."""

    def planned(self, pairs: Sequence[Pair]) -> None:
        """These pairs are waiting to be played now."""

    def game_begun(self, pair: int, game: GameBegun) -> None:
        """A game of a pair begins."""

    def clock_runs(self, pair: int, clock: ClockRuns) -> None:
        """A player of a pair's game thinks; a few times a second."""

    def game_over(self, pair: int, number: int, record: GameRecord) -> None:
        """A game is over, but not in the records before its pair is."""

    def pair_saved(self, pair: Pair, records: Sequence[GameRecord]) -> None:
        """Both games of a pair are in the records."""

    def pair_again(self, pair: int, why: str) -> None:
        """A pair is played again, for no fault of its agents."""

    def stopping(self, at_once: bool) -> None:
        """Somebody wants the tournament to stop: after the pairs in play, or at once."""

    def ended(self, complete: bool) -> None:
        """Nothing is played any more; `complete` if nothing is left to be played."""
