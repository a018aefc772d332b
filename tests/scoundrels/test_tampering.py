"""What an agent does to its own process changes nothing for the referee."""

import pytest

from simulator.referee.game_record import Reason
from tests.scoundrels.games import (
    PATIENT,
    PLAYS_ON,
    QUICK,
    SHORT,
    assert_lost,
    assert_position_is_the_referees,
    play,
    quiet_opening,
    scoundrel,
)


def test_time_that_stands_still_in_the_agent_does_not_for_the_referee() -> None:
    record = play(scoundrel("tampers", "deed=clocks"), QUICK, SHORT)
    assert_lost(record, Reason.TIMEOUT, "no answer within 0.4 s and the cushion of 0.6 s")
    assert record.verdict.measured is not None and record.verdict.measured >= 1.0


def test_board_that_is_written_is_a_copy() -> None:
    record = play(scoundrel("tampers", "deed=board"), PLAYS_ON, PATIENT, opening=quiet_opening(30))
    assert record.verdict.reason == Reason.NORMAL
    assert_position_is_the_referees(record)


@pytest.mark.parametrize("deed", ["attributes", "modules", "engine", "functions"])
def test_only_the_referees_position_counts(deed: str) -> None:
    record = play(scoundrel("tampers", f"deed={deed}"), PLAYS_ON, PATIENT, opening=quiet_opening(30))
    assert_position_is_the_referees(record)
    if record.verdict.reason != Reason.NORMAL:
        assert record.verdict.reason in (Reason.CRASH, Reason.ILLEGAL)
        assert_lost(record, record.verdict.reason, "")
