"""Tasks in other processes: all are done, also when processes die; stopping leaves none behind."""

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from simulator.sandbox.cores import available_cores, choose_cores
from simulator.tournament.workers.local import LocalExecutor
from simulator.tournament.workers.protocol import DEATHS_OF_A_TASK, TaskDied, TaskDone, TaskGivenUp, TaskTold

MINUTE = ["-c", "import time; time.sleep(60)"]


@pytest.fixture(autouse=True)
def no_process_is_left():
    yield
    children = [child for child in psutil.Process().children(recursive=True) if child.status() != psutil.STATUS_ZOMBIE]
    assert [child.cmdline() for child in children if "resource_tracker" not in " ".join(child.cmdline())] == []


@dataclass(frozen=True)
class Square:
    number: int

    def run(self, tell, cores):
        tell(("cores", cores))
        return self.number**2


@dataclass(frozen=True)
class KillsItsProcess:
    """As long as there are fewer files in a folder than `times`."""

    folder: Path
    times: int

    def run(self, tell, cores):
        number = len(list(self.folder.iterdir()))
        if number < self.times:
            (self.folder / str(number)).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return "alive"


@dataclass(frozen=True)
class SaysWho:
    def run(self, tell, cores):
        return os.getpid()


@dataclass(frozen=True)
class Fails:
    def run(self, tell, cores):
        raise LookupError("a bug")


@dataclass(frozen=True)
class HasChildren:
    """Starts a process and waits for a minute; the process is ended as an agent is: by `finally`, or not at all."""

    tidy: bool

    def run(self, tell, cores):
        child = subprocess.Popen([sys.executable, "-S", *MINUTE])
        try:
            tell(child.pid)
            time.sleep(60)
        finally:
            if self.tidy:
                child.kill()
                child.wait()


def results(events):
    return [event.result for event in events if isinstance(event, TaskDone)]


def test_all_tasks_are_done_by_as_many_processes_as_there_may_be():
    events = list(LocalExecutor(2).run([Square(n) for n in range(7)]))
    assert sorted(results(events)) == [n**2 for n in range(7)]
    assert {event.where for event in events if isinstance(event, TaskDone)} == {""}
    assert {event.what for event in events if isinstance(event, TaskTold)} <= {
        ("cores", choose_cores(1, n)) for n in (0, 1)
    }


def test_a_process_that_is_idle_waits_for_the_next_run_where_the_executor_is_kept():
    with LocalExecutor(1) as executor:
        first, second = (results(executor.run([SaysWho()])) for _ in range(2))
        assert first == second
        running = executor.run([HasChildren(True)])
        next(running)
        running.close()
        assert results(executor.run([SaysWho()])) != first


def test_no_task_needs_no_process():
    assert list(LocalExecutor(2).run([])) == []


def test_cores_are_taken_from_the_last_and_shared_where_there_are_too_few():
    every = available_cores()
    assert choose_cores(1) == every[-1:]
    assert choose_cores(1, len(every)) == every[-1:]
    assert choose_cores(len(every) + 1) == every


def test_a_process_that_dies_is_replaced_and_its_task_begun_again(tmp_path):
    events = list(LocalExecutor(1).run([KillsItsProcess(tmp_path, 2), Square(3)]))
    assert sorted(map(str, results(events))) == ["9", "alive"]
    assert [event.how for event in events if isinstance(event, TaskDied)] == ["killed by SIGKILL"] * 2


@pytest.mark.slow
def test_a_task_that_ends_every_process_is_given_up_and_the_others_are_done(tmp_path):
    events = list(LocalExecutor(1).run([KillsItsProcess(tmp_path, 99), Square(3)]))
    (lost,) = [event for event in events if isinstance(event, TaskGivenUp)]
    assert re.search(rf"{DEATHS_OF_A_TASK} attempts.*SIGKILL", lost.why)
    assert len(list(tmp_path.iterdir())) == DEATHS_OF_A_TASK
    assert results(events) == [9]


def test_a_task_that_fails_is_given_up_with_its_traceback_and_the_others_are_done():
    events = list(LocalExecutor(1).run([Fails(), Square(3)]))
    (lost,) = [event for event in events if isinstance(event, TaskGivenUp)]
    assert re.search(rf"{DEATHS_OF_A_TASK} attempts.* stopped by LookupError: a bug\nTraceback", lost.why)
    assert results(events) == [9]


def test_stopping_finishes_what_runs_and_begins_nothing_more():
    executor = LocalExecutor(1)
    events = executor.run([Square(n) for n in range(5)])
    next(events)
    executor.stop()
    assert results(events) == [0]


@pytest.mark.parametrize("tidy", [True, False])
def test_stopping_at_once_leaves_no_process(tidy):
    executor, started = LocalExecutor(2), time.monotonic()
    events = executor.run([HasChildren(tidy)] * 3)
    assert psutil.pid_exists(next(events).what)
    executor.stop(at_once=True)
    assert results(events) == []
    assert time.monotonic() - started < 30


def test_a_run_that_is_given_up_leaves_no_process():
    events = LocalExecutor(1).run([HasChildren(True)])
    next(events)
    events.close()
