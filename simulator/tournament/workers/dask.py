"""An executor whose processes are on other machines: the workers of a Dask scheduler (dask.distributed).

Dask carries tasks, what they tell, and the news of who is there. Who plays what is decided here, as on one machine: a
worker gets a task when it has none, by name, and never a second; so the order is kept, nothing has to be taken back
when somebody wants to stop, and it is known at any time which task is lost with a worker. Such a task is begun again
by another worker. What a worker does is in `cluster_worker.py`.

Every worker is tried before its first task: it has to have the same program and the same agents, and cores of its own.
Begin reading at `ClusterExecutor.run`.
"""

import pickle
import time
import uuid
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, Self

from distributed import Client, Future, KilledWorker
from distributed.comm.addressing import get_address_host_port

from simulator.tournament.workers.child import RESULT
from simulator.tournament.workers.dask_child import Ended, Failed, Unfit, play, playing
from simulator.tournament.workers.handshake import Order, Refusal, Terms
from simulator.tournament.workers.local import (
    CLOSING_SECONDS,
    DEATHS_OF_A_TASK,
    Died,
    Done,
    Event,
    ExecutorError,
    GivenUp,
    Task,
    Told,
    given_up,
)

CONNECTING_SECONDS = 10
LOOK_SECONDS = 1.0  # between two looks at which workers there are
WAIT_SECONDS = 0.25  # for news; a signal is heeded so soon
PATIENCE_SECONDS = 60.0  # without any worker; one that its nanny starts anew needs a few

HOW_TO_START = (
    "start the scheduler and all workers in the project's folder: python -m dask scheduler; "
    "python -m dask worker ADDRESS --nthreads 1 --nworkers N"
)


@dataclass
class _Worker:
    """A worker of the cluster.

    Attributes:
        address: where it is.
        label: what people call it.
        prepared: whether it may play.
    """

    address: str
    label: str
    prepared: bool = False


@dataclass
class _Attempt:
    """A task that is being run, or a worker that is being prepared, which has no task."""

    name: str
    worker: _Worker
    task: Any
    future: Future[None]


class ClusterExecutor:
    """Runs tasks on the workers of a Dask scheduler; used as a context manager, or closed.

    Args:
        address: of the scheduler, as tcp://host:8786.
        terms: what every worker has to agree with.
        most: workers that are used at the same time; None for all that there are, also those that join later.
        share_cores: whether a worker that finds no free core plays on one that others use.

    Raises ExecutorError where there is no scheduler, or not one of this project's.
    """

    def __init__(self, address: str, terms: Terms, most: int | None = None, share_cores: bool = False) -> None:
        self._address, self._terms, self._most = address, terms, most
        self._cores = terms.conditions.limits.processors, share_cores
        self._client = _connected(address)
        self._topic = f"unforced-{uuid.uuid4()}"
        self._news: SimpleQueue[tuple[str, bytes | None]] = SimpleQueue()
        self._workers: dict[str, _Worker] = {}  # by what a worker started anew at the same address has another of
        self._attempts: dict[str, _Attempt] = {}
        self._waiting: deque[Any] = deque()
        self._deaths: Counter[int | str] = Counter()  # by task, or worker that was to be prepared
        self._looked_at = self._seen_at = 0.0
        self._stopped = self._at_once = False
        self._client.subscribe_topic(self._topic, self._hear)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Leave the scheduler; it forgets what this executor wanted of it."""
        self._client.close()

    def run(self, tasks: Sequence[Task]) -> Iterator[Event]:
        """See `Executor`."""
        self._waiting = deque(tasks)
        self._deaths.clear()
        self._looked_at, self._seen_at = 0.0, time.monotonic()
        try:
            while self._goes_on():
                yield from self._look_for_workers()
                self._hand_out()
                yield from self._events()
        except OSError as error:
            raise ExecutorError(f"the scheduler at {self._address} does not answer any more: {error}") from error
        finally:
            self._end_attempts()

    def stop(self, at_once: bool = False) -> None:
        """See `Executor`."""
        self._stopped = True
        self._at_once = self._at_once or at_once

    def _goes_on(self) -> bool:
        """Whether there is anything to wait for."""
        busy = any(attempt.task is not None for attempt in self._attempts.values())
        return not self._at_once and (busy or bool(self._waiting and not self._stopped))

    # --- Who is there ---

    def _look_for_workers(self) -> Iterator[Event]:
        """Now and then: take in those that are new, and miss those that are gone."""
        now = time.monotonic()
        if now - self._looked_at < LOOK_SECONDS:
            return
        self._looked_at = now
        there = self._workers_there()
        for life in [life for life in self._workers if life not in there]:
            yield from self._lose(self._workers.pop(life))
        for life, worker in there.items():
            if life not in self._workers and (self._most is None or len(self._workers) < self._most):
                self._workers[life] = worker
                self._begin(worker, None)
        self._seen_at = now if self._workers else self._seen_at
        if now - self._seen_at > PATIENCE_SECONDS:
            raise ExecutorError(f"there is no worker at {self._address}; {HOW_TO_START}")

    def _workers_there(self) -> dict[str, _Worker]:
        """Those that take tasks, as the scheduler knows them; a worker's folder is made for it alone.

        Raises ExecutorError where the scheduler is gone: a client that has lost it knows nothing any more, and says so
        by an answer without workers.
        """
        found: dict[str, dict[str, Any]] | None = self._client.scheduler_info(n_workers=-1).get("workers")
        if found is None:
            raise ExecutorError(f"the scheduler at {self._address} is gone")
        return {
            f"{address} {about['local_directory']}": _Worker(address, _label(address, about["name"]))
            for address, about in found.items()
            if about["status"] in ("running", "paused")
        }

    def _lose(self, worker: _Worker) -> Iterator[Event]:
        for attempt in [attempt for attempt in self._attempts.values() if attempt.worker is worker]:
            yield from self._again(attempt, f"lost with its worker, {worker.label}")

    def _again(self, attempt: _Attempt, how: str) -> Iterator[Event]:
        """What was tried has come to nothing; a task is begun again by whoever is free, or given up."""
        del self._attempts[attempt.name]
        attempt.future.cancel()
        task = attempt.task
        if task is None:
            self._prepare_no_more(attempt.worker, how)
            return
        self._deaths[id(task)] += 1
        if self._deaths[id(task)] == DEATHS_OF_A_TASK:
            yield GivenUp(task, given_up(task, how))
            return
        if not self._stopped:
            self._waiting.appendleft(task)
        yield Died(task, how)

    def _prepare_no_more(self, worker: _Worker, how: str) -> None:
        """Forget a worker, to be found anew; too many that ended while they were prepared end the run."""
        over = f"the preparation of {worker.label}"
        self._deaths[over] += 1
        if self._deaths[over] == DEATHS_OF_A_TASK:
            raise ExecutorError(given_up(over, how))
        self._workers = {life: known for life, known in self._workers.items() if known is not worker}

    # --- Tasks ---

    def _hand_out(self) -> None:
        """Give tasks to those who have none."""
        busy = {id(attempt.worker) for attempt in self._attempts.values()}
        for worker in self._workers.values():
            if worker.prepared and id(worker) not in busy and self._waiting and not self._stopped:
                self._begin(worker, self._waiting.popleft())

    def _begin(self, worker: _Worker, task: Any) -> None:
        """Have a worker run a task, or be prepared where there is none. On no other worker: see the module."""
        name = f"{'prepare' if task is None else 'play'}-{uuid.uuid4()}"
        future = self._client.submit(
            play,
            pickle.dumps(Order(self._terms, task)),
            *self._cores,
            self._topic,
            name,
            key=name,
            workers=[worker.address],
            allow_other_workers=False,
            pure=False,
        )
        self._attempts[name] = _Attempt(name, worker, task, future)
        future.add_done_callback(lambda future: self._news.put((name, None)))

    # --- News ---

    def _hear(self, event: tuple[float, tuple[str, bytes]]) -> None:
        """Called in Dask's thread, in the order in which a worker told."""
        self._news.put(event[1])

    def _events(self) -> Iterator[Event]:
        """What was heard since, after waiting for something; nothing of attempts that were given up."""
        with suppress(Empty):
            name, message = self._news.get(timeout=WAIT_SECONDS)
            while True:
                if name in self._attempts and not self._at_once:
                    yield from self._event(self._attempts[name], message)
                name, message = self._news.get_nowait()

    def _event(self, attempt: _Attempt, message: bytes | None) -> Iterator[Event]:
        """What a message means; None is Dask's word that the attempt has ended, which comes last."""
        if message is None:
            yield from self._failed(attempt)
            return
        kind, what = pickle.loads(message)
        if kind != RESULT:
            yield Told(attempt.task, what)
            return
        del self._attempts[attempt.name]
        if isinstance(what, Refusal):
            raise ExecutorError(f"{attempt.worker.label} cannot play: {what.why}")
        attempt.worker.prepared = True
        if attempt.task is not None:
            yield Done(attempt.task, what)

    def _failed(self, attempt: _Attempt) -> Iterator[Event]:
        """An attempt has ended without a result. Raises ExecutorError unless another may have one."""
        label, future = attempt.worker.label, attempt.future
        if future.status != "error":
            raise ExecutorError(f"the scheduler at {self._address} is gone, or has forgotten what it was given")
        error = future.exception(CONNECTING_SECONDS)
        if isinstance(error, Failed):
            raise ExecutorError(f"a task has failed on {label}:\n{error}")
        if not isinstance(error, Ended | KilledWorker):
            raise ExecutorError(f"{label} cannot play: {_in_words(error)}")
        yield from self._again(attempt, f"{error}, on {label}")

    # --- The end ---

    def _end_attempts(self) -> None:
        """Cancel what runs, and wait until its processes are gone."""
        attempts, self._attempts = self._attempts, {}
        with suppress(OSError):  # a scheduler that is gone has no workers: they end what they do by themselves
            self._client.cancel([attempt.future for attempt in attempts.values()])
            deadline = time.monotonic() + CLOSING_SECONDS
            while self._run_still(attempts.values()) and time.monotonic() < deadline:
                time.sleep(WAIT_SECONDS)

    def _run_still(self, attempts: Iterable[_Attempt]) -> bool:
        """Whether a worker still plays what was given up; one that does not answer is gone."""
        where = {attempt.worker.address for attempt in attempts}
        if not where:
            return False
        told = self._client.run(playing, workers=sorted(where), on_error="ignore")
        return any(attempt.name in names for attempt in attempts for names in told.values())


def _connected(address: str) -> Client:
    """A client of the scheduler there, which has to know this project to take its tasks."""
    try:
        get_address_host_port(address)  # a client that is made with a wrong one complains once more when it is deleted
        client = Client(address, timeout=CONNECTING_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ExecutorError(f"there is no scheduler at {address}: {error}; {HOW_TO_START}") from error
    try:
        client.run_on_scheduler(playing)
    except (ImportError, AttributeError) as error:
        client.close()
        raise ExecutorError(
            f"the scheduler at {address} does not find this project: {error}; {HOW_TO_START}"
        ) from error
    return client


def _label(address: str, name: Any) -> str:
    """As `dask worker --name` called it, and where it is."""
    return f"worker {address}" if str(name) == address else f"worker {name} at {address}"


def _in_words(error: BaseException | None) -> str:
    """What it says itself, or what kind of error came from it."""
    if isinstance(error, Unfit):
        return str(error)
    advice = f"; {HOW_TO_START}" if isinstance(error, ImportError | AttributeError) else ""
    return f"{type(error).__name__}: {error}{advice}"
