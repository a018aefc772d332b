"""The static tree: a node is 256 bits, an index into four arrays that are allocated once.

    payload0, payload1   128 bits that belong to the game
    links                parent (26 bits) | first child (26) | number of children (12)
    stats                score (32) | flags (5) | visits (27)

The children of a node lie side by side, so that selection reads one run of `stats` and nothing else. There is one array
for each word rather than one array of records: a cache line then holds the statistics of eight children instead of two,
and the compiler can work on eight at a time (`benchmarks/layout.py` compares the two).

Score and visits are placed so that one addition to the word counts a visit and its value. The score is in sixteenths of
a win, seen by the player who chose the node (not the one to move in it), so that a parent compares its children's
scores as they are. A node is created by `game.children`, which writes payload and flags.
"""

from typing import NamedTuple

from jit import U64, aligned_zeros, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from game import VISIT_BITS

ROOT = 0
NODE_BYTES = 32

COUNT_BITS, LINK_BITS = 12, 26
MAX_NODES = 1 << LINK_BITS
MAX_CHILDREN = (1 << COUNT_BITS) - 1
MAX_VISITS = (1 << VISIT_BITS) - 1
SCORE_SHIFT = 32
SCORE_OF_WIN = 16  # MAX_VISITS * 16 < 2^31: a score fits a signed 32-bit lane

_COUNT_MASK = U64(MAX_CHILDREN)
_LINK_MASK = U64(MAX_NODES - 1)
_FIRST_SHIFT, _PARENT_SHIFT = U64(COUNT_BITS), U64(COUNT_BITS + LINK_BITS)
VISIT_MASK = U64(MAX_VISITS)
_SCORE_SHIFT = U64(SCORE_SHIFT)


class Tree(NamedTuple):
    """The arrays of a tree; `capacity` is their common length.

    Attributes:
        payload0: uint64[capacity], first word of the game's payload.
        payload1: uint64[capacity], second word.
        links: uint64[capacity], see `pack_links`.
        stats: uint64[capacity], see `pack_stats`; a node that was never visited has visits and score 0.
        used: int64[2]; at NODES, how many nodes are in use (the indices from 0 on); at EXPANDED, how often a leaf was
            expanded.
    """

    payload0: np.ndarray
    payload1: np.ndarray
    links: np.ndarray
    stats: np.ndarray
    used: np.ndarray


NODES, EXPANDED = 0, 1  # places in `used`
NODE_ARRAYS = 4  # the first arrays of a tree


def allocate(capacity: int) -> Tree:
    """A tree with room for that many nodes; every page is touched now, so that no page fault falls into a move's time.

    Raises ValueError if the links of a node cannot address the capacity, or if a root and a child do not fit into it.
    """
    if not 2 <= capacity < MAX_NODES:
        raise ValueError(f"a tree has 2 to {MAX_NODES - 1:,} nodes, not {capacity:,}")
    payload0, payload1, links, stats = (aligned_zeros(capacity, np.uint64) for _ in range(NODE_ARRAYS))
    return Tree(payload0, payload1, links, stats, used=np.array([1, 0], np.int64))


@jit(inline="always")
def pack_links(parent, first_child, count):
    """A node's links word; parent and first child below 2^26, count below 2^12 (not checked)."""
    return U64(parent) << _PARENT_SHIFT | U64(first_child) << _FIRST_SHIFT | U64(count)


@jit(inline="always")
def parent_of(links):
    """The parent's index in a links word, as int64; the root is its own parent."""
    return np.int64(links >> _PARENT_SHIFT)


@jit(inline="always")
def first_child_of(links):
    """The first child's index in a links word, as int64; meaningless when there are no children."""
    return np.int64(links >> _FIRST_SHIFT & _LINK_MASK)


@jit(inline="always")
def child_count_of(links):
    """The number of children in a links word, as int64; 0 for a leaf."""
    return np.int64(links & _COUNT_MASK)


def children_of(tree: Tree, node: int) -> range:
    """The indices of a node's children."""
    first = int(first_child_of(tree.links[node]))
    return range(first, first + int(child_count_of(tree.links[node])))


@jit(inline="always")
def pack_stats(score, flags, visits):
    """A node's statistics word; score below 2^31, visits below 2^27 (not checked), flags as in `game`."""
    return U64(score) << _SCORE_SHIFT | flags | U64(visits)


@jit(inline="always")
def visits_of(stats):
    """The visits in a statistics word, as int64."""
    return np.int64(stats & VISIT_MASK)


@jit(inline="always")
def score_of(stats):
    """The score in a statistics word, in sixteenths, as int64."""
    return np.int64(stats >> _SCORE_SHIFT)


def value_of(stats: int) -> float:
    """The mean value of a node for the player who chose it, 0 to 1; 0.5 if it was never visited.

    >>> value_of(int(pack_stats(24, U64(0), 2)))
    0.75
    """
    visits = int(stats) & MAX_VISITS
    return (int(stats) >> SCORE_SHIFT) / (SCORE_OF_WIN * visits) if visits else 0.5


@jit
def depth_of(tree, node):
    """How many moves lead from the root to a node."""
    depth = 0
    while node != ROOT:
        node = parent_of(tree.links[node])
        depth += 1
    return depth


@jit
def shape_of(tree):
    """Leaves, sum of their depths, largest depth, inner nodes, links; in one pass over the nodes with children."""
    inner, links, depths, deepest = 0, 0, 0, 0
    for node in range(tree.used[NODES]):
        count = child_count_of(tree.links[node])
        if count > 0:
            depth = depth_of(tree, node)
            inner += 1
            links += count
            depths += count * (depth + 1) - depth
            deepest = max(deepest, depth + 1)
    return tree.used[NODES] - inner, depths, deepest, inner, links
