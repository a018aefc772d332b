"""How many nodes fit: the memory limit less what the process holds, measured once its code is loaded."""

import ctypes
import gc
import sys

import psutil

from agents.agent import AgentError
from agents.uct.tree import MAX_NODES, NODE_BYTES

# What the process still takes after the tree is allocated: Python objects of a game, buffers, the analysis of a tree.
# With this reserve, `runner.py bench` prints a peak of 494 million bytes under a limit of 500: 2 of the 8 were needed.
RESERVE_BYTES = 8_000_000


# What the process holds at most with the search loaded, even if it had to compile it (cold start of `runner.py bench`).
HELD_AT_MOST = 250_000_000


def resident_bytes() -> int:
    """Resident memory of this process in bytes. Raises AgentError where the system does not say."""
    try:
        return int(psutil.Process().memory_info().rss)
    except (psutil.Error, OSError) as error:
        raise AgentError(f"this system does not say how much memory the agent's process holds: {error!r}") from error


def held_bytes() -> int:
    """Resident memory of this process in bytes, after giving back what the allocator only keeps. Raises AgentError.

    The agents that ask make no other processes; to look for some, all of `/proc` would have to be listed, which a
    sandbox may refuse.
    """
    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)
    return resident_bytes()


def capacity_within(limit_bytes: int) -> int:
    """How many nodes a tree may have so that this process stays below a limit.

    Raises MemoryError if none do, AgentError if it cannot be known.
    """
    room = limit_bytes - held_bytes() - RESERVE_BYTES
    capacity = min(MAX_NODES - 2, room // NODE_BYTES)
    if capacity < 1024:
        raise MemoryError(
            f"{limit_bytes / 1e6:.0f} MB leave no room for a tree: the process already holds "
            f"{held_bytes() / 1e6:.0f} MB"
        )
    return capacity


def repeatable_capacity(limit_bytes: int) -> int:
    """How many nodes fit under a limit beside a process of `HELD_AT_MOST`: the same number in every process.

    A tree that fills up depends on its capacity, so a search that is to be repeated bit for bit wants this one. Where
    the process holds more than that, or the limit is less, it is `capacity_within`, which can differ from run to run.
    """
    measured, room = capacity_within(limit_bytes), limit_bytes - HELD_AT_MOST
    return min(measured, room // NODE_BYTES) if room >= 1024 * NODE_BYTES else measured
