"""What an agent's process does to itself before foreign code runs in it; what it gives up, it never gets back.

A worker of ours calls `confine` before it loads the agent. Another program is started through this module, which does
the same and becomes the program: `python -m simulator.sandbox.inside CONFINEMENT PROGRAM ARGUMENT...`
"""

import json
import os
import resource
import sys
from dataclasses import asdict, dataclass
from typing import Any, Self

from simulator.sandbox import capabilities, landlock, syscalls


@dataclass(frozen=True)
class Confinement:
    """What a process is to give up.

    Attributes:
        filters_calls: the system calls that `syscalls` lists.
        writes_nothing: no file may grow, not even one in memory.
        processes: how many processes and threads its user may have in its namespace, None where that cannot be said.
        readable: with Landlock, what may be read throughout; empty where Landlock is not used.
        own: with Landlock, what may be read until reads end.
        shares_memory: processes may share memory; they may not where nothing counts what they leave in it.
    """

    filters_calls: bool = False
    shares_memory: bool = True
    writes_nothing: bool = False
    processes: int | None = None
    readable: tuple[str, ...] = ()
    own: tuple[str, ...] = ()

    def to_text(self) -> str:
        """As one argument of a command line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The reverse of `to_text`. Raises ValueError, TypeError."""
        fields: dict[str, Any] = json.loads(text)
        return cls(**fields | {key: tuple(value) for key, value in fields.items() if isinstance(value, list)})


DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
OWN_PROCESS = "/proc/self"


def confine(confinement: Confinement) -> None:
    """Give up what is to be given up. Raises OSError where the kernel refuses."""
    if confinement.writes_nothing:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    if confinement.processes is not None:
        resource.setrlimit(resource.RLIMIT_NPROC, (confinement.processes, confinement.processes))
    if confinement.readable:
        landlock.restrict((*confinement.readable, *confinement.own, OWN_PROCESS), DEVICES)
    if confinement.filters_calls:
        capabilities.drop()
        syscalls.install(confinement.shares_memory)


def end_reads(confinement: Confinement) -> None:
    """With Landlock: give up what the agent brought along; for this thread and what it begins. Raises OSError."""
    if confinement.readable:
        landlock.restrict((*confinement.readable, OWN_PROCESS), DEVICES)


def main(confinement: str, *command: str) -> None:
    """Confine this process and become a program."""
    confine(Confinement.from_text(confinement))
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
