"""Holds much memory and starts processes, which is honest: `shares_memory.py:deed=program,hold_mb=430`.

Its `nodes` say how many MB it holds itself.
"""

import os
import subprocess
import time
from pathlib import Path
from typing import ClassVar

from agents.agent import Agent, register_agent

MB = 1 << 20
CHILDREN = 6
LIVES_SECONDS = 0.1  # so long that the referee looks at a child several times


def resident_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MB


def children(table):
    """Begins several children at a time, which read the table that they share with their parent."""
    born = []
    for _ in range(CHILDREN):
        if (child := os.fork()) == 0:
            len(table[::4096])  # a byte of every page
            time.sleep(LIVES_SECONDS)
            os._exit(0)
        born.append(child)
    for child in born:
        os.waitpid(child, 0)


def program(table):
    subprocess.run(["/bin/sleep", str(LIVES_SECONDS)], check=True)


def spawn(table):
    os.waitpid(os.posix_spawn("/bin/sleep", ["sleep", str(LIVES_SECONDS)], {}), 0)


def fork(table):
    """Begins one child after the other, each of which ends before the referee looks at it twice."""
    for _ in range(CHILDREN):
        if (child := os.fork()) == 0:
            os._exit(0)
        os.waitpid(child, 0)


def fork_and_become(table):
    if (child := os.fork()) == 0:
        os.execv("/bin/sleep", ["sleep", str(LIVES_SECONDS)])
    os.waitpid(child, 0)


@register_agent("shares_memory_agent")
class Honest(Agent):
    default_options: ClassVar = {"deed": "program", "hold_mb": 430}

    def setup(self):
        self.table = b"x" * (max(0, int(self.options["hold_mb"] - resident_mb())) * MB)

    def step(self, position, clock):
        globals()[self.options["deed"]](self.table)
        return self.rng.choice(position.legal_moves())

    def analysis(self):
        return {"nodes": round(resident_mb())}
