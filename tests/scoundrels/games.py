"""What the tests of the referee share: games that are over soon, and what is asked of their records."""

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
# Plays one move: enough where the scoundrel does not survive its second move.
QUICK = f"{PASSES} --moves f6/3f"

# The first move has all the time that a busy machine may need to start Python; the cushion is as generous, but for the
# tests that wait for its end.
LIMITS = Limits(first_move_seconds=60, move_seconds=0.4, cushion_seconds=10, memory_mb=300)
SHORT = Limits(first_move_seconds=60, move_seconds=0.4, cushion_seconds=0.6, memory_mb=300)
PATIENT = Limits(first_move_seconds=60, move_seconds=20, cushion_seconds=10, memory_mb=300)

CLEANING_UP_SECONDS = 5.0  # from the end of the cushion to the verdict, all processes killed and reaped
DENIED = r"crashed at move \d+: \w+: \[Errno \d+\]"


def scoundrel(name: str, options: str = "", folder: Path = AGENTS) -> str:
    return f"{folder / name}.py{':' if options else ''}{options}"


def program(name: str, options: str = "", folder: Path = AGENTS) -> str:
    """The same scoundrel as a program, started in a tenth of the time: where our engine is not the subject."""
    return f"gtp:{sys.executable} -I -S {AGENTS / 'gtp_host.py'} {folder / name}.py {options.replace(',', ' ')}"


PLAYS_ON = program("plays_on").strip()  # to the end: for whoever is not the subject


def deed(name: str, start: Callable[[str, str], str] = scoundrel) -> str:
    """The agent that does this at its second move."""
    return start("misbehaves", f"deed={name}")


def gtp_scoundrel(misdeed: str) -> str:
    return f"gtp:{sys.executable} {AGENTS / 'gtp_scoundrel.py'} {misdeed}"


def late(seconds: float, says: str = "") -> str:
    """Takes so long for each move but the first of the game; from its second on says this in place of a move."""
    return f"{PLAYS_ON} seconds={seconds} 'says={says}'"


class _Stopwatch:
    """An observer: when the last move was asked for, and until when there has to be a verdict."""

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
    """A game of Pentago, always the same one, whose end has to be there in time."""
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
    """Random moves after which the game is still open, so that the rest of it is short."""
    moves: list[str] = []
    position, rng = load_game("pentago").initial(), random.Random(1)
    while len(moves) < plies:
        move = rng.choice(position.legal_moves())
        if position.play(move).result is None:
            position = position.play(move)
            moves.append(str(move))
    return tuple(moves)


def assert_lost(record: GameRecord, reason: Reason, text: str, loser: int = 0) -> None:
    """The verdict names the loser, the reason, the move, and says why in words that contain `text`."""
    verdict = record.verdict
    assert (verdict.reason, verdict.loser, verdict.winner) == (reason, loser, 1 - loser), verdict
    assert text in verdict.text
    assert f"move {verdict.ply + 1}" in verdict.text
    assert record.agents[loser] in verdict.text
    assert verdict.ply == len(record.opening) + len(record.moves)
    assert record.result == ("B+", "W+")[loser]
    assert len(verdict.stderr) <= SHOWN_LINES


def told(record: GameRecord, what: str) -> set[str]:
    """What the first player's log says that it was `granted` or `refused`."""
    return {line.split(":")[0].split()[1] for line in record.logs[0].splitlines() if line.startswith(f"{what} ")}


def is_enforced(record: GameRecord, row: str) -> bool:
    """Whether the record says that something enforces this limit here."""
    return not record.enforcement[row].startswith("none")


def begins_processes(record: GameRecord) -> bool:
    """Whether an agent may start other processes here."""
    return not record.enforcement["processes"].startswith("threads only")


def assert_denied(record: GameRecord, row: str, denial: str = DENIED) -> None:
    """The scoundrel was denied its deed and fell over that; or nothing enforces this, and the record says so."""
    if "SUCCEEDED" in record.verdict.text:
        assert not is_enforced(record, row), f"{record.enforcement[row]!r}, and yet: {record.verdict.text}"
        return
    assert_lost(record, Reason.CRASH, "")
    assert re.search(denial, record.verdict.text), record.verdict


def assert_position_is_the_referees(record: GameRecord) -> None:
    """The final position is where the record's moves lead."""
    game = load_game("pentago")
    position = play_moves(game, [*record.opening, *(move.move for move in record.moves)])[-1]
    assert game.format_position(position) == record.final_position
