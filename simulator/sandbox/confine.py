"""How an agent's process gives up its rights before foreign code runs in it; it never gets them back.

A Python agent's process calls `confine` before it loads the agent. A program of another language is started by this
module, which confines its own process and then becomes the program, see `confined_command`.
"""

import json
import os
import resource
import signal
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from simulator.sandbox import linux, syscalls

HURRY_SIGNAL = signal.SIGUSR2  # tells an agent's process to end the time for the move that its agent thinks about
STACKS_SIGNAL = signal.SIGUSR1  # tells an agent's process to write to its stderr where each of its threads stands


@dataclass(frozen=True)
class Confinement:
    """What a process gives up.

    Attributes:
        filters_calls: it gives up the system calls that `syscalls` lists.
        allows_processes: it may start other processes and share memory with them; False, if nothing counts what these
            leave behind: then it may start threads only.
        has_namespaces: namespaces hide the other processes and make its files read-only; without them, the filter
            refuses signals to others and every way to write.
        file_bytes: how large a file may grow, even one in memory; None if that is not limited.
        tasks: how many processes and threads its user may have in its namespace; None if that is not limited.
        descriptors: how many it may have open, because each can hold memory that is in no process's size; None if that
            is not limited.
        hides_memory: other processes of its user cannot look into its memory.
    """

    filters_calls: bool = False
    allows_processes: bool = True
    has_namespaces: bool = True
    file_bytes: int | None = None
    tasks: int | None = None
    descriptors: int | None = None
    hides_memory: bool = False


def confine(confinement: Confinement) -> None:
    """Confine this process. Raises OSError if the kernel refuses."""
    linux.die_with_parent()
    if confinement.allows_processes:
        linux.adopt_orphans()
    limits = {
        resource.RLIMIT_FSIZE: confinement.file_bytes,
        resource.RLIMIT_NPROC: confinement.tasks,
        resource.RLIMIT_NOFILE: confinement.descriptors,
    }
    for kind, most in limits.items():
        if most is not None:
            _lower(kind, most)
    if confinement.hides_memory:
        linux.hide_memory()
    if confinement.filters_calls:
        linux.drop_capabilities()
        syscalls.install(
            allows_processes=confinement.allows_processes,
            allows_writing=confinement.has_namespaces,
            allows_memory_files=not confinement.file_bytes,
            own_process=None if confinement.has_namespaces else os.getpid(),
        )


def _lower(kind: int, most: int) -> None:
    """Set a limit, unless a lower one is in force."""
    _, hard = resource.getrlimit(kind)
    limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (limit, limit))


def confined_command(confinement: Confinement, program: Sequence[str]) -> list[str]:
    """The command that starts a program confined; this project has to be in its PYTHONPATH."""
    return [this_python(), "-P", "-S", "-m", __name__, json.dumps(asdict(confinement)), *program]


def this_python() -> str:
    """The path of this interpreter without `..`: in `a/../b`, the folder `a` may not exist inside the sandbox."""
    return str(Path(sys.executable).parent.resolve() / Path(sys.executable).name)


def main(confinement: str, *program: str) -> None:
    """Confine this process as a `Confinement` in JSON says, and become a program."""
    confine(Confinement(**json.loads(confinement)))
    os.execvp(program[0], program)


if __name__ == "__main__":
    main(*sys.argv[1:])
