"""An agent sees nobody but itself, reaches nobody, and has no more rights than it was given."""

import os

import pytest

from agents.limits import Limits
from simulator.referee.game_record import Reason
from tests.scoundrels.environments import PLAIN, everywhere
from tests.scoundrels.games import HONEST, PATIENT, QUICK, assert_denied, assert_lost, is_enforced, play, scoundrel

HONEST_AND_SLOW_TO_GO = scoundrel("hangs_at_exit")
WATCHES = Limits(first_move_seconds=60, move_seconds=30, cushion_seconds=10, memory_mb=300)


@pytest.mark.parametrize("deed", ["memory", "trace", "vm_read"])
def test_the_referees_memory_is_out_of_reach(deed: str) -> None:
    assert_denied(play(scoundrel("spies", f"deed={deed},pid={os.getpid()}"), QUICK, PATIENT), "privileges")


def test_the_referees_memory_is_out_of_reach_in_every_mode(environment: str) -> None:
    assert_denied(play(scoundrel("spies", f"deed=memory,pid={os.getpid()}"), QUICK, PATIENT), "privileges")


def test_the_memory_of_what_starts_the_agent_cannot_be_changed() -> None:
    """What starts an agent inside its sandbox has rights that the agent gave up."""
    assert_denied(play(scoundrel("spies", "deed=parents_memory"), QUICK, PATIENT), "privileges")


@pytest.mark.parametrize("deed", ["environment", "own_environment"])
def test_the_referees_environment_is_not_to_be_seen(deed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOUNDRELS_SECRET", "42")
    assert_denied(play(scoundrel("spies", f"deed={deed}"), QUICK, PATIENT), "privileges")


def test_other_processes_are_not_to_be_seen() -> None:
    assert_denied(play(scoundrel("spies", "deed=neighbours"), QUICK, PATIENT), "privileges")


@pytest.mark.parametrize(
    ("deed", "environment"), everywhere(["opponents_seed"], [("opponents_seed", PLAIN)]), indirect=["environment"]
)
def test_the_seed_of_the_opponent_is_not_to_be_seen(deed: str, environment: str) -> None:
    opponent = f"honest-{os.getpid()}"
    record = play(scoundrel("spies", f"deed={deed},file={opponent}"), HONEST, PATIENT, names=("spy", opponent))
    assert_lost(record, Reason.CRASH, "nobody shows a seed")


@pytest.mark.parametrize("to", ["referee", "referees_group", "opponent", "everybody"])
def test_no_signal_reaches_anybody_else(to: str) -> None:
    opponent = HONEST_AND_SLOW_TO_GO if to == "opponent" else QUICK
    record = play(scoundrel("sends_signals", f"to={to},pid={os.getpid()}"), opponent, PATIENT)
    assert_denied(record, "privileges")


def test_a_signal_to_its_own_group_ends_the_agent_only() -> None:
    record = play(scoundrel("sends_signals", "to=group"), QUICK, PATIENT)
    if "no signals to others" in record.enforcement["privileges"]:  # and its group might hold others
        assert_denied(record, "privileges")
    else:
        assert_lost(record, Reason.CRASH, "was killed by SIGKILL")


@pytest.mark.parametrize(
    "deed",
    [
        "clock",
        "priority",
        "real_time",
        "limits",
        "referees_limits",
        "user_namespace",
        "mount_namespace",
        "mount",
        "chroot",
        "io_uring",
    ],
)
def test_rights_cannot_be_had_for_the_asking(deed: str) -> None:
    record = play(scoundrel("helps_itself", f"deed={deed},pid={os.getpid()}"), QUICK, PATIENT)
    assert_denied(record, "privileges")


def test_where_no_capabilities_are_promised_there_are_none() -> None:
    record = play(scoundrel("helps_itself", "deed=capabilities"), QUICK, PATIENT)
    if "no capabilities" in record.enforcement["privileges"]:
        assert_denied(record, "privileges")


def test_more_processors_cannot_be_had_for_the_asking() -> None:
    record = play(scoundrel("helps_itself", "deed=affinity"), QUICK, PATIENT)
    assert_denied(record, "privileges" if is_enforced(record, "privileges") else "processor")


def test_two_busy_processes_have_one_processor() -> None:
    assert_denied(play(scoundrel("uses_two_processors"), QUICK, WATCHES), "processor")
