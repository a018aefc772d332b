"""Words for what the sandbox refuses, where Python's own error has none.

Not by an audit hook, which would make `id`, and with it `copy.deepcopy`, several times slower. Nothing depends on it:
what an agent does to get around it meets the kernel.

The agent's process imports this module: the standard library only.
"""

import _posixsubprocess
import errno
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from simulator import command_line
from simulator.sandbox.confine import Confinement

NO_PROCESSES = (
    "Operation not permitted: an agent may begin no other processes here, because only control groups count all of "
    f"them (`{command_line('doctor')}`); threads are allowed"
)
NO_SEMAPHORES = (
    "multiprocessing's pools, queues and locks need /dev/shm, which no agent has; threads, threading.Lock and "
    "queue.Queue work"
)
_STARTERS = {"os.fork": "fork", "os.forkpty": "forkpty", "os.posix_spawn": "posix_spawn", "os.system": "system"}


def explain(confinement: Confinement) -> None:
    """Raise errors in words from now on, in place of the kernel's."""
    if not confinement.allows_processes:
        for event, name in _STARTERS.items():
            setattr(os, name, _refuser(event))
        os.posix_spawnp = os.posix_spawn
        _posixsubprocess.fork_exec = subprocess._fork_exec = _refuser("")  # type: ignore[attr-defined]
    if confinement.file_bytes is not None:
        sys.meta_path.insert(0, _NoSemaphores())


def _refuser(event: str) -> Callable[..., NoReturn]:
    """What stands for a function that begins a process: it tells of the attempt, as that does, and refuses it."""

    def refuse(*arguments: Any, **options: Any) -> NoReturn:
        """Raise PermissionError."""
        if event:  # `subprocess` tells by itself
            sys.audit(event, *arguments)
        raise PermissionError(errno.EPERM, NO_PROCESSES)

    return refuse


class _NoSemaphores:
    """Finds no module, but says why there is no `multiprocessing.synchronize`."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> None:
        """Raise OSError for that module: numba, whose parallel loops want a lock, does without it then."""
        if name == "multiprocessing.synchronize":
            raise OSError(errno.ENOSYS, NO_SEMAPHORES)
