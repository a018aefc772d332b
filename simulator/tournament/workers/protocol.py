"""What a coordinator and an executor exchange, and what all executors share.

A coordinator hands tasks to an `Executor` and reads events. `LocalExecutor` (`local.py`) runs them on this machine,
`ClusterExecutor` (`dask.py`) on others. Begin reading at `Executor.run`.
"""

import uuid
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, Protocol

from options import Failure
from simulator.tournament.workers.child import ENDED, TOLD, WAIT_SECONDS, opened

DEATHS_OF_A_TASK = 3  # times that one task ends without a result before it is given up
LOST = "lost with its worker"


class Task(Protocol):
    """Something to be done in another process, where it is sent in pickled form."""

    def run(self, tell: Callable[[Any], None], cores: tuple[int, ...]) -> Any:
        """Do it, on these cores where it starts processes, and `tell` what happens; returns its result."""


class TaskDone(NamedTuple):
    """A task is done; `where` names the machine and the worker that did it, "" for this machine."""

    result: Any
    where: str = ""


class TaskDied(NamedTuple):
    """A task, or the process that ran it, has ended without a result; the task is begun again.

    `how` is a line, which a traceback may follow.
    """

    how: str


class TaskGivenUp(NamedTuple):
    """A task has ended without a result too often, and is not begun again; `why` says how often and how."""

    why: str


Event = tuple[Any, Any]
"""A task, and what it has told or how it has ended: `TaskDone`, `TaskDied` or `TaskGivenUp`."""


class ExecutorError(Failure):
    """Tasks cannot be done; the message says why."""


@dataclass
class TaskAttempt:
    """A task that a worker runs.

    Attributes:
        where: see `TaskDone`.
        future: for a subclass of `Executor` to keep what belongs to it.
    """

    name: str
    worker: Any
    task: Any
    where: str = ""
    future: Any = None


class Executor(ABC):
    """Runs tasks in other processes. A subclass says which workers there are and has them run a task.

    A worker gets a task when it has none, so tasks are begun in their order, and none has to be taken back by `stop`.
    What is told of an attempt comes in by `_inbox`: its name and a message of `child.py`.
    """

    def __init__(self) -> None:
        self._waiting: deque[Any] = deque()
        self._deaths: Counter[Hashable] = Counter()
        self._running: dict[str, TaskAttempt] = {}
        self._inbox: SimpleQueue[tuple[str, bytes]] = SimpleQueue()
        self._stopped = self._at_once = False

    def run(self, tasks: Sequence[Task]) -> Iterator[Event]:
        """Run tasks, begun in this order, and say what happens; ends when all are done or given up, or after `stop`.

        No process that runs a task is left when it ends or is closed. Raises ExecutorError where nobody can do them any
        more.
        """
        self._waiting = deque(tasks)
        self._deaths.clear()
        try:
            while not self._at_once and (self._running or self._may_begin()):
                workers = self._workers()
                for attempt in [attempt for attempt in self._running.values() if attempt.worker not in workers]:
                    yield self._again(attempt, LOST)
                self._hand_out(workers)
                yield from self._events()
        finally:
            running, self._running = self._running, {}
            self._end(list(running.values()))

    def stop(self, at_once: bool = False) -> None:
        """Begin no more tasks; with `at_once` those that run are ended too, and every process of theirs.

        May be called from a signal handler while `run` goes on.
        """
        self._stopped = True
        self._at_once = self._at_once or at_once

    def _may_begin(self) -> bool:
        return bool(self._waiting) and not self._stopped

    def _hand_out(self, workers: Sequence[Any]) -> None:
        busy = {attempt.worker for attempt in self._running.values()}
        for worker in workers:
            if worker not in busy and self._may_begin():
                attempt = TaskAttempt(f"play-{uuid.uuid4()}", worker, self._waiting.popleft())
                self._running[attempt.name] = attempt
                self._begin(attempt)

    def _events(self) -> Iterator[Event]:
        """What was told since, after waiting for something; nothing of attempts that are given up."""
        with suppress(Empty):
            name, message = self._inbox.get(timeout=WAIT_SECONDS)
            while not self._at_once:
                event = self._event(self._running[name], message) if name in self._running else None
                if event:
                    yield event
                name, message = self._inbox.get_nowait()

    def _event(self, attempt: TaskAttempt, message: bytes) -> Event | None:
        """What a message means to a coordinator."""
        kind, what = opened(message)
        if kind == TOLD:
            return attempt.task, what
        if kind == ENDED:
            return self._again(attempt, what)
        del self._running[attempt.name]
        return attempt.task, TaskDone(what, attempt.where)

    def _again(self, attempt: TaskAttempt, how: str) -> Event:
        """Make a task the next to be begun, as it has ended without a result, or give it up."""
        del self._running[attempt.name]
        line, *log = how.splitlines()
        how = "\n".join([line + (attempt.where and f" ({attempt.where})"), *log])
        if self._is_last_death(id(attempt.task)):
            return attempt.task, TaskGivenUp(given_up(attempt.task, how))
        self._waiting.appendleft(attempt.task)
        return attempt.task, TaskDied(how)

    def _is_last_death(self, over: Hashable) -> bool:
        """Count a process that ended over something; returns whether there are to be no more."""
        self._deaths[over] += 1
        return self._deaths[over] == DEATHS_OF_A_TASK

    @abstractmethod
    def _workers(self) -> Sequence[Any]:
        """Those that there are now."""

    @abstractmethod
    def _begin(self, attempt: TaskAttempt) -> None:
        """Have the attempt's worker run its task."""

    @abstractmethod
    def _end(self, running: Sequence[TaskAttempt]) -> None:
        """End these attempts and all processes, and wait until they have ended."""


def given_up(over: Any, how: str) -> str:
    """Why something is not tried again, in words."""
    return f"{over}: {DEATHS_OF_A_TASK} attempts have ended without a result, the last one was {how}"
