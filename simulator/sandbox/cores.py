"""Which cores an agent's processes run on: choosing cores, reserving them for one process, and pinning to them."""

import fcntl
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

_reserved: dict[int, IO[str]] = {}  # cores that this process has reserved, with their locked files


class NoFreeCores(Exception):
    """Too few cores are free; the message says how many there are."""


class NotReserved(Exception):
    """No core can be reserved, because others could hold the locks; the message says why."""


def available_cores() -> tuple[int, ...]:
    """The cores that this thread may use."""
    return tuple(sorted(os.sched_getaffinity(0)))


def choose_cores(processors: int, worker: int = 0) -> tuple[int, ...]:
    """The cores of worker 0, 1, ...: `processors` each, from the last core down; shared if there are too few."""
    cores = available_cores()[::-1]
    return tuple(sorted({cores[(worker * processors + i) % len(cores)] for i in range(max(1, processors))}))


def reserve_cores(processors: int) -> tuple[int, ...]:
    """Reserve cores that no other process of this user has reserved, from the last one down, until this process ends.

    Raises NoFreeCores if too few of the cores that it may use are free, NotReserved.
    """
    for core in available_cores()[::-1]:
        if len(_reserved) < processors and core not in _reserved:
            _try_to_reserve(core)
    if len(_reserved) < processors:
        others = len(available_cores()) - len(_reserved)
        raise NoFreeCores(f"needs {processors}, and others have reserved {others} of {len(available_cores())}")
    return tuple(sorted(sorted(_reserved)[-processors:]))


def _try_to_reserve(core: int) -> None:
    """Lock the core's file, unless another process has locked it; the lock ends with this process.

    Raises NotReserved.
    """
    folder = Path(tempfile.gettempdir()) / f"unforced-cores-{os.getuid()}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    status = folder.lstat()
    if status.st_uid != os.getuid() or status.st_mode & 0o022 or not stat.S_ISDIR(status.st_mode):
        raise NotReserved(f"{folder} is not a folder of this user alone")
    file = (folder / f"{core}.lock").open("a")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
    else:
        _reserved[core] = file


@contextmanager
def pinned(cores: tuple[int, ...]) -> Iterator[None]:
    """Processes that this thread starts within the block run on these cores; then the thread returns to its own."""
    if not cores:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
