"""The tree: arrays that are allocated once, and what they hold."""

from typing import Any, NamedTuple

import numpy as np

ROOT = 0
NOBODY = -1  # the parent of the root; the leaf that is being expanded, if none is
NODE_BYTES = 3 * 8 + 3 * 4 + 2 * 8  # of the arrays together

# Places in `Tree.counters`
NODES, EXPANDED, PLAYOUTS, LEAF, DONE = range(5)


class Tree(NamedTuple):
    """The arrays of a tree. n = its capacity.

    Attributes:
        payload0, payload1, flags: uint64[n], what `game.children` wrote; flags of proved results are added.
        parent: int32[n], NOBODY for the root.
        first, children: int32[n], where the children of a node begin, and how many there are; a leaf has none.
        visits: float64[n], trials of a node and of all nodes below it.
        scores: float64[n], the sum of their results for the player who moved to the node; a draw counts one half.
        counters: int64[5]: NODES stored, positions EXPANDED, PLAYOUTS made; the LEAF that is being expanded or NOBODY,
            and how many trials of its children are DONE.
    """

    payload0: np.ndarray
    payload1: np.ndarray
    flags: np.ndarray
    parent: np.ndarray
    first: np.ndarray
    children: np.ndarray
    visits: np.ndarray
    scores: np.ndarray
    counters: np.ndarray


def allocate(capacity: int) -> Tree:
    """An empty tree with room for so many nodes; every page is touched."""
    payload0, payload1, flags = (np.full(capacity, 1, np.uint64) for _ in range(3))
    parent, first, children = (np.full(capacity, NOBODY, np.int32) for _ in range(3))
    visits, scores = (np.full(capacity, 1.0) for _ in range(2))
    counters: Any = np.zeros(5, np.int64)
    return Tree(payload0, payload1, flags, parent, first, children, visits, scores, counters)
