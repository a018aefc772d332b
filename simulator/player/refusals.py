"""Why the sandbox refuses something, in words, where Python's own error has none.

The worker imports this module: the standard library only.
"""

import errno
import sys
from typing import Any

from simulator.player.self_report import PROCESSES
from simulator.sandbox.confine import Confinement

NO_PROCESSES = (
    "Operation not permitted: an agent may begin no other processes here, because only control groups count all of "
    "them (`runner.py doctor`); threads are allowed"
)
NO_SEMAPHORES = (
    "multiprocessing's pools, queues and locks need /dev/shm, which no agent has; threads, threading.Lock and "
    "queue.Queue work"
)


def explain(confinement: Confinement) -> None:
    """Raise errors in words from now on, in place of the kernel's; that cannot be undone.

    Nothing depends on it: what an agent does to get around it meets the kernel.
    """
    has_semaphores = confinement.file_bytes is None

    def look(event: str, arguments: tuple[Any, ...]) -> None:
        if event in PROCESSES and event != "os.exec" and not confinement.allows_processes:
            raise PermissionError(errno.EPERM, NO_PROCESSES)
        if event == "import" and arguments[0] == "multiprocessing.synchronize" and not has_semaphores:
            raise ImportError(NO_SEMAPHORES)

    sys.addaudithook(look)
