"""The memory of a tree: how many nodes it may have, and what is done when they run out."""

import time
from collections.abc import Callable
from typing import Any

from agents.process_memory import room_within
from agents.time_control import Pacer
from agents.uct.recycling import FREED_SHARE, RECYCLING_FACTOR, compact, visits_that_free
from agents.uct.search import has_room
from agents.uct.settings import Settings
from agents.uct.tree import MAX_NODES, NODE_BYTES, NODES, ROOT, AnyTree

FEWEST_NODES = 1024
# Of a memory limit, for a search that is to be repeated. A process that has compiled its search may hold 430 MB of
# 500; one that has loaded it holds 185.
REPEATABLE_SHARE = 0.1

# Compacting takes 18 ns a node in use.
RECYCLING_SECONDS_A_NODE = 2e-8
HIGHEST_THRESHOLD = 1 << 20
THRESHOLD_STEP = 1.1  # by which `pace` changes the threshold from one chunk to the next


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


class NodeSupply:
    """Keeps a tree from being full before the search is over, as `Settings.memory` says.

    Attributes:
        threshold: visits after which a leaf is expanded.
        recyclings: how often nodes were freed in this search.
    """

    def __init__(self, settings: Settings, pacer: Pacer, capacity: int) -> None:
        self._policy, self._least = settings.memory, float(settings.expand_at)
        self._recycler = Recycler(pacer, capacity * RECYCLING_SECONDS_A_NODE)
        self._used_at_start, self.threshold, self.recyclings = 1, self._least, 0

    def begin_search(self, tree: AnyTree) -> None:
        """Take note of a tree whose search begins."""
        self._used_at_start, self.threshold, self.recyclings = int(tree.used[NODES]), self._least, 0

    def replenish(self, kernel: Any, tree: AnyTree, progress: float, end: float | None) -> None:
        """Save nodes or free some, if need be, when so much of the search is over, 0 to 1.

        `end` is when it has to be over, by `time.monotonic`; None for a search without a clock.
        """
        if self._policy == "pace":
            planned = self._used_at_start + (len(tree.stats) - self._used_at_start) * progress
            factor = THRESHOLD_STEP if int(tree.used[NODES]) > planned else 1 / THRESHOLD_STEP
            self.threshold = min(HIGHEST_THRESHOLD, max(self._least, self.threshold * factor))
        elif self._policy == "recycle" and not has_room(kernel, tree):
            self.recyclings += self._recycler.recycle(lambda: _free_nodes(tree), end)


def _free_nodes(tree: AnyTree) -> None:
    compact(tree, ROOT, visits_that_free(tree, FREED_SHARE))
