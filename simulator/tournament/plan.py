"""What to play, with which agents, and where: a command makes a plan from its arguments, and a coordinator plays it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agents.agent import AgentSpec
from game import Game
from simulator.records.database import files_of
from simulator.tournament.settings import TournamentSettings


@dataclass(frozen=True)
class Plan:
    """A match or tournament.

    Attributes:
        specs: the agents, by the names that tables show.
        records: the file of the records; None for a match whose games stay in memory.
        workers: how many pairs are played at the same time; None for one or, with `cluster`, for all its workers.
        cluster: the address of a Dask scheduler; empty for this machine.
        force: whether agents may share cores.
        extend: whether the records may grow, see `agreement.py`.
    """

    settings: TournamentSettings
    specs: Mapping[str, AgentSpec]
    records: Path | None = None
    workers: int | None = None
    cluster: str = ""
    force: bool = False
    extend: bool = False

    @property
    def game(self) -> Game:
        """The game that is played, with its options."""
        return self.settings.conditions.load_game()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the agents, as tables show them."""
        return tuple(self.specs)

    @property
    def present(self) -> dict[str, AgentSpec]:
        """The agents that are not absent, by name."""
        return {name: spec for name, spec in self.specs.items() if not spec.absence}

    @property
    def records_files(self) -> tuple[Path, ...]:
        """The files of the records, which no agent may read."""
        return files_of(self.records) if self.records else ()
