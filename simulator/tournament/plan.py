"""What to play, with which agents, and where: a command makes a plan of its arguments, and a coordinator plays it."""

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
        specs: the agents, by the names that tables use.
        records: the file of its records; None for a match whose games stay in memory.
        workers: how many pairs are played at the same time; None for one, or for all workers of a cluster.
        cluster: the address of a Dask scheduler, empty for this machine.
        force: agents may share cores.
        extend: the records may grow, see `agreement.py`.
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
        """What is played."""
        return self.settings.conditions.load_game()

    @property
    def names(self) -> tuple[str, ...]:
        """Of the agents, as tables show them."""
        return tuple(self.specs)

    @property
    def present(self) -> dict[str, AgentSpec]:
        """The agents that may play."""
        return {name: spec for name, spec in self.specs.items() if not spec.absence}

    @property
    def records_files(self) -> tuple[Path, ...]:
        """The files of the records, which no agent may read."""
        return files_of(self.records) if self.records else ()
