"""The events of a match or tournament, for observers: a screen, a file of games, a program that reads JSON.

First comes `Started`; then the `AgentEntry` of each agent that is tried; then `Planned` and the events of the pairs; at
the end `Ended`. The referee's events of a game (`referee/events.py`) are passed on as they are, with the game's pair.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from simulator.records.schema import AgentEntry, Decision, Pair
from simulator.records.store import Store
from simulator.referee.events import GameEvent
from simulator.referee.game_record import GameRecord
from simulator.tournament.settings import TournamentSettings


@dataclass(frozen=True)
class Started:
    """The first event, before anything is played.

    Attributes:
        store: the records, in which finished pairs appear during the tournament.
        games: how many games there will be in all, as far as is known.
        played: how many of them were played before.
        unsaved: by the pair's id, the finished games of pairs that are not in the records yet; this changes meanwhile.
        half_pairs: whether a finished game counts if somebody stops the match before its pair is finished.
    """

    store: Store
    settings: TournamentSettings
    names: tuple[str, ...]
    games: int
    played: int
    unsaved: Mapping[int, Sequence[GameRecord]]
    half_pairs: bool = False

    @property
    def is_match(self) -> bool:
        """Whether two agents play."""
        return len(self.names) == 2


class Planned(NamedTuple):
    """Pairs are planned: how many are played next, and how many games there will be in all, as far as is known."""

    pairs: int
    games: int


class PairSaved(NamedTuple):
    """All games of a pair are in the records."""

    pair: Pair
    records: Sequence[GameRecord]


class PairAgain(NamedTuple):
    """A pair is dropped and will be played again, now or later; `why` says for what reason."""

    pair: int
    why: str


class Stopping(NamedTuple):
    """Somebody has asked to stop: after the pairs in play, or at once."""

    at_once: bool


@dataclass(frozen=True)
class Ended:
    """The last event: a match or tournament as far as it was played.

    Attributes:
        names: the agents' names; `GameRecord.agents` has them in each game's own order.
        interrupted: whether somebody stopped it.
        failure: the error that ended it, such as a game that could not be written, or a changed agent; else None.
        absent: the agents that could not be loaded, which ends a match.
        decision: the decision of the sequential test; None if there is none.
        void: how many pairs are void, and count for nobody; those of agents' older versions are left out.
        records: for the summary of a match: the games that ended, in the order of their numbers.
        sgf_folder: the folder with these games as SGF files; None if there is none.
    """

    names: tuple[str, ...]
    settings: TournamentSettings
    interrupted: bool = False
    failure: Exception | None = None
    absent: tuple[AgentEntry, ...] = ()
    decision: Decision | None = None
    void: int = 0
    records: Sequence[GameRecord] = ()
    sgf_folder: Path | None = None

    @property
    def complete(self) -> bool:
        """Whether it was neither stopped nor ended by an error, so nothing is left to play."""
        return not self.interrupted and self.failure is None

    @property
    def games(self) -> int:
        """For a match: the most games that were to be played."""
        return self.settings.games or 2 * self.settings.pairs

    @property
    def could_be_played(self) -> bool:
        """For a match: whether no agent was absent, and not every game was void."""
        void = [record.is_void for record in self.records]
        return not self.absent and not (void and all(void))


Event = Started | AgentEntry | Planned | GameEvent | PairSaved | PairAgain | Stopping | Ended
Observer = Callable[[Event, Pair | None], None]
"""Called with each event, and with the pair if the event belongs to a game."""


class NotKept(OSError):
    """Raised by an observer that cannot keep a game: it gets no more events, and no more pairs are begun."""
