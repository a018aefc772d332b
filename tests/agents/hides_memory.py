"""Takes 600 MB where its own figures do not show them, or nobody takes them back: `hides_memory.py:deed=memfd`."""

import ctypes
import mmap
import os
import time
from typing import ClassVar

from agents.agent import Agent, register_agent

MB = 1 << 20
TAKEN_MB = 600
PORTION_MB = 50
PATIENCE_SECONDS = 0.5  # time for the referee to notice

IPC_CREAT, IPC_RMID = 0o1000, 0


def memfd():
    """In a file without a name that it writes to and never maps."""
    kept = os.memfd_create("hoard")
    for _ in range(TAKEN_MB):
        os.write(kept, b"x" * MB)
    return kept


def shared():
    """In memory that it shares with children: each fills a portion and ends, and the portion stays."""
    kept = mmap.mmap(-1, TAKEN_MB * MB)
    for first in range(0, TAKEN_MB, PORTION_MB):
        if os.fork() == 0:
            for place in range(first, first + PORTION_MB):
                kept[place * MB : (place + 1) * MB] = b"x" * MB
            os._exit(0)
        os.wait()
    return kept


def system_v():
    """In a System V segment, filled by children too."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmat.restype = ctypes.c_void_p
    segment = libc.shmget(0, ctypes.c_size_t(TAKEN_MB * MB), IPC_CREAT | 0o600)
    address = libc.shmat(segment, None, 0) if segment >= 0 else -1
    libc.shmctl(segment, IPC_RMID, None)  # it lasts as long as somebody is attached
    if segment < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    for first in range(0, TAKEN_MB, PORTION_MB):
        if os.fork() == 0:
            ctypes.memset(address + first * MB, 120, PORTION_MB * MB)
            os._exit(0)
        os.wait()
    return address


def unkillable():
    """In itself, after asking the kernel never to end it for want of memory."""
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("-1000")
    return b"x" * (TAKEN_MB * MB)


DEEDS = {"memfd": memfd, "shared": shared, "system_v": system_v, "unkillable": unkillable}


@register_agent("hides_memory_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"deed": "memfd"}
    moves = 0

    def step(self, position, clock):
        self.moves += 1
        if self.moves == 2:
            self.kept = DEEDS[self.options["deed"]]()
            time.sleep(PATIENCE_SECONDS)
            return f"SUCCEEDED: {TAKEN_MB} MB in {self.options['deed']}"
        return self.rng.choice(position.legal_moves())
