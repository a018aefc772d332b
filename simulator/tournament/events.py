"""The events of a match or tournament: for a screen, a file of games, a program that reads JSON.

First `Started`; for each agent that was started once its `AgentEntry`; then `Planned`, what happens in the pairs, and
at last `Ended`. What the referee tells of a game (`referee/events.py`) is passed on as it is, with the game's pair.
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
    """Before anything is played.

    Attributes:
        store: the records, in which finished pairs appear while it goes on.
        games: how many there will be in all, as far as is known.
        played: how many of them were played before.
        unsaved: the finished games of pairs that are not in the records yet, by pair; they change while it goes on.
        half_pairs: whether a finished game counts although its pair is not finished when somebody stops it.
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
    """So many pairs are played next; so many games there will be in all, as far as is known."""

    pairs: int
    games: int


class PairSaved(NamedTuple):
    """All games of a pair are in the records."""

    pair: Pair
    records: Sequence[GameRecord]


class PairAgain(NamedTuple):
    """A pair is played again, for no fault of its agents."""

    pair: int
    why: str


class Stopping(NamedTuple):
    """Somebody wants it to stop: after the pairs in play, or at once."""

    at_once: bool


@dataclass(frozen=True)
class Ended:
    """A match or tournament as far as it was played, when nothing is played any more.

    Attributes:
        names: of the agents; `GameRecord.agents` holds them in each game's own order.
        failure: what ended it: a game could not be written, an agent was changed.
        absent: the agents that could not be loaded, which ends a match.
        decision: of a test, None where there is none or it is undecided.
        void: how many pairs count for nobody.
        records: of a match, for its summary: the games that ended, in the order of their numbers.
        sgf_folder: where these are as SGF, None if they are not.
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
        """Whether nothing is left to be played."""
        return not self.interrupted and self.failure is None

    @property
    def games(self) -> int:
        """Of a match, how many games were to be played at most."""
        return self.settings.games or 2 * self.settings.pairs

    @property
    def could_be_played(self) -> bool:
        """Of a match, whether no agent was absent, and not every game was void."""
        void = [record.is_void for record in self.records]
        return not self.absent and not (void and all(void))


Event = Started | AgentEntry | Planned | GameEvent | PairSaved | PairAgain | Stopping | Ended
Observer = Callable[[Event, Pair | None], None]
"""Is told each event, and of one in a game the pair."""


class NotKept(OSError):
    """An observer cannot keep a game; it is told no more, and no more pairs are begun."""
