"""What the tests of the referee share: games that are over soon, and checks of their records."""

import random
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

from agents.agent import parse_agent
from agents.limits import Limits
from game import load_game, play_moves
from simulator.player.compile_ahead import compile_ahead
from simulator.player.log import SHOWN_LINES
from simulator.referee.conditions import Conditions, Rules
from simulator.referee.events import ClockRuns, GameEvent
from simulator.referee.game_record import GameRecord, Reason
from simulator.referee.referee import play_game
from simulator.sandbox.isolation import IsolationLevel
from tests.programs import AGENTS, PASSES

HONEST = "random_agent"
# Plays one move: that is enough if the scoundrel does not survive its second move.
QUICK = f"{PASSES} --moves f6/3f"

# The first move has all the time that a busy machine may need to start Python. The cushion is as generous, except in
# the tests that wait for its end.
LIMITS = Limits(first_move_seconds=60, move_seconds=0.4, cushion_seconds=10, memory_mb=300)
SHORT = Limits(first_move_seconds=60, move_seconds=0.4, cushion_seconds=0.6, memory_mb=300)
PATIENT = Limits(first_move_seconds=60, move_seconds=20, cushion_seconds=10, memory_mb=300)

CLEANING_UP_SECONDS = 5.0  # from the end of the cushion to the verdict, all processes killed and reaped
DENIED = r"crashed at move \d+: \w+: \[Errno \d+\]"


def scoundrel(name: str, options: str = "", folder: Path = AGENTS) -> str:
    return f"{folder / name}.py{':' if options else ''}{options}"


def program(name: str, options: str = "", folder: Path = AGENTS) -> str:
    """The same scoundrel as a program, which starts in a tenth of the time: for tests that are not about our engine."""
    return f"gtp:{sys.executable} -I -S {AGENTS / 'gtp_host.py'} {folder / name}.py {options.replace(',', ' ')}"


PLAYS_ON = program("plays_on").strip()  # to the end: the agent that a test is not about


def deed(name: str, start: Callable[[str, str], str] = scoundrel) -> str:
    """The agent that does this at its second move."""
    return start("misbehaves", f"deed={name}")


def gtp_scoundrel(misdeed: str) -> str:
    return f"gtp:{sys.executable} -I -S {AGENTS / 'gtp_scoundrel.py'} {misdeed}"


def late(seconds: float, says: str = "") -> str:
    """An agent that takes so long for each move but the game's first; from its second on, it answers with `says`."""
    return f"{PLAYS_ON} seconds={seconds} 'says={says}'"


class _Stopwatch:
    """An observer that notes when the last move was asked for, and its limit in seconds."""

    def __init__(self) -> None:
        self.asked, self.limit_seconds = time.monotonic(), 0.0

    def __call__(self, event: GameEvent) -> None:
        if isinstance(event, ClockRuns):
            self.asked, self.limit_seconds = time.monotonic() - event.elapsed, event.limit


def play(
    first: str,
    second: str = PLAYS_ON,
    limits: Limits = LIMITS,
    rules: Rules = "course",
    isolation: IsolationLevel = "best",
    **options: object,
) -> GameRecord:
    """Play a game of Pentago with a fixed seed, and check that it ends in time."""
    stopwatch = _Stopwatch()
    agents = (parse_agent(first), parse_agent(second))
    compile_ahead(load_game("pentago"), agents)  # off every clock
    conditions = Conditions(limits=limits, rules=rules, isolation=isolation)
    record = play_game(agents, conditions, **{"observer": stopwatch, "seed": 0} | options)  # type: ignore[arg-type]
    if "observer" in options:
        return record
    bound = stopwatch.limit_seconds + limits.cushion_seconds + CLEANING_UP_SECONDS
    assert time.monotonic() - stopwatch.asked < bound, record.verdict
    return record


def quiet_opening(plies: int) -> tuple[str, ...]:
    """Random moves that shorten a game but leave it open."""
    moves: list[str] = []
    position, rng = load_game("pentago").initial(), random.Random(1)
    while len(moves) < plies:
        move = rng.choice(position.legal_moves())
        if position.play(move).result is None:
            position = position.play(move)
            moves.append(str(move))
    return tuple(moves)


def assert_lost(record: GameRecord, reason: Reason, text: str) -> None:
    """Check that the first player has lost: the verdict names it, reason and move, and its words contain `text`."""
    verdict = record.verdict
    assert (verdict.reason, verdict.loser, verdict.winner) == (reason, 0, 1), verdict
    assert text in verdict.text
    assert f"move {verdict.ply + 1}" in verdict.text
    assert record.agents[0] in verdict.text
    assert verdict.ply == len(record.opening) + len(record.moves)
    assert record.result == "B+"
    assert len(verdict.stderr) <= SHOWN_LINES


def told(record: GameRecord, what: str) -> set[str]:
    """The names of what the first player was `granted` or `refused`, by its log."""
    return {line.split(":")[0].split()[1] for line in record.logs[0].splitlines() if line.startswith(f"{what} ")}


def is_enforced(record: GameRecord, row: str) -> bool:
    """Whether the record says that something enforces this limit here."""
    return not record.enforcement[row].startswith("none")


def begins_processes(record: GameRecord) -> bool:
    """Whether an agent may start other processes here."""
    return not record.enforcement["processes"].startswith("threads only")


def assert_denied(record: GameRecord, row: str, denial: str = DENIED) -> None:
    """Check that the scoundrel crashed as its deed was denied, or that by the record nothing enforces this limit."""
    if "SUCCEEDED" in record.verdict.text:
        assert not is_enforced(record, row), f"{record.enforcement[row]!r}, and yet: {record.verdict.text}"
        return
    assert_lost(record, Reason.CRASH, "")
    assert re.search(denial, record.verdict.text), record.verdict


def assert_position_is_the_referees(record: GameRecord) -> None:
    """Check that the record's moves lead to its final position."""
    game = load_game("pentago")
    position = play_moves(game, [*record.opening, *(move.move for move in record.moves)])[-1]
    assert game.format_position(position) == record.final_position
