"""What the kernel says of a process, read from /proc.

A process whose first thread has ended looks dead there (a zombie) although its other threads go on. Here, a process is
dead when none of its threads lives. If this machine has no memory or descriptor left for looking, OSError is raised,
which says nothing about the process. Source: `man 5 proc`.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil

HAS_CHILDREN_FILE = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").exists()

GONE = FileNotFoundError, ProcessLookupError  # raised by looking at a process that no longer exists
DEAD = "ZX"  # states of threads: zombie, dead
STOPPED = "Tt"  # by a signal, by a tracer

_TICKS = os.sysconf("SC_CLK_TCK")  # per second


class Stat(NamedTuple):
    """The state of a process; by `started`, two processes that had the same pid one after another can be told apart."""

    state: str  # of the first thread, or of a thread that lives if the first one has ended
    parent: int
    session: int
    started: str
    busy: float  # seconds of processor time, of the process and of the children that it reaped


THREAD_BYTES = 20 << 10  # the kernel's memory for a thread, in no process's size; measured: 386 MB for 20,480 threads


class Sizes(NamedTuple):
    """Memory of a process in bytes.

    Attributes:
        now: resident and swapped pages, page tables, huge pages (which the kernel counts separately), and THREAD_BYTES
            for each thread after the first.
        peak: the most that was resident at any time, plus the rest as it is now.
    """

    now: int
    peak: int


def stat(pid: int) -> Stat | None:
    """The state of a process; None if it does not exist (any more)."""
    fields = _stat_fields(f"/proc/{pid}")
    if not fields:
        return None
    state = fields[0].decode()
    if state in DEAD:
        state = next((task for task in task_states(pid) if task not in DEAD), state)
    busy = sum(map(int, fields[11:15])) / _TICKS
    return Stat(state, int(fields[1]), int(fields[3]), fields[19].decode(), busy)


def _stat_fields(folder: str) -> list[bytes]:
    """The fields of `stat` of a process or thread, from its state on; empty if it is gone."""
    with suppress(*GONE), open(f"{folder}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()
    return []


def _tasks(pid: int) -> list[str]:
    """The folders in /proc of a process's threads; none if it is gone."""
    with suppress(*GONE):
        return [f"/proc/{pid}/task/{thread}" for thread in os.listdir(f"/proc/{pid}/task")]
    return []


def task_states(pid: int) -> list[str]:
    """The state of each thread of a process, a letter as in `man 5 proc`."""
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
    """The links in /proc to files that a process holds: descriptors, working folders, its program.

    Every thread can have its own. Raises OSError if they are hidden from this user.
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
    """Whether `entry`, as `NAME=value`, is in the environment with which a process's program was started."""
    with suppress(OSError):
        return entry.encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return False


def sizes(pid: int) -> Sizes:
    """A process's memory; 0 if it is gone."""
    for place in (f"/proc/{pid}", *_tasks(pid)):  # if the first thread has ended, only the others say how much memory
        kilobytes = _kilobytes(f"{place}/status")
        if (resident := kilobytes.get("VmRSS")) is not None:
            rest = sum(kilobytes.get(name, 0) for name in ("VmPTE", "VmSwap", "HugetlbPages")) * 1024
            rest += THREAD_BYTES * (len(_tasks(pid)) - 1)
            return Sizes(resident * 1024 + rest, kilobytes.get("VmHWM", resident) * 1024 + rest)
    return Sizes(0, 0)


def proportional_bytes(pid: int) -> int | None:
    """A process's memory with shared pages divided among the sharers (PSS), bytes; None if the kernel does not say."""
    share = _kilobytes(f"/proc/{pid}/smaps_rollup").get("Pss")
    return None if share is None else share * 1024


def _kilobytes(path: str) -> dict[str, int]:
    """The values of the lines `NAME: N kB` of a file, by name; empty if it is gone or hidden.

    The line `Name:` is left out: a process chooses its name itself, which could look like such a line.
    """
    with suppress(*GONE, PermissionError), open(path, "rb") as file:
        lines = [line.split() for line in file if not line.startswith(b"Name:")]
        return {words[0].rstrip(b":").decode(): int(words[1]) for words in lines if words[2:] == [b"kB"]}
    return {}
