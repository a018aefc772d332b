"""What a Dask worker does for a tournament: it sees that it is fit to play, then plays pairs, one at a time.

Each pair is played by a process of its own, as the executor of one machine has them (`executor_worker.py`): a referee
wants to be the main thread of its process, and what it starts has to end with it. Here, in a thread of Dask's pool,
what that process tells is passed on, and it is ended as soon as nobody wants the pair any more: because the
coordinator has cancelled it, or is gone, or this worker is closed. If the worker is killed, the kernel kills the
process, as the thread that started it is gone.

A worker takes cores when it is asked for the first time, by locks on files, and keeps them while it lives; so workers
of one machine share none, whoever started them. Begin reading at `play`.
"""

import fcntl
import os
import pickle
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any

from distributed import Status, Worker, get_worker

from jit import PROJECT
from simulator.tournament.workers.child import FAILED, TOLD
from simulator.tournament.workers.local import CLOSING_SECONDS, available_cores, cores_of, how_it_ended

LOOK_SECONDS = 0.25  # between two looks at whether a pair is still wanted

_one_at_a_time = threading.Lock()  # however many threads the worker has: they would share its cores
_playing: set[str] = set()  # names of the attempts that run
_cores: dict[int, IO[str]] = {}  # those that this process holds, with their locks


class Unfit(Exception):
    """This worker cannot play; the message says why."""


class Ended(Exception):
    """The process that played has ended before its time, or this worker is about to; the message says how."""


class Failed(Exception):
    """A task has failed by itself; the message is its traceback."""


# --- What Dask calls ------------------------------------------------------------------------------------------------


def play(pickled: bytes, processors: int, share_cores: bool, topic: str, attempt: str) -> None:
    """Run a task, and tell a topic (attempt, message) of it, with messages as on the pipe; the last one is its result.

    Args:
        pickled: the task, which is not looked into here, nor by Dask.
        processors: how many cores it is given.
        share_cores: whether these may be such as others use, where none is free.

    Raises Unfit, Ended or Failed instead of telling a result.
    """
    worker, key = get_worker(), get_worker().get_current_task()
    with _one_at_a_time, _known(attempt):
        with _process(take_cores(processors, share_cores)) as (process, pipe):
            pipe.send_bytes(pickled)
            for message in _messages(process, pipe, worker, key):
                kind, what = pickle.loads(message)
                if kind == TOLD:
                    worker.log_event(topic, (attempt, message))
        if kind == FAILED:
            raise Failed(what)
        worker.log_event(topic, (attempt, message))


def playing() -> frozenset[str]:
    """The attempts that run here now."""
    return frozenset(_playing)


# --- Playing --------------------------------------------------------------------------------------------------------


@contextmanager
def _known(attempt: str) -> Iterator[None]:
    _playing.add(attempt)
    try:
        yield
    finally:
        _playing.discard(attempt)


@contextmanager
def _process(cores: tuple[int, ...]) -> Iterator[tuple[subprocess.Popen[bytes], Connection]]:
    """A process that runs tasks, and our end of the pipe to it; with all that it started it ends afterwards.

    Not from `multiprocessing`, which lets a Dask worker under its nanny, a daemon to it, have no children.
    """
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-P", "-m", "simulator.tournament.workers.child", theirs.fileno(), os.getpid(), *cores]
    with Connection(ours.detach()) as pipe:
        with theirs:
            process = subprocess.Popen(
                list(map(str, command)),
                stdin=subprocess.DEVNULL,
                env=os.environ | {"PYTHONPATH": str(PROJECT)},
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C in the worker's terminal is the worker's affair
            )
        try:
            yield process, pipe
        except BaseException:
            process.terminate()
            raise
        finally:
            pipe.close()
            _reap(process)


def _reap(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(CLOSING_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _messages(process: subprocess.Popen[bytes], pipe: Connection, worker: Worker, key: Any) -> Iterator[bytes]:
    """What a process sends, to its last message. Raises Ended if there is none, or nobody waits for it any more."""
    kind = TOLD
    while kind == TOLD:
        while not pipe.poll(LOOK_SECONDS):
            _see_that_it_is_wanted(worker, key)
        try:
            message = pipe.recv_bytes()
        except (EOFError, OSError):
            raise Ended(how_it_ended(process.wait())) from None
        kind = pickle.loads(message)[0]
        yield message


def _see_that_it_is_wanted(worker: Worker, key: Any) -> None:
    """Dask leaves a task that was cancelled running, but knows; so it is when the coordinator has gone."""
    task = worker.state.tasks.get(key)
    if task is None or task.state != "executing":
        raise Ended("cancelled")
    if worker.status not in (Status.running, Status.paused):
        raise Ended("ended because its worker is closed")


# --- Cores ----------------------------------------------------------------------------------------------------------


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
