"""What is claimed of each limit, for every combination of mechanisms that matters, and what `required` refuses."""

from pathlib import Path

import pytest

from agents.agent import Limits
from simulator.sandbox import bubblewrap, cgroups, syscalls
from simulator.sandbox import isolation as machine
from simulator.sandbox.cgroups import CORE, Place
from simulator.sandbox.isolation import IsolationError, Machine, Row, survey

ROWS = ("memory", "processor", "pausing", "processes", "network", "files", "privileges", "output")
ALL_GROUPS = frozenset({"memory", "pids", "cpuset", CORE})
MISSING = "bubblewrap is not installed"

FULL = Machine(bubblewrap=True, filter=True, groups=ALL_GROUPS)
USERS = Machine(bubblewrap=True, filter=True)  # an ordinary user's
NO_BUBBLEWRAP = Machine(filter=True, groups=ALL_GROUPS)
FILTER_ONLY = Machine(filter=True)
NOTHING = Machine()
OPEN = Machine(is_open=True)
MACHINES = {
    "full": FULL,
    "user's": USERS,
    "no bubblewrap": NO_BUBBLEWRAP,
    "filter only": FILTER_ONLY,
    "nothing": NOTHING,
    "open": OPEN,
}


@pytest.fixture(autouse=True)
def a_system_without_bubblewrap_that_could_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that rows ask of the real system is made up."""
    monkeypatch.setattr(bubblewrap, "missing", lambda: MISSING)
    monkeypatch.setattr(cgroups, "places", lambda: {purpose: Place(Path("/groups"), 2) for purpose in ALL_GROUPS})
    monkeypatch.setattr(machine, "HAS_AFFINITY", True)
    monkeypatch.setattr(machine, "_is_root", lambda: False)


def rows_of(system: Machine, cores: tuple[int, ...] = (1,)) -> dict[str, Row]:
    return {row.name: row for row in system.rows(Limits(memory_mb=300), cores)}


@pytest.mark.parametrize("system", MACHINES.values(), ids=MACHINES)
def test_every_limit_has_a_row_and_facts_say_the_same(system: Machine) -> None:
    rows = rows_of(system)
    assert tuple(rows) == ROWS
    assert system.facts(Limits(memory_mb=300), (1,)) == {name: row.mechanism for name, row in rows.items()}


@pytest.mark.parametrize("system", MACHINES.values(), ids=MACHINES)
def test_what_nothing_holds_has_advice(system: Machine) -> None:
    assert all(row.advice for row in rows_of(system).values() if not row.is_held)


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
    ids=MACHINES,
)
def test_rows_that_nothing_holds(system: Machine, open_rows: set[str]) -> None:
    assert {name for name, row in rows_of(system).items() if not row.is_held} == open_rows


@pytest.mark.parametrize("system", [FULL, USERS], ids=["full", "user's"])
def test_nothing_is_advised_for_what_bubblewrap_holds(system: Machine) -> None:
    rows = rows_of(system)
    assert not any(rows[name].advice for name in ("processes", "network", "files", "privileges", "pausing"))


@pytest.mark.parametrize(
    ("system", "row", "words"),
    [
        (FULL, "memory", "cgroup v2, 300 MB"),
        (USERS, "memory", "size of its one process"),
        (USERS, "memory", "looked at every 20 ms, at most 300 MB"),
        (NOTHING, "memory", "size of all processes"),
        (USERS, "memory", "RLIMIT_DATA"),
        (FULL, "processor", "cpuset cgroup (core 1)"),
        (USERS, "processor", "affinity (core 1), its changing refused"),
        (NOTHING, "processor", "which an agent can change"),
        (FULL, "pausing", "cgroup freezer"),
        (USERS, "pausing", "SIGSTOP"),
        (FULL, "processes", "own pid namespace (bubblewrap), killed as a whole, at most 64"),
        (USERS, "processes", "threads only, no other processes (system call filter), at most 64, looked at"),
        (NO_BUBBLEWRAP, "processes", "threads only"),
        (FILTER_ONLY, "processes", "threads only, no other processes (system call filter), at most 64, looked at"),
        (Machine(groups=ALL_GROUPS), "processes", "own session, cgroup.kill"),
        (NOTHING, "processes", "killed by tree"),
        (FULL, "network", "own network namespace (bubblewrap), no sockets"),
        (Machine(bubblewrap=True), "network", "own network namespace (bubblewrap)"),
        (NO_BUBBLEWRAP, "network", "no sockets (system call filter)"),
        (FULL, "files", "own read-only file tree (bubblewrap)"),
        (NO_BUBBLEWRAP, "files", "none for reading; writing is refused (system call filter)"),
        (FULL, "privileges", "no capabilities, private /proc (bubblewrap), system call filter"),
        (
            NO_BUBBLEWRAP,
            "privileges",
            "no signals to other processes (their commands are seen, not their memory), system call filter",
        ),
        (NOTHING, "output", "answers up to 1 MB, 64 KiB of stderr kept"),
    ],
)
def test_what_holds_a_limit_is_named(system: Machine, row: str, words: str) -> None:
    assert words in rows_of(system)[row].mechanism


@pytest.mark.parametrize(
    ("system", "makes"),
    [(FULL, True), (USERS, False), (NO_BUBBLEWRAP, False), (FILTER_ONLY, False), (NOTHING, True), (OPEN, True)],
)
def test_an_agent_makes_processes_where_all_are_counted_or_none_can_be_refused(system: Machine, makes: bool) -> None:
    assert system.makes_processes == makes


def test_what_is_not_held_is_a_sentence_with_the_reason_and_where_to_read_more() -> None:
    said = FILTER_ONLY.not_held(Limits(), (1,))
    assert said == f"Not held on this system: files ({MISSING}). `python runner.py doctor` says more."
    assert FULL.not_held(Limits(), (1,)) == ""


@pytest.mark.parametrize(
    ("system", "is_root", "release", "limit"),
    [
        (FULL, False, "6.1.0-18-amd64", None),
        (USERS, False, "6.1.0-18-amd64", machine.MAX_PROCESSES),
        (USERS, False, "5.10.0", 1000 + machine.MORE_TASKS),  # counts all tasks of the user
        (USERS, True, "6.1.0", None),  # root's are not counted at all
        (FILTER_ONLY, False, "6.1.0", 1000 + machine.MORE_TASKS),
    ],
)
def test_the_kernel_counts_tasks_where_it_counts_an_agents_alone(
    monkeypatch: pytest.MonkeyPatch, system: Machine, is_root: bool, release: str, limit: int | None
) -> None:
    monkeypatch.setattr(machine, "_is_root", lambda: is_root)
    monkeypatch.setattr(machine, "_tasks_on_system", lambda: 1000)
    monkeypatch.setattr(machine.platform, "release", lambda: release)
    assert system.tasks == limit
    assert system.watches_tasks == (system is not FULL)


def test_without_cores_to_pin_to_the_processor_is_not_held() -> None:
    assert not rows_of(FULL, cores=())["processor"].is_held


def test_what_was_switched_off_is_not_advised_to_be_installed() -> None:
    advice = {row.advice for row in rows_of(OPEN).values()}
    assert advice == {"", "isolation is switched off (--isolation none)"}


# --- Required -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", [FULL, USERS], ids=["full", "user's"])
def test_where_every_limit_is_held_nothing_is_refused(system: Machine) -> None:
    system.require(Limits(), (1,))


def test_what_is_not_held_is_named_with_what_to_do() -> None:
    with pytest.raises(IsolationError) as error:
        NOTHING.require(Limits(), ())
    for words in (f"network: {MISSING}", f"files: {MISSING}", "processor: this system cannot pin"):
        assert words in str(error.value)
    assert "memory" not in str(error.value)


# --- The survey -----------------------------------------------------------------------------------------------------


def surveyed(monkeypatch: pytest.MonkeyPatch, missing: str, isolation: machine.Isolation = "best") -> Machine:
    monkeypatch.setattr(machine.sys, "platform", "linux")
    monkeypatch.setattr(bubblewrap, "missing", lambda: missing)
    monkeypatch.setattr(syscalls, "is_supported", lambda: True)
    return survey.__wrapped__(isolation)


def test_what_there_is_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert surveyed(monkeypatch, "") == FULL
    assert surveyed(monkeypatch, MISSING) == NO_BUBBLEWRAP


def test_isolation_none_uses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert surveyed(monkeypatch, "", "none") == OPEN


def test_other_systems_have_none_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine.sys, "platform", "darwin")
    assert survey.__wrapped__("best") == NOTHING
