"""The kernel's own limits on an agent's process: they are lowered, and never raised."""

import os
import resource
import subprocess
from contextlib import contextmanager

import pytest

from agents.limits import Limits
from simulator.sandbox.processes import DATA_BACKSTOP_MB, MB, set_backstops

BACKSTOP = DATA_BACKSTOP_MB * MB
LOWER, LOWEST = BACKSTOP // 2, BACKSTOP // 4
UNLIMITED = resource.RLIM_INFINITY


@contextmanager
def waiting_process(which, soft, hard):
    """The id of a waiting process that has these limits."""
    process = subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE)
    try:
        resource.prlimit(process.pid, which, (soft, hard))
        yield process.pid
    finally:
        process.communicate()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((UNLIMITED, UNLIMITED), (BACKSTOP, BACKSTOP)),
        ((LOWER, UNLIMITED), (LOWER, BACKSTOP)),
        ((LOWER, LOWER), (LOWER, LOWER)),
        ((LOWEST, LOWER), (LOWEST, LOWER)),
        ((2 * BACKSTOP, 2 * BACKSTOP), (BACKSTOP, BACKSTOP)),
    ],
)
def test_a_limit_on_memory_is_lowered_and_never_raised(before, after):
    if 0 <= resource.getrlimit(resource.RLIMIT_DATA)[1] < 2 * BACKSTOP:
        pytest.skip("this session's own limit on memory (ulimit -H -d) is lower than those that are to be set")
    with waiting_process(resource.RLIMIT_DATA, *before) as pid:
        set_backstops(pid, Limits(memory_mb=500))
        assert resource.prlimit(pid, resource.RLIMIT_DATA) == after


def test_an_agent_leaves_no_core_file():
    with waiting_process(resource.RLIMIT_CORE, *resource.getrlimit(resource.RLIMIT_CORE)) as pid:
        set_backstops(pid, Limits())
        assert resource.prlimit(pid, resource.RLIMIT_CORE) == (0, 0)


def test_a_process_that_is_gone_needs_no_limits():
    process = subprocess.Popen(["/bin/true"])
    process.wait()
    set_backstops(process.pid, Limits())
    assert not os.path.exists(f"/proc/{process.pid}")
