"""The memory of a tree: how many nodes it may have, and what is done when they run out."""

import time
from collections.abc import Callable

from agents.process_memory import room_within
from agents.time_control import Pacer
from agents.uct.tree import MAX_NODES, NODE_BYTES

FEWEST_NODES = 1024
# The time left has to be so many times what the last recycling took: three processes on one core take three times as
# long as one alone, and an array that is full for a moment costs nothing that shows in matches.
RECYCLING_FACTOR = 4
# Of a memory limit, for a search that is to be repeated. A process that has compiled its search may hold 430 MB of
# 500; one that has loaded it holds 185.
REPEATABLE_SHARE = 0.1


def capacity_within(limit_bytes: int, node_bytes: int = NODE_BYTES) -> int:
    """How many nodes of that size a search may have so that this process stays below a limit.

    Raises MemoryError if none do, OSError if it cannot be known.
    """
    return min(MAX_NODES - 2, room_within(limit_bytes, FEWEST_NODES * node_bytes, "a tree") // node_bytes)


def repeatable_capacity(limit_bytes: int, node_bytes: int = NODE_BYTES) -> int:
    """How many nodes fit into REPEATABLE_SHARE of a limit: the same number in every process, whatever it holds.

    A tree that fills up depends on its capacity, so a search that is to be repeated bit for bit wants this one. Raises
    MemoryError if the process holds too much for that, OSError if it cannot be known.
    """
    nodes = min(MAX_NODES - 2, max(FEWEST_NODES, int(limit_bytes * REPEATABLE_SHARE) // node_bytes))
    room_within(limit_bytes, nodes * node_bytes, f"a tree of {nodes:,} nodes")
    return nodes


class Recycler:
    """Frees places of an array, if the time left pays for it.

    `seconds` is a first guess of what that takes, replaced by what it took last.
    """

    def __init__(self, pacer: Pacer, seconds: float) -> None:
        self._pacer, self._seconds = pacer, seconds

    def recycle(self, free: Callable[[], None], end: float | None) -> bool:
        """Call `free`, unless there is no time for it before `end` (by `time.monotonic`); returns whether it was."""
        start = time.monotonic()
        if end is not None and end - start < RECYCLING_FACTOR * self._seconds:
            return False
        free()
        self._seconds = time.monotonic() - start
        self._pacer.skip(self._seconds)
        return True
