"""Running tasks in several processes, or in this one; each result is handed out as soon as it is there.

A worker is a fresh Python process at the end of a pipe. It ends when this process does, in whatever way. A worker that
dies raises an error here, so that nobody waits for its result.
"""

import multiprocessing
import os
import signal
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Self

from agents.agent import AgentError
from options import Failure, InputError
from simulator.sandbox.linux import die_with_parent
from simulator.tournament.workers.child import cannot_start

Task = tuple[Any, ...]  # the arguments of the function


class WorkerError(Failure):
    """A worker has died, or its task has failed; the message says how."""


class Workers:
    """So many worker processes; if the count is 1, this process does the tasks itself, one after the other.

    Raises WorkerError if a process cannot be started.
    """

    def __init__(self, count: int) -> None:
        self._connections: dict[Connection, multiprocessing.process.BaseProcess] = {}
        context = multiprocessing.get_context("spawn")
        for _ in range(count if count > 1 else 0):
            here, there = context.Pipe()
            process = context.Process(target=_work, args=(there,), daemon=True)
            try:
                with _kept_from_ctrl_c():
                    process.start()
            except (OSError, MemoryError) as error:
                raise WorkerError(cannot_start(error)) from error
            there.close()
            self._connections[here] = process

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for connection, process in self._connections.items():
            connection.close()
            process.terminate()
            process.join()

    def results(self, function: Callable[..., Any], tasks: Iterable[Task]) -> Iterator[tuple[Task, Any]]:
        """Each task with the function's result for it, in the order in which they are finished.

        The next task is taken from `tasks` when a worker is free. Raises WorkerError; InputError, AgentError, Failure
        and OSError of the function; without worker processes, whatever it raises.
        """
        if not self._connections:
            for task in tasks:
                yield task, function(*task)
            return
        waiting, busy = iter(tasks), dict[Connection, Task]()
        free = list(self._connections)
        while True:
            for connection, task in zip(free, waiting, strict=False):
                try:
                    connection.send((function, task))
                except ConnectionError as error:
                    raise self._died(connection) from error
                busy[connection] = task
            if not busy:
                return
            free = [found for found in wait(list(busy)) if isinstance(found, Connection)]
            for connection in free:
                yield busy.pop(connection), self._received(connection)

    def _received(self, connection: Connection) -> Any:
        try:
            error, result = connection.recv()
        except (EOFError, ConnectionError) as lost:  # the latter if it has not read its task
            raise self._died(connection) from lost
        if error is not None:
            raise error
        return result

    def _died(self, connection: Connection) -> WorkerError:
        process = self._connections[connection]
        process.join()
        return WorkerError(f"a worker has died, exit code {process.exitcode}")


@contextmanager
def _kept_from_ctrl_c() -> Iterator[None]:
    """A process that is started in the `with` gets no Ctrl-C while it starts; this process gets it afterwards."""
    resource_tracker.ensure_running()  # otherwise the first start does that, and lets Ctrl-C through
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(connection: Connection) -> None:
    """Do tasks until the pipe is closed. Ctrl-C is left to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent()  # a task may take a quarter of an hour, and only then would the end of the pipe be seen
    while True:
        try:
            function, task = connection.recv()
        except (EOFError, OSError):
            os._exit(0)
        try:
            answer: tuple[Exception | None, Any] = None, function(*task)
        except (InputError, AgentError, Failure, OSError) as error:  # a sentence for people
            answer = error, None
        except Exception:  # of any other kind: the other process is told
            answer = WorkerError(f"a worker's task has failed:\n{traceback.format_exc()}"), None
        try:
            connection.send(answer)
        except OSError:
            os._exit(0)
