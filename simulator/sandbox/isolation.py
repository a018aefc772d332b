"""What this system offers against agents that break the rules, and which mechanism therefore holds which limit.

`Machine.rows` is what `runner.py doctor` prints, `Machine.facts` what every record carries: a row that nothing holds
begins with "none".
"""

import functools
import os
import platform
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from agents.agent import Limits
from simulator.gtp.syntax import MAX_ANSWER_BYTES
from simulator.sandbox import bubblewrap, cgroups, syscalls
from simulator.sandbox.cores import HAS_AFFINITY
from simulator.sandbox.linux import HAS_PRCTL
from simulator.sandbox.proc import HAS_PROC
from simulator.sandbox.processes import DATA_BACKSTOP_MB

Isolation = Literal["required", "best", "none"]

NONE = "none"
MAX_PROCESSES = 64  # of an agent, its threads included, and bubblewrap's own two
MORE_TASKS = 256  # where only the user's processes and threads can be counted, than there are when the agent starts
MAX_DESCRIPTORS = 256  # of each process; they are looked through after its first move
UNCOUNTED_DESCRIPTORS = 128  # where the buffers of pipes and sockets are in no figure: these hold 27 MB at most
KEPT_STDERR_BYTES = 1 << 16
SHOWN_STDERR_LINES = 40  # where two threads stand, with our own frames below the agent's


class IsolationError(OSError):
    """Isolation is required, and a limit has nothing here that holds it; the message says which and what to do."""


class Row(NamedTuple):
    """One limit on this system.

    Attributes:
        name: what is held.
        mechanism: what holds it, "none..." where nothing does.
        advice: what would hold it better and how to get it; empty where nothing is missing.
    """

    name: str
    mechanism: str
    advice: str = ""

    @property
    def is_held(self) -> bool:
        """Whether something holds the limit."""
        return not self.mechanism.startswith(NONE)


@dataclass(frozen=True)
class Machine:
    """What is used on this system.

    Attributes:
        bubblewrap: namespaces by bubblewrap.
        filter: the filter of system calls.
        groups: purposes for which control groups can be made, see `cgroups.places`.
        is_open: isolation was switched off.
    """

    bubblewrap: bool = False
    filter: bool = False
    groups: frozenset[str] = frozenset()
    is_open: bool = False

    def facts(self, limits: Limits, cores: Sequence[int]) -> dict[str, str]:
        """What holds each limit, by the limit's name."""
        return {row.name: row.mechanism for row in self.rows(limits, cores)}

    def rows(self, limits: Limits, cores: Sequence[int]) -> list[Row]:
        """Every limit with what holds it."""
        rows = [
            self._memory(limits),
            self._processor(cores),
            self._pausing(),
            self._processes(),
            self._network(),
            self._files(),
            self._privileges(),
            Row(
                "output",
                f"answers up to {MAX_ANSWER_BYTES >> 20} MB, {KEPT_STDERR_BYTES >> 10} KiB of stderr kept, of which a "
                f"verdict shows the last {SHOWN_STDERR_LINES} lines",
            ),
        ]
        if not self.is_open:
            return rows
        why = "isolation is switched off (--isolation none)"
        return [row._replace(advice=why if row.advice or not row.is_held else "") for row in rows]

    def not_held(self, limits: Limits, cores: Sequence[int]) -> str:
        """What nothing holds here and why, in a sentence for people.

        Empty if something holds every limit, or isolation was switched off by who plays.
        """
        rows = [row for row in self.rows(limits, cores) if not row.is_held]
        if not rows or self.is_open:
            return ""
        names, reasons = ", ".join(row.name for row in rows), dict.fromkeys(row.advice for row in rows if row.advice)
        return f"Not held on this system: {names} ({'; '.join(reasons)}). `python runner.py doctor` says more."

    def require(self, limits: Limits, cores: Sequence[int]) -> None:
        """Raises IsolationError unless something holds every limit."""
        open_rows = [row for row in self.rows(limits, cores) if not row.is_held]
        if open_rows:
            wants = "; ".join(f"{row.name}: {row.advice or 'not to be had on this system'}" for row in open_rows)
            raise IsolationError(f"isolation is required, and nothing holds {wants}")

    @property
    def counts_all(self) -> bool:
        """Whether the kernel counts, stops and ends all processes of an agent together, whatever they do."""
        return self.bubblewrap and {"memory", "pids", cgroups.CORE} <= self.groups

    @property
    def makes_processes(self) -> bool:
        """Whether an agent may begin other processes. Threads it may begin everywhere."""
        return self.counts_all or not self.filter

    @property
    def tasks(self) -> int | None:
        """What RLIMIT_NPROC is to be for an agent, None where a group counts, or where it does not hold."""
        if "pids" in self.groups or _is_root() or not HAS_PROC:
            return None
        return MAX_PROCESSES if self._counts_by_namespace else _tasks_on_system() + MORE_TASKS

    @property
    def _counts_by_namespace(self) -> bool:
        """Whether RLIMIT_NPROC counts what is in an agent's namespace only; all of the user's before Linux 5.14."""
        version = tuple(map(int, re.findall(r"\d+", platform.release())[:2]))
        return self.bubblewrap and version >= (5, 14)

    @property
    def watches_tasks(self) -> bool:
        """Whether the number of processes and threads has to be looked at, because no group limits it."""
        return self.filter and "pids" not in self.groups

    # --- The rows ---

    def _memory(self, limits: Limits) -> Row:
        if "memory" in self.groups:
            version = cgroups.places()["memory"].version
            return Row("memory", f"cgroup v{version}, {limits.memory_mb} MB without swap, looked at every 20 ms")
        whose = "all processes" if self.makes_processes else "its one process"
        held = f"size of {whose} (resident, swap, page tables) looked at every 20 ms, at most {limits.memory_mb} MB"
        if HAS_PROC:
            held += ", the kernel's peak after each move"
        return Row("memory", f"{held}; RLIMIT_DATA {DATA_BACKSTOP_MB} MB or more behind it", cgroups.ADVICE)

    def _processor(self, cores: Sequence[int]) -> Row:
        on = ("core " if len(cores) == 1 else "cores ") + ", ".join(map(str, cores))
        if not HAS_AFFINITY or not cores:
            return Row("processor", NONE, "this system cannot pin processes to a processor")
        if "cpuset" in self.groups:
            return Row("processor", f"cpuset cgroup ({on})")
        if self.filter:
            return Row("processor", f"affinity ({on}), its changing refused (system call filter)")
        return Row("processor", f"affinity ({on}), which an agent can change", cgroups.ADVICE)

    def _pausing(self) -> Row:
        checked = "every thread seen to stand still before the opponent's turn, processor time checked after it"
        if cgroups.CORE in self.groups:
            return Row("pausing", f"cgroup freezer; {checked}")
        return Row("pausing", f"SIGSTOP; {checked}", "" if not self.makes_processes else cgroups.ADVICE)

    def _processes(self) -> Row:
        if not self.makes_processes:
            return Row("processes", f"threads only, no other processes (system call filter){self._most_tasks}")
        if self.bubblewrap:
            return Row("processes", f"own pid namespace (bubblewrap), killed as a whole{self._most_tasks}")
        killed = "cgroup.kill" if cgroups.CORE in self.groups else "killed by tree"
        reaped = ", orphans adopted" if HAS_PRCTL else ""
        return Row("processes", f"own session, {killed}{reaped}{self._most_tasks}", bubblewrap.missing())

    @property
    def _most_tasks(self) -> str:
        if "pids" in self.groups:
            return f", at most {MAX_PROCESSES}"
        return f", at most {MAX_PROCESSES}, looked at every 20 ms" if self.watches_tasks else ""

    def _network(self) -> Row:
        if self.bubblewrap:
            return Row("network", "own network namespace (bubblewrap)" + (", no sockets" if self.filter else ""))
        if self.filter:
            return Row("network", "no sockets (system call filter)")
        return Row("network", NONE, bubblewrap.missing())

    def _files(self) -> Row:
        if self.bubblewrap:
            return Row("files", "own read-only file tree (bubblewrap); reads end by unmounting after the first move")
        writing = "; writing is refused (system call filter)" if self.filter else ""
        return Row("files", f"{NONE} for reading{writing}" if writing else NONE, bubblewrap.missing())

    def _privileges(self) -> Row:
        held = ["no capabilities, private /proc (bubblewrap)"] if self.bubblewrap else []
        if self.filter and not self.bubblewrap:
            held += ["no capabilities, no signals to other processes (their commands are seen, not their memory)"]
        held += ["system call filter"] if self.filter else []
        if not held:
            return Row("privileges", NONE, bubblewrap.missing())
        named = ", ".join(["no new privileges", *held, "clean environment, descriptors closed"])
        return Row("privileges", named, "" if self.bubblewrap else bubblewrap.missing())


def _tasks_on_system() -> int:
    """How many processes and threads there are, of all users."""
    return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


@functools.cache
def survey(isolation: Isolation = "best") -> Machine:
    """What there is on this system; looked for once, which takes some 10 ms."""
    if isolation == "none" or sys.platform != "linux":
        return Machine(is_open=isolation == "none")
    return Machine(
        bubblewrap=not bubblewrap.missing(),
        filter=syscalls.is_supported(),
        groups=frozenset(cgroups.places()),
    )
