"""Tasks played in other processes: who plays them, what they tell meanwhile, and what happens when a process dies.

A coordinator hands tasks to an `Executor` and reads events. The one here, `LocalExecutor`, keeps a few processes on
this machine, each on cores of its own; `cluster.py` has one that reaches other machines.

Begin reading at `Executor`. The other end of the pipe is `executor_worker.py`.
"""

import multiprocessing
import os
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, NamedTuple, Protocol

from simulator.tournament.workers.child import FAILED, RESULT, serve_tasks

DEATHS_OF_A_TASK = 3  # processes that die over one task before it is given up
CLOSING_SECONDS = 10.0  # for a process to end its agents before it is killed; that takes them 2.5 s at most


class Task(Protocol):
    """Something to be done in another process, where it is sent in pickled form."""

    def run(self, tell: Callable[[Any], None], cores: tuple[int, ...]) -> Any:
        """Do it, on these cores where it starts processes, and `tell` what happens; returns its result."""


class Told(NamedTuple):
    """A task, while it runs, has told something."""

    task: Any
    what: Any


class Done(NamedTuple):
    """A task is done; `where` says on which machine, empty for this one."""

    task: Any
    result: Any
    where: str = ""


class Died(NamedTuple):
    """The process that ran a task has ended before its time; the task is begun again in another one."""

    task: Any
    how: str


class GivenUp(NamedTuple):
    """Too many processes have ended over a task, which is not begun again; `why` says how many and how."""

    task: Any
    why: str


Event = Told | Done | Died | GivenUp


class Executor(Protocol):
    """Runs tasks in other processes."""

    def run(self, tasks: Sequence[Task]) -> Iterator[Event]:
        """Run tasks, begun in this order, and say what happens; ends when all are done or given up, or after `stop`.

        No process is left when it ends, or is closed. Raises ExecutorError where a task fails by itself.
        """

    def stop(self, at_once: bool = False) -> None:
        """Begin no more tasks; with `at_once` those that run are ended too, and every process of theirs.

        May be called from a signal handler while `run` goes on.
        """


class ExecutorError(Exception):
    """A task that cannot be done; the message has the traceback or what ended its processes."""


def given_up(over: Any, how: str) -> str:
    """Why something is not tried again, in words."""
    return f"{DEATHS_OF_A_TASK} processes have ended over {over}, the last one was {how}"


def available_cores() -> tuple[int, ...]:
    """The cores that this process may use."""
    has_affinity = hasattr(os, "sched_getaffinity")
    return tuple(sorted(os.sched_getaffinity(0) if has_affinity else range(os.cpu_count() or 1)))


def cores_of(worker: int, processors: int) -> tuple[int, ...]:
    """The cores of a worker, from 0: from the last core down, `processors` each, shared where there are too few."""
    cores = available_cores()[::-1]
    return tuple(sorted({cores[(worker * processors + i) % len(cores)] for i in range(processors)}))


def how_it_ended(status: int) -> str:
    """A process's exit status in words; minus the signal's number, if one killed it."""
    return f"killed by {signal.Signals(-status).name}" if status < 0 else f"ended with exit status {status}"


@dataclass
class _Worker:
    """A process that runs one task at a time."""

    process: SpawnProcess
    pipe: Connection
    cores: tuple[int, ...]
    task: Any = None

    def begin(self, task: Any) -> bool:
        """Hand over a task; False if the process is gone."""
        try:
            self.pipe.send(task)
        except OSError:
            return False
        self.task = task
        return True

    def how_it_ended(self) -> str:
        self.process.join()
        return how_it_ended(self.process.exitcode or 0)


class LocalExecutor:
    """Runs tasks in a few processes on this machine.

    Args:
        workers: how many.
        processors: how many cores each of them has for what it starts.
    """

    def __init__(self, workers: int = 1, processors: int = 1) -> None:
        self._number, self._processors = workers, processors
        self._workers: list[_Worker] = []
        self._waiting: deque[Any] = deque()
        self._deaths: Counter[int] = Counter()
        self._stopped = self._at_once = False

    def run(self, tasks: Sequence[Task]) -> Iterator[Event]:
        """See `Executor`."""
        self._waiting = deque(tasks)
        self._deaths.clear()
        try:
            self._workers = [self._started(i) for i in range(min(self._number, len(tasks)))]
            while self._hand_out():
                yield from self._events()
        finally:
            self._close()

    def stop(self, at_once: bool = False) -> None:
        """See `Executor`."""
        self._stopped = True
        if at_once:
            self._at_once = True
            for worker in self._workers:
                worker.process.terminate()

    def _started(self, number: int) -> _Worker:
        """A new process; Ctrl-C, which a terminal sends to all, waits until it can be deaf to it."""
        cores = cores_of(number, self._processors)
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=serve_tasks, args=(theirs, os.getpid(), cores), daemon=True)
        with _no_interrupt():
            process.start()
        theirs.close()
        return _Worker(process, ours, cores)

    def _hand_out(self) -> bool:
        """Give tasks to those who have none; returns whether there is anything to wait for."""
        for i, worker in enumerate(self._workers):
            if worker.task is None and self._waiting and not self._stopped:
                task = self._waiting.popleft()
                if not worker.begin(task):
                    self._waiting.appendleft(task)
                    self._restart(i)
        busy = any(worker.task is not None for worker in self._workers)
        return not self._at_once and (busy or bool(self._waiting and not self._stopped))

    def _events(self) -> Iterator[Event]:
        """What was told since, after waiting for something."""
        pipes: dict[Any, _Worker] = {worker.pipe: worker for worker in self._workers if worker.task is not None}
        for pipe in wait(list(pipes)):
            worker = pipes[pipe]
            try:
                kind, what = worker.pipe.recv()
            except (EOFError, OSError):
                if not self._at_once:
                    yield self._replace(worker)
                continue
            if kind == FAILED:
                raise ExecutorError(f"a task has failed:\n{what}")
            task = worker.task
            if kind == RESULT:
                worker.task = None
            yield Done(task, what) if kind == RESULT else Told(task, what)

    def _replace(self, worker: _Worker) -> Died | GivenUp:
        """Another process in the place of one that ended, and its task to be begun again, if not too many ended."""
        how, task = worker.how_it_ended(), worker.task
        self._deaths[id(task)] += 1
        self._restart(self._workers.index(worker))
        if self._deaths[id(task)] == DEATHS_OF_A_TASK:
            return GivenUp(task, given_up(task, how))
        if not self._stopped:
            self._waiting.appendleft(task)
        return Died(task, how)

    def _restart(self, number: int) -> None:
        self._workers[number].pipe.close()
        self._workers[number].process.join()
        self._workers[number] = self._started(number)

    def _close(self) -> None:
        """End all processes: idle ones at the end of their pipe, busy ones by a signal on which they end theirs."""
        for worker in self._workers:
            if worker.task is not None:
                worker.process.terminate()
            worker.pipe.close()
        for worker in self._workers:
            worker.process.join(CLOSING_SECONDS)
            if worker.process.exitcode is None:
                worker.process.kill()
                worker.process.join()
        self._workers = []


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Ctrl-C waits meanwhile, for what is started too."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
