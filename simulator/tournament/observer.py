"""Who is told what happens in a match or tournament: a screen, a file of games, a program that reads JSON.

This one does nothing; `simulator/terminal/live.py` has those that show something.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from simulator.records.database import Store
from simulator.records.schema import AgentEntry, Pair
from simulator.referee.game_record import GameRecord
from simulator.tournament.settings import TournamentSettings
from simulator.tournament.tasks import ClockRuns, GameBegun, MoveMade


@dataclass(frozen=True)
class TournamentInfo:
    """What is known before anything is played.

    Attributes:
        store: the records, in which finished pairs appear while it goes on.
        settings: what is played.
        names: of all agents, as tables show them.
        games: how many there will be in all, as far as is known.
        played: how many of them were played before.
        half_pairs: whether a finished game counts although its pair is not finished when somebody stops it.
    """

    store: Store
    settings: TournamentSettings
    names: tuple[str, ...]
    games: int
    played: int
    half_pairs: bool = False

    @property
    def is_match(self) -> bool:
        """Whether two agents play."""
        return len(self.names) == 2


class Observer:
    """Sees games being played. Used as a context manager around them; every method does nothing here.

    `pair` is the pair's number in the records; `schema.game_number` tells the numbers of its games.
    """

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is played any more, or something failed."""

    def started(self, info: TournamentInfo) -> None:
        """Before anything is played."""

    def agent_tried(self, agent: AgentEntry) -> None:
        """An agent was started once, and takes part or is absent."""

    def planned(self, pairs: Sequence[Pair], games: int) -> None:
        """These pairs are played next; so many games there will be in all, as far as is known."""

    def game_begun(self, pair: int, game: GameBegun) -> None:
        """A game of a pair begins."""

    def clock_runs(self, pair: int, clock: ClockRuns) -> None:
        """A player thinks; a few times a second."""

    def move_made(self, pair: int, move: MoveMade) -> None:
        """A player has moved."""

    def game_over(self, pair: int, number: int, record: GameRecord) -> None:
        """A game is over, but not in the records before its pair is."""

    def pair_saved(self, pair: Pair, records: Sequence[GameRecord]) -> None:
        """All games of a pair are in the records."""

    def pair_again(self, pair: int, why: str) -> None:
        """A pair is played again, for no fault of its agents."""

    def stopping(self, at_once: bool) -> None:
        """Somebody wants it to stop: after the pairs in play, or at once."""

    def ended(self, complete: bool) -> None:
        """Nothing is played any more; `complete` if nothing is left to be played."""
