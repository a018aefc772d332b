"""What a tournament hands to other processes: a pair of games to be played, an agent to be tried.

Both are sent in pickled form and say on their way how far they are. Begin reading at `PairTask`.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from agents.agent import AgentSpec
from game import FIRST, Game, Position, format_result, play_moves
from simulator.player.faults import Fault
from simulator.player.launch import Launch
from simulator.player.player import Player
from simulator.player.prepare import cache_of
from simulator.player.source_hashes import SourcesError, sources_of
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import GameRecord, MoveRecord, Reason, Verdict
from simulator.referee.referee import play_game
from simulator.referee.seeds import game_seed
from simulator.referee.watcher import Watcher
from simulator.sandbox.isolation import available_mechanisms

TELLING_SECONDS = 0.25  # between two looks at a clock; a screen that shows eight games is redrawn about as often
ORDERS = ((1, (0, 1)), (2, (1, 0)))  # of the agents in a pair's two games, by the games' numbers

Tell = Callable[[Any], None]


class GameBegun(NamedTuple):
    """The first or second game of a pair begins, after its opening; names in the order of the players."""

    number: int
    names: tuple[str, str]
    opening: tuple[str, ...] = ()


class MoveMade(NamedTuple):
    """A player has moved; `replaced` by a random move where the answer came too late."""

    player: int
    ply: int
    move: str
    seconds: float
    replaced: bool = False


class ClockRuns(NamedTuple):
    """A player thinks about the move after `ply`."""

    player: int
    ply: int
    elapsed: float
    limit: float
    memory_mb: float


class GameOver(NamedTuple):
    """The first or second game of a pair is over."""

    number: int
    record: GameRecord


@dataclass(frozen=True)
class PairTask:
    """Two games with one opening: the first agent moves first in the first game, second in the second.

    Attributes:
        pair: its number in the records.
        specs, names: of both agents.
        opening: texts of moves.
        seed: the games' seeds follow from it.
        games: how many are played, 1 or 2.
        hidden: files that no agent may read.
        sources: of both agents, as they have to be while they play, see `sources_of`; None for any.
    """

    pair: int
    conditions: Conditions
    specs: tuple[AgentSpec, AgentSpec]
    names: tuple[str, str]
    opening: tuple[str, ...]
    seed: int
    games: int = 2
    hidden: tuple[Path, ...] = field(default=(), compare=False)
    sources: tuple[Mapping[str, str], Mapping[str, str]] | None = None

    def __str__(self) -> str:
        return f"pair {self.pair}, {self.names[0]} against {self.names[1]}"

    def run(self, tell: Tell, cores: tuple[int, ...]) -> str:
        """Play the games, in order, and tell what happens; their records too, when they are over.

        Returns why they do not count: an agent's files were changed; empty if they do. A file is read when its agent is
        started, some time in each game, so they are compared before and after.
        """
        changed = self._changed()
        for number, order in ORDERS[: self.games]:
            if not changed:
                self._play(number, order, tell, cores)
                changed = self._changed()
        return changed

    def _changed(self) -> str:
        """What is not as it was of the agents' files, in words; empty if all is."""
        game = self.conditions.load_game()
        for name, spec, then in zip(self.names, self.specs, self.sources or (), strict=False):
            try:
                now = sources_of(spec, game)
            except SourcesError as error:
                return f"{name} was changed while it played: {error}"
            if files := [file for file in sorted({*then, *now}) if then.get(file) != now.get(file)]:
                return f"{name} was changed while it played: {', '.join(files)}"
        return ""

    def void(self, why: str) -> list[GameRecord]:
        """Records of the games where they cannot be played; what follows the first line of the reason is a log."""
        return [self._void(number, order, why) for number, order in ORDERS[: self.games]]

    def _void(self, number: int, order: tuple[int, int], why: str) -> GameRecord:
        game = self.conditions.load_game()
        position = play_moves(game, self.opening)[-1]
        text, *log = why.splitlines()
        return GameRecord(
            game=game.name,
            agents=(self.names[order[0]], self.names[order[1]]),
            seed=game_seed(self.seed, number),
            opening=self.opening,
            moves=(),
            result=format_result(game, None),
            final_position=game.format_position(position),
            verdict=Verdict(None, Reason.VOID, text, len(self.opening), stderr=tuple(log)),
            peak_memory_mb=(0.0, 0.0),
            options=game.settled_options,
            date=datetime.now().astimezone().isoformat(timespec="seconds"),
        )

    def _play(self, number: int, order: tuple[int, int], tell: Tell, cores: tuple[int, ...]) -> None:
        first, second = order
        play_game(
            (self.specs[first], self.specs[second]),
            self.conditions,
            seed=game_seed(self.seed, number),
            opening=self.opening,
            names=(self.names[first], self.names[second]),
            watcher=_Reporter(number, self.opening, tell),
            cores=cores,
            hidden=self.hidden,
        )


class _Reporter(Watcher):
    """Reports to a coordinator what happens in a game."""

    def __init__(self, number: int, opening: tuple[str, ...], tell: Tell) -> None:
        self._number, self._opening, self._tell = number, opening, tell
        self._ply, self._limit, self._told_at = 0, 0.0, 0.0

    def game_started(self, game: Game, names: tuple[str, str], position: Position) -> None:
        self._tell(GameBegun(self._number, names, self._opening))

    def move_started(self, player: int, position: Position, limit_seconds: float) -> None:
        self._ply, self._limit = position.ply, limit_seconds

    def tick(self, player: int, elapsed: float, memory_mb: float) -> None:
        now = time.monotonic()
        if now - self._told_at >= TELLING_SECONDS:
            self._told_at = now
            self._tell(ClockRuns(player, self._ply, elapsed, self._limit, memory_mb))

    def move_made(self, record: MoveRecord, position: Position) -> None:
        self._tell(MoveMade(record.player, record.ply, record.move, record.seconds, record.replaced))

    def game_ended(self, record: GameRecord) -> None:
        self._tell(GameOver(self._number, record))


@dataclass(frozen=True)
class TryTask:
    """An agent is started once, under the limits of a first move: can it take part?"""

    conditions: Conditions
    spec: AgentSpec
    name: str

    def __str__(self) -> str:
        return f"the first start of {self.name}"

    def run(self, tell: Tell, cores: tuple[int, ...]) -> str | None:
        """Why it cannot, with the last lines that it wrote to stderr; None if it can."""
        conditions = self.conditions
        mechanisms = available_mechanisms(conditions.isolation)
        limits = conditions.limits_for(self.name)
        game = conditions.load_game()
        launch = Launch(
            self.spec,
            game,
            limits,
            self.name,
            cores=cores[-limits.processors :],
            mechanisms=mechanisms,
            cache=cache_of(self.spec, game),
        )
        player = Player(launch, FIRST)
        try:
            player.try_out()
        except Fault as fault:
            player.close()
            return "\n".join([f"it {fault}", *player.process.log.last_lines()])
        finally:
            player.close()
        return None
