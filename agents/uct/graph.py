"""The static graph: positions are nodes, moves are edges from their first visit on, all in memory allocated once.

    node   payload (128) | place (32) | moves (16) | tried moves (16) | flags and visits (32) | mean (32)
    edge   child (32) | flags and visits (32) | prior (32) | mean (16) | minimax (16)
    move   evaluation (16) | flags (5) | number (11)

A position that is reached by different moves is one node, found by a hash table, so that it is searched and proved
once. Visits and values of a move are kept on its edge, since other moves may lead to the same child: its visits do not
say how often this move was tried (Czech, Korus & Kersting, "Improving AlphaZero Using Monte-Carlo Graph Search", 2021).

The values of a node are for the player to move in it; those of an edge or a move are for the player who chooses it, and
stand in 65,535ths. A node's mean has 32 bits: a sum in a float32 drifts after a million visits. Flags and visits are
packed as in `tree.py`; the flags of an edge are those of `game` for the player to move at its end. A node's payload is
the state of its position.

An expanded node has a *list* of moves: first the tried ones, then the best untried one, then the others. From the first
try on it also has a *block* of edges, one for each tried move, in the same order (see `graph_moves.py`). Lists and
blocks fill the memory from its beginning, in units of an edge, and nodes fill it from its end, so that neither runs out
of room before the other.
"""

from typing import Any, NamedTuple

from jit import HASH_SEED, U64, aligned_zeros, jit, mix  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.uct.tree import MAX_VISITS, VISIT_MASK
from game import LOST, RESOLVED, SAME_MOVER, VISIT_BITS, WON

NODE = np.dtype(
    [
        ("payload0", np.uint64),  # the two words of the position's state
        ("payload1", np.uint64),
        ("place", np.uint32),  # of its block, or of its list if no move was tried; 0 if it has neither
        ("count", np.uint16),  # how many moves are stored, and in the upper bits TRUNCATED and ASKED
        ("tried", np.uint16),  # how many of them have edges: chosen once, or resolved when they were the best untried
        ("stats", np.uint32),  # visits and flags
        ("mean", np.uint32),  # of the values of its visits, as they are known now
    ]
)
# The first unit of a list or a block is its *header*, in which each field has another meaning (in brackets).
EDGE = np.dtype(
    [
        ("child", np.uint32),  # the node; 0 before the first visit (the node that owns the header; 0 if it is free)
        ("stats", np.uint32),  # visits and flags (block: the place of the list; free block: of the next free one)
        ("prior", np.float32),  # (block: that of the best untried move; list: the factor that makes priors of odds)
        ("mean", np.uint16),  # the child's mean at the last visit (the number of units, this one included)
        ("minimax", np.uint16),  # the child's minimax value then (block: the value of the best untried move)
    ]
)
NODE_BYTES, EDGE_BYTES, MOVE_BYTES = 32, 16, 4
assert (NODE.itemsize, EDGE.itemsize) == (NODE_BYTES, EDGE_BYTES)
EDGES_A_NODE, MOVES_A_EDGE = NODE_BYTES // EDGE_BYTES, EDGE_BYTES // MOVE_BYTES

TRUNCATED = 1 << 15  # not all moves are stored
COUNT_MASK = (1 << 12) - 1
NOBODY = 0  # no node, no edge: the first places stay empty
UNITS_A_NODE = 10  # room for its moves and edges: after 40,000 simulations from the start of Pentago they take 10
SLOT_BYTES = 4
BYTES_A_NODE = NODE_BYTES + UNITS_A_NODE * EDGE_BYTES + 4 * SLOT_BYTES  # at most, with its part of the hash table
MAX_NODES = 1 << 27

NUMBER_BITS = 11
NUMBERS = (1 << NUMBER_BITS) - 1  # their mask
_FLAGS_MASK = U64(31 << NUMBER_BITS)  # of a move; its flags are the five highest bits of a 32-bit word, shifted down
_FLAGS_SHIFT, _VALUE_SHIFT = U64(16), U64(16)

ONE = np.float32(65535)
_SCALE = np.float32(1 / 65535)
_MEAN_ONE = float((1 << 32) - 1)  # what 1 is in a node's mean


class Graph(NamedTuple):
    """The memory of a graph, and views of it.

    Attributes:
        edges: EDGE[m], all the memory except the hash table; place 0 is nobody.
        slots: uint32[2^k], a hash table of nodes with linear probing; 0 is a free slot.
        nodes: NODE[m / 2], the same memory backwards; place 0 is nobody.
        moves: uint32[4 m], the same memory.
        used: int64[2], how many nodes and how many units of lists and blocks are in use.
        free: int64[FREE_SIZES], for each size of blocks the place of a free one, or 0.
        root: int64[1], the node of the position that is searched.
        depths: int64[3], of the simulations of a search: their number, the sum of their depths, and the largest.
    """

    edges: np.ndarray
    slots: np.ndarray
    nodes: np.ndarray
    moves: np.ndarray
    used: np.ndarray
    free: np.ndarray
    root: np.ndarray
    depths: np.ndarray


NODES, EDGES = 0, 1  # places in `used`
SIMULATIONS, DEPTH_SUM, DEPTH_MAX = 0, 1, 2  # places in `depths`
FREE_SIZES = 32


def allocate(capacity: int) -> Graph:
    """A graph with room for that many nodes; every page is touched now, so that no page fault falls into a move's time.

    Raises ValueError for a capacity that cannot be addressed.
    """
    if not 2 <= capacity < MAX_NODES:
        raise ValueError(f"a graph has 2 to {MAX_NODES - 1:,} nodes, not {capacity:,}")
    edges = aligned_zeros(capacity * (EDGES_A_NODE + UNITS_A_NODE), EDGE)
    slots = aligned_zeros(1 << (2 * capacity - 1).bit_length(), np.uint32)
    return graph_of(edges, slots)


def graph_of(edges: np.ndarray, slots: np.ndarray) -> Graph:
    """An empty graph that uses this memory, which is all zero (not checked)."""
    numbers = (np.ones(2, np.int64), np.zeros(FREE_SIZES, np.int64), np.zeros(1, np.int64), np.zeros(3, np.int64))
    return Graph(edges, slots, edges.view(NODE)[::-1], edges.view(np.uint32), *numbers)


def moves_of(graph: Graph, odds: np.ndarray, node: int) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of the moves that a node has stored, and an EDGE for each, tried or not; for plain Python."""
    place, tried, count = (int(graph.nodes[node][name]) for name in ("place", "tried", "count"))
    if place == NOBODY:
        return np.empty(0, np.uint32), np.empty(0, EDGE)
    tried_edges = graph.edges[place + 1 : place + 1 + tried]
    listed = int(graph.edges[place]["stats"]) if tried else place
    first, count = MOVES_A_EDGE * (listed + 1), count & COUNT_MASK
    moves, edges = graph.moves[first : first + count], np.zeros(count, EDGE)
    edges["stats"] = (moves & int(_FLAGS_MASK)) << int(_FLAGS_SHIFT)
    edges["mean"] = edges["minimax"] = moves >> int(_VALUE_SHIFT)
    edges["prior"] = odds[edges["minimax"]] * graph.edges[listed]["prior"]
    is_lost = np.where(edges["stats"] & int(SAME_MOVER), edges["stats"] & int(LOST), edges["stats"] & int(WON)) != 0
    edges["prior"][is_lost] = 0
    edges[:tried] = tried_edges
    return moves & NUMBERS, edges


def has_graph(the_game: Any, state: np.ndarray) -> bool:
    """Whether the positions of a game can be nodes: they fit, and no position recurs in a game."""
    return _fits(the_game, state) and not the_game.positions_recur


def _fits(the_game: Any, state: np.ndarray) -> bool:
    """Whether a state is two words of 64 bits that are the whole position, and NUMBER_BITS suffice for the moves."""
    is_small = state.dtype == np.uint64 and state.shape == (2,) and bool(game.payload_is_position(the_game.kernel))
    return is_small and int(game.max_children(the_game.kernel)) <= 1 << NUMBER_BITS


def require_graph(the_game: Any) -> None:
    """Raises ValueError if the positions of a game cannot be nodes."""
    state = the_game.state(the_game.initial())
    if not has_graph(the_game, state):
        why = "may recur in a game" if _fits(the_game, state) else "do not fit into nodes"
        raise ValueError(f"search=graph: the positions of {the_game.title} {why}; there is search=tree")


# --- Values and flags -----------------------------------------------------------------------------------------------


@jit(inline="always")
def to_fixed(value):
    """A value from 0 to 1 in 65,535ths; a value that rounding has pushed out of that range is clipped."""
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
def move_count(node):
    """How many moves a node has stored."""
    return np.int64(node.count) & COUNT_MASK


@jit(inline="always")
def mean_of(node):
    """The value of a node for the player to move in it: exact if it is resolved, else the mean of its visits."""
    if is_resolved(node.stats):
        return game.value_of_outcome(U64(node.stats))
    return np.float32(node.mean * (1 / _MEAN_ONE))


@jit(inline="always")
def as_mean(value):
    """A value from 0 to 1, float64, in the unit of a node's mean, uint32."""
    return np.uint32(min(max(value, 0.0), 1.0) * _MEAN_ONE + 0.5)


@jit(inline="always")
def count_visit(node, change):
    """Count a visit of a node; `change`, a float64, is added to the sum of its visits' values.

    At MAX_VISITS the count stays: one more would overflow into the flags.
    """
    visits = visits_of(node.stats)
    total = node.mean * (1 / _MEAN_ONE) * visits + change
    node.mean = as_mean(total / (visits + 1))
    node.stats = np.uint32(U64(node.stats) + U64(visits < MAX_VISITS))


# --- Moves that were not tried --------------------------------------------------------------------------------------


@jit(inline="always")
def pack_move(value, flags, number):
    """A move as one word, uint32; a move with a larger value (in 65,535ths) is a larger word."""
    return np.uint32(U64(value) << _VALUE_SHIFT | U64(flags) >> _FLAGS_SHIFT | U64(number))


@jit(inline="always")
def value_of_move(move):
    """The evaluation of a move, in 65,535ths."""
    return np.uint16(U64(move) >> _VALUE_SHIFT)


@jit(inline="always")
def flags_of_move(move):
    """The flags of the position that a move leads to, uint64."""
    return (U64(move) & _FLAGS_MASK) << _FLAGS_SHIFT


@jit(inline="always")
def number_of_move(move):
    """The number of a move, as `game.apply` knows it, int64."""
    return np.int64(U64(move) & U64(NUMBERS))


# --- The hash table -------------------------------------------------------------------------------------------------


@jit
def forget(places):
    """Set every entry of an array of places, such as the hash table, to NOBODY."""
    for i in range(len(places)):
        places[i] = NOBODY


@jit
def find_slot(graph, word0, word1):
    """The slot of the position with these words: its own, or the free slot that it would get."""
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
