"""An executor whose processes are on this machine, each with cores of its own."""

import pickle
from collections.abc import Sequence
from itertools import chain
from threading import Thread
from typing import Any, Self

from options import InputError
from simulator.sandbox.cores import available_cores, cores_for, release
from simulator.tournament.workers.child import Child, cannot_start
from simulator.tournament.workers.protocol import Executor, ExecutorError, TaskAttempt


class LocalExecutor(Executor):
    """Runs tasks in `workers` processes on this machine, which are started when they get their first task.

    The processes end with each run; but within a `with` block, idle processes wait for the next run.

    Args:
        processors: how many cores each process has for what it starts.
        share_cores: whether processes may use the same cores if there are too few.

    Raises InputError if there are too few cores and they may not be shared. `run` raises ExecutorError if no process
    can be started.
    """

    def __init__(self, workers: int = 1, processors: int = 1, *, share_cores: bool = True) -> None:
        super().__init__()
        cores = len(available_cores())
        if workers * processors > cores and not share_cores:
            raise InputError(
                f"{workers} workers need {workers * processors} cores for the agents of their games, and there are "
                f"{cores}: agents would wait for each other while their clocks run (--force allows it)"
            )
        self._count, self._processors = workers, processors
        self._children: dict[Any, Child] = {}  # by the worker's number
        self._cores: list[tuple[int, ...]] = []  # of each worker, while there is one
        self._keeps_idle = False

    def __enter__(self) -> Self:
        self._keeps_idle = True
        return self

    def __exit__(self, *_: object) -> None:
        self._keeps_idle = False
        self._end([])

    def _workers(self) -> Sequence[int]:
        return range(self._count)

    def _begin(self, attempt: TaskAttempt) -> None:
        pickled, child = pickle.dumps(attempt.task), self._children.get(attempt.worker)
        try:
            if child is None or not child.is_alive:
                self._cores = self._cores or cores_for(self._count, self._processors)
                child = self._children[attempt.worker] = Child(self._cores[attempt.worker])
            Thread(target=self._relay, args=(child, attempt.name, pickled)).start()
        except (OSError, RuntimeError, MemoryError) as error:  # RuntimeError: no thread can be started
            raise ExecutorError(cannot_start(error)) from error

    def _relay(self, child: Child, attempt: str, pickled: bytes) -> None:
        for message in child.run(pickled):
            self._inbox.put((attempt, message))

    def _end(self, running: Sequence[TaskAttempt]) -> None:
        busy = {attempt.worker for attempt in running}
        ended = {worker: child for worker, child in self._children.items() if worker in busy or not self._keeps_idle}
        for worker, child in ended.items():
            child.end(worker in busy)
        for worker, child in ended.items():
            child.wait()
            del self._children[worker]
        if not self._children:
            release(chain(*self._cores))
            self._cores = []
