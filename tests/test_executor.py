"""Tasks in other processes: all are done even if processes die; a stopped executor leaves no process behind."""

import errno
import pickle
import re
import signal
import time
from contextlib import ExitStack
from itertools import islice

import psutil
import pytest

from simulator.referee.conditions import Conditions
from simulator.sandbox import cores
from simulator.sandbox.cores import available_cores, choose_cores
from simulator.tournament.workers.child import ENDED, Child, opened
from simulator.tournament.workers.fingerprint import Handshake
from simulator.tournament.workers.local import LocalExecutor
from simulator.tournament.workers.protocol import DEATHS_OF_A_TASK, ExecutorError, TaskDied, TaskDone, TaskGivenUp
from tests.programs import assert_ended, started
from tests.tasks import Fails, HasChildren, KillsItsProcess, Prints, SaysWho, Square, Waits


@pytest.fixture(autouse=True)
def no_process_is_left(request):
    if "cluster" in request.node.name:  # the cluster's processes stay for the next test
        yield
        return
    others = set(psutil.Process().children(recursive=True))
    yield
    # If a test of the referee ran in this process before, the process adopts orphans, which get 10 s to end.
    new = [child for child in psutil.Process().children(recursive=True) if child not in others and words_of(child)]
    _, left = psutil.wait_procs([child for child in new if "resource_tracker" not in words_of(child)], timeout=10)
    assert list(map(words_of, left)) == []


def words_of(process):
    """The command line of a process; empty once it has ended."""
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


@pytest.fixture(params=["here", pytest.param("cluster", marks=pytest.mark.slow)])
def executor_of(request):
    """A function that makes an executor with so many workers, on this machine or on a cluster."""
    if request.param == "here":
        yield LocalExecutor
        return
    from simulator.tournament.workers.dask import ClusterExecutor

    address, handshake = request.getfixturevalue("cluster"), Handshake.of(Conditions(), {})
    with ExitStack() as stack:
        yield lambda workers: stack.enter_context(ClusterExecutor(address, handshake, workers, share_cores=True))


def results(events):
    return [event.result for _, event in events if isinstance(event, TaskDone)]


def given_up(events):
    """The reason of the only TaskGivenUp among these events."""
    (lost,) = [event.why for _, event in events if isinstance(event, TaskGivenUp)]
    return lost


def test_all_tasks_are_done_after_what_they_told(executor_of):
    executor = executor_of(2)
    events = list(executor.run([Square(n) for n in range(5)]))
    assert sorted(results(events)) == [n**2 for n in range(5)]
    for n in range(5):
        told, done = (event for task, event in events if task.number == n)
        assert len(told) == 1 and isinstance(done, TaskDone)  # each task gets a core
    if isinstance(executor, LocalExecutor):
        assert {event.where for _, event in events if isinstance(event, TaskDone)} == {""}
        told = {event for _, event in events if not isinstance(event, TaskDone)}
        assert len(told) == min(2, len(available_cores())) and told <= {(core,) for core in available_cores()}
    assert list(executor.run([])) == []


def test_what_tasks_print_is_not_on_stdout(capfd):
    list(LocalExecutor(1).run([Prints()]))
    out, err = capfd.readouterr()
    assert (out, "as rules may" in err) == ("", True)


def test_a_process_that_is_idle_waits_for_the_next_run_where_the_executor_is_kept():
    with LocalExecutor(1) as executor:
        first, second = (results(executor.run([SaysWho()])) for _ in range(2))
        assert first == second
        running = executor.run([HasChildren(True)])
        next(running)
        running.close()
        assert results(executor.run([SaysWho()])) != first


@pytest.mark.parametrize(
    ("where", "error"),
    [
        ("child.subprocess.Popen", BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")),
        ("child.socket.socketpair", OSError(errno.EMFILE, "Too many open files")),
        ("local.Thread", RuntimeError("can't start new thread")),
        ("child.subprocess.Popen", MemoryError()),
    ],
)
def test_a_process_that_cannot_be_started_is_explained_and_what_to_do(monkeypatch, where, error):
    def fails(*arguments, **keywords):
        raise error

    monkeypatch.setattr(f"simulator.tournament.workers.{where}", fails)
    with pytest.raises(ExecutorError, match=r"no worker process can be started .*: end other programs"):
        list(LocalExecutor().run([Square(3)]))


def test_a_file_of_the_current_folder_that_is_called_as_a_module_is_left_alone(tmp_path, monkeypatch):
    (tmp_path / "random.py").write_text("raise ImportError")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    assert results(LocalExecutor().run([Square(3)])) == [9]


def test_cores_are_taken_from_the_last_and_shared_where_there_are_too_few():
    every = available_cores()
    assert choose_cores(1, 0) == every[-1:]
    assert choose_cores(1, len(every)) == every[-1:]
    assert choose_cores(len(every) + 1) == every


def test_the_cores_of_other_runs_and_busy_ones_come_last(monkeypatch, tmp_path):
    monkeypatch.setattr(cores.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(cores, "available_cores", lambda: (0, 1, 2, 3))
    monkeypatch.setattr(cores, "_busy_cores", lambda: {2})
    runs = []
    for _ in range(3):  # each as in a process of its own
        monkeypatch.setattr(cores, "_reserved", reserved := {})
        runs.append((cores.cores_for(2, 1), reserved))
    assert [chosen for chosen, _ in runs] == [[(3,), (1,)], [(0,), (2,)], [(3,), (1,)]]
    assert cores.cores_for(5, 1)[4] == (3,)
    for chosen, reserved in runs[:2]:
        monkeypatch.setattr(cores, "_reserved", reserved)
        cores.release(core for (core,) in chosen)
        assert not reserved


def test_it_is_measured_which_cores_are_busy(monkeypatch):
    idle = iter([{0: 1.0, 1: 5.0}, {0: 1.01, 1: 5.09}])
    monkeypatch.setattr(cores, "_idle_seconds", lambda: next(idle))
    assert cores._busy_cores() == {0}
    monkeypatch.undo()
    assert set(available_cores()) <= cores._idle_seconds().keys()


def test_a_process_that_dies_is_replaced_and_its_task_begun_again(executor_of, tmp_path):
    events = list(executor_of(1).run([KillsItsProcess(tmp_path, 2), Square(3)]))
    assert sorted(map(str, results(events))) == ["9", "alive"]
    how = [event.how.partition(" (")[0] for _, event in events if isinstance(event, TaskDied)]
    assert how == ["killed by SIGKILL"] * 2


def test_how_a_process_died_is_told_even_if_its_signal_has_no_name(tmp_path):
    """An executor waits for this message: without it, it would wait for ever."""
    number = signal.SIGRTMIN + 1
    (message,) = Child(choose_cores(1)).run(pickle.dumps(KillsItsProcess(tmp_path, 1, number)))
    assert opened(message) == (ENDED, f"killed by signal {number}")


@pytest.mark.slow
def test_a_task_that_ends_every_process_is_given_up_and_the_others_are_done(executor_of, tmp_path):
    events = list(executor_of(1).run([KillsItsProcess(tmp_path, 99), Square(3)]))
    assert re.search(rf"{DEATHS_OF_A_TASK} attempts.*SIGKILL", given_up(events))
    assert len(list(tmp_path.iterdir())) == DEATHS_OF_A_TASK
    assert results(events) == [9]


def test_a_task_that_fails_is_given_up_with_its_traceback_and_the_others_are_done(executor_of):
    events = list(executor_of(1).run([Fails(), Square(3)]))
    why = rf"{DEATHS_OF_A_TASK} attempts.* stopped by LookupError: a bug( \(.*worker .*\))?\nTraceback"
    assert re.search(why, given_up(events))
    assert results(events) == [9]


def test_stopping_finishes_what_runs_and_begins_nothing_more(executor_of):
    executor = executor_of(1)
    events = executor.run([Waits() for _ in range(5)])
    next(events)
    executor.stop()
    assert results(events) == ["waited"]


@pytest.mark.parametrize("tidy", [True, False])
def test_stopping_at_once_leaves_no_process(executor_of, tidy):
    executor = executor_of(2)
    events = executor.run([HasChildren(tidy)] * 3)
    children = [psutil.Process(pid) for _, pid in islice(events, 2)]  # both workers have begun
    stopped = time.monotonic()
    executor.stop(at_once=True)
    assert results(events) == []
    assert time.monotonic() - stopped < 30  # the tasks would wait for a minute
    assert_ended(children)


def test_a_program_that_is_killed_leaves_no_process():
    begin = "from tests.tasks import *; from simulator.tournament.workers.local import LocalExecutor"
    run = "events = LocalExecutor(1).run([HasChildren(True)]); print(next(events)[1], flush=True); time.sleep(60)"
    with started(f"{begin}; {run}") as program:
        child = psutil.Process(int(program.stdout.readline()))
        program.kill()
    child.wait(30)
