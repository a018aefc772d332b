"""Which mechanism enforces each limit of an agent on this system, and what would enforce it better.

`Mechanisms` says what is used here. `runner.py doctor` prints what enforces each limit, and every record has it; for a
limit that nothing enforces, the text begins with "none".
"""

import functools
import os
import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from agents.limits import Limits
from simulator import command_line
from simulator.sandbox import bubblewrap, cgroups, syscalls
from simulator.sandbox.processes import DATA_BACKSTOP_MB

IsolationLevel = Literal["required", "best", "none"]

NONE = "none"
MAX_PROCESSES = 64  # of an agent, its threads and bubblewrap's own two processes included
# If only all the user's processes and threads can be counted: how many more there may be than when the agent starts.
MORE_TASKS = 256
MAX_DESCRIPTORS = 256  # of each process; all of them are checked after the first move
UNCOUNTED_DESCRIPTORS = 128  # if nothing counts the buffers of pipes and sockets, which then hold 27 MB at most


class IsolationError(OSError):
    """Isolation is required, but nothing here enforces one of the limits; the message says which and what to do."""


class Enforcement(NamedTuple):
    """How one limit is enforced on this system.

    Attributes:
        mechanism: what enforces the limit, "none..." if nothing does.
        advice: what would enforce it better and how to get that; empty if nothing is missing.
    """

    limit: str
    mechanism: str
    advice: str = ""

    @property
    def is_enforced(self) -> bool:
        """Whether something enforces the limit."""
        return not self.mechanism.startswith(NONE)


@dataclass(frozen=True)
class Mechanisms:
    """The mechanisms that are used on this system.

    Attributes:
        bubblewrap: namespaces.
        filter: the filter of system calls.
        groups: purposes for which control groups can be made, see `cgroups.places`.
        is_off: the user has switched isolation off.
    """

    bubblewrap: bool = False
    filter: bool = False
    groups: frozenset[str] = frozenset()
    is_off: bool = False

    def enforcement(self, limits: Limits, cores: Sequence[int]) -> list[Enforcement]:
        """Every limit of the sandbox with what enforces it."""
        rows = [
            self._memory(limits),
            self._processor(cores),
            self._pausing(),
            self._processes(),
            self._network(),
            self._files(),
            self._privileges(),
        ]
        if not self.is_off:
            return rows
        why = "isolation is switched off (--isolation none)"
        return [row._replace(advice=why if row.advice or not row.is_enforced else "") for row in rows]

    def warning(self, limits: Limits, cores: Sequence[int]) -> str:
        """Which limits nothing enforces here and why, in a sentence for people.

        Empty if every limit is enforced, or if the user switched isolation off.
        """
        rows = self._not_enforced(limits, cores)
        if not rows or self.is_off:
            return ""
        names, reasons = ", ".join(row.limit for row in rows), dict.fromkeys(row.advice for row in rows if row.advice)
        return f"Not enforced on this system: {names} ({'; '.join(reasons)}). `{command_line('doctor')}` says more."

    def require(self, limits: Limits, cores: Sequence[int]) -> None:
        """Raise IsolationError unless every limit is enforced."""
        if rows := self._not_enforced(limits, cores):
            wants = "; ".join(f"{row.limit}: {row.advice or 'not available on this system'}" for row in rows)
            raise IsolationError(f"isolation is required, but nothing enforces {wants}")

    def _not_enforced(self, limits: Limits, cores: Sequence[int]) -> list[Enforcement]:
        return [row for row in self.enforcement(limits, cores) if not row.is_enforced]

    @property
    def counts_all(self) -> bool:
        """Whether the kernel counts, stops and ends all processes of an agent together, whatever they do."""
        return self.bubblewrap and {"memory", "pids", cgroups.CORE} <= self.groups

    @property
    def allows_processes(self) -> bool:
        """Whether an agent may start other processes. It may always start threads."""
        return self.counts_all or not self.filter

    @property
    def max_tasks(self) -> int | None:
        """RLIMIT_NPROC for an agent; None if a group counts its processes, or for root, whom it does not limit."""
        if "pids" in self.groups or _is_root():
            return None
        if self._counts_by_namespace:
            # One of bubblewrap's two is outside. The kernel refuses one more; if polling saw it, it would be a fault.
            return MAX_PROCESSES - 1
        return _tasks_on_system() + MORE_TASKS

    @property
    def _counts_by_namespace(self) -> bool:
        """Whether RLIMIT_NPROC counts only processes in an agent's namespace; before Linux 5.14, all of the user's."""
        version = tuple(map(int, re.findall(r"\d+", platform.release())[:2]))
        return self.bubblewrap and version >= (5, 14)

    @property
    def polls_tasks(self) -> bool:
        """Whether the number of processes and threads has to be polled, because no group limits it."""
        return self.filter and "pids" not in self.groups

    def _memory(self, limits: Limits) -> Enforcement:
        if "memory" in self.groups:
            version = cgroups.places()["memory"].version
            return Enforcement("memory", f"cgroup v{version}, {limits.memory_mb} MB without swap, polled every 20 ms")
        whose = "all processes" if self.allows_processes else "its one process"
        polled = f"size of {whose} (resident, swap, page tables) polled every 20 ms, at most {limits.memory_mb} MB"
        behind = f"the kernel's peak after each move; RLIMIT_DATA {DATA_BACKSTOP_MB} MB or more behind it"
        return Enforcement("memory", f"{polled}, {behind}", cgroups.ADVICE)

    def _processor(self, cores: Sequence[int]) -> Enforcement:
        on = ("core " if len(cores) == 1 else "cores ") + ", ".join(map(str, cores))
        if not cores:
            return Enforcement("processor", NONE, "this system cannot pin processes to a processor")
        if "cpuset" in self.groups:
            return Enforcement("processor", f"cpuset cgroup ({on})")
        if self.filter:
            return Enforcement("processor", f"affinity ({on}), the system call filter refuses to change it")
        return Enforcement("processor", f"affinity ({on}), which an agent can change", cgroups.ADVICE)

    def _pausing(self) -> Enforcement:
        checked = "every thread seen to stand still before the opponent's turn, processor time checked after it"
        if cgroups.CORE in self.groups:
            return Enforcement("pausing", f"cgroup freezer; {checked}")
        return Enforcement("pausing", f"SIGSTOP; {checked}", "" if not self.allows_processes else cgroups.ADVICE)

    def _processes(self) -> Enforcement:
        if "pids" in self.groups:
            at_most = f", at most {MAX_PROCESSES}"
        else:
            at_most = f", at most {MAX_PROCESSES}, polled every 20 ms" if self.polls_tasks else ""
        if not self.allows_processes:
            return Enforcement("processes", f"threads only, no other processes (system call filter){at_most}")
        if self.bubblewrap:
            return Enforcement("processes", f"own pid namespace (bubblewrap), killed as a whole{at_most}")
        killed = "cgroup.kill" if cgroups.CORE in self.groups else "killed by tree"
        return Enforcement("processes", f"own session, {killed}, orphans adopted{at_most}", bubblewrap.missing())

    def _network(self) -> Enforcement:
        if self.bubblewrap:
            return Enforcement(
                "network", "own network namespace (bubblewrap)" + (", no sockets" if self.filter else "")
            )
        if self.filter:
            return Enforcement("network", "no sockets (system call filter)")
        return Enforcement("network", NONE, bubblewrap.missing())

    def _files(self) -> Enforcement:
        if self.bubblewrap:
            tree = "own read-only file tree (bubblewrap); the agent's folder is unmounted after the first move"
            return Enforcement("files", tree)
        writing = " for reading; writing is refused (system call filter)" if self.filter else ""
        return Enforcement("files", NONE + writing, bubblewrap.missing())

    def _privileges(self) -> Enforcement:
        named = ["no capabilities, private /proc (bubblewrap)"] if self.bubblewrap else []
        if self.filter and not self.bubblewrap:
            named += ["no capabilities, no signals to other processes (their commands are seen, not their memory)"]
        named += ["system call filter"] if self.filter else []
        if not named:
            return Enforcement("privileges", NONE, bubblewrap.missing())
        mechanism = ", ".join(["no new privileges", *named, "clean environment, descriptors closed"])
        return Enforcement("privileges", mechanism, "" if self.bubblewrap else bubblewrap.missing())


def _tasks_on_system() -> int:
    """How many processes and threads of all users there are now."""
    return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])


def _is_root() -> bool:
    return os.geteuid() == 0


@functools.cache
def available_mechanisms(isolation: IsolationLevel = "best") -> Mechanisms:
    """The mechanisms that this system offers. It is tested once, which takes some 10 ms."""
    if isolation == "none":
        return Mechanisms(is_off=True)
    return Mechanisms(
        bubblewrap=not bubblewrap.missing(),
        filter=syscalls.is_supported(),
        groups=frozenset(cgroups.places()),
    )
