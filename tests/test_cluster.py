"""Tasks on a Dask cluster give what one machine gives, also when workers are lost; all must have the same program."""

import json
import os
import platform
import re
import signal
import socket
import sys
import time
from dataclasses import replace

import psutil
import pytest

from agents.agent import parse_agent
from agents.limits import Limits
from game import load_game
from simulator.records.schema import Pair
from simulator.referee.conditions import Conditions
from simulator.referee.events import ClockRuns
from simulator.referee.game_record import GameRecord
from simulator.sandbox import cores
from simulator.sandbox.cores import available_cores, choose_cores
from simulator.tournament.openings import random_openings
from simulator.tournament.tasks import PairTask
from simulator.tournament.workers.fingerprint import CheckedTask, Handshake, differences
from simulator.tournament.workers.protocol import (
    DEATHS_OF_A_TASK,
    ExecutorError,
    TaskDied,
    TaskDone,
)
from tests.clusters import WAIT_SECONDS, DeadlyHandshake, started_cluster
from tests.command_line import invoke
from tests.leagues import repeatable
from tests.programs import AGENTS, PROJECT, RESIGNER, assert_ended, command
from tests.tasks import HasChildren, Square, Waits

PENTAGO = load_game("pentago")
CONDITIONS = Conditions(limits=Limits(60, 60, 60))
SPECS = (parse_agent("random_agent"), parse_agent("greedy_agent"))
HANDSHAKE = Handshake.of(CONDITIONS, dict(zip(("alpha", "beta"), SPECS, strict=True)))


def executor_on(address, handshake=HANDSHAKE, most=None):
    """An executor on a cluster. Dask is imported in functions: whoever only collects these tests saves 0.4 s of CPU."""
    from simulator.tournament.workers.dask import ClusterExecutor

    return ClusterExecutor(address, handshake, most, share_cores=True)  # a machine may have one core


@pytest.fixture(scope="module")
def lone_worker(tmp_path_factory):
    """The address of a cluster with one worker process, for tests in which no worker is lost."""
    with started_cluster(tmp_path_factory.mktemp("lone_worker"), 1, "--no-nanny") as (address, _):
        yield address


@pytest.fixture
def executor(cluster):
    with executor_on(cluster) as executor:
        yield executor


@pytest.fixture
def observer(cluster):
    """A second client of the cluster, beside the coordinator's."""
    from distributed import Client

    with Client(cluster, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
        yield client


def attempts_that_run():
    from simulator.tournament.workers import dask_child

    return frozenset(dask_child._playing)


# --- What a run leaves behind ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_scheduler_keeps_nothing_of_what_it_has_passed_on(executor, observer):
    kept = []
    for _, event in executor.run([Square(n) for n in range(3)]):
        if isinstance(event, TaskDone):
            kept.append(len(observer.get_events(executor._topic)))
    assert kept[-1] == 0 == len(observer.get_events(executor._topic))


@pytest.mark.slow
@pytest.mark.parametrize(("most", "used"), [(1, 1), (None, 2)])
def test_no_more_workers_are_used_than_are_wanted(cluster, most, used):
    with executor_on(cluster, most=most) as executor:
        where = [event.where for _, event in executor.run([Waits()] * 5) if isinstance(event, TaskDone)]
    assert (len(where), len(set(where))) == (5, used)


@pytest.mark.slow
def test_a_worker_whose_processes_end_before_they_play_ends_the_run(cluster):
    handshake = DeadlyHandshake.of(CONDITIONS, HANDSHAKE.specs)
    with (
        executor_on(cluster, handshake, most=1) as executor,
        pytest.raises(ExecutorError, match=rf"the preparation of worker .* {DEATHS_OF_A_TASK} attempts.*SIGKILL"),
    ):
        list(executor.run([Square(2)]))


@pytest.mark.slow
def test_stopping_at_once_leaves_no_attempt_on_a_worker(executor, observer):
    events = executor.run([HasChildren(True)] * 3)
    next(events)
    executor.stop(at_once=True)
    list(events)
    assert set(observer.run(attempts_that_run).values()) == {frozenset()}


# --- Games, and workers that are lost -------------------------------------------------------------------------------


@pytest.mark.slow
def test_pairs_of_a_worker_that_is_killed_are_played_again_and_all_are_as_on_one_machine(executor, observer):
    """When a worker is killed in the middle of a game, its processes and agents end with it."""
    openings = random_openings(PENTAGO, 20, 3)
    tasks = [PairTask(Pair(n, 1, n, "alpha", "beta", next(openings), n), CONDITIONS, SPECS) for n in range(2)]
    played, lost, died = {task.pair: [] for task in tasks}, [], False
    for task, event in executor.run(tasks):
        if isinstance(event, GameRecord):
            played[task.pair].append(event)
        if isinstance(event, ClockRuns) and not lost:
            attempt = next(a for a in executor._running.values() if a.task == task)
            worker = psutil.Process(observer.run(os.getpid)[attempt.worker.address])
            lost = [worker, *worker.children(recursive=True)]
            worker.kill()
            killed = task
        elif isinstance(event, TaskDied):
            assert task == killed
            assert event.how.startswith("lost with its worker (")
            played[task.pair].clear()
            died = True
        elif isinstance(event, TaskDone):
            assert re.fullmatch(rf"{platform.node()}, worker .*tcp://127.*", event.where)
    assert died
    assert len(lost) >= 3  # the worker, the process that plays, and an agent
    assert_ended(lost)
    for task in tasks:
        here = []
        task.run(here.append, choose_cores(1))
        assert repeatable(played[task.pair]) == repeatable(what for what in here if isinstance(what, GameRecord))


@pytest.mark.slow
@pytest.mark.parametrize("interrupts", [[signal.SIGINT, signal.SIGINT], [signal.SIGTERM], [signal.SIGKILL]])
def test_a_coordinator_that_is_ended_leaves_no_process_on_the_workers(cluster, observer, tmp_path, interrupts):
    sleepers = [AGENTS / "sleeps.py"] * 2
    words = ["tournament", *sleepers, "--cluster", cluster, "--move-time", 600, "--force", "--json"]
    with command(*words, folder=tmp_path) as process:
        assert any(json.loads(line)["event"] == "planned" for line in process.stdout)
        agents = children_of_workers(observer)
        for number in interrupts:
            process.send_signal(number)
            time.sleep(0.5)
        process.stdout.read()
        assert process.wait(WAIT_SECONDS) == (130 if signal.SIGKILL not in interrupts else -signal.SIGKILL)
    assert_ended(agents)


def children_of_workers(observer):
    """The processes that workers have started, as soon as an agent is among them.

    The opening has been played, and the first agent to move thinks for ever, so that its opponent is never started. How
    many more processes there are depends on the sandbox.
    """
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        workers = [psutil.Process(pid) for pid in observer.run(os.getpid).values()]
        found = [child for worker in workers for child in worker.children(recursive=True)]
        if any(is_agent(child) for child in found):
            return found
        time.sleep(0.1)
    pytest.fail("no game has begun")


def is_agent(process):
    """Whether a process runs an agent's program or a sandbox around it; False for a process that has ended."""
    try:
        return "simulator.player.agent_process" in " ".join(process.cmdline())
    except psutil.Error:
        return False


def test_a_tournament_is_played_by_a_cluster(lone_worker, tmp_path, monkeypatch):
    """The tournament is of a game from a file, which is sent to the cluster, too."""
    monkeypatch.chdir(tmp_path)
    game = PROJECT / "examples" / "games" / "connect_four.py"
    quick = ["--isolation", "none", "--opening-plies", "2", "--first-move-time", "60", "--cushion", "60", "--force"]
    result = invoke("tournament", RESIGNER, RESIGNER, "--game", game, *quick, "--json", "--cluster", lone_worker)
    assert result.exit_code == 0, result.output
    kinds = [json.loads(line)["event"] for line in result.stdout.splitlines()]
    assert kinds == ["started", "agent", "agent", "planned", "game", "game", "saved", "ended"]


# --- Refusals -------------------------------------------------------------------------------------------------------


def fingerprint_with(name):
    """The fingerprint of a machine on which this file is added or differs."""
    return {**HANDSHAKE.fingerprint, name: "elsewhere"}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("jit/bits.py", r"jit/bits\.py differs \([0-9a-f]{12}, not elsewhere\)"),
        ("pentago/more.py", r"pentago/more\.py is missing"),
        ("numba", r"numba differs \([0-9.]+, not elsewhere\)"),
        ("mine.py of mine.py", "mine.py of mine.py is missing"),
    ],
)
def test_what_is_not_the_same_elsewhere_is_named(name, words):
    (found,) = differences(fingerprint_with(name), HANDSHAKE.fingerprint)
    assert re.fullmatch(words, found)
    assert differences(HANDSHAKE.fingerprint, HANDSHAKE.fingerprint) == []


def test_what_else_lies_in_the_projects_folder_may_be_anything():
    """Somebody may keep an agent there, for instance, that does not play."""
    modules = {"board_view.py", "options.py", "python_file.py"}
    assert {name for name in HANDSHAKE.fingerprint if re.fullmatch(r"\w+\.py", name)} == modules


def test_a_worker_prepares_each_agent_under_its_own_limits(monkeypatch):
    given = []
    monkeypatch.setattr(
        "simulator.tournament.tasks.compile_ahead", lambda game, specs, say, limits, *_, **more: given.append(limits)
    )
    handshake = replace(HANDSHAKE, conditions=replace(CONDITIONS, limits_of={"beta": {"memory_mb": 900}}))
    assert CheckedTask(handshake, Square(2), compiles=True).run(lambda told: None, choose_cores(1)) == 4
    assert [limits.memory_mb for limits in given] == [500, 900]


def test_a_worker_with_another_program_is_refused_by_name(lone_worker):
    handshake = replace(HANDSHAKE, fingerprint=fingerprint_with("jit/bits.py"))
    with (
        executor_on(lone_worker, handshake) as executor,
        pytest.raises(ExecutorError, match=r"(?s)worker .*tcp://127.* cannot play: .*jit/bits\.py differs"),
    ):
        list(executor.run([Square(1)]))


@pytest.mark.slow
def test_a_scheduler_that_is_gone_ends_the_run_in_words(tmp_path):
    with started_cluster(tmp_path, workers=1) as (address, scheduler):
        with executor_on(address) as executor:
            events = executor.run([HasChildren(True)])
            child = psutil.Process(next(events)[1])
            scheduler.kill()
            with pytest.raises(ExecutorError, match=f"the scheduler at {address} (is gone|does not answer)"):
                list(events)
        assert_ended([child])


@pytest.mark.parametrize("address", ["nonsense", "tcp://127.0.0.1:1"])
def test_an_address_without_a_scheduler_is_refused_with_how_to_start_one(address, monkeypatch):
    monkeypatch.setattr("simulator.tournament.workers.dask.CONNECTING_SECONDS", 0.2)
    with pytest.raises(ExecutorError, match=rf"no scheduler at {address}: .*python -m dask scheduler"):
        executor_on(address)


def test_what_takes_a_connection_and_says_nothing_is_no_scheduler(monkeypatch):
    monkeypatch.setattr("simulator.tournament.workers.dask.CONNECTING_SECONDS", 0.2)
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        pytest.raises(ExecutorError, match=r"no scheduler at .*no answer in 0\.2 s"),
    ):
        executor_on(f"tcp://127.0.0.1:{silent.getsockname()[1]}")


def test_a_workers_address_is_no_schedulers(lone_worker):
    from distributed import Client

    with Client(lone_worker, set_as_default=False) as client:
        (worker,) = client.scheduler_info()["workers"]
    with pytest.raises(ExecutorError, match=f"at {worker} is a worker, not a scheduler"):
        executor_on(worker)


@pytest.mark.slow
def test_a_scheduler_without_workers_is_no_reason_to_wait_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr("simulator.tournament.workers.dask.PATIENCE_SECONDS", 1)
    with (
        started_cluster(tmp_path, workers=0) as (address, _),
        executor_on(address) as executor,
        pytest.raises(ExecutorError, match=rf"no worker at {address}; .*python -m dask worker"),
    ):
        list(executor.run([Square(1)]))


def test_without_dask_there_is_a_word_on_how_to_get_it(monkeypatch):
    for module in ("simulator.tournament.workers.dask", "simulator.tournament.workers.dask_child"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = invoke("tournament", "random_agent", "random_agent", "--cluster", "tcp://h:1")
    assert result.exit_code == 2
    assert 'pip install -e ".[cluster]" in the project' in " ".join(result.output.split())


# --- Cores ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def other_process(tmp_path, monkeypatch):
    """A function that makes this process forget its cores, as if it were another process; the locks stay."""
    monkeypatch.setattr(cores.tempfile, "gettempdir", lambda: str(tmp_path))
    kept = []

    def forget():
        kept.append({})
        monkeypatch.setattr(cores, "_reserved", kept[-1])

    forget()
    yield forget
    for file in (file for reserved in kept for file in reserved.values()):
        file.close()


def test_workers_of_one_machine_share_no_core_unless_they_may(other_process):
    from simulator.tournament.workers.dask_child import Unfit, take_cores

    every = available_cores()
    for core in every[::-1]:
        assert take_cores(1, share=False) == take_cores(1, share=False) == (core,)
        other_process()
    with pytest.raises(Unfit, match=r"a pair needs 1, and others have reserved.*--force"):
        take_cores(1, share=False)
    assert set(take_cores(1, share=True)) <= set(every)


def test_cores_are_not_reserved_where_others_could_hold_the_locks(other_process, tmp_path):
    from simulator.tournament.workers.dask_child import Unfit, take_cores

    folder = tmp_path / f"unforced-cores-{os.getuid()}"
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(Unfit, match="not a folder of this user alone"):
        take_cores(1, share=False)


def test_a_core_is_free_when_its_worker_has_ended(other_process):
    from simulator.tournament.workers.dask_child import take_cores

    take_cores(1, share=False)
    for file in cores._reserved.values():
        file.close()
    other_process()
    assert take_cores(1, share=False) == available_cores()[-1:]
