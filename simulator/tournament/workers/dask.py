"""An executor whose processes are on other machines: the workers of a Dask scheduler (dask.distributed).

Dask carries tasks, their messages, and the news of which workers there are. Which worker runs which task is decided
here, as on one machine: so it is always known which task is lost with a worker, and another worker begins it again.
`dask_child.py` has what a worker does.
"""

import asyncio
import pickle
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Self

from distributed import Client, KilledWorker
from distributed.core import rpc
from distributed.security import Security

from simulator.tournament.workers.child import ENDED, packed
from simulator.tournament.workers.dask_child import Unfit, forget, have_ended, play
from simulator.tournament.workers.fingerprint import CheckedTask, Handshake, Reply
from simulator.tournament.workers.protocol import LOST, Event, Executor, ExecutorError, Task, TaskAttempt, given_up

CONNECTING_SECONDS = 10
LOOK_SECONDS = 1.0  # between two looks at which workers there are
PATIENCE_SECONDS = 60.0  # how long to wait without any worker; a nanny needs a few seconds to start one again

HOW_TO_START = (
    "start the scheduler and all workers in the project's folder: python -m dask scheduler; "
    "python -m dask worker ADDRESS --nthreads 1 --nworkers N"
)


class ClusterExecutor(Executor):
    """Runs tasks on the workers of a Dask scheduler; used as a context manager.

    Args:
        address: the scheduler's address, as tcp://host:8786.
        handshake: what every worker has to agree to before each task.
        most: how many workers are used at the same time; None for all, also those that join later.
        share_cores: whether a worker that finds no free core plays on one that others use.

    Raises ExecutorError if there is no scheduler, or if it does not have this project.
    """

    def __init__(self, address: str, handshake: Handshake, most: int | None = None, share_cores: bool = False) -> None:
        super().__init__()
        self._address, self._handshake = address, handshake
        self._cores = handshake.conditions.limits.processors, share_cores
        self._client = _connected(address)
        self._most, self._used = most, list[_Worker]()
        self._agreed: dict[Any, str] = {}  # workers that have agreed to the handshake, with their host names
        self._topic = f"unforced-{uuid.uuid4()}"
        self._client.subscribe_topic(self._topic, lambda event: self._inbox.put(event[1]))  # called in Dask's thread

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Leave the scheduler, which then forgets this executor's tasks."""
        self._client.close()

    def run(self, tasks: Sequence[Task]) -> Iterator[Event]:
        """See `Executor`."""
        self._looked_at, self._seen_at = 0.0, time.monotonic()
        try:
            yield from super().run(tasks)
        except OSError as error:
            raise ExecutorError(f"the scheduler at {self._address} does not answer any more: {error}") from error

    def _workers(self) -> "list[_Worker]":
        """The workers that get tasks, as they were at most LOOK_SECONDS ago.

        Raises ExecutorError if there has been none for PATIENCE_SECONDS.
        """
        now = time.monotonic()
        if now - self._looked_at < LOOK_SECONDS:
            return self._used
        self._looked_at = now
        there = self._there()
        known = [worker for worker in self._used if worker in there]
        self._used = [*known, *(worker for worker in there if worker not in known)][: self._most]
        self._seen_at = now if self._used else self._seen_at
        if now - self._seen_at > PATIENCE_SECONDS:
            raise ExecutorError(f"there is no worker at {self._address}; {HOW_TO_START}")
        return self._used

    def _there(self) -> "list[_Worker]":
        """The workers that the scheduler knows to take tasks.

        Raises ExecutorError if the scheduler is gone: then the client's answer has no entry "workers".
        """
        found: dict[str, dict[str, Any]] | None = self._client.scheduler_info(n_workers=-1).get("workers")
        if found is None:
            raise ExecutorError(f"the scheduler at {self._address} is gone")
        return [
            _Worker(address, about["local_directory"], str(about["name"]))
            for address, about in found.items()
            if about["status"] in ("running", "paused")
        ]

    def _begin(self, attempt: TaskAttempt) -> None:
        attempt.where = self._agreed.get(attempt.worker, str(attempt.worker))
        checked = CheckedTask(self._handshake, attempt.task, compiles=attempt.worker not in self._agreed)
        order = pickle.dumps(checked), *self._cores, self._topic, attempt.name
        attempt.future = self._client.submit(play, *order, key=attempt.name, workers=[attempt.worker.address])
        attempt.future.add_done_callback(lambda future: self._inbox.put((attempt.name, b"")))  # after all that it told

    def _event(self, attempt: TaskAttempt, message: bytes) -> Event | None:
        event = super()._event(attempt, message or packed(ENDED, self._why_it_ended(attempt)))
        if attempt.name not in self._running:
            self._forget_what_was_told()
        if event and isinstance(reply := event[1], Reply):
            attempt.where = f"{reply.host}, {attempt.worker}"
            if reply.objection:
                raise ExecutorError(f"{attempt.where} cannot play: {reply.objection}")
            self._agreed[attempt.worker] = attempt.where
            return None
        return event

    def _forget_what_was_told(self) -> None:
        """Have the scheduler drop messages that it has passed on: it keeps a thousand, with whole records in them."""
        with suppress(OSError):  # a scheduler that is gone keeps nothing; the next request to it raises an error
            self._client.run_on_scheduler(forget, self._topic)

    def _why_it_ended(self, attempt: TaskAttempt) -> str:
        """How an attempt ended for which Dask has no result. Raises ExecutorError if another attempt is pointless."""
        if attempt.future.status != "error":
            raise ExecutorError(f"the scheduler at {self._address} is gone, or has forgotten what it was given")
        error = attempt.future.exception(CONNECTING_SECONDS)
        if isinstance(error, KilledWorker):
            return LOST
        words = str(error) if isinstance(error, Unfit) else f"{type(error).__name__}: {error}; {HOW_TO_START}"
        raise ExecutorError(f"{attempt.where} cannot play: {words}")

    def _again(self, attempt: TaskAttempt, how: str) -> Event:
        """See `Executor`. Raises ExecutorError if a worker's processes often end before they have agreed to play."""
        attempt.future.cancel()
        if attempt.worker not in self._agreed:
            over = f"the preparation of {attempt.worker}"
            if self._is_last_death(over):
                raise ExecutorError(given_up(over, how))
            self._deaths[id(attempt.task)] -= 1  # does not count for the task, which never began
        return super()._again(attempt, how)

    def _end(self, running: Sequence[TaskAttempt]) -> None:
        """Cancel the running attempts, and wait until their processes are gone."""
        workers = [attempt.worker.address for attempt in running]
        names = frozenset(attempt.name for attempt in running)
        with suppress(OSError):  # if the scheduler is gone, its workers end their tasks by themselves
            if running:
                self._client.cancel([attempt.future for attempt in running])
                self._client.run(have_ended, names, workers=workers, on_error="ignore")
        self._forget_what_was_told()


class _Worker(NamedTuple):
    """A worker of the cluster, identified by address and working directory, which changes when it is started again.

    `name` is the one given by `dask worker --name`; by default the address.
    """

    address: str
    directory: str
    name: str

    def __str__(self) -> str:
        return f"worker {self.address}" if self.name == self.address else f"worker {self.name} at {self.address}"


async def _kind_at(address: str) -> str:
    """What is at an address: Scheduler, Worker or Nanny. A client would take any of them for a scheduler, and wait."""
    async with rpc(address, connection_args=Security().get_connection_args("client")) as peer:
        return str((await peer.identity())["type"])


def _connected(address: str) -> Client:
    """A client of the scheduler at an address, which must be able to import this project. Raises ExecutorError."""
    try:
        kind = asyncio.run(asyncio.wait_for(_kind_at(address), CONNECTING_SECONDS))
        if kind != "Scheduler":
            raise ExecutorError(f"at {address} is a {kind.lower()}, not a scheduler; {HOW_TO_START}")
        client = Client(address, timeout=CONNECTING_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:  # TypeError: tls without certificates
        reason = str(error) or f"no answer in {CONNECTING_SECONDS} s"
        raise ExecutorError(f"there is no scheduler at {address}: {reason}; {HOW_TO_START}") from error
    try:
        client.run_on_scheduler(have_ended, frozenset())
    except (ImportError, AttributeError) as error:
        client.close()
        raise ExecutorError(f"the scheduler at {address} lacks this project: {error}; {HOW_TO_START}") from error
    return client
