"""Error messages for what the sandbox refuses, where Python's own error does not explain itself.

The functions are replaced: an audit hook would make `id`, and with it `copy.deepcopy`, several times slower. No limit
depends on this module: if an agent gets around it, the kernel still refuses.

The agent's process imports this module, so only the standard library and this project's modules may be imported here.
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
    "Operation not permitted: an agent may not start other processes here, because only control groups count all "
    f"of them (`{command_line('doctor')}`); threads are allowed"
)
NO_SEMAPHORES = (
    "multiprocessing's pools, queues and locks need /dev/shm, which agents do not have; use threads, "
    "threading.Lock and queue.Queue"
)
_STARTERS = {"os.fork": "fork", "os.forkpty": "forkpty", "os.posix_spawn": "posix_spawn", "os.system": "system"}


def explain(confinement: Confinement) -> None:
    """Replace functions that the confinement forbids by functions that raise an error with an explanation."""
    if not confinement.allows_processes:
        for event, name in _STARTERS.items():
            setattr(os, name, _refuser(event))
        os.posix_spawnp = os.posix_spawn
        _posixsubprocess.fork_exec = subprocess._fork_exec = _refuser("")  # type: ignore[attr-defined]
    if confinement.file_bytes is not None:
        sys.meta_path.insert(0, _NoSemaphores())


def _refuser(event: str) -> Callable[..., NoReturn]:
    """The replacement for a function that starts a process: it raises the same audit event, and then an error."""

    def refuse(*arguments: Any, **options: Any) -> NoReturn:
        """Raise PermissionError."""
        if event:  # `subprocess` raises its own
            sys.audit(event, *arguments)
        raise PermissionError(errno.EPERM, NO_PROCESSES)

    return refuse


class _NoSemaphores:
    """An import finder that finds no module, but says why there is no `multiprocessing.synchronize`."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> None:
        """Raise OSError for that module; numba's parallel loops, which want a lock, then do without."""
        if name == "multiprocessing.synchronize":
            raise OSError(errno.ENOSYS, NO_SEMAPHORES)
