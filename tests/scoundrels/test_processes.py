"""All of an agent's processes are stopped when it is not asked, counted, and dead when the game is over."""

import os

import pytest

from agents.limits import Limits
from simulator.referee.game_record import Reason
from tests.scoundrels.environments import FULL, PLAIN, modes
from tests.scoundrels.games import (
    PATIENT,
    PLAYS_ON,
    QUICK,
    SHORT,
    assert_denied,
    assert_lost,
    begins_processes,
    deed,
    is_enforced,
    play,
    quiet_opening,
    scoundrel,
)

THINKS_SECONDS = 0.3


@pytest.mark.parametrize("in_child", [0, 1])
def test_thinking_on_the_opponents_time_is_stopped(in_child: int) -> None:
    limits = Limits(first_move_seconds=60, move_seconds=10, memory_mb=300)
    opponent = scoundrel("late", f"seconds={THINKS_SECONDS}")
    record = play(scoundrel("ponders", f"in_child={in_child}"), opponent, limits=limits, opening=quiet_opening(28))
    used = [move.analysis.seconds for move in record.moves if move.player == 0 and move.analysis.seconds is not None][
        2:
    ]
    assert is_enforced(record, "pausing")
    if in_child and not begins_processes(record):
        assert_lost(record, Reason.CRASH, "could not be loaded")
        return
    assert used and sum(used) < THINKS_SECONDS * len(used) / 3


@pytest.mark.parametrize("name", ["forks", "begins_threads"])
def test_processes_and_threads_are_limited(name: str) -> None:
    record = play(deed(name), QUICK, PATIENT)
    if record.verdict.reason == Reason.MEMORY:  # some hundred processes, each small, are too much as well
        assert_lost(record, Reason.MEMORY, "300 MB")
        return
    assert_denied(
        record, "processes", r"crashed at move \d+: (\w+: \[Errno (1|11)\]|RuntimeError: can't start new thread)"
    )


def test_fork_bomb_is_defused() -> None:
    record = play(deed("forks_a_bomb"), QUICK, SHORT)
    assert record.verdict.reason in (Reason.CRASH, Reason.MEMORY, Reason.TIMEOUT)
    assert_lost(record, record.verdict.reason, "")


@modes(FULL, PLAIN)
def test_process_that_shares_nothing_with_the_agent_ends_with_it_or_does_not_begin(environment: str) -> None:
    record = play(deed(f"escapes,name=escaped-{os.getpid()}"), QUICK, PATIENT)
    assert_lost(record, Reason.CRASH, "exit status 5" if environment == FULL else "Operation not permitted")
    assert record.incidents == ()


def test_child_that_holds_the_wire_does_not_hold_up_the_verdict() -> None:
    record = play(deed("forks_and_exits"), QUICK)
    assert_lost(record, Reason.CRASH, "exit status 7" if begins_processes(record) else "Operation not permitted")


@pytest.mark.parametrize("name", ["leaves_grandchild", "hangs_at_exit"])
def test_what_does_not_want_to_go_is_ended_with_the_game(name: str) -> None:
    record = play(scoundrel(name), PLAYS_ON, PATIENT, opening=quiet_opening(30))
    if name == "leaves_grandchild" and not begins_processes(record):
        assert_lost(record, Reason.CRASH, "could not be loaded")
        return
    assert record.verdict.reason == Reason.NORMAL
    assert not any(move.replaced for move in record.moves)
