"""What this system offers against agents that break the rules, and which mechanism therefore holds which limit.

`Machine.rows` is what `runner.py doctor` prints, `Machine.facts` what every record carries: a row that nothing holds
begins with "none".
"""

import functools
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from agents.agent import Limits
from simulator.gtp import MAX_ANSWER_BYTES
from simulator.sandbox import bubblewrap, cgroups, landlock, syscalls
from simulator.sandbox.processes import DATA_BACKSTOP_MB, HAS_PRCTL, HAS_PROC
from simulator.sandbox.processors import HAS_AFFINITY

Isolation = Literal["required", "best", "none"]

NONE = "none"
MAX_PROCESSES = 64  # of an agent, its threads included, and bubblewrap's own two
KEPT_STDERR_BYTES = 1 << 16


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
        landlock: its version, 0 for none; used where bubblewrap is not.
        groups: purposes for which control groups can be made, see `cgroups.places`.
        is_open: isolation was switched off.
    """

    bubblewrap: bool = False
    filter: bool = False
    landlock: int = 0
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
                "verdict shows the last 20 lines",
            ),
        ]
        if not self.is_open:
            return rows
        why = "isolation is switched off (--isolation none)"
        return [row._replace(advice=why if row.advice or not row.is_held else "") for row in rows]

    def require(self, limits: Limits, cores: Sequence[int]) -> None:
        """Raises IsolationError unless something holds every limit."""
        open_rows = [row for row in self.rows(limits, cores) if not row.is_held]
        if open_rows:
            wants = "; ".join(f"{row.name}: {row.advice or 'not to be had on this system'}" for row in open_rows)
            raise IsolationError(f"isolation is required, and nothing holds {wants}")

    # --- The rows ---

    def _memory(self, limits: Limits) -> Row:
        polling = f"resident memory of all processes polled every 20 ms to {limits.memory_mb} MB"
        if HAS_PROC:
            polling += ", the kernel's peaks after each move"
        if "memory" in self.groups:
            version = cgroups.places()["memory"].version
            return Row("memory", f"cgroup v{version}, {limits.memory_mb} MB without swap; {polling}")
        return Row("memory", f"{polling}; RLIMIT_DATA {DATA_BACKSTOP_MB} MB or more behind it", cgroups.ADVICE)

    def _processor(self, cores: Sequence[int]) -> Row:
        on = ("core " if len(cores) == 1 else "cores ") + ", ".join(map(str, cores))
        if not HAS_AFFINITY or not cores:
            return Row("processor", NONE, "this system cannot pin processes to a processor")
        if "cpuset" in self.groups:
            return Row("processor", f"cpuset cgroup ({on})")
        if self.filter:
            return Row("processor", f"affinity ({on}), its changing filtered")
        return Row("processor", f"affinity ({on}), which an agent can change", cgroups.ADVICE)

    def _pausing(self) -> Row:
        checked = "processor time between turns checked"
        if cgroups.CORE in self.groups:
            return Row("pausing", f"cgroup freezer, else SIGSTOP to the process tree; {checked}")
        return Row("pausing", f"SIGSTOP to the process tree; {checked}", "" if self.bubblewrap else cgroups.ADVICE)

    def _processes(self) -> Row:
        kept = [f"at most {MAX_PROCESSES}"] if "pids" in self.groups or self.limits_processes else []
        if self.bubblewrap:
            return Row("processes", ", ".join(["own pid namespace (bubblewrap), killed as a whole", *kept]))
        killed = "cgroup.kill" if cgroups.CORE in self.groups else "killed by tree"
        reaped = ["orphans adopted"] if HAS_PRCTL else []
        return Row("processes", ", ".join(["own session", killed, *reaped, *kept]), bubblewrap.missing())

    @property
    def limits_processes(self) -> bool:
        """Whether RLIMIT_NPROC counts an agent's processes alone: in a user namespace, and for others than root."""
        return self.bubblewrap and not _is_root()

    def _network(self) -> Row:
        if self.bubblewrap:
            return Row("network", "own network namespace (bubblewrap)" + (", no sockets" if self.filter else ""))
        if self.filter:
            return Row("network", "no sockets (system call filter)")
        if self.landlock and landlock.holds_tcp():
            return Row("network", "Landlock (TCP only)", bubblewrap.missing())
        return Row("network", NONE, bubblewrap.missing())

    def _files(self) -> Row:
        if self.bubblewrap:
            return Row("files", "own read-only file tree (bubblewrap); reads end by unmounting after the first move")
        if self.landlock:
            held = "Landlock; after the first move for the thread that plays, not for programs of their own"
            return Row("files", held, bubblewrap.missing())
        return Row("files", NONE, bubblewrap.missing())

    def _privileges(self) -> Row:
        held = ["no capabilities, private /proc (bubblewrap)"] if self.bubblewrap else []
        held += ["no capabilities"] if self.filter and not self.bubblewrap else []
        held += ["system call filter"] if self.filter else []
        if self.landlock and not self.bubblewrap:
            held += ["Landlock (no tracing" + (", no signals)" if landlock.holds_signals() else ")")]
        if not held:
            return Row("privileges", NONE, bubblewrap.missing())
        named = ", ".join(["no new privileges", *held, "clean environment, descriptors closed"])
        return Row("privileges", named, "" if self.bubblewrap else bubblewrap.missing())


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


@functools.cache
def survey(isolation: Isolation = "best") -> Machine:
    """What there is on this system; looked for once, which takes some 10 ms."""
    if isolation == "none" or sys.platform != "linux":
        return Machine(is_open=isolation == "none")
    has_bubblewrap = not bubblewrap.missing()
    return Machine(
        bubblewrap=has_bubblewrap,
        filter=syscalls.is_supported(),
        landlock=0 if has_bubblewrap else landlock.version(),
        groups=frozenset(cgroups.places()),
    )
