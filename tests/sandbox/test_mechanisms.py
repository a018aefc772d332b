"""For every combination of mechanisms that matters: what is said of each limit, and what `required` refuses."""

from pathlib import Path

import pytest

from agents.limits import Limits
from simulator.player.launch import enforced_limits
from simulator.sandbox import bubblewrap, cgroups, isolation, syscalls
from simulator.sandbox.cgroups import CORE, Place
from simulator.sandbox.isolation import IsolationError, Mechanisms, available_mechanisms

LIMITS = ("memory", "processor", "pausing", "processes", "network", "files", "privileges", "output")
ALL_GROUPS = frozenset({"memory", "pids", "cpuset", CORE})
MISSING = "bubblewrap is not installed"

FULL = Mechanisms(bubblewrap=True, filter=True, groups=ALL_GROUPS)
USERS = Mechanisms(bubblewrap=True, filter=True)  # what an ordinary user has
NO_BUBBLEWRAP = Mechanisms(filter=True, groups=ALL_GROUPS)
FILTER_ONLY = Mechanisms(filter=True)
NOTHING = Mechanisms()
OPEN = Mechanisms(is_off=True)
SYSTEMS = ("full", "user's", "no bubblewrap", "filter only", "nothing", "open")


@pytest.fixture(autouse=True)
def a_system_without_bubblewrap_that_could_have_it(monkeypatch):
    """Nothing depends on the real system."""
    monkeypatch.setattr(bubblewrap, "missing", lambda: MISSING)
    monkeypatch.setattr(cgroups, "places", lambda: {purpose: Place(Path("/groups"), 2) for purpose in ALL_GROUPS})
    monkeypatch.setattr(isolation, "_is_root", lambda: False)


def rows_of(system, cores=(1,)):
    return {row.limit: row for row in enforced_limits(system, Limits(memory_mb=300), cores)}


@pytest.mark.parametrize(
    ("system", "open_rows"),
    [
        (FULL, set()),
        (USERS, set()),
        (NO_BUBBLEWRAP, {"files"}),
        (FILTER_ONLY, {"files"}),
        (NOTHING, {"network", "files", "privileges"}),
        (OPEN, {"network", "files", "privileges"}),
    ],
    ids=SYSTEMS,
)
def test_every_limit_is_listed_and_what_is_not_enforced_has_advice(system, open_rows):
    rows = rows_of(system)
    assert tuple(rows) == LIMITS
    assert {name for name, row in rows.items() if not row.is_enforced} == open_rows
    assert all(rows[name].advice for name in open_rows)


@pytest.mark.parametrize("system", [FULL, USERS], ids=["full", "user's"])
def test_nothing_is_advised_or_refused_where_bubblewrap_enforces_all(system):
    rows = rows_of(system)
    assert not any(rows[name].advice for name in ("processes", "network", "files", "privileges", "pausing"))
    system.require(Limits(), (1,))


@pytest.mark.parametrize(
    ("system", "row", "words"),
    [
        (FULL, "memory", "cgroup v2, 300 MB"),
        (USERS, "memory", "size of its one process"),
        (USERS, "memory", "polled every 20 ms, at most 300 MB"),
        (NOTHING, "memory", "size of all processes"),
        (USERS, "memory", "RLIMIT_DATA"),
        (FULL, "processor", "cpuset cgroup (core 1)"),
        (USERS, "processor", "affinity (core 1), the system call filter refuses"),
        (NOTHING, "processor", "which an agent can change"),
        (FULL, "pausing", "cgroup freezer"),
        (USERS, "pausing", "SIGSTOP"),
        (FULL, "processes", "own pid namespace (bubblewrap), killed as a whole, at most 64"),
        (USERS, "processes", "threads only, no other processes (system call filter), at most 64, polled"),
        (NO_BUBBLEWRAP, "processes", "threads only"),
        (FILTER_ONLY, "processes", "threads only, no other processes (system call filter), at most 64, polled"),
        (Mechanisms(groups=ALL_GROUPS), "processes", "own session, cgroup.kill"),
        (NOTHING, "processes", "killed by tree"),
        (FULL, "network", "own network namespace (bubblewrap), no sockets"),
        (Mechanisms(bubblewrap=True), "network", "own network namespace (bubblewrap)"),
        (NO_BUBBLEWRAP, "network", "no sockets (system call filter)"),
        (FULL, "files", "own read-only file tree (bubblewrap)"),
        (NO_BUBBLEWRAP, "files", "none for reading; writing is refused (system call filter)"),
        (FULL, "privileges", "no capabilities, private /proc (bubblewrap), system call filter"),
        (
            NO_BUBBLEWRAP,
            "privileges",
            "no signals to other processes (their commands are seen, not their memory), system call filter",
        ),
        (NOTHING, "output", "answers up to 1 MB; of its log the first and last 32 KiB"),
    ],
)
def test_the_mechanism_of_a_limit_is_named(system, row, words):
    assert words in rows_of(system)[row].mechanism


@pytest.mark.parametrize(
    ("system", "allowed"),
    [(FULL, True), (USERS, False), (NO_BUBBLEWRAP, False), (FILTER_ONLY, False), (NOTHING, True), (OPEN, True)],
)
def test_an_agent_may_start_processes_where_all_are_counted_or_none_can_be_refused(system, allowed):
    assert system.allows_processes == allowed


def test_the_warning_names_the_limit_the_reason_and_where_to_read_more():
    warning = FILTER_ONLY.warning(Limits(), (1,))
    assert warning == f"Not enforced on this system: files ({MISSING}). `python runner.py doctor` says more."
    assert FULL.warning(Limits(), (1,)) == ""


@pytest.mark.parametrize(
    ("system", "is_root", "release", "limit"),
    [
        (FULL, False, "6.1.0-18-amd64", None),
        (USERS, False, "6.1.0-18-amd64", isolation.MAX_PROCESSES - 1),
        (USERS, False, "5.10.0", 1000 + isolation.MORE_TASKS),  # an older kernel counts all tasks of the user
        (USERS, True, "6.1.0", None),  # the kernel does not count root's tasks
        (FILTER_ONLY, False, "6.1.0", 1000 + isolation.MORE_TASKS),
    ],
)
def test_the_kernel_counts_tasks_where_it_counts_an_agents_alone(monkeypatch, system, is_root, release, limit):
    monkeypatch.setattr(isolation, "_is_root", lambda: is_root)
    monkeypatch.setattr(isolation, "_tasks_on_system", lambda: 1000)
    monkeypatch.setattr(isolation.platform, "release", lambda: release)
    assert system.max_tasks == limit
    assert system.polls_tasks == (system is not FULL)


def test_without_cores_the_processor_limit_is_not_enforced():
    assert not rows_of(FULL, cores=())["processor"].is_enforced


def test_what_was_switched_off_is_not_advised_to_be_installed():
    advice = {row.advice for row in rows_of(OPEN).values()}
    assert advice == {"", "isolation is switched off (--isolation none)"}


# --- Required -------------------------------------------------------------------------------------------------------


def test_what_is_not_enforced_is_named_with_what_to_do():
    with pytest.raises(IsolationError) as error:
        NOTHING.require(Limits(), ())
    for words in (f"network: {MISSING}", f"files: {MISSING}", "processor: this system cannot pin"):
        assert words in str(error.value)
    assert "memory" not in str(error.value)


# --- What this system offers ----------------------------------------------------------------------------------------


def found(monkeypatch, missing, level="best"):
    monkeypatch.setattr(bubblewrap, "missing", lambda: missing)
    monkeypatch.setattr(syscalls, "is_supported", lambda: True)
    return available_mechanisms.__wrapped__(level)


def test_everything_that_is_there_is_used(monkeypatch):
    assert found(monkeypatch, "") == FULL
    assert found(monkeypatch, MISSING) == NO_BUBBLEWRAP


def test_isolation_none_uses_nothing(monkeypatch):
    assert found(monkeypatch, "", "none") == OPEN
