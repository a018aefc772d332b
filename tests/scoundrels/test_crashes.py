"""Agents that fail, end, or answer with anything but a legal move lose at once, and the verdict says how."""

import pytest

from agents.limits import Limits
from simulator.referee.game_record import Reason
from tests.programs import AGENTS
from tests.scoundrels.games import PATIENT, QUICK, assert_lost, deed, gtp_scoundrel, play, scoundrel


@pytest.mark.parametrize(
    ("name", "reason", "text", "in_stderr"),
    [
        ("raises_in_setup", Reason.CRASH, "could not be loaded", "no opening book"),
        ("raises_in_step", Reason.CRASH, ": ValueError: what now?", 'raise ValueError("what now?'),
        ("raises_base_exception", Reason.CRASH, "Disaster: gone", "Disaster"),
        ("segfaults", Reason.CRASH, "killed by SIGSEGV", "in step"),
        ("recurses_in_python", Reason.CRASH, ": RecursionError", "RecursionError"),
        ("closes_descriptors", Reason.CRASH, "exit status 1", "the wire broke"),
        ("closes_all_descriptors", Reason.CRASH, "exit status 1", ""),
        ("returns_none", Reason.ILLEGAL, "made an illegal move at move 3: can't read 'None'", ""),
        ("returns_garbage", Reason.ILLEGAL, "made an illegal move", ""),
        ("returns_gigantic_text", Reason.ILLEGAL, "'a1/0rrrr", ""),
        ("returns_evil_object", Reason.CRASH, ": KeyboardInterrupt", "in __str__"),
        ("speaks_on_the_wire", Reason.CRASH, "broke the protocol", ""),
        ("speaks_unasked", Reason.CRASH, "broke the protocol", ""),
    ],
)
def test_fault_loses_and_is_named(name, reason, text, in_stderr):
    agent = scoundrel(name) if (AGENTS / f"{name}.py").exists() else deed(name)
    record = play(agent, QUICK, PATIENT)  # a busy machine needs more than 0.4 s for 50 MB of text
    assert_lost(record, reason, text)
    assert in_stderr in "\n".join(record.verdict.stderr)


@pytest.mark.parametrize(
    ("misdeed", "reason", "text"),
    [
        ("noise", Reason.CRASH, "broke the protocol"),
        ("half", Reason.TIMEOUT, "no answer"),
        ("endless", Reason.CRASH, "1048576 bytes without an end"),
        ("newlines", Reason.TIMEOUT, "no answer"),
        ("byte_by_byte", Reason.CRASH, "16384 bytes without an end"),
        ("unnumbered", Reason.CRASH, "broke the protocol"),
        ("twice", Reason.CRASH, "before it was asked"),
        ("refuses", Reason.CRASH, "I would rather not"),
        ("binary", Reason.ILLEGAL, "made an illegal move"),
        ("ends", Reason.CRASH, "exit status 0"),
    ],
)
def test_program_that_speaks_gtp_badly_loses(misdeed, reason, text, monkeypatch):
    if misdeed == "byte_by_byte":  # a socket has room for a few hundred such writes, so 1 MB would take 20 s
        monkeypatch.setattr("simulator.gtp.client.MAX_ANSWER_BYTES", 1 << 14)
    limits = Limits(first_move_seconds=1 if reason == Reason.TIMEOUT else 60, cushion_seconds=0.5)
    assert_lost(play(gtp_scoundrel(misdeed), QUICK, limits), reason, text)


@pytest.mark.parametrize("misdeed", ["hangs_up", "goes_deaf"])
def test_program_that_closes_the_wire_loses_when_its_time_is_up_at_the_latest(misdeed):
    """The process that starts a program inside the sandbox may hold the wire open in the program's place."""
    limits = Limits(first_move_seconds=2, move_seconds=1, cushion_seconds=0.5)
    record = play(gtp_scoundrel(misdeed), QUICK, limits)
    is_seen = record.verdict.reason == Reason.CRASH
    assert_lost(record, *(Reason.CRASH, "closed its output") if is_seen else (Reason.TIMEOUT, "no answer"))


def test_program_that_does_not_exist_loses():
    assert_lost(play("gtp:/no/such/engine", QUICK), Reason.CRASH, "could not be started")
