"""What a Dask worker does for a tournament: it runs tasks, one at a time, each in a process of its own.

Each in its own (0.5 s to start), so that what is compared with the coordinator's machine is what then plays. A thread
of Dask's pool passes on what the process tells, and ends it as soon as nobody wants its task any more: because the
coordinator has cancelled it or is gone, or because this worker is closed. If the worker is killed, the kernel kills the
process.

A worker takes cores when it is asked for the first time, by locks on files, and keeps them while it lives; so workers
of one machine share none, whoever started them. Begin reading at `play`.
"""

import asyncio
import fcntl
import os
import tempfile
import threading
from collections.abc import Iterator, Set
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from distributed import Status, get_worker

from simulator.tournament.workers.child import ENDED, TOLD, WAIT_SECONDS, Child
from simulator.tournament.workers.local import available_cores, cores_of

_one_at_a_time = threading.Lock()  # however many threads the worker has: they would share its cores
_playing: set[str] = set()  # names of the attempts that run
_cores: dict[int, IO[str]] = {}  # those that this process holds, with their locks


class Unfit(Exception):
    """This worker cannot play; the message says why."""


def play(pickled: bytes, processors: int, share_cores: bool, topic: str, attempt: str) -> None:
    """Run a task, and tell a topic (attempt, message), with messages as they come from its process, see `child.py`.

    Called by Dask. The last message is told when the process is gone.

    Args:
        pickled: the task.
        processors: how many cores it is given.
        share_cores: whether these may be such as others use, where none is free.

    Raises Unfit.
    """
    worker, key = get_worker(), get_worker().get_current_task()

    def unwanted() -> str:
        task = worker.state.tasks.get(key)  # Dask leaves one that was cancelled running, but knows
        if task is None or task.state != "executing":
            return "cancelled"
        return "" if worker.status in (Status.running, Status.paused) else "ended because its worker is closed"

    with _one_at_a_time, _known(attempt):
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
    """Wait until none of these runs here."""
    while not _playing.isdisjoint(attempts):
        await asyncio.sleep(WAIT_SECONDS)


@contextmanager
def _known(attempt: str) -> Iterator[None]:
    _playing.add(attempt)
    try:
        yield
    finally:
        _playing.discard(attempt)


# --- Cores ---


def take_cores(processors: int, share: bool) -> tuple[int, ...]:
    """Cores of this machine that no other worker plays on, from the last one down; they stay this process's own.

    Of those that this process may use. Raises Unfit if there are too few, unless they may be shared.
    """
    for core in available_cores()[::-1]:
        if len(_cores) < processors and core not in _cores:
            _take(core)
    if len(_cores) >= processors:
        return tuple(sorted(sorted(_cores)[-processors:]))
    if share:
        return cores_of(os.getpid(), processors)
    raise Unfit(
        f"there is no core for it: a pair needs {processors}, and of the {len(available_cores())} that it may use all "
        f"but {len(_cores)} are other workers'. Start fewer on that machine; or --force, if agents may wait for each "
        "other on their clocks"
    )


def _take(core: int) -> None:
    """Hold a core, if nobody else does: the lock ends with this process."""
    folder = Path(tempfile.gettempdir()) / f"unforced-cores-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    file = (folder / f"{core}.lock").open("a")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
    else:
        _cores[core] = file
