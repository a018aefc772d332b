"""What the kernel says of a process, read from /proc.

A process whose first thread has ended looks dead there (a zombie) although its other threads go on: here, a process is
dead when no task of it lives. Where this machine has no memory or descriptor left to look, OSError is raised: that says
nothing of the process. Source: `man 5 proc`.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil

HAS_CHILDREN_FILE = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").exists()

GONE = FileNotFoundError, ProcessLookupError  # what looking at a process raises that there is no more
DEAD = "ZX"  # states of tasks: zombie, dead
STOPPED = "Tt"  # by a signal, by a tracer

_TICKS = os.sysconf("SC_CLK_TCK")  # a second


class Stat(NamedTuple):
    """What a process is and does; `started` tells two processes that had the same pid apart."""

    state: str  # of the process; of a task that lives, where the first one has ended
    parent: int
    session: int
    started: str
    busy: float  # seconds of processor time, its own and that of the children that it reaped


THREAD_BYTES = 20 << 10  # what the kernel keeps for a thread, in no process's size; measured: 386 MB for 20,480 of them


class Sizes(NamedTuple):
    """Memory of a process in bytes.

    Attributes:
        now: resident and swapped pages, page tables, huge pages, which the kernel books apart, and THREAD_BYTES each.
        peak: the most that was resident at any time, with the rest as it is now.
    """

    now: int
    peak: int


def stat(pid: int) -> Stat | None:
    """None if there is no such process (any more)."""
    fields = _stat_fields(f"/proc/{pid}")
    if not fields:
        return None
    state = fields[0].decode()
    if state in DEAD:
        state = next((task for task in task_states(pid) if task not in DEAD), state)
    busy = sum(map(int, fields[11:15])) / _TICKS
    return Stat(state, int(fields[1]), int(fields[3]), fields[19].decode(), busy)


def _stat_fields(folder: str) -> list[bytes]:
    """What the kernel says of a process or thread, from its state on; nothing if it is gone."""
    with suppress(*GONE), open(f"{folder}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()
    return []


def _tasks(pid: int) -> list[str]:
    """The folders in /proc of a process's threads; none if it is gone."""
    with suppress(*GONE):
        return [f"/proc/{pid}/task/{thread}" for thread in os.listdir(f"/proc/{pid}/task")]
    return []


def task_states(pid: int) -> list[str]:
    """The state of each thread, a letter as in `man 5 proc`."""
    return [fields[0].decode() for task in _tasks(pid) if (fields := _stat_fields(task))]


def count_tasks(pid: int) -> int:
    """How many threads a process has; 0 if it is gone."""
    return len(_tasks(pid))


def is_still(pid: int) -> bool:
    """Whether every thread of a process is stopped or dead."""
    return all(state in STOPPED + DEAD for state in task_states(pid))


def children(pid: int) -> list[int]:
    """The children of a process, those of all its threads."""
    if not HAS_CHILDREN_FILE:
        with suppress(psutil.Error):
            return [child.pid for child in psutil.Process(pid).children()]
        return []
    found: list[int] = []
    for task in _tasks(pid):
        with suppress(*GONE), open(f"{task}/children", "rb") as file:
            found += map(int, file.read().split())
    return found


def links(pid: int) -> Iterator[str]:
    """What leads to files that a process holds: descriptors, working folders, its program.

    Every thread can have its own. Raises PermissionError where they are hidden from this user.
    """
    for task in _tasks(pid):
        try:
            numbers = os.listdir(f"{task}/fd")
        except OSError:
            fields = _stat_fields(task)
            if fields and fields[0].decode() not in DEAD:
                raise
        else:
            yield from (f"{task}/{name}" for name in ("cwd", "exe"))
            yield from (f"{task}/fd/{number}" for number in numbers)


def has_environment(pid: int, entry: str) -> bool:
    """Whether `NAME=value` is in the environment with which a process's program was started."""
    with suppress(OSError):
        return entry.encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return False


def sizes(pid: int) -> Sizes:
    """A process's memory; nothing if it is gone."""
    for place in (f"/proc/{pid}", *_tasks(pid)):  # of a first thread that has ended, nothing is said of memory
        kilobytes = _kilobytes(f"{place}/status")
        if (resident := kilobytes.get("VmRSS")) is not None:
            rest = sum(kilobytes.get(name, 0) for name in ("VmPTE", "VmSwap", "HugetlbPages")) * 1024
            rest += THREAD_BYTES * (len(_tasks(pid)) - 1)
            return Sizes(resident * 1024 + rest, kilobytes.get("VmHWM", resident) * 1024 + rest)
    return Sizes(0, 0)


def proportional_bytes(pid: int) -> int | None:
    """A process's memory with shared pages divided among the sharers (PSS), None where the kernel does not say."""
    share = _kilobytes(f"/proc/{pid}/smaps_rollup").get("Pss")
    return None if share is None else share * 1024


def _kilobytes(path: str) -> dict[str, int]:
    """The lines `Name: N kB` of a file, but not the process's own name, its choice; none if it is gone or hidden."""
    with suppress(*GONE, PermissionError), open(path, "rb") as file:
        lines = [line.split() for line in file if not line.startswith(b"Name:")]
        return {words[0].rstrip(b":").decode(): int(words[1]) for words in lines if words[2:] == [b"kB"]}
    return {}
