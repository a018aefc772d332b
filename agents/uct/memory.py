"""How many nodes fit: the memory limit less what the process holds, measured once its code is loaded."""

import ctypes
import gc
import sys

import psutil

from agents.uct.tree import MAX_NODES, NODE_BYTES

# What the process still takes after the tree is allocated: Python objects of a game, buffers, the analysis of a tree.
# With this reserve, `runner.py bench` prints a peak of 494 million bytes under a limit of 500: 2 of the 8 were needed.
RESERVE_BYTES = 8_000_000


def held_bytes() -> int:
    """Resident memory of this process and its children in bytes, after giving back what the allocator only keeps."""
    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)
    process = psutil.Process()
    return int(sum(p.memory_info().rss for p in (process, *process.children(recursive=True))))


def capacity_within(limit_bytes: int) -> int:
    """How many nodes a tree may have so that this process stays below a limit. Raises MemoryError if none do."""
    room = limit_bytes - held_bytes() - RESERVE_BYTES
    capacity = min(MAX_NODES - 2, room // NODE_BYTES)
    if capacity < 1024:
        raise MemoryError(
            f"{limit_bytes / 1e6:.0f} MB leave no room for a tree: the process already holds "
            f"{held_bytes() / 1e6:.0f} MB"
        )
    return capacity
