"""What a Dask worker does for a tournament: it runs tasks, one at a time, each in a process of its own.

Each task has a process of its own (0.5 s to start), so that the code that is compared with the coordinator's machine is
the code that then plays. A thread of Dask's pool passes on the process's messages, and ends the process as soon as
nobody wants its task any more: because the coordinator has cancelled it or is gone, or because this worker is closed.
If the worker is killed, the kernel sends the process SIGTERM.

A worker reserves cores for its first task, by locks on files, and keeps them while it lives; so workers of one user on
one machine share none. Begin reading at `play`.
"""

import asyncio
import os
import threading
from collections.abc import Set
from contextlib import ExitStack

from distributed import Scheduler, Status, get_worker

from simulator.sandbox.cores import NoFreeCores, NotReserved, choose_cores, reserve_cores
from simulator.tournament.workers.child import ENDED, TOLD, WAIT_SECONDS, Child

_one_at_a_time = threading.Lock()  # the worker may have several threads, but they would share its cores
_playing: set[str] = set()  # names of the attempts that run


class Unfit(Exception):
    """This worker cannot play; the message says why."""


def play(pickled: bytes, processors: int, share_cores: bool, topic: str, attempt: str) -> None:
    """Run a task; each message of its process (see `child.py`) is sent to a topic of Dask, as (attempt, message).

    Called by Dask. The last message is sent when the process is gone.

    Args:
        pickled: the task.
        processors: how many cores it gets.
        share_cores: whether it may get cores that others use, if too few are free.

    Raises Unfit if too few cores are free.
    """
    worker, key = get_worker(), get_worker().get_current_task()

    def unwanted() -> str:
        task = worker.state.tasks.get(key)  # Dask lets a cancelled task go on, but changes its state
        if task is None or task.state != "executing":
            return "cancelled"
        return "" if worker.status in (Status.running, Status.paused) else "ended because its worker is closed"

    with _one_at_a_time, ExitStack() as stack:
        _playing.add(attempt)
        stack.callback(_playing.discard, attempt)
        child, message = Child(take_cores(processors, share_cores)), ENDED
        try:
            for message in child.run(pickled, unwanted):
                if message[:1] == TOLD:
                    worker.log_event(topic, (attempt, message))
        finally:
            child.end(is_busy=message[:1] in (TOLD, ENDED))
            child.wait()
        worker.log_event(topic, (attempt, message))


async def have_ended(attempts: Set[str]) -> None:
    """Wait until none of these attempts runs here."""
    while not _playing.isdisjoint(attempts):
        await asyncio.sleep(WAIT_SECONDS)


async def forget(topic: str, dask_scheduler: Scheduler) -> None:
    """Drop the events of a topic that a scheduler keeps after it has passed them on."""
    dask_scheduler._broker.truncate(topic)


def take_cores(processors: int, share: bool) -> tuple[int, ...]:
    """Cores that no other worker of this machine uses, or shared ones if `share`. Raises Unfit if there are none."""
    try:
        return reserve_cores(processors)
    except (NoFreeCores, NotReserved) as error:
        if share:
            return choose_cores(processors, os.getpid())
        if isinstance(error, NotReserved):
            raise Unfit(f"cores cannot be reserved: {error}. Set TMPDIR to another folder for its workers") from None
        raise Unfit(
            f"a pair {error}. Start fewer workers on that machine, or use --force if agents may wait for each other on "
            "their clocks"
        ) from None
