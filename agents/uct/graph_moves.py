"""The moves of an expanded node: a list of all that are stored, and a block of edges that grows as they are tried.

    list    header | moves, four to a unit, the tried ones first, then the best of the others
    block   header | edges of the tried moves, in the order of the list | room for more

Until a move is tried there is no block. A full block moves to a place that is a third or a half larger; its old place
is kept for the next block of that size. The block's header holds the evaluation and the prior of the best untried move,
so that choosing a move does not look into the list.
"""

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.outcomes import outcome_for_chooser
from agents.uct.graph import (
    EDGES,
    EDGES_A_NODE,
    MOVES_A_EDGE,
    NOBODY,
    NODES,
    flags_of_move,
    is_resolved,
    move_count,
    number_of_move,
    value_of_move,
)
from game import LOST

NO_RANK = -1

# --- Memory ---------------------------------------------------------------------------------------------------------


@jit
def has_room(graph, work):
    """Whether there is room for two nodes, a list of all moves, and a block that grows to the largest size."""
    nodes, units = graph.used[NODES] + 2, graph.used[EDGES] + 5 * len(work.words) + 8
    return units + nodes * EDGES_A_NODE <= len(graph.edges) and nodes <= len(graph.slots) >> 1


@jit
def _take(graph, owner, units):
    """Memory that was never used, for a node's list or block; returns the place of its header."""
    place = graph.used[EDGES]
    graph.used[EDGES] = place + units
    header = graph.edges[place]
    header.child, header.mean = np.uint32(owner), np.uint16(units)
    return place


@jit(inline="always")
def _size_class(units):
    """The number, from 0 on, of the smallest block size that is large enough: 2, 3, 4, 6, 8, 12, 16, 24, ... units."""
    number = 0
    while _units_of(number) < units:
        number += 1
    return number


@jit(inline="always")
def _units_of(size_class):
    return (2 + (size_class & 1)) << (size_class >> 1)


@jit
def _take_block(graph, owner, edges):
    """A block for at least that many edges of a node; returns the place of its header."""
    size_class = _size_class(edges + 1)
    place = graph.free[size_class]
    if place == NOBODY:
        return _take(graph, owner, _units_of(size_class))
    header = graph.edges[place]
    graph.free[size_class] = np.int64(header.stats)
    header.child = np.uint32(owner)
    return place


@jit
def _free_block(graph, place):
    header = graph.edges[place]
    size_class = _size_class(np.int64(header.mean))
    header.child, header.stats = NOBODY, np.uint32(graph.free[size_class])
    graph.free[size_class] = place


@jit
def _make_room(graph, index, edges):
    """Give a node a block with room for that many edges, unless it has one; the edges that it has move there."""
    node = graph.nodes[index]
    old, tried = np.int64(node.place), np.int64(node.tried)
    if tried > 0 and edges < np.int64(graph.edges[old].mean):
        return
    new = _take_block(graph, index, edges)
    if tried == 0:
        graph.edges[new].stats = np.uint32(old)
    else:
        units = graph.edges[new].mean
        for i in range(tried + 1):
            graph.edges[new + i] = graph.edges[old + i]
        graph.edges[new].mean = units
        _free_block(graph, old)
    node.place = np.uint32(new)


@jit
def store_moves(graph, work, index, count, total):
    """Make the first `count` words of the workspace a node's list; `total` is the sum of the odds of all its moves."""
    node = graph.nodes[index]
    place = _take(graph, index, 1 + (count + MOVES_A_EDGE - 1) // MOVES_A_EDGE)
    graph.edges[place].prior = np.float32(1) / total if total > np.float32(0) else np.float32(0)
    first = (place + 1) * MOVES_A_EDGE
    for i in range(count):
        graph.moves[first + i] = work.words[i]
    if np.int64(node.tried) == 0:
        node.place = np.uint32(place)
    else:
        graph.edges[np.int64(node.place)].stats = np.uint32(place)


# --- Moves ----------------------------------------------------------------------------------------------------------


@jit(inline="always")
def first_edge(node):
    """The place of a node's first edge."""
    return np.int64(node.place) + 1


@jit(inline="always")
def list_of(graph, node):
    """The place of a node's list."""
    place = np.int64(node.place)
    return place if np.int64(node.tried) == 0 else np.int64(graph.edges[place].stats)


@jit(inline="always")
def first_move(graph, node):
    """The place of a node's first move."""
    return (list_of(graph, node) + 1) * MOVES_A_EDGE


@jit
def rank_of(graph, node, number):
    """The rank of the move with that number: its place in the node's list, from 0 on; NO_RANK if it is not stored."""
    first = first_move(graph, node)
    for i in range(move_count(node)):
        if number_of_move(graph.moves[first + i]) == number:
            return i
    return NO_RANK


@jit(inline="always")
def exchange_moves(graph, i, j):
    """Exchange the moves at two places."""
    graph.moves[i], graph.moves[j] = graph.moves[j], graph.moves[i]


@jit(inline="always")
def _prior_of(graph, work, node, move):
    """The share of a move's odds in the odds of all moves, stored or not; 0 for a move that loses."""
    if outcome_for_chooser(flags_of_move(move)) == LOST:
        return np.float32(0)
    return work.odds[U64(value_of_move(move))] * graph.edges[list_of(graph, node)].prior


@jit
def try_move(graph, work, index, rank):
    """Make the untried move at a rank of a node's list an edge (for NO_RANK: no move).

    Then bring the best untried move to the front of the others. As long as that one is resolved, make it an edge, too.
    """
    node = graph.nodes[index]
    first = first_move(graph, node)
    end = first + move_count(node)
    while True:
        front = first + np.int64(node.tried)
        if rank != NO_RANK:
            exchange_moves(graph, first + rank, front)
            _append_edge(graph, work, index, graph.moves[front])
            front += 1
        if front == end:
            break
        best = int(front)
        for i in range(front + 1, end):
            if graph.moves[i] > graph.moves[best]:
                best = i
        exchange_moves(graph, front, best)
        if not is_resolved(flags_of_move(graph.moves[front])):
            break
        rank = np.int64(node.tried)
    if np.int64(node.tried) > 0:
        header = graph.edges[np.int64(node.place)]
        header.minimax = 0
        if front < end:
            header.minimax = value_of_move(graph.moves[front])
            header.prior = _prior_of(graph, work, node, graph.moves[front])


@jit(inline="always")
def _append_edge(graph, work, index, move):
    node, tried = graph.nodes[index], np.int64(graph.nodes[index].tried)
    _make_room(graph, index, tried + 1)
    node.tried = np.uint16(tried + 1)
    edge = graph.edges[first_edge(node) + tried]
    edge.child, edge.stats = NOBODY, np.uint32(flags_of_move(move))
    edge.prior = _prior_of(graph, work, node, move)
    edge.mean = edge.minimax = value_of_move(move)
