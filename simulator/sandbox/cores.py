"""Which cores an agent's processes run on: choosing cores, reserving them for one process, and pinning to them."""

import fcntl
import os
import re
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

LOOK_SECONDS = 0.1  # how long it is measured which cores are busy
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
    return _dealt(available_cores()[::-1], processors, worker)


def cores_for(workers: int, processors: int) -> list[tuple[int, ...]]:
    """The cores of each worker, as `choose_cores`; those that are busy, or reserved by another process, come last.

    The others are reserved, until `release` or the end of this process, where cores can be reserved.
    """
    busy = _busy_cores()
    cores = sorted(available_cores(), key=lambda core: (core in busy, -core))
    ours = list[int]()
    with suppress(NotReserved, OSError):
        for core in cores:
            if len(ours) < workers * processors and (core in _reserved or _try_to_reserve(core)):
                ours.append(core)
    order = [*ours, *(core for core in cores if core not in ours)]
    return [_dealt(order, processors, worker) for worker in range(workers)]


def release(cores: Iterable[int]) -> None:
    """Let other processes reserve these cores."""
    for core in cores:
        if (file := _reserved.pop(core, None)) is not None:
            file.close()


def _busy_cores() -> set[int]:
    """The cores that were busy for more than half of LOOK_SECONDS; none if this system does not say it."""
    with suppress(OSError):
        before = _idle_seconds()
        time.sleep(LOOK_SECONDS)
        return {core for core, idle in _idle_seconds().items() if idle - before.get(core, 0.0) < LOOK_SECONDS / 2}
    return set()


def _idle_seconds() -> dict[int, float]:
    """How long each core has been idle, by its number. Raises OSError."""
    found = re.findall(r"^cpu(\d+) \d+ \d+ \d+ (\d+)", Path("/proc/stat").read_text(), re.MULTILINE)
    return {int(core): int(ticks) / os.sysconf("SC_CLK_TCK") for core, ticks in found}


def _dealt(order: Sequence[int], processors: int, worker: int) -> tuple[int, ...]:
    return tuple(sorted({order[(worker * processors + i) % len(order)] for i in range(max(1, processors))}))


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


def _try_to_reserve(core: int) -> bool:
    """Lock the core's file, unless another process has locked it; the lock ends with this process.

    Returns whether it is locked. Raises NotReserved.
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
        return False
    _reserved[core] = file
    return True


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
