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

DEATHS_OF_A_TASK = 3  # a task that has ended so often without a result is given up
LOST = "lost with its worker"


class Task(Protocol):
    """Something to be done in another process, to which it is sent in pickled form."""

    def run(self, tell: Callable[[Any], None], cores: tuple[int, ...]) -> Any:
        """Do it and return the result; call `tell` with what happens; processes that it starts use these cores."""


class TaskDone(NamedTuple):
    """A task is done; `where` names the machine and the worker that did it, and is empty for this machine."""

    result: Any
    where: str = ""


class TaskDied(NamedTuple):
    """A task, or the process that ran it, has ended without a result; the task will be begun again.

    `how` is a line that says how, and may be followed by a traceback.
    """

    how: str


class TaskGivenUp(NamedTuple):
    """A task has ended without a result too often, and is not begun again; `why` says how often and how."""

    why: str


Event = tuple[Any, Any]
"""A task, and either what it has told, or how it has ended: `TaskDone`, `TaskDied` or `TaskGivenUp`."""


class ExecutorError(Failure):
    """Tasks cannot be done; the message says why."""


@dataclass
class TaskAttempt:
    """A task that a worker runs.

    Attributes:
        where: see `TaskDone`.
        future: a subclass of `Executor` may keep something here that belongs to the attempt.
    """

    name: str
    worker: Any
    task: Any
    where: str = ""
    future: Any = None


class Executor(ABC):
    """Runs tasks in other processes. A subclass says which workers there are and has them run a task.

    A worker gets a task only when it has none, so tasks are begun in their order, and `stop` has none to take back.
    Messages of attempts arrive in `_inbox`: the attempt's name, and a message of `child.py`.
    """

    def __init__(self) -> None:
        self._waiting: deque[Any] = deque()
        self._deaths: Counter[Hashable] = Counter()
        self._running: dict[str, TaskAttempt] = {}
        self._inbox: SimpleQueue[tuple[str, bytes]] = SimpleQueue()
        self._stopped = self._at_once = False

    def run(self, tasks: Sequence[Task]) -> Iterator[Event]:
        """Run tasks, begun in this order, and yield their events; ends when all are done or given up, or after `stop`.

        When the iterator ends or is closed, no process that runs a task is left. Raises ExecutorError if the tasks
        cannot be done any more.
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
        """Begin no more tasks; with `at_once`, running tasks and all their processes are ended, too.

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
        """Wait WAIT_SECONDS at most for messages; yields their events, but none of attempts that have ended."""
        with suppress(Empty):
            name, message = self._inbox.get(timeout=WAIT_SECONDS)
            while not self._at_once:
                event = self._event(self._running[name], message) if name in self._running else None
                if event:
                    yield event
                name, message = self._inbox.get_nowait()

    def _event(self, attempt: TaskAttempt, message: bytes) -> Event | None:
        """The event for the coordinator that a message means."""
        kind, what = opened(message)
        if kind == TOLD:
            return attempt.task, what
        if kind == ENDED:
            return self._again(attempt, what)
        del self._running[attempt.name]
        return attempt.task, TaskDone(what, attempt.where)

    def _again(self, attempt: TaskAttempt, how: str) -> Event:
        """For a task that has ended without a result: begin it again next, or give it up."""
        del self._running[attempt.name]
        line, *log = how.splitlines()
        how = "\n".join([line + (attempt.where and f" ({attempt.where})"), *log])
        if self._is_last_death(id(attempt.task)):
            return attempt.task, TaskGivenUp(given_up(attempt.task, how))
        self._waiting.appendleft(attempt.task)
        return attempt.task, TaskDied(how)

    def _is_last_death(self, over: Hashable) -> bool:
        """Count a process that ended over something; returns whether that was the last attempt."""
        self._deaths[over] += 1
        return self._deaths[over] == DEATHS_OF_A_TASK

    @abstractmethod
    def _workers(self) -> Sequence[Any]:
        """The workers that there are now."""

    @abstractmethod
    def _begin(self, attempt: TaskAttempt) -> None:
        """Have the attempt's worker run its task."""

    @abstractmethod
    def _end(self, running: Sequence[TaskAttempt]) -> None:
        """End these attempts and all processes, and wait until they have ended."""


def given_up(over: Any, how: str) -> str:
    """In words, why something is not tried again."""
    return f"{over}: {DEATHS_OF_A_TASK} attempts have ended without a result, the last one was {how}"
