"""Answers in time, late, and never."""

import re

import pytest

from agents.limits import Limits
from simulator.gtp.analysis import Analysis
from simulator.referee.game_record import Reason
from tests.scoundrels.games import (
    PLAYS_ON,
    QUICK,
    SHORT,
    assert_lost,
    deed,
    late,
    play,
    program,
    quiet_opening,
    scoundrel,
)


@pytest.mark.parametrize(
    ("start", "name"),
    [(scoundrel, "spins"), (scoundrel, "hangs_in_threads"), (program, "ignores_signals"), (program, "floods_stdout")],
)
def test_no_answer_loses_after_limit_and_cushion_and_shows_where_each_thread_stood(start, name):
    record = play(deed(name, start), QUICK, SHORT)
    assert_lost(record, Reason.TIMEOUT, "no answer within 0.4 s and the cushion of 0.6 s")
    assert record.verdict.limit == 0.4
    assert record.verdict.measured is not None and 1.0 <= record.verdict.measured < 10
    assert ("MB at this move" in record.verdict.text) == (name == "floods_stdout")
    stood = "\n".join(record.verdict.stderr)
    assert ("its threads stood" in record.verdict.text) == (" in step" in stood)
    for thread in {"spins": ["step"], "hangs_in_threads": ["step", "wait_for_ever"]}.get(name, []):
        assert record.verdict.text.endswith("(its log says where its threads stood)")
        assert re.search(rf'\w+.py", line \d+ in {thread}', stood), stood


def test_import_that_never_ends_loses_on_the_first_move():
    record = play(scoundrel("sleeps_in_import"), QUICK, Limits(first_move_seconds=1, cushion_seconds=0.5))
    assert_lost(record, Reason.TIMEOUT, "within 1 s and the cushion of 0.5 s")
    assert record.moves == ()


# --- Late -----------------------------------------------------------------------------------------------------------


def test_agent_whose_answers_were_replaced_plays_on_from_the_referees_board():
    record = play(scoundrel("makes_noise", "deed=is_late"), PLAYS_ON, opening=quiet_opening(30), seed=3)
    late = [move for move in record.moves if move.player == 0][1:]
    assert late and all(move.replaced and move.seconds > 0.4 for move in late)
    assert any(move.move != move.answer for move in late)
    assert record.verdict.reason == Reason.NORMAL  # so the engine's board was the referee's to the end


def test_answer_inside_the_cushion_loses_under_strict_rules():
    record = play(late(0.7), QUICK, rules="strict")
    assert_lost(record, Reason.TIMEOUT, "the limit is 0.4 s")
    # It may be less than 0.7 s: on a loaded machine the agent may begin some milliseconds before the referee's clock.
    assert record.verdict.measured is not None and record.verdict.measured > 0.4


def test_late_answers_that_are_no_moves_are_replaced_too_and_the_replacements_come_from_the_seed():
    first, again = (play(late(0.5, "never mind"), opening=quiet_opening(30), seed=5) for _ in range(2))
    assert first.verdict.reason == Reason.NORMAL
    assert any(move.replaced and move.answer == "never mind" for move in first.moves)
    assert [move.move for move in first.moves] == [move.move for move in again.moves]


def test_analysis_that_does_not_come_at_once_is_given_up():
    record = play(program("lies_in_analysis", "deed=sleeps"), opening=quiet_opening(32))
    assert all(move.analysis == Analysis() for move in record.moves if move.player == 0)
    assert record.verdict.reason in (Reason.NORMAL, Reason.TIMEOUT)
