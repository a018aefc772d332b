"""Who has answered stands still before its opponent's clock starts, or loses; its opponent loses nothing by that."""

import os

import pytest

from simulator.referee.game_record import Reason
from simulator.sandbox.processes import STOP_SECONDS
from simulator.sandbox.sandbox import Sandbox
from tests.scoundrels.environments import FULL, PLAIN, modes
from tests.scoundrels.games import HONEST, PATIENT, PLAYS_ON, QUICK, assert_lost, deed, play, quiet_opening, scoundrel

THINKS_SECONDS = 0.4


@modes(FULL, PLAIN)
def test_hundreds_of_processes_are_the_loss_of_who_begins_them(environment: str) -> None:
    record = play(deed("forks"), QUICK, PATIENT)
    assert_lost(record, Reason.CRASH, "temporarily unavailable" if environment == FULL else "Operation not permitted")


OF_THE_KERNEL = ("populates", "maps_populated", "locks", "reads_zeros", "draws_numbers", "synchronizes", "lists_itself")
OF_THREADS = ("wakes_the_others", "goes_on", "is_asked_about")  # that wake each other, or wait for each other's word


@pytest.mark.slow
@pytest.mark.parametrize("deed", [*OF_THE_KERNEL, *OF_THREADS])
def test_what_is_hard_to_stop_ends_before_its_opponents_turn(deed: str, environment: str) -> None:
    opponent = scoundrel("late", f"seconds={THINKS_SECONDS}")
    record = play(scoundrel("resists_stopping", f"deed={deed}"), opponent, PATIENT, opening=quiet_opening(28))
    assert record.verdict.reason == Reason.NORMAL
    used = [float(line.split()[1]) for line in record.logs[0].splitlines() if line.startswith("used ")]
    assert used and sum(used) < THINKS_SECONDS * len(used) / 2


@modes(PLAIN)
def test_as_many_threads_as_there_may_be_do_not_hold_up_a_referee_on_their_core(environment: str) -> None:
    cores, own = os.sched_getaffinity(0), {max(os.sched_getaffinity(0))}
    os.sched_setaffinity(0, own)
    try:
        record = play(scoundrel("resists_stopping", "deed=spins"), PLAYS_ON, PATIENT, opening=quiet_opening(28))
    finally:
        os.sched_setaffinity(0, cores)
    assert record.verdict.reason == Reason.NORMAL
    assert not any(move.replaced for move in record.moves)


def test_who_cannot_be_stopped_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sandbox, "stop", lambda sandbox: False)
    record = play(HONEST, QUICK, PATIENT)
    assert_lost(record, Reason.PROCESSOR, "it still ran 5 s after its answer")
    assert record.verdict.measured == STOP_SECONDS
