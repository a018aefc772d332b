"""All of an agent's processes are stopped when it is not asked, counted, and dead when the game is over."""

import os
import shutil
import time
from itertools import product

import pytest

from simulator.referee.game_record import Reason
from simulator.sandbox.sandbox import Sandbox
from tests.programs import AGENTS
from tests.scoundrels.environments import FULL, NAMESPACES, PLAIN, everywhere, modes
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
    late,
    play,
    program,
    quiet_opening,
    scoundrel,
)

THINKS_SECONDS = 0.4


def busy_seconds(record, first):
    """The processor seconds that the first player used between turns by its own account, from that move on."""
    said = [move.analysis.seconds for move in record.moves if move.player == 0]
    return [seconds for seconds in said if seconds is not None][first:]


@pytest.mark.parametrize("in_child", [0, 1])
def test_thinking_on_the_opponents_time_is_stopped(in_child):
    ponders = program("ponders", f"in_child={in_child}")
    record = play(ponders, late(THINKS_SECONDS), PATIENT, opening=quiet_opening(28))
    used = busy_seconds(record, 2)
    assert is_enforced(record, "pausing")
    if in_child and not begins_processes(record):
        assert_lost(record, Reason.CRASH, "Operation not permitted")
        return
    assert used and sum(used) < THINKS_SECONDS * len(used) / 3


def test_threads_are_limited():
    denial = r"crashed at move \d+: (\w+: \[Errno (1|11)\]|RuntimeError: can't start new thread)"
    assert_denied(play(deed("begins_threads", program), QUICK, PATIENT), "processes", denial)


def test_fork_bomb_is_defused():
    record = play(deed("forks_a_bomb", program), QUICK, SHORT)
    assert record.verdict.reason in (Reason.CRASH, Reason.MEMORY, Reason.TIMEOUT)
    assert_lost(record, record.verdict.reason, "")


@modes(FULL, PLAIN)
def test_process_that_shares_nothing_with_the_agent_ends_with_it_or_does_not_begin(environment):
    record = play(deed(f"escapes,name=escaped-{os.getpid()}", program), QUICK, PATIENT)
    assert_lost(record, Reason.CRASH, "exit status 5" if environment == FULL else "Operation not permitted")
    assert record.incidents == ()


def test_child_that_holds_the_wire_does_not_hold_up_the_verdict():
    record = play(deed("forks_and_exits", program), QUICK)
    assert_lost(record, Reason.CRASH, "exit status 7" if begins_processes(record) else "Operation not permitted")


@pytest.mark.parametrize("agent", [program("makes_noise", "deed=leaves_grandchild"), scoundrel("hangs_at_exit")])
def test_what_does_not_want_to_go_is_ended_with_the_game(agent):
    record = play(agent, PLAYS_ON, PATIENT, opening=quiet_opening(30))
    if "grandchild" in agent and not begins_processes(record):
        assert_lost(record, Reason.CRASH, "Operation not permitted")
        return
    assert record.verdict.reason == Reason.NORMAL
    assert not any(move.replaced for move in record.moves)


# --- Standing still before the opponent's clock starts ----------------------------------------------------------------


@modes(FULL, PLAIN)
def test_hundreds_of_processes_are_the_loss_of_who_begins_them(environment):
    record = play(deed("forks", program), QUICK, PATIENT)
    assert_lost(record, Reason.CRASH, "temporarily unavailable" if environment == FULL else "Operation not permitted")


OF_THE_KERNEL = ("populates", "maps_populated", "locks", "reads_zeros", "draws_numbers", "synchronizes", "lists_itself")
OF_THREADS = ("wakes_the_others", "goes_on", "is_asked_about")  # threads wake or await each other


@pytest.mark.slow
@pytest.mark.parametrize("deed", [*OF_THE_KERNEL, *OF_THREADS])
def test_what_is_hard_to_stop_ends_before_its_opponents_turn(deed, environment):
    resists = program("resists_stopping", f"deed={deed}")
    record = play(resists, late(THINKS_SECONDS), PATIENT, opening=quiet_opening(28))
    assert record.verdict.reason == Reason.NORMAL
    used = [float(line.split()[1]) for line in record.logs[0].splitlines() if line.startswith("used ")]
    assert used and sum(used) < THINKS_SECONDS * len(used) / 2


@modes(PLAIN)
def test_as_many_threads_as_there_may_be_do_not_hold_up_a_referee_on_their_core(environment):
    cores, own = os.sched_getaffinity(0), {max(os.sched_getaffinity(0))}
    os.sched_setaffinity(0, own)
    try:
        record = play(program("resists_stopping", "deed=spins"), PLAYS_ON, PATIENT, opening=quiet_opening(28))
    finally:
        os.sched_setaffinity(0, cores)
    assert record.verdict.reason == Reason.NORMAL
    assert not any(move.replaced for move in record.moves)


def test_who_cannot_be_stopped_loses(monkeypatch):
    monkeypatch.setattr(Sandbox, "stop", lambda sandbox: bool(time.sleep(0.1)))
    record = play(PLAYS_ON, QUICK, PATIENT)
    assert_lost(record, Reason.PROCESSOR, "s after its answer")
    assert record.verdict.measured >= 0.1


# --- Without its first thread, which /proc takes for its death --------------------------------------------------------


def agent(options, start=program):
    return start("ends_its_first_thread", f"deed={options}")


def test_it_may_play_on_and_ends_with_the_game(environment):
    record = play(agent("plays,outlives=1", scoundrel), QUICK, PATIENT, opening=quiet_opening(30))
    assert record.verdict.reason in (Reason.NORMAL, Reason.ILLEGAL)  # the opponent's fixed move may be taken
    assert record.verdict.loser != 0
    assert record.incidents == ()


@modes(FULL, PLAIN)
def test_its_memory_counts(environment):
    record = play(agent("hoards"), QUICK, PATIENT)
    assert_lost(record, Reason.MEMORY, "300 MB")


@modes(FULL, PLAIN)
def test_it_does_not_think_on_its_opponents_time(environment):
    record = play(agent("ponders"), late(THINKS_SECONDS), PATIENT, opening=quiet_opening(30))
    used = busy_seconds(record, 1)
    assert record.verdict.reason == Reason.NORMAL
    assert used and sum(used) < THINKS_SECONDS * len(used) / 2


READS = ("reads", "reads_by_name")


@everywhere("deed", READS, [*product(READS, [FULL, NAMESPACES]), ("reads", PLAIN)])
def test_it_reads_no_file_after_its_first_move(deed, environment, tmp_path):
    (tmp_path / "notes.txt").write_text("secret\n")
    shutil.copy(AGENTS / "ends_its_first_thread.py", tmp_path)
    record = play(program("ends_its_first_thread", f"deed={deed}", tmp_path), QUICK, PATIENT)
    if environment == PLAIN:
        assert record.enforcement["files"].startswith("none for reading")
    elif deed == "reads":
        assert_lost(record, Reason.FILES, "notes.txt")
    else:
        assert_lost(record, Reason.CRASH, ": FileNotFoundError")


@modes(PLAIN)
def test_answer_that_ends_the_thread_which_writes_it_loses_in_time(environment):
    assert_lost(
        play(agent("str", scoundrel), QUICK, SHORT), Reason.TIMEOUT, "no answer within 0.4 s and the cushion of 0.6 s"
    )
