"""The starts and games that a check looks at, with a copy of the submission that has only its own files."""

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from agents.agent import parse_agent
from game import FIRST, SECOND
from simulator.player.faults import Fault
from simulator.player.player import Player
from simulator.player.prepare import prepare
from simulator.referee.conditions import Conditions
from simulator.referee.events import GameEvent, Observer, ignore
from simulator.referee.game_record import GameRecord, MoveRecord
from simulator.referee.referee import play_game
from simulator.submission.files import Submission
from simulator.submission.reports import Reports, read_reports

OPPONENTS = (("random_agent", FIRST), ("greedy_agent", SECOND), ("random_agent", SECOND), ("greedy_agent", FIRST))
BUDGET_SECONDS = 75.0  # after which no game is begun any more, except the first two, one from each side
REPEATED_MOVES = 6  # plies that are played again to see whether a game repeats itself
SEED = 7  # the same in each check, so that what it finds can be reproduced


@contextmanager
def staged(submission: Submission) -> Iterator[Submission]:
    """A copy of a submission in a folder of its own, with its own files only; it is removed after the block."""
    with tempfile.TemporaryDirectory(prefix="unforced-check-") as place:
        folder = Path(place).resolve() / submission.name
        for name in submission.files:
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(submission.folder / name, target)
        yield replace(submission, folder=folder)


@dataclass(frozen=True)
class Start:
    """The start of an agent's process, which was set up and then killed.

    Attributes:
        fault: why it could not be set up; None if it could.
        seconds: how long it took until it was set up; None if it never was.
        peak_mb: the most memory that it held, MB.
        reports: what it reported of itself.
    """

    fault: Fault | None
    seconds: float | None
    peak_mb: float
    reports: Reports


def start(submission: Submission, conditions: Conditions, cores: tuple[int, ...], *, is_cold: bool) -> Start:
    """Start the agent of a staged submission as for its first move, and kill it when it is set up.

    In a cold start, the agent finds nothing compiled; before any other start, its own numba code is compiled.
    """
    spec = submission.spec
    if not is_cold:
        prepare(spec, conditions.load_game(), limits=conditions.limits, cores=cores)
    launch = conditions.launch(spec, submission.name, cores=cores, is_cold=is_cold, seed=SEED, reports=True)
    player = Player(launch)
    fault = player.try_start()
    seconds = None if fault else player.startup_seconds
    return Start(fault, seconds, player.sandbox.peak_mb, read_reports(player.log.text()))


@dataclass(frozen=True)
class Played:
    """A game of the submission.

    Attributes:
        side: the submission's player, 0 or 1.
    """

    record: GameRecord
    side: int
    opponent: str
    reports: Reports

    @property
    def moves(self) -> list[MoveRecord]:
        """The submission's own moves."""
        return [move for move in self.record.moves if move.player == self.side]

    @property
    def is_lost_by_fault(self) -> bool:
        """Whether the submission broke a rule."""
        return self.record.verdict.reason.is_fault and self.record.verdict.loser == self.side

    @property
    def result(self) -> str:
        """The result for the submission, in a word."""
        winner = self.record.verdict.winner
        if self.record.is_void:
            return "void"
        return "drawn" if winner is None else "won" if winner == self.side else "lost"


def play(
    submission: Submission,
    conditions: Conditions,
    opponent: str,
    side: int,
    cores: tuple[int, ...],
    observer: Observer = ignore,
) -> Played:
    """Play a game of a staged submission as player `side` against a registered agent."""
    name = submission.name if submission.name != opponent else f"{submission.name} (submitted)"
    players = [(submission.spec, name), (parse_agent(opponent), opponent)]
    specs, names = zip(*(players if side == FIRST else players[::-1]), strict=True)
    record = play_game(specs, conditions, seed=SEED, names=names, observer=observer, cores=cores, reports=True)
    return Played(record, side, opponent, read_reports(record.logs[side]))


def play_all(submission: Submission, conditions: Conditions, cores: tuple[int, ...]) -> Iterator[Played]:
    """Play games from both sides; after the first two, none is begun after BUDGET_SECONDS or a second fault."""
    began, faults = time.monotonic(), 0
    for number, (opponent, side) in enumerate(OPPONENTS):
        if number >= 2 and (faults > 1 or time.monotonic() - began > BUDGET_SECONDS):
            return
        played = play(submission, conditions, opponent, side, cores)
        faults += played.is_lost_by_fault
        yield played


class _Enough(Exception):
    """Ends a game after REPEATED_MOVES."""


def begins_alike(submission: Submission, conditions: Conditions, before: Played, cores: tuple[int, ...]) -> bool:
    """Whether the agent begins a game as it did before, with the same seed and opponent."""
    beginning: list[str] = []

    def observe(event: GameEvent) -> None:
        if isinstance(event, MoveRecord):
            beginning.append(event.move)
        if len(beginning) == REPEATED_MOVES:
            raise _Enough

    with suppress(_Enough):
        play(submission, conditions, before.opponent, before.side, cores, observe)
    return beginning == [move.move for move in before.record.moves[:REPEATED_MOVES]]
