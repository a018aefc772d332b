"""The static graph: positions are nodes, moves are edges, both 256 bits in arrays that are allocated once.

    node   payload (128) | first edge (32) | edges (16) | tried edges (16) | flags and visits (32) | mean (32)
    edge   payload (128) | prior (32) | child (32) | flags and visits (32) | mean (16) | minimax (16)

A position that is reached by different moves is one node, found by a hash table, so that it is searched and proved
once. Visits and values of a move are kept on its edge: a child that others visit, too, is no reason to think that this
move was tried so often (Czech, Korus & Kersting, "Improving AlphaZero Using Monte-Carlo Graph Search", 2021).

The values of a node are for the player to move in it; those of an edge are for the player who chooses it, and stand in
65,535ths. A node's mean has 32 bits: a sum in a float32 drifts after a million visits. Flags and visits are packed as
in `tree.py`, flags being those of `game.py` for the player to move at the edge's end. A node's payload is the state of
its position, the edge's payload the game's own (which tells the move).

The edges of a node lie side by side, tried ones first, then the untried with the best of them in front. Before the
first stands a *header*, which says whose they are; a node that gets all its edges later leaves its first ones behind
until the arrays are compacted.
"""

from typing import Any, NamedTuple

from jit import HASH_SEED, U64, jit, mix  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.uct.tree import VISIT_MASK
from game import RESOLVED, VISIT_BITS

NODE = np.dtype(
    [
        ("payload0", np.uint64),  # the two words of the position's state
        ("payload1", np.uint64),
        ("first", np.uint32),  # its first edge; 0 if it was not expanded
        ("count", np.uint16),  # of edges, and in the upper bits TRUNCATED and ASKED
        ("tried", np.uint16),  # how many of them were chosen at least once, or resolved
        ("stats", np.uint32),  # visits and flags
        ("mean", np.uint32),  # of its visits' values, as far as they are known now
    ]
)
EDGE = np.dtype(
    [
        ("payload0", np.uint64),  # as the game wrote it; in a header 0
        ("payload1", np.uint64),
        ("prior", np.float32),  # the share of the first opinion of all moves
        ("child", np.uint32),  # the node; 0 before the first visit; in a header the node whose edges follow
        ("stats", np.uint32),  # visits and flags; in a header the number of edges
        ("mean", np.uint16),  # of the visits' values, as the child had them last; before the first visit its evaluation
        ("minimax", np.uint16),  # of the evaluations at the leaves below
    ]
)
NODE_BYTES = EDGE_BYTES = 32
assert NODE.itemsize == EDGE.itemsize == NODE_BYTES

TRUNCATED = 1 << 15  # not all edges are stored
COUNT_MASK = (1 << 12) - 1
NOBODY = 0  # no node, no edge: the first places of the arrays stay empty
EDGES_A_NODE = 12  # room for them: a search of 2 s in Pentago has 9
SLOT_BYTES = 4
BYTES_A_NODE = NODE_BYTES + EDGES_A_NODE * EDGE_BYTES + 4 * SLOT_BYTES  # at most, with its part of the hash table
MAX_NODES = 1 << 27

ONE = np.float32(65535)
_SCALE = np.float32(1 / 65535)
_MEAN_ONE = float((1 << 32) - 1)  # what 1 is in a node's mean


class Graph(NamedTuple):
    """The arrays of a graph.

    Attributes:
        nodes: NODE[n]; place 0 is nobody.
        edges: EDGE[m]; place 0 is nobody.
        slots: uint32[2^k], a hash table of nodes with linear probing; 0 is a free slot.
        used: int64[2], nodes and edges in use, from the beginning of the arrays.
        root: int64[1], the node of the position that is searched.
        depths: int64[3], of the simulations of a search: their number, the sum of their depths, and the largest.
    """

    nodes: np.ndarray
    edges: np.ndarray
    slots: np.ndarray
    used: np.ndarray
    root: np.ndarray
    depths: np.ndarray


NODES, EDGES = 0, 1  # places in `used`
SIMULATIONS, DEPTH_SUM, DEPTH_MAX = 0, 1, 2  # places in `depths`


def allocate(capacity: int) -> Graph:
    """A graph with room for that many nodes, every page of it touched, so that no page fault falls into a move's time.

    Raises ValueError for a capacity that cannot be addressed.
    """
    if not 2 <= capacity < MAX_NODES:
        raise ValueError(f"a graph has 2 to {MAX_NODES - 1:,} nodes, not {capacity:,}")
    nodes, edges = np.empty(capacity, NODE), np.empty(capacity * EDGES_A_NODE, EDGE)
    slots = np.empty(1 << (2 * capacity - 1).bit_length(), np.uint32)
    for array in (nodes, edges, slots):
        array.view(np.uint32).fill(0)
    return Graph(nodes, edges, slots, np.ones(2, np.int64), np.zeros(1, np.int64), np.zeros(3, np.int64))


def has_graph(the_game: Any, state: np.ndarray) -> bool:
    """Whether the positions of a game can be nodes: they fit, and none comes again below itself."""
    return _fits(the_game, state) and not the_game.positions_recur


def _fits(the_game: Any, state: np.ndarray) -> bool:
    """Whether a state is two words of 64 bits, which are all that matters."""
    return state.dtype == np.uint64 and state.shape == (2,) and bool(game.payload_is_position(the_game.kernel))


def require_graph(the_game: Any) -> None:
    """Raises ValueError if the positions of a game cannot be nodes."""
    state = the_game.state(the_game.initial())
    if not has_graph(the_game, state):
        why = "may recur in a game" if _fits(the_game, state) else "do not fit into nodes"
        raise ValueError(f"search=graph: the positions of {the_game.title} {why}; there is search=tree")


# --- Values and flags -----------------------------------------------------------------------------------------------


@jit(inline="always")
def to_fixed(value):
    """A value from 0 to 1 in 65,535ths; what rounding has put beyond them is taken for the nearest."""
    return np.uint16(min(max(value, np.float32(0)), np.float32(1)) * ONE + np.float32(0.5))


@jit(inline="always")
def from_fixed(value):
    """A value from 0 to 1, float32."""
    return np.float32(value) * _SCALE


@jit(inline="always")
def visits_of(stats):
    """The visits of a node or edge, int64."""
    return np.int64(U64(stats) & VISIT_MASK)


@jit(inline="always")
def flags_of(stats):
    """The flags of a node or edge, uint64."""
    return U64(stats) & ~VISIT_MASK


@jit(inline="always")
def is_resolved(stats):
    """Whether a node or edge is proved."""
    return U64(stats) & RESOLVED != U64(0)


@jit(inline="always")
def edge_count(node):
    """How many edges a node has stored."""
    return np.int64(node.count) & COUNT_MASK


@jit(inline="always")
def mean_of(node):
    """The value of a node for the player to move in it: exact if it is resolved, else the mean of its visits."""
    if is_resolved(node.stats):
        return game.value_of_outcome(U64(node.stats))
    return np.float32(node.mean * (1 / _MEAN_ONE))


@jit(inline="always")
def as_mean(value):
    """A value from 0 to 1, float64, in the parts of a node's mean."""
    return np.uint32(min(max(value, 0.0), 1.0) * _MEAN_ONE + 0.5)


@jit(inline="always")
def count_visit(node, change):
    """Count a visit of a node that changes the sum of its visits' values by that much, a float64."""
    visits = visits_of(node.stats)
    total = node.mean * (1 / _MEAN_ONE) * visits + change
    node.mean = as_mean(total / (visits + 1))
    node.stats = np.uint32(U64(node.stats) + U64(1))


# --- The hash table -------------------------------------------------------------------------------------------------


@jit
def find_slot(graph, word0, word1):
    """The slot of the position with these words: its own, or the free one that it would have."""
    mask = U64(len(graph.slots) - 1)
    slot = mix(mix(mix(HASH_SEED, word0), word1), U64(0)) >> U64(VISIT_BITS) & mask
    while True:
        index = graph.slots[slot]
        if index == NOBODY:
            return slot
        node = graph.nodes[index]
        if node.payload0 == word0 and node.payload1 == word1:
            return slot
        slot = (slot + U64(1)) & mask
