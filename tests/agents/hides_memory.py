"""Takes 600 MB where its own figures do not show them, or where nobody frees them: `hides_memory.py:deed=memfd`."""

import ctypes
import mmap
import os
import resource
import socket
import struct
import time
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from agents.agent import Agent, register_agent

MB = 1 << 20
TAKEN_MB = 600
FORBIDDEN_MB = 300
PORTION_MB = 50
PATIENCE_SECONDS = 0.5  # time for the referee to notice

IPC_CREAT, IPC_RMID, IPC_NOWAIT = 0o1000, 0, 0o4000
HUGE = 2 * MB  # a large page
THREADS_MB = 320
KERNEL_BYTES = 16 << 10  # what the kernel itself keeps for each thread
CLONE_A_THREAD = 0x100 | 0x200 | 0x400 | 0x800 | 0x10000  # CLONE_VM, _FS, _FILES, _SIGHAND, _THREAD
MADV_DONTNEED, MADV_HUGEPAGE = 4, 14


def enough(taken_bytes, what):
    """Raises PermissionError if less than FORBIDDEN_MB were taken."""
    if taken_bytes < FORBIDDEN_MB * MB:
        raise PermissionError(1, f"no more than {taken_bytes // MB} MB {what}")


def memfd():
    """Writes to a file in memory that it never maps."""
    kept = os.memfd_create("hoard")
    for _ in range(TAKEN_MB):
        os.write(kept, b"x" * MB)
    return kept


def shared():
    """Shares memory with children: each fills a portion and ends, and the portion stays."""
    kept = mmap.mmap(-1, TAKEN_MB * MB)
    for first in range(0, TAKEN_MB, PORTION_MB):
        if os.fork() == 0:
            for place in range(first, first + PORTION_MB):
                kept[place * MB : (place + 1) * MB] = b"x" * MB
            os._exit(0)
        os.wait()
    return kept


def system_v():
    """Lets children fill a System V segment in the same way."""
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
    """Takes ordinary memory after it has asked the kernel never to kill it for want of memory."""
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("-1000")
    return b"x" * (TAKEN_MB * MB)


def zeros():
    """Maps /dev/zero and writes to it: the pages stay, although this process gives them up at once."""
    with open("/dev/zero", "r+b", buffering=0) as device:
        kept = mmap.mmap(device.fileno(), TAKEN_MB * MB)
    for first in range(0, TAKEN_MB, PORTION_MB):
        for place in range(first, first + PORTION_MB):
            kept[place * MB : (place + 1) * MB] = b"x" * MB
        kept.madvise(MADV_DONTNEED, first * MB, PORTION_MB * MB)
    return kept


def most_descriptors():
    """Allow itself as many open descriptors as it may have; return the number."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def filled(make, piece):
    """Fill the buffers of as many pairs as `make` gives; return the pairs, and how many bytes went in."""
    kept, taken = [], 0
    with suppress(OSError):  # no more descriptors or buffers
        for _ in range(most_descriptors()):
            kept.append(make())
            with suppress(BlockingIOError):
                while taken < TAKEN_MB * MB:
                    taken += os.write(kept[-1][1], piece)
    return kept, taken


def pipe():
    near, far = os.pipe()
    os.set_blocking(far, False)
    return near, far


def pair():
    """Two sockets with buffers as large as they may be."""
    near, far = socket.socketpair()
    with suppress(PermissionError):
        far.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 64 * MB)
    far.setblocking(False)
    return near.detach(), far.detach()


def sockets():
    """Sends to sockets whose other ends receive nothing."""
    kept, taken = filled(pair, b"x" * MB)
    enough(taken, "in sockets")
    return kept


def pipes():
    """Writes to pipes that nobody reads."""
    kept, taken = filled(pipe, b"x" * mmap.PAGESIZE)
    enough(taken, "in pipes")
    return kept


def queues():
    """Sends System V messages that nobody takes, and removes the queues in the end."""
    libc = ctypes.CDLL(None, use_errno=True)
    text, kept, taken = ctypes.create_string_buffer(struct.pack("q", 1) + b"x" * 8192), [], 0
    while taken < TAKEN_MB * MB and (queue := libc.msgget(0, IPC_CREAT | 0o600)) >= 0:
        kept.append(queue)
        while libc.msgsnd(queue, text, ctypes.c_size_t(8192), IPC_NOWAIT) == 0:
            taken += 8192
    try:
        enough(taken, "in queues")
        time.sleep(PATIENCE_SECONDS)
    finally:
        for queue in kept:
            libc.msgctl(queue, IPC_RMID, None)


def page_tables():
    """Reads the one page of zeros at many addresses: for every 2 MB of them, the kernel keeps a page table."""
    maps, step = [], 1 << 34
    for _ in range(TAKEN_MB * (MB // mmap.PAGESIZE) * HUGE // step + 1):
        maps.append(mmap.mmap(-1, step, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ))
        for place in range(0, step, HUGE):
            _ = maps[-1][place]
    return maps


def gifts():
    """Gives a pipe one page of each large page, then gives the memory up: the pipe keeps the whole large page."""
    libc = ctypes.CDLL(None, use_errno=True)
    area = mmap.mmap(-1, 17 * HUGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    start = ctypes.addressof(ctypes.c_char.from_buffer(area))
    first = -start % HUGE
    kept, taken = [], 0
    for _ in range(TAKEN_MB * MB // (16 * HUGE) + 1):
        kept.append(os.pipe())
        area.madvise(MADV_HUGEPAGE, first, 16 * HUGE)
        for place in range(first, first + 16 * HUGE, HUGE):
            area[place] = 1
            vector = ctypes.create_string_buffer(struct.pack("QQ", start + place, mmap.PAGESIZE))
            if libc.vmsplice(kept[-1][1], vector, ctypes.c_size_t(1), 0) < 0:
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        taken += large_bytes()
        area.madvise(MADV_DONTNEED, first, 16 * HUGE)
    enough(taken, "in large pages")
    return kept


def large_bytes():
    """How many bytes this process now holds in large pages."""
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("AnonHugePages")) << 10


def threads():
    """Begins threads that share one stack and only wait: the kernel keeps memory for each of them."""
    libc = ctypes.CDLL(None, use_errno=True)
    stack = ctypes.create_string_buffer(1 << 16)
    top = ctypes.c_void_p((ctypes.addressof(stack) + len(stack)) & ~0xFF)
    for number in range(THREADS_MB * MB // KERNEL_BYTES):
        if libc.clone(libc.pause, top, CLONE_A_THREAD, None) < 0:
            raise PermissionError(1, f"no more than {number} threads")
    return stack


@register_agent("hides_memory_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"deed": "memfd"}
    moves = 0

    def step(self, position, clock):
        self.moves += 1
        if self.moves == 2:
            self.kept = globals()[self.options["deed"]]()
            time.sleep(PATIENCE_SECONDS)
            return f"SUCCEEDED: {TAKEN_MB} MB in {self.options['deed']}"
        return self.rng.choice(position.legal_moves())
