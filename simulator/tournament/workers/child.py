"""A process that runs tasks, one after the other, and the pipe to it: `Child` is our end, `main` is the other.

The process is not of our terminal's session, so that Ctrl-C does not reach it: its coordinator decides. SIGTERM ends
the task that runs as an exception would, so that no process of it is left; the kernel sends it when the thread that
started the process ends. Killed at once, it could leave a bubblewrap that has not begun to watch for that.

A message is one byte, its kind, and a pickle; so whoever passes it on can tell the last one without unpickling it.
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

# Kinds of messages. A task sends any number of the first, then one of the others: its result, or a line that says how
# it or its process ended without one, perhaps with a traceback behind it.
TOLD, RESULT, ENDED = b"T", b"R", b"E"

CLOSING_SECONDS = 10.0  # for a process to end its agents before it is killed; that takes them 2.5 s at most
WAIT_SECONDS = 0.25  # for a message; a wish to stop takes effect so soon
TERMINATED = 128 + signal.SIGTERM  # exit status, as shells report it


def packed(kind: bytes, what: Any) -> bytes:
    """A message."""
    return kind + pickle.dumps(what)


def opened(message: bytes) -> tuple[bytes, Any]:
    """The kind of a message, and what it says."""
    return message[:1], pickle.loads(message[1:])


class Child:
    """A new process that runs tasks on some cores.

    Not from `multiprocessing`, which lets a Dask worker under its nanny, a daemon to it, have no children.
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
        """Whether it can run a task."""
        return self._process.poll() is None

    def run(self, pickled: bytes, unwanted: Callable[[], str] = lambda: "") -> Iterator[bytes]:
        """Run a task; its messages to the last one, as they come.

        `unwanted` is asked now and then, and says why nobody waits for the task any more.
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
            status = self._process.wait()
            how = f"killed by {signal.Signals(-status).name}" if status < 0 else f"ended with exit status {status}"
            yield packed(ENDED, how)

    def end(self, is_busy: bool) -> None:
        """Have it end: a busy one by a signal on which it ends its task, an idle one by the end of its pipe."""
        if is_busy:
            self._process.terminate()
        else:
            self._pipe.close()

    def wait(self) -> None:
        """Wait until it has ended; kill it if that takes too long."""
        try:
            self._process.wait(CLOSING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def main() -> None:
    """Run tasks; the command line is a pipe's descriptor, the parent's process id, and the numbers of the cores."""
    descriptor, parent, *cores = map(int, sys.argv[1:])
    signal.signal(signal.SIGTERM, _terminated)
    linux.die_with_parent(signal.SIGTERM)
    if os.getppid() != parent:  # it was gone before the kernel knew
        return
    pipe = Connection(descriptor)
    sys.stdout = sys.stderr  # what a game's rules print: stdout may be JSON
    try:
        while True:
            _run(pipe.recv_bytes(), pipe, tuple(cores))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # the coordinator wants no more
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
    signal.signal(signal.SIGTERM, lambda number, frame: None)  # the second would interrupt the tidying up
    sys.exit(TERMINATED)


def _end_descendants() -> None:
    """Kill what is left if the signal came while a process was being started."""
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            process.kill()


if __name__ == "__main__":
    main()
