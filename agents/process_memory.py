"""How much memory this process holds. Imports psutil and the standard library only."""

import ctypes
import gc
import sys

import psutil

# The memory that a process still takes after its large arrays: Python objects of a game, buffers, the analysis of a
# tree. With this reserve, `runner.py bench` prints a peak of 494 million bytes under a limit of 500: 2 of the 8 were
# needed.
RESERVE_BYTES = 8_000_000


def resident_bytes() -> int:
    """Resident memory of this process in bytes. Raises OSError if the system does not tell it."""
    try:
        return int(psutil.Process().memory_info().rss)
    except (psutil.Error, OSError) as error:
        raise OSError(f"this system does not say how much memory this process holds: {error!r}") from error


def peak_bytes() -> int:
    """The most resident memory that this process has ever held, in bytes.

    Without a `/proc`, it returns what the process holds now. Raises OSError if the system tells neither.
    """
    try:
        with open("/proc/self/status", "rb") as status:
            for line in status:
                if line.startswith(b"VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return resident_bytes()


def held_bytes() -> int:
    """Resident memory of this process in bytes, after the allocator has given back what is unused. Raises OSError.

    Child processes are not counted: the agents that call this make none, and to find them, all of `/proc` would have to
    be listed, which a sandbox may refuse.
    """
    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)
    return resident_bytes()


def room_within(limit_bytes: int, least: int, purpose: str) -> int:
    """How many bytes this process may still take under a limit.

    Raises MemoryError, which names the purpose, if they are fewer than `least`; OSError if the system does not tell.
    """
    held = held_bytes()
    room = limit_bytes - held - RESERVE_BYTES
    if room < least:
        raise MemoryError(
            f"{limit_bytes / 1e6:.0f} MB leave no room for {purpose}: the process already holds {held / 1e6:.0f} MB"
        )
    return room
