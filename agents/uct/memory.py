"""The memory of a search: how many nodes it may have, and what it does when they run out."""

import time
from collections.abc import Callable

from agents.process_memory import room_within
from agents.time_control import Pacer
from agents.uct.tree import MAX_NODES, NODE_BYTES

FEWEST_NODES = 1024
# Places are freed only if the time left is so many times what the last recycling took: if three processes share a core,
# each takes three times as long as alone. An array that stays full for a moment costs nothing that shows in matches.
RECYCLING_FACTOR = 4
# The share of a memory limit for a search that has to be repeatable. Of 500 MB, a process that has compiled its search
# may hold 430; a process that has loaded it from the cache holds 185.
REPEATABLE_SHARE = 0.1


def capacity_within(limit_bytes: int, node_bytes: int = NODE_BYTES) -> int:
    """How many nodes of `node_bytes` a search may have so that this process stays below a limit.

    Raises MemoryError if fewer than FEWEST_NODES fit, OSError if the system does not say what the process holds.
    """
    return min(MAX_NODES - 2, room_within(limit_bytes, FEWEST_NODES * node_bytes, "a tree") // node_bytes)


def repeatable_capacity(limit_bytes: int, node_bytes: int = NODE_BYTES) -> int:
    """How many nodes fit into REPEATABLE_SHARE of a limit: the same number in every process, whatever it holds.

    What a search finds in a tree that fills up depends on the capacity, so a search that is to be repeated bit for bit
    needs this one. Raises MemoryError if the process holds too much for that, OSError if the system does not say.
    """
    nodes = min(MAX_NODES - 2, max(FEWEST_NODES, int(limit_bytes * REPEATABLE_SHARE) // node_bytes))
    room_within(limit_bytes, nodes * node_bytes, f"a tree of {nodes:,} nodes")
    return nodes


class Recycler:
    """Frees places of an array if there is time enough.

    `seconds` is a first guess of how long that takes; afterwards, what it took last counts.
    """

    def __init__(self, pacer: Pacer, seconds: float) -> None:
        self._pacer, self._seconds = pacer, seconds

    def recycle(self, free: Callable[[], None], end: float | None) -> bool:
        """Call `free` if there is time for that before `end` (by `time.monotonic`); returns whether it was called."""
        start = time.monotonic()
        if end is not None and end - start < RECYCLING_FACTOR * self._seconds:
            return False
        free()
        self._seconds = time.monotonic() - start
        self._pacer.skip(self._seconds)
        return True
