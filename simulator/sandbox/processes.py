"""The processes of an agent, found, measured, stopped and killed with nothing but /proc and signals.

`ProcessTree` is all processes of one agent: its root, what descends from it, and what it tried to lose (orphans are
handed to the referee, which is a "subreaper", and known by their session, by an environment variable that they
inherit, or because they were seen before). On it: memory and processor time are measured, all is stopped, resumed and
killed.
"""

import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, NamedTuple

import psutil

from agents.agent import Limits

MB = 1 << 20  # bytes

TOKEN_VARIABLE = "UNFORCED_SEAT"  # in the environment of an agent's processes: which seat they belong to

KILL_SECONDS = 2.0  # how long to go on killing; only a process inside a system call that cannot be interrupted lasts
STOP_PASSES = 20  # a tree that forks while it is being stopped is looked at again, this often at most

# The kernel's own limit on private memory of each process. It keeps the machine safe between two polls and nothing
# more: numba and numpy reserve some hundred MB that they never touch. RLIMIT_AS would be wrong: BLAS threads reserve
# so much address space that they spin for ever instead of failing.
DATA_BACKSTOP_FACTOR, DATA_BACKSTOP_MB = 4, 2048

HAS_PROC = Path("/proc/self/stat").exists()
HAS_CHILDREN_FILE = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").exists()

_PAGE, _TICKS = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


# --- Process attributes ---------------------------------------------------------------------------------------------


HAS_PRCTL = sys.platform == "linux"


def _prctl(option: int, value: int) -> None:
    if HAS_PRCTL:
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def adopt_orphans() -> None:
    """Let descendants whose parent ends become children of this process, so that they can be found and reaped."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent() -> None:
    """Have the kernel kill this process when the thread that started it ends."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def set_backstops(pid: int, limits: Limits) -> None:
    """Give a fresh process the limits that the kernel itself can hold: private memory, and no core files.

    A limit that is lower already stays: it cannot be raised without privileges, and is not to be.
    """
    if not hasattr(psutil.Process, "rlimit"):
        return
    data = max(DATA_BACKSTOP_FACTOR * limits.memory_mb, DATA_BACKSTOP_MB) * MB
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        for resource, wanted in ((psutil.RLIMIT_DATA, data), (psutil.RLIMIT_CORE, 0)):
            present = process.rlimit(resource)
            lowered = [wanted if value == psutil.RLIM_INFINITY else min(wanted, value) for value in present]
            process.rlimit(resource, (lowered[0], lowered[1]))


# --- Reading /proc --------------------------------------------------------------------------------------------------


class _Stat(NamedTuple):
    """What /proc says of a process; `started` tells two processes of the same number apart."""

    state: str
    parent: int
    session: int
    started: str
    resident: int  # bytes
    busy: float  # seconds of processor time, its own and that of the children that it reaped


def _stat(pid: int) -> _Stat | None:
    """None if there is no such process (any more)."""
    if not HAS_PROC:
        return _stat_portable(pid)
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    busy = sum(map(int, fields[11:15])) / _TICKS
    return _Stat(fields[0].decode(), int(fields[1]), int(fields[3]), fields[19].decode(), int(fields[21]) * _PAGE, busy)


def _stat_portable(pid: int) -> _Stat | None:
    try:
        process = psutil.Process(pid)
        with process.oneshot():
            state = "Z" if process.status() == psutil.STATUS_ZOMBIE else "S"
            resident = 0 if state == "Z" else process.memory_info().rss
            busy = sum(process.cpu_times()[:4])
            return _Stat(state, process.ppid() or 0, os.getsid(pid), str(process.create_time()), resident, busy)
    except (psutil.Error, OSError):
        return None


def _children(pid: int) -> list[int]:
    """The children of a process, those of all its threads."""
    if not HAS_CHILDREN_FILE:
        try:
            return [child.pid for child in psutil.Process(pid).children()]
        except psutil.Error:
            return []
    found: list[int] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                found += map(int, file.read().split())
    return found


def _links(pid: int) -> Iterator[str]:
    """What leads to the files that a process holds: a thread can have a table of descriptors of its own."""
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            yield f"/proc/{pid}/task/{thread}/cwd"
            with suppress(OSError):
                for number in os.listdir(f"/proc/{pid}/task/{thread}/fd"):
                    yield f"/proc/{pid}/task/{thread}/fd/{number}"


def _has_token(pid: int, token: str) -> bool:
    try:
        return f"{TOKEN_VARIABLE}={token}".encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False


def _peak_bytes(pid: int) -> int:
    """The most memory that a process ever held (VmHWM), 0 where the kernel does not say."""
    with suppress(OSError), open(f"/proc/{pid}/status", "rb") as file:
        for line in file:
            if line.startswith(b"VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


def _proportional_bytes(pid: int) -> int | None:
    """A process's memory with shared pages divided among the sharers (PSS), None where the kernel does not say."""
    with suppress(OSError), open(f"/proc/{pid}/smaps_rollup", "rb") as file:
        for line in file:
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return None


def exit_status(pid: int) -> int | None:
    """How a child ended (minus the signal's number, if one killed it), without reaping it; None while it lives."""
    if not hasattr(os, "waitid"):
        return None
    ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if ended is None:
        return None
    return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status


def reap_session(session: int) -> None:
    """Wait for the orphans of a session that were handed to this process; they have to be about to end."""
    for pid in _children(os.getpid()):
        if (stat := _stat(pid)) is not None and stat.session == session:
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)


def own_peak_mb() -> float:
    """The most memory that this process ever held."""
    return (_peak_bytes(os.getpid()) or psutil.Process().memory_info().rss) / MB


# --- The processes of an agent --------------------------------------------------------------------------------------


class ProcessTree:
    """All processes of one agent, from its root, a child of this process that leads a session of its own.

    The root must not be reaped before `kill` has been called: until then its number, and that of its group, cannot be
    given to anybody else.
    """

    _roots: ClassVar[set[int]] = set()  # of all trees that were not killed: nobody's strays

    def __init__(self, root: int, token: str) -> None:
        self.root = root
        self.token = token
        self.peak_mb = 0.0
        self._seen: dict[int, str] = {}  # every process that belonged to the tree and may live, with its start time
        ProcessTree._roots.add(root)

    def members(self) -> dict[int, _Stat]:
        """The processes there are now, zombies left out."""
        found: dict[int, _Stat] = {}
        seen = self._seen_now()
        waiting = [self.root, *seen, *self._strays()]
        while waiting:
            pid = waiting.pop()
            if pid not in found and (stat := seen.get(pid) or _stat(pid)) is not None:
                found[pid] = stat
                self._seen[pid] = stat.started
                waiting += _children(pid)
        return {pid: stat for pid, stat in found.items() if stat.state not in "ZX"}

    def children_of_root(self) -> list[int]:
        """The processes that the root itself began and that are there now."""
        return _children(self.root)

    def _seen_now(self) -> dict[int, _Stat]:
        """The processes that were seen before and are still there; the others are forgotten.

        An agent that makes thousands of processes one after the other is not to make each look longer.
        """
        stats = {pid: stat for pid, started in self._seen.items() if (stat := _stat(pid)) and stat.started == started}
        self._seen = {pid: stat.started for pid, stat in stats.items()}
        return stats

    def _strays(self) -> list[int]:
        """Processes that were handed to the referee before they were seen in the tree, but belong to the agent."""
        others = self._seen.keys() | ProcessTree._roots
        return [pid for pid in _children(os.getpid()) if pid not in others and self._is_ours(pid)]

    def _is_ours(self, pid: int) -> bool:
        stat = _stat(pid)
        return stat is not None and (stat.session == self.root or _has_token(pid, self.token))

    # --- memory ---

    def memory_mb(self, limit_mb: float) -> float:
        """What all hold together now; kept as the peak if it is the most so far.

        The sum of resident sizes; if that is above the limit only because processes share pages, which counts them
        more than once, the sum of proportional sizes.
        """
        members = self.members()
        used = sum(stat.resident for stat in members.values())
        if used > limit_mb * MB and len(members) > 1:
            shares = [_proportional_bytes(pid) for pid in members]
            if None not in shares:
                used = sum(share for share in shares if share is not None)
        self.peak_mb = max(self.peak_mb, used / MB)
        return used / MB

    def kernel_peak_mb(self) -> float:
        """The peak so far, with what each process held at most by the kernel's own book, which no poll can miss."""
        peaks = [_peak_bytes(pid) for pid in self.members()]
        self.peak_mb = max([self.peak_mb, *(peak / MB for peak in peaks)])
        return self.peak_mb

    # --- processor time ---

    def busy_seconds(self) -> float:
        """Processor time of all that there are now and of what they reaped; steps of 0.01 s on most systems."""
        return sum(stat.busy for stat in self.members().values())

    # --- open files ---

    def open_below(self, folders: Sequence[Path]) -> Path | None:
        """A file or folder at or below some, that a process holds open or works in; None if there is none."""
        for link in (link for pid in self.members() for link in _links(pid)):
            with suppress(OSError):
                target = Path(os.readlink(link))
                if any(target.is_relative_to(folder) for folder in folders):
                    return target
        return None

    # --- signals ---

    def stop(self) -> None:
        """Stop all. A stopped process cannot fork, so it ends when a pass finds nobody new."""
        stopped: set[int] = set()
        for _ in range(STOP_PASSES):
            fresh = self.members().keys() - stopped
            if not fresh:
                return
            self._signal(fresh, signal.SIGSTOP)
            stopped |= fresh

    def resume(self) -> None:
        """Let all go on."""
        self._signal(self.members(), signal.SIGCONT)

    def kill(self) -> None:
        """Kill all, and reap all but the root, which is left to its parent's `wait`. Takes KILL_SECONDS at most."""
        self.stop()
        deadline = time.monotonic() + KILL_SECONDS
        while members := self.members():
            self._signal(members, signal.SIGKILL)
            self._reap()
            if time.monotonic() > deadline:
                break
            time.sleep(0.001)
        self._reap()
        ProcessTree._roots.discard(self.root)

    def _reap(self) -> None:
        """Collect the orphans that were handed to this process."""
        self.members()  # a zombie's orphans have just been handed over: look once more
        for pid, started in self._seen.items():
            stat = _stat(pid)
            if pid != self.root and stat and stat.started == started and stat.parent == os.getpid():
                with suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)

    @staticmethod
    def _signal(pids: Iterable[int], number: int) -> None:
        for pid in pids:
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(pid, number)
