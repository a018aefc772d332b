"""A match: two agents, many games, colours alternating, each opening played twice.

Begin reading at `schedule` (which games are played), then `play_match`. What a match adds up to is in `summary.py`,
what it shows while it runs in `progress.py`.
"""

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self, TextIO

from agents.agent import AgentSpec, Limits
from game import Game, load_game
from simulator.records.file_errors import cannot_write
from simulator.records.sgf_folder import SgfFolder
from simulator.referee.conditions import Conditions, Rules
from simulator.referee.game_record import GameRecord, Reason
from simulator.referee.referee import ATTEMPTS, Watcher, play_game
from simulator.sandbox.isolation import Isolation
from simulator.statistics.pentanomial import pair_counts
from simulator.statistics.sprt import Sprt
from simulator.tournament.openings import DEFAULT_PLIES, Opening, random_openings


@dataclass(frozen=True)
class MatchSettings:
    """How a match is played.

    Attributes:
        game: the game's registered name.
        games: how many; with an odd number the last opening is played once.
        limits: what each agent may use.
        rules: what a late answer costs, see `docs/verdicts.md`.
        seed: openings, agents and replacement moves follow from it.
        opening_plies: random moves before the agents take over; with 0 all games start from the initial position.
        game_options: see `game.load_game`.
        sprt: a test of the first agent's Elo difference that ends the match as soon as it is decided.
        isolation: see `play_game`.
    """

    game: str = "pentago"
    games: int = 2
    limits: Limits = field(default_factory=Limits)
    rules: Rules = "course"
    seed: int = 0
    opening_plies: int = DEFAULT_PLIES
    game_options: dict[str, Any] = field(default_factory=dict)
    sprt: Sprt | None = None
    isolation: Isolation = "best"

    def load_game(self) -> Game:
        """The game that is played."""
        return load_game(self.game, **self.game_options)


class ScheduledGame(NamedTuple):
    """One game to be played.

    Attributes:
        number: from 1.
        order: which agent (0 or 1, as named for the match) moves first, and which second.
        opening: canonical texts of the moves played before the agents take over.
        seed: the game's own.
    """

    number: int
    order: tuple[int, int]
    opening: Opening
    seed: int


def schedule(game: Game, settings: MatchSettings) -> Iterator[ScheduledGame]:
    """The games of a match, in order: each opening twice, first with the first agent named moving first."""
    openings = random_openings(game, settings.opening_plies, settings.seed)
    number = 0
    for opening in openings:
        for order in ((0, 1), (1, 0)):
            if number == settings.games:
                return
            number += 1
            yield ScheduledGame(number, order, opening, _game_seed(settings.seed, number))


def _game_seed(match_seed: int, number: int) -> int:
    """Spread out, so that the games of matches with neighbouring seeds have nothing in common."""
    return random.Random(f"game {match_seed} {number}").getrandbits(31)


@dataclass
class Match:
    """A match as far as it has been played.

    Attributes:
        names: of both agents, as named for the match; `GameRecord.agents` holds them in each game's own order.
        records: the games that ended, in order.
        interrupted: a person stopped it; the game in play then is not among the records.
        failure: what ended it because a game could not be written; that game is among the records all the same.
        sgf_folder: where its games are as SGF, None if they are not.
    """

    names: tuple[str, str]
    settings: MatchSettings
    records: list[GameRecord] = field(default_factory=list)
    interrupted: bool = False
    failure: OSError | None = None
    sgf_folder: Path | None = None

    @property
    def absent(self) -> GameRecord | None:
        """The game in which an agent could not be loaded, which ends a match; None if there was none."""
        return next((record for record in self.records if record.absent is not None), None)

    @property
    def could_be_played(self) -> bool:
        """Whether no agent was absent, and not every game was void."""
        void = [record.verdict.reason is Reason.VOID for record in self.records]
        return self.absent is None and not (void and all(void))

    @property
    def decided(self) -> bool:
        """Whether the match has a test, and its finished pairs decide it."""
        test = self.settings.sprt
        return test is not None and test.state(pair_counts(self.names[0], self.records)) != "continue"


class MatchWatcher(Watcher):
    """Sees a match being played: all that a `Watcher` of its games sees, and the match around them.

    Used as a context manager around the match. Every method does nothing here.
    """

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """The match is over, or failed."""

    def match_started(self, match: Match) -> None:
        """Before the first game; `match.records` grows while the match is played."""

    def game_scheduled(self, scheduled: ScheduledGame) -> None:
        """Before each game."""

    def game_again(self, record: GameRecord) -> None:
        """A game was void, through the referee's own machine, and is played again."""

    def game_counted(self, record: GameRecord) -> None:
        """After each game, when it is among the match's records."""


def play_match(
    specs: tuple[AgentSpec, AgentSpec],
    names: tuple[str, str],
    settings: MatchSettings,
    watcher: MatchWatcher | None = None,
    save: Path | None = None,
    sgf: Path | None = None,
) -> Match:
    """Play a match, game after game, to its end, until its test is decided or to the first KeyboardInterrupt.

    A game in which an agent could not be loaded ends it too (`Match.absent`): the other would play against nobody.
    So does one that cannot be written (the disk is full), see `Match.failure`.

    Args:
        names: what the agents are called; they must differ.
        save: a file to which each finished game is added as one line of JSON.
        sgf: a folder in which a new one for this match is made, with a file for each finished game; for games in
            `sgf_folder.GAMES` only.

    Raises OSError if `save` or `sgf` cannot be made. No fault of an agent raises.
    """
    match, watcher = Match(names, settings), watcher or MatchWatcher()
    with GameFile(save) as file, SgfFolder(sgf, names, settings.limits) as folder, watcher:
        watcher.match_started(match)
        try:
            for scheduled in schedule(settings.load_game(), settings):
                watcher.game_scheduled(scheduled)
                record = _judged(scheduled, specs, names, settings, watcher)
                match.records.append(record)
                match.failure = _kept(record, scheduled.number, file, folder)
                watcher.game_counted(record)
                if match.decided or match.failure or match.absent:
                    break
        except KeyboardInterrupt:
            match.interrupted = True
    match.sgf_folder = folder.folder
    return match


def _judged(
    scheduled: ScheduledGame,
    specs: tuple[AgentSpec, AgentSpec],
    names: tuple[str, str],
    settings: MatchSettings,
    watcher: MatchWatcher,
) -> GameRecord:
    """Play a game, and again where the referee's machine fails, ATTEMPTS times at most."""
    for _ in range(ATTEMPTS - 1):
        record = play_scheduled(scheduled, specs, names, settings, watcher)
        if record.verdict.reason is not Reason.VOID:
            return record
        watcher.game_again(record)
    return play_scheduled(scheduled, specs, names, settings, watcher)


def _kept(record: GameRecord, number: int, file: "GameFile", folder: SgfFolder) -> OSError | None:
    """Write a game to where games are kept; returns why it could not be."""
    try:
        file.write(record)
        folder.write(record, number)
    except OSError as error:
        return error
    return None


def play_scheduled(
    scheduled: ScheduledGame,
    specs: tuple[AgentSpec, AgentSpec],
    names: tuple[str, str],
    settings: MatchSettings,
    watcher: Watcher,
) -> GameRecord:
    """Play one game of a match."""
    first, second = scheduled.order
    return play_game(
        (specs[first], specs[second]),
        Conditions(
            settings.game,
            settings.game_options,
            settings.limits,
            rules=settings.rules,
            isolation=settings.isolation,
        ),
        seed=scheduled.seed,
        opening=scheduled.opening,
        names=(names[first], names[second]),
        watcher=watcher,
    )


class GameFile:
    """A file that games are added to, one line of JSON each, flushed after every game; with no path, nothing at all."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file: TextIO | None = None

    def __enter__(self) -> Self:
        if self._path is not None:
            try:
                self._file = self._path.open("a", encoding="utf-8")
            except OSError as error:
                raise cannot_write(self._path, error) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def write(self, record: GameRecord) -> None:
        """Add one game. Raises OSError."""
        if self._path is None or self._file is None:
            return
        try:
            self._file.write(json.dumps(record.to_json()) + "\n")
            self._file.flush()
        except OSError as error:
            with suppress(OSError):  # closing it writes what is left over, and fails again
                self._file.close()
            self._file = None
            raise cannot_write(self._path, error) from error
