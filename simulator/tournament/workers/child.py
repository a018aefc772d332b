"""A process that runs tasks, one after the other, and the pipe to it: `Child` is our end, `main` is the other.

The process has a session of its own, so that Ctrl-C does not reach it: its coordinator decides. SIGTERM ends the
running task as an exception would, so that no process of it is left; the kernel sends SIGTERM when the thread that
started the process ends. SIGKILL could leave a bubblewrap behind that does not watch for the end of its parent yet.

A message is one byte for its kind, and a pickle, so that the last message is recognized without unpickling it.
"""

import os
import pickle
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any

import psutil

from jit import project_environment
from simulator.sandbox import linux
from simulator.sandbox.isolation import available_mechanisms

# Kinds of messages. For a task, any number of TOLD comes, then its RESULT, or ENDED if the task or its process ended
# without a result: a line that says how, perhaps followed by a traceback.
TOLD, RESULT, ENDED = b"T", b"R", b"E"

CLOSING_SECONDS = 10.0  # for a process to end its agents before it is killed; that takes 2.5 s at most
WAIT_SECONDS = 0.25  # for a message; after this time at the latest, a request to stop takes effect
TERMINATED = 128 + signal.SIGTERM  # exit status, as shells report it


def packed(kind: bytes, what: Any) -> bytes:
    """A message of a kind, with what it says."""
    return kind + pickle.dumps(what)


def opened(message: bytes) -> tuple[bytes, Any]:
    """The kind of a message, and what it says."""
    return message[:1], pickle.loads(message[1:])


class Child:
    """A new process that runs tasks on some cores.

    It is not made by `multiprocessing`, for which a Dask worker under a nanny is a daemon and may have no children.
    """

    def __init__(self, cores: tuple[int, ...]) -> None:
        mechanisms = available_mechanisms()
        if mechanisms.filter and not mechanisms.bubblewrap:  # agents see this process, and could take what it prints
            linux.hide_memory()
        ours, theirs = socket.socketpair()
        self._pipe = Connection(ours.detach())
        with theirs:
            arguments = map(str, (theirs.fileno(), os.getpid(), *cores))
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", __name__, *arguments],
                stdin=subprocess.DEVNULL,
                env=project_environment(),
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )

    @property
    def is_alive(self) -> bool:
        """Whether the process lives and can run a task."""
        return self._process.poll() is None

    def run(self, pickled: bytes, unwanted: Callable[[], str] = lambda: "") -> Iterator[bytes]:
        """Run a task; yields its messages as they come, the last one included.

        `unwanted` is called now and then, and returns why nobody waits for the task any more; empty while it is wanted.
        """
        message = TOLD
        try:
            self._pipe.send_bytes(pickled)
            while message[:1] == TOLD:
                while not self._pipe.poll(WAIT_SECONDS):
                    if why := unwanted():
                        yield packed(ENDED, why)
                        return
                message = self._pipe.recv_bytes()
                yield message
        except (EOFError, OSError):
            yield packed(ENDED, _how(self._process.wait()))

    def end(self, is_busy: bool) -> None:
        """Have the process end: a busy one by SIGTERM, which ends its task, an idle one by closing its pipe."""
        if is_busy:
            self._process.terminate()
        else:
            self._pipe.close()

    def wait(self) -> None:
        """Wait until the process has ended; kill it after CLOSING_SECONDS."""
        try:
            self._process.wait(CLOSING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def cannot_start(error: BaseException) -> str:
    """Why no process or thread of ours can be started, and what to do."""
    why = str(error) or "no memory left"
    return f"no worker process can be started ({why}): end other programs of yours, or take fewer workers"


def _how(status: int) -> str:
    """How a process ended, in words; a negative status is minus the signal that killed it."""
    if status >= 0:
        return f"ended with exit status {status}"
    try:
        return f"killed by {signal.Signals(-status).name}"
    except ValueError:  # most real-time signals have no name
        return f"killed by signal {-status}"


def main() -> None:
    """Run tasks; the command line is a pipe's descriptor, the parent's process id, and the numbers of the cores."""
    descriptor, parent, *cores = map(int, sys.argv[1:])
    signal.signal(signal.SIGTERM, _terminated)
    linux.die_with_parent(signal.SIGTERM)
    if os.getppid() != parent:  # the parent had ended before the kernel was told to watch it
        return
    pipe = Connection(descriptor)
    sys.stdout = sys.stderr  # what a game's rules print: stdout may be JSON
    try:
        while True:
            _run(pipe.recv_bytes(), pipe, tuple(cores))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # the coordinator has no more tasks
    finally:
        _end_descendants()


def _run(pickled: bytes, pipe: Connection, cores: tuple[int, ...]) -> None:
    try:
        result = pickle.loads(pickled).run(lambda what: pipe.send_bytes(packed(TOLD, what)), cores)
    except (BrokenPipeError, ConnectionResetError):
        raise
    except Exception as error:
        how = traceback.format_exception_only(error)[-1]
        pipe.send_bytes(packed(ENDED, f"stopped by {how}{traceback.format_exc()}"))
    else:
        pipe.send_bytes(packed(RESULT, result))


def _terminated(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, lambda number, frame: None)  # a second one must not interrupt the cleaning up
    sys.exit(TERMINATED)


def _end_descendants() -> None:
    """Kill processes that are left because the signal came while they were being started."""
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            process.kill()


if __name__ == "__main__":
    main()
