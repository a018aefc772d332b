"""The processes of an agent: finding, measuring, stopping and killing them with nothing but /proc and signals.

If there is a control group, `ProcessTree` takes the processes that it lists. Else it finds the first process, its
descendants, and those that an agent tries to hide: orphans become children of the referee, which is a "subreaper", and
are recognized by their session, by an environment variable that they inherit, or because they were seen before.
"""

import errno
import os
import resource
import signal
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from agents.limits import Limits
from simulator.sandbox import proc
from simulator.sandbox.proc import Stat

MB = 1 << 20  # bytes

TOKEN_VARIABLE = "UNFORCED_PLAYER"  # in the environment of an agent's processes: which player they belong to

KILL_SECONDS = 10.0  # how long to go on killing: a system call that cannot be interrupted may keep a process alive
STOP_SECONDS = 5.0  # how long to wait until all have stopped: a thread needs a turn on its processor for that
STILL_LOOKS = 2  # in a row: a thread that still runs could wake threads that were looked at before it, and then end
LOOK_SECONDS = 0.0005  # between two looks at processes that have to stop or end

# The kernel's own limit on private memory of each process. It only keeps this system safe between two polls, and has to
# be generous: numba and numpy reserve some hundred MB that they never touch. RLIMIT_AS would not do: BLAS threads
# reserve so much address space that they would spin for ever instead of failing.
DATA_BACKSTOP_FACTOR, DATA_BACKSTOP_MB = 4, 2048


def set_backstops(pid: int, limits: Limits) -> None:
    """Give a new process limits that the kernel itself enforces: on private memory, and no core files.

    A limit that is lower already stays. Raises OSError.
    """
    data = max(DATA_BACKSTOP_FACTOR * limits.memory_mb, DATA_BACKSTOP_MB) * MB
    with suppress(ProcessLookupError):
        for kind, wanted in ((resource.RLIMIT_DATA, data), (resource.RLIMIT_CORE, 0)):
            present = resource.prlimit(pid, kind)
            soft, hard = (wanted if value == resource.RLIM_INFINITY else min(wanted, value) for value in present)
            resource.prlimit(pid, kind, (soft, hard))


def exit_status(pid: int) -> int | None:
    """The exit status of a child (-n if signal n killed it), without reaping it; None while it lives."""
    ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if ended is None:
        return None
    return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status


def reap_session(session: int) -> None:
    """Wait for those orphans of a session that became children of this process and are about to end."""
    for pid in proc.children(os.getpid()):
        if (stat := proc.stat(pid)) is not None and stat.session == session:
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)


class ProcessTree:
    """All processes of one agent. Its first process, the root, is a child of this process and leads its own session.

    The root must not be reaped before `kill` has been called, so that no other process gets its pid.

    Args:
        root: the pid of the first process.
        token: the value of `TOKEN_VARIABLE` in the environment of all processes that did not remove it.
        listed: returns the pids of all processes if a control group knows them; then nothing is searched for.
    """

    _roots: ClassVar[set[int]] = set()  # the roots of all trees that were not killed: they belong to no other tree

    def __init__(self, root: int, token: str, listed: Callable[[], list[int]] | None = None) -> None:
        self.root = root
        self.token = token
        self._listed = listed
        self._seen: dict[int, str] = {}  # start times of all processes that belonged to the tree and may live, by pid
        ProcessTree._roots.add(root)

    def members(self) -> dict[int, Stat]:
        """The processes that live now, by pid."""
        found: dict[int, Stat] = {}
        seen = self._seen_now()
        waiting = [self.root, *seen, *(self._strays() if self._listed is None else self._listed())]
        while waiting:
            pid = waiting.pop()
            if pid not in found and (stat := seen.get(pid) or proc.stat(pid)) is not None:
                found[pid] = stat
                self._seen[pid] = stat.started
                waiting += proc.children(pid) if self._listed is None else []
        return {pid: stat for pid, stat in found.items() if stat.state not in proc.DEAD}

    def include(self, pid: int | None) -> None:
        """Add a child of the root, even if it has ended already, so that it will be reaped.

        When the root has ended, this process is the parent. With another parent, or as the root of another tree, it is
        a stranger that was given the pid since.
        """
        if pid is None or (pid in ProcessTree._roots and pid != self.root):
            return
        if (stat := proc.stat(pid)) is not None and stat.parent in (self.root, os.getpid()):
            self._seen[pid] = stat.started

    def _seen_now(self) -> dict[int, Stat]:
        """The processes that were seen before and still exist.

        The others are forgotten, so that an agent that starts thousands one after another does not slow the polling.
        """
        stats = {
            pid: stat for pid, started in self._seen.items() if (stat := proc.stat(pid)) and stat.started == started
        }
        self._seen = {pid: stat.started for pid, stat in stats.items()}
        return stats

    def _strays(self) -> list[int]:
        """The agent's processes that became children of the referee before they were seen in the tree."""
        others = self._seen.keys() | ProcessTree._roots
        return [pid for pid in proc.children(os.getpid()) if pid not in others and self._is_ours(pid)]

    def _is_ours(self, pid: int) -> bool:
        stat = proc.stat(pid)
        is_of_session = stat is not None and stat.session == self.root
        return is_of_session or proc.has_environment(pid, f"{TOKEN_VARIABLE}={self.token}")

    def count_tasks(self) -> int:
        """How many processes and threads there are now."""
        return sum(proc.count_tasks(pid) for pid in self.members())

    def memory_mb(self, limit_mb: float) -> float:
        """The memory of all processes now, MB.

        The sum of their sizes counts shared pages once for each process. So if it is above the limit, the proportional
        sizes are summed, as far as they can be read. A process that has ended meanwhile counts nothing.
        """
        members = self.members()
        used = sum(proc.sizes(pid).now for pid in members)
        if used > limit_mb * MB and len(members) > 1:
            shares = {pid: proc.proportional_bytes(pid) for pid in members}
            used = min(used, sum(proc.sizes(pid).now if share is None else share for pid, share in shares.items()))
        return used / MB

    def kernel_peak_mb(self) -> float:
        """The most that any single process ever held, MB. The kernel records it, so nothing is missed between polls."""
        return max((proc.sizes(pid).peak for pid in self.members()), default=0) / MB

    def busy_seconds(self) -> float:
        """Processor time of all processes and of those that they reaped; in steps of 0.01 s on most systems."""
        return sum(stat.busy for stat in self.members().values())

    def open_below(
        self, folders: Sequence[Path], own_program: Path | None = None, but: Sequence[int] = ()
    ) -> tuple[str, Path] | None:
        """How a process uses a file or folder in these folders, and which; None if no process does.

        "cwd": as its working folder; "exe": as the program that it runs; else the number of an open descriptor.
        `own_program` may run, and the processes `but` are trusted. For a process that hides what it uses: "fd", and the
        folder of its descriptors. Raises OSError if this machine fails.
        """
        for pid in self.members().keys() - set(but):
            try:
                for link in proc.links(pid):
                    target = _target(link)
                    is_program = link.endswith("/exe") and target == own_program
                    if target and not is_program and any(target.is_relative_to(folder) for folder in folders):
                        return os.path.basename(link), target
            except OSError as error:
                # Hidden from this user, or by a path that is too long for a name; else this machine has failed.
                if not (isinstance(error, PermissionError) or error.errno == errno.ENAMETOOLONG):
                    raise
                return "fd", Path(f"/proc/{pid}/fd")
        return None

    def stop(self) -> bool:
        """Stop all processes; returns whether every thread stands still, after STOP_SECONDS at most."""
        deadline = time.monotonic() + STOP_SECONDS
        still = 0
        while still < STILL_LOOKS:
            is_over = time.monotonic() > deadline  # read first: this process may be held up itself
            running = [pid for pid in self.members() if not proc.is_still(pid)]
            still = 0 if running else still + 1
            self._signal(running, signal.SIGSTOP)
            if running and is_over:
                return False
            time.sleep(LOOK_SECONDS if running else 0.0)
        return True

    def resume(self) -> None:
        """Let all processes go on."""
        self._signal(self.members(), signal.SIGCONT)

    def kill(self) -> bool:
        """Kill all processes, and reap all but the root, which `Popen.wait` reaps.

        Goes on for KILL_SECONDS at most. Returns whether no process is left.
        """
        deadline = time.monotonic() + KILL_SECONDS
        while members := self.members():
            self._signal(members, signal.SIGSTOP)  # a stopped process cannot start another one before it is killed
            self._signal(self.members(), signal.SIGKILL)
            self._reap()
            if time.monotonic() > deadline:
                break
            time.sleep(LOOK_SECONDS)
        self._reap()
        ProcessTree._roots.discard(self.root)
        return not members

    def _reap(self) -> None:
        """Reap the orphans that became children of this process."""
        self.members()  # once more: a zombie's orphans have just become children of this process
        for pid in self._strays():  # a control group does not list dead processes, which may never have been seen alive
            self.include(pid)
        for pid, started in self._seen.items():
            stat = proc.stat(pid)
            if pid != self.root and stat and stat.started == started and stat.parent == os.getpid():
                with suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)

    @staticmethod
    def _signal(pids: Iterable[int], number: int) -> None:
        for pid in pids:
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(pid, number)


def _target(link: str) -> Path | None:
    """The target of a link in /proc; None if its process has just ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(os.readlink(link))
    return None
