"""A match as far as it was played, for its summary."""

from dataclasses import dataclass, field
from pathlib import Path

from simulator.records.database import Store
from simulator.records.schema import AgentEntry, Decision
from simulator.referee.game_record import GameRecord, Reason
from simulator.tournament.settings import TournamentSettings


@dataclass
class MatchResult:
    """A match as far as it was played.

    Attributes:
        names: of both agents; `GameRecord.agents` holds them in each game's own order.
        records: the games that ended, in the order of their numbers.
        interrupted: a person stopped it.
        failure: what ended it: a game could not be written, an agent was changed.
        decision: of its test, None where it has none or is undecided.
        absent: the agents that could not be loaded, which ends a match.
        sgf_folder: where its games are as SGF, None if they are not.
    """

    names: tuple[str, str]
    settings: TournamentSettings
    records: list[GameRecord] = field(default_factory=list)
    interrupted: bool = False
    failure: Exception | None = None
    decision: Decision | None = None
    absent: tuple[AgentEntry, ...] = ()
    sgf_folder: Path | None = None

    @property
    def games(self) -> int:
        """How many games were to be played at most."""
        return self.settings.games or 2 * self.settings.pairs

    @property
    def could_be_played(self) -> bool:
        """Whether no agent was absent, and not every game was void."""
        void = [record.verdict.reason is Reason.VOID for record in self.records]
        return not self.absent and not (void and all(void))


def records_of(names: tuple[str, str], store: Store) -> list[GameRecord]:
    """The games between two agents that are in the records, by number."""
    return [store.record(game.id) for game in store.games() if {game.first, game.second} == set(names)]
