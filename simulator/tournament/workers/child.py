"""The other end of an executor's pipe: a process that runs tasks, one after the other, until the pipe is closed.

`python -m simulator.tournament.workers.child DESCRIPTOR PARENT CORE...` is one whose end of the pipe is an open
descriptor.

It is deaf to Ctrl-C, which a terminal sends to every process: its coordinator decides. SIGTERM ends the task that runs
as an exception would, so that no process of it is left. If the coordinator is killed, the kernel kills this one.
"""

import os
import signal
import sys
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any

import psutil

from simulator.sandbox import linux

TOLD, RESULT, FAILED = "told", "result", "failed"  # kinds of messages

TERMINATED = 128 + signal.SIGTERM  # exit status, as shells report it


def serve_tasks(pipe: Connection, coordinator: int, cores: tuple[int, ...]) -> None:
    """Receive tasks and send (kind, what): TOLD any number of times, then RESULT, or FAILED with a traceback."""
    signal.signal(signal.SIGINT, _ignored)
    signal.signal(signal.SIGTERM, _terminated)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    linux.die_with_parent()
    if os.getppid() != coordinator:  # it was gone before the kernel knew
        return
    try:
        while True:
            _run(pipe.recv(), pipe, cores)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # the coordinator wants no more
    finally:
        _end_descendants()


def _run(task: Any, pipe: Connection, cores: tuple[int, ...]) -> None:
    try:
        result = task.run(lambda what: pipe.send((TOLD, what)), cores)
    except (BrokenPipeError, ConnectionResetError):
        raise
    except Exception:
        pipe.send((FAILED, traceback.format_exc()))
        return
    pipe.send((RESULT, result))


def _ignored(number: int, frame: FrameType | None) -> None:
    """Not SIG_IGN, which the agents' processes would inherit."""


def _terminated(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, _ignored)  # once is enough: the second would interrupt the tidying up
    sys.exit(TERMINATED)


def _end_descendants() -> None:
    """Kill what is left if the signal came while a process was being started."""
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            process.kill()


def main() -> None:
    """Serve the pipe that the command line names."""
    descriptor, parent, *cores = map(int, sys.argv[1:])
    serve_tasks(Connection(descriptor), parent, tuple(cores))


if __name__ == "__main__":
    main()
