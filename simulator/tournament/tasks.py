"""Tasks for other processes: to play a pair of games, to prepare an agent, or to try it.

They are sent in pickled form and report their progress while they run. Begin reading at `PairTask`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from agents.agent import AgentSpec
from game import GameFileError
from simulator.player.compile_ahead import compile_ahead
from simulator.player.player import Player
from simulator.player.source_hashes import SourcesError, sources_of
from simulator.records.schema import Pair
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import GameRecord
from simulator.referee.referee import play_game
from simulator.referee.scoresheet import Scoresheet
from simulator.referee.seeds import game_seed

Tell = Callable[[Any], None]


@dataclass(frozen=True)
class PairTask:
    """Two games with one opening: the first agent moves first in the first game, second in the second.

    Attributes:
        hidden: files that no agent may read.
        sources: the hashes that both agents' files must have while they play, see `sources_of`; None if any will do.
    """

    pair: Pair
    conditions: Conditions
    specs: tuple[AgentSpec, AgentSpec]
    hidden: tuple[Path, ...] = field(default=(), compare=False)
    sources: tuple[Mapping[str, str], Mapping[str, str]] | None = None

    def __str__(self) -> str:
        return f"pair {self.pair.id}, {self.pair.first} against {self.pair.second}"

    def run(self, tell: Tell, cores: tuple[int, ...]) -> str:
        """Play the games in order, and pass on the referee's events with `tell`.

        Returns why they do not count, because files of the game or an agent were changed; empty if they count. A file
        is read when its agent is started, at some time in each game, so the files are compared before and after it.
        """
        changed = self._changed()
        for names, specs, seed in self._games():
            if not changed:
                play_game(
                    specs,
                    self.conditions,
                    seed=seed,
                    opening=self.pair.opening,
                    names=names,
                    observer=tell,
                    cores=cores,
                    hidden=self.hidden,
                )
                changed = self._changed()
        return changed

    def _games(self) -> list[tuple[tuple[str, str], tuple[AgentSpec, AgentSpec], int]]:
        """Names and agents in the order in which they move, and the seed, of each game."""
        pair = self.pair
        orders = [(pair.agents, self.specs), (pair.agents[::-1], self.specs[::-1])][: pair.games]
        return [(names, specs, game_seed(pair.seed, number)) for number, (names, specs) in enumerate(orders, 1)]

    def _changed(self) -> str:
        """Which files of the game or the agents were changed, in words; empty if none."""
        try:
            game = self.conditions.load_game()
        except GameFileError as error:
            return str(error)
        for name, spec, then in zip(self.pair.agents, self.specs, self.sources or (), strict=False):
            try:
                now = sources_of(spec, game)
            except SourcesError as error:
                return f"{name} was changed while it played: {error}"
            if files := [file for file in sorted({*then, *now}) if then.get(file) != now.get(file)]:
                return f"{name} was changed while it played: {', '.join(files)}"
        return ""

    def void(self, why: str) -> list[GameRecord]:
        """Void records of the games, if they cannot be played; the lines of `why` after the first are a log."""
        game, (text, *log) = self.conditions.load_game(), why.splitlines()
        records = []
        for names, _, seed in self._games():
            sheet = Scoresheet(game, names, seed=seed)
            sheet.begin(self.pair.opening)
            sheet.void(text, log)
            records.append(sheet.record())
        return records


@dataclass(frozen=True)
class PrepareTask:
    """Compiles what an agent needs while no clock runs, unless that was done before; it tells before it takes long."""

    conditions: Conditions
    spec: AgentSpec
    name: str
    hidden: tuple[Path, ...] = ()

    def __str__(self) -> str:
        return f"the preparation of {self.name}"

    def run(self, tell: Tell, cores: tuple[int, ...]) -> None:
        """Compile what the agent needs."""
        limits = self.conditions.limits_for(self.name)
        compile_ahead(self.conditions.load_game(), [self.spec], tell, limits, cores, hidden=self.hidden)


class MachineFailed(NamedTuple):
    """An agent could not be tried, because this machine failed; `why` is the error."""

    why: str


@dataclass(frozen=True)
class TryTask:
    """Starts an agent once, under the limits of a first move, to see whether it can take part."""

    conditions: Conditions
    spec: AgentSpec
    name: str

    def __str__(self) -> str:
        return f"the first start of {self.name}"

    def run(self, tell: Tell, cores: tuple[int, ...]) -> str | MachineFailed | None:
        """Why the agent cannot take part, with the last lines that it wrote to stderr; None if it can."""
        try:
            player = Player(self.conditions.launch(self.spec, self.name, cores=cores))
            fault = player.try_start()
        except (OSError, MemoryError) as error:
            return MachineFailed(str(error) or type(error).__name__)
        return "\n".join([f"it {fault}", *player.log.last_lines()]) if fault else None
