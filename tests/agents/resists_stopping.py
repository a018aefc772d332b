"""Keeps busy in the kernel after its answer, where nobody can stop it at once: `resists_stopping.py:deed=locks`.

Each deed goes on for seconds in a thread of its own, begun just before the first answer. The log says how much
processor time the agent had from the end of one turn to the next.
"""

import contextlib
import ctypes
import hashlib
import mmap
import os
import struct
import threading
import time
from typing import ClassVar

from agents.agent import Agent, register_agent

GB = 1 << 30
MANY_BYTES = 32 * GB
PROT_READ, PROT_NONE = 1, 0
MAP_PRIVATE, MAP_ANONYMOUS, MAP_NORESERVE, MAP_POPULATE = 0x2, 0x20, 0x4000, 0x8000
MADV_POPULATE_READ = 22
HEAD_START_SECONDS = 0.05
MANY_THREADS = 60

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 4, ctypes.c_long)


def mapped(flags=0):
    where = libc.mmap(None, MANY_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0)
    if where == ctypes.c_void_p(-1).value:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return ctypes.c_void_p(where)


def populates():
    """Reads many pages at once."""
    libc.madvise(mapped(), ctypes.c_size_t(MANY_BYTES), MADV_POPULATE_READ)


def maps_populated():
    """Has many pages read while it maps them."""
    mapped(MAP_POPULATE)


def locks():
    """Locks many pages in memory."""
    libc.mlock(mapped(), ctypes.c_size_t(MANY_BYTES))


def reads_zeros():
    """Reads as many zeros from the kernel as one call gives, again and again."""
    buffer = mmap.mmap(-1, 100 << 20, flags=MAP_PRIVATE | MAP_ANONYMOUS)
    while True:
        with open("/dev/zero", "rb", buffering=0) as zeros:
            zeros.readinto(buffer)


def draws_numbers():
    """Has the kernel make random numbers, as many as one call gives.

    It does not use `os.getrandom`, which holds Python's lock: the time that the other thread waits would count as well.
    """
    buffer = ctypes.create_string_buffer(32 << 20)
    while True:
        libc.getrandom(buffer, ctypes.c_size_t(len(buffer)), 0)


def synchronizes():
    """Has the kernel bring everything that any process wrote to the disk."""
    while True:
        os.sync()


def lists_itself():
    """Has the kernel describe its memory, which has many parts."""
    for number in range(20_000):
        libc.mmap(None, mmap.PAGESIZE, PROT_READ if number % 2 else PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    while True:
        with open("/proc/self/smaps", "rb", buffering=0) as file:
            while file.read(1 << 20):
                pass


class Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def is_asked_about():
    """Makes a system call that waits for a second thread's word and that only SIGKILL interrupts."""
    seccomp, getpgid, flags = {"x86_64": (317, 121), "aarch64": (277, 155)}[os.uname().machine] + (0x8 | 0x20,)
    steps = b"".join(
        struct.pack("HBBI", *step)
        for step in ((0x20, 0, 0, 0), (0x15, 0, 1, getpgid), (0x06, 0, 0, 0x7FC00000), (0x06, 0, 0, 0x7FFF0000))
    )
    program = Filter(len(steps) // 8, steps)
    listener = libc.syscall(seccomp, 1, flags, ctypes.byref(program))
    if listener < 0:
        return
    threading.Thread(
        target=libc.ioctl, args=(listener, 0xC0502100, ctypes.create_string_buffer(80)), daemon=True
    ).start()
    libc.syscall(getpgid, 0)


def wakes_the_others():
    """Begins short threads that send SIGCONT to the process and end at once."""
    for _ in range(20):
        threading.Thread(target=wakes, daemon=True).start()


def wakes():
    while True:
        thread = threading.Thread(target=os.kill, args=(os.getpid(), 18), daemon=True)
        with contextlib.suppress(RuntimeError):  # no more threads
            thread.start()
            thread.join()


def spins():
    """Is busy in MANY_THREADS threads, none of which waits for Python's lock."""
    for _ in range(MANY_THREADS):
        threading.Thread(target=hashlib.pbkdf2_hmac, args=("sha256", b"", b"", 10**9), daemon=True).start()


def goes_on():
    """Sends itself SIGCONT without a pause, from threads that do not hold Python's lock meanwhile."""
    for _ in range(4):
        threading.Thread(target=sends_without_pause, daemon=True).start()


def sends_without_pause():
    while True:
        libc.kill(os.getpid(), 18)


@register_agent("resists_stopping_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"deed": "populates"}
    moves, before = 0, 0.0

    def step(self, position, clock):
        self.moves += 1
        if self.moves > 2:
            print(f"used {time.process_time() - self.before:.3f} s")
        if self.moves == 1:
            threading.Thread(target=globals()[self.options["deed"]], daemon=True).start()
            time.sleep(HEAD_START_SECONDS)
        self.before = time.process_time()
        return self.rng.choice(position.legal_moves())
