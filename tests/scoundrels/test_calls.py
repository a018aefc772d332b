"""The system calls that an agent may make, one by one, in every mode of the sandbox."""

import errno
import os
import re

import pytest

from simulator.referee.game_record import Reason
from tests.programs import AGENTS, PROJECT
from tests.scoundrels.environments import FULL, PLAIN, modes
from tests.scoundrels.games import HONEST, PATIENT, QUICK, assert_lost, play, program, quiet_opening, scoundrel

# Where a control group counts, stops and ends all its processes, an agent may start processes and share memory.
OF_PROCESSES = {
    "fork",
    "spawn",
    "runs_program",
    "runs_shell",
    "shares_its_memory",
    "shares_its_memory_and_waits",
    "gives_it_to_its_own_parent",
    "shares_pages",
    "shares_zeros",
    "pages_given_to_a_pipe",
}
# Errors of a kernel that is too old for a call, or of a file system that has no such thing.
NOT_TO_BE_HAD = (errno.ENOSYS, errno.ENOTTY, errno.EOPNOTSUPP, errno.ENODEV)


@pytest.fixture
def notes(tmp_path):
    (tmp_path / "asks_the_kernel.py").write_bytes((AGENTS / "asks_the_kernel.py").read_bytes())
    (tmp_path / "notes.txt").write_text("secret\n")
    return tmp_path / "notes.txt"


def asks(notes, start, more=""):
    return start("asks_the_kernel", f"file={notes}{more}", notes.parent)


def shown(record, what):
    """The calls that were granted, or refused and why."""
    lines = (re.fullmatch(rf"{what} (\w+): ?(.*)", line) for line in record.verdict.stderr)
    return {line[1]: line[2] for line in lines if line}


def looks(file):
    """All that the system says of a file and its folder, except times of access."""
    status = file.stat()
    marks = status.st_mode, status.st_uid, status.st_gid, status.st_mtime_ns, status.st_ctime_ns, status.st_ino
    return *marks, os.listxattr(file), file.read_text(), sorted(path.name for path in file.parent.iterdir())


def test_no_call_is_granted_that_no_agent_has_any_business_with(environment, notes):
    before = looks(notes)
    record = play(asks(notes, scoundrel), QUICK, PATIENT)
    allowed = OF_PROCESSES if environment == FULL else set()
    assert shown(record, "granted").keys() <= allowed, record.verdict
    assert looks(notes) == before
    if environment != FULL:
        assert_lost(record, Reason.CRASH, "were refused")


def test_every_call_is_granted_without_isolation(notes):
    """So the refusals come from the sandbox, and not from a kernel that does not know the calls."""
    record = play(asks(notes, program, ",show=refused"), QUICK, PATIENT, isolation="none")
    assert_lost(record, Reason.ILLEGAL, "SUCCEEDED")
    refused = shown(record, "refused")
    assert all(any(f"[Errno {number}]" in why for number in NOT_TO_BE_HAD) for why in refused.values()), refused


@modes(PLAIN)
def test_who_takes_a_lease_on_a_file_of_its_opponent_does_not_hold_it_up(environment):
    """Python opens that source file when the opponent starts, and a lease that is kept would delay this by 45 s."""
    file = PROJECT / "agents" / f"{HONEST}.py"
    holds = program("makes_noise", f"deed=holds_a_file,file={file}")
    record = play(holds, HONEST, PATIENT, opening=quiet_opening(30))
    assert record.verdict.reason == Reason.NORMAL
    assert all(move.seconds < 40 for move in record.moves)
