"""Making room in a full graph: keep what well-visited moves reach from the root, and drop the rest.

Nodes that are resolved keep their proof and lose their edges: a search never goes below them. A node that was visited
less often than a threshold loses its edges, too, and keeps its values.
"""

from jit import jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.uct.graph import (
    EDGES,
    EDGES_A_NODE,
    NOBODY,
    NODES,
    Graph,
    find_slot,
    forget,
    is_resolved,
    visits_of,
)
from agents.uct.graph_moves import first_edge, has_room, list_of

_ROOM_SHARE = 0.5  # if more of the memory is in use at the next move, what is no longer reached is freed
_HISTOGRAM_SIZE = 1 << 16


@jit
def _keeps_edges(graph, index, least_visits):
    node = graph.nodes[index]
    if node.place == NOBODY:
        return False
    return index == graph.root[0] or (visits_of(node.stats) >= least_visits and not is_resolved(node.stats))


@jit
def mark(graph, least_visits):
    """Write 1 into `slots` at the index of each node that is reached from the root; the hash table is spoiled.

    Most edges lead to a node that was made later, but a transposition may lead to one that was made before: so nodes
    are marked in passes until nothing changes.
    """
    slots = graph.slots
    forget(slots)
    slots[graph.root[0]] = 1
    changed = True
    while changed:
        changed = False
        for index in range(1, graph.used[NODES]):
            if slots[index] == NOBODY or not _keeps_edges(graph, index, least_visits):
                continue
            first = first_edge(graph.nodes[index])
            for i in range(first, first + np.int64(graph.nodes[index].tried)):
                child = np.int64(graph.edges[i].child)
                if child != NOBODY and slots[child] == NOBODY:
                    slots[child] = 1
                    if child < index:
                        changed = True


@jit
def _move_edges(graph, least_visits):
    """Move the lists and blocks that are kept to the front, header by header, and take the others from their nodes."""
    kept, place = np.int64(1), np.int64(1)
    while place < graph.used[EDGES]:
        header = graph.edges[place]
        owner, units = np.int64(header.child), np.int64(header.mean)
        node = graph.nodes[owner]
        first = np.int64(node.place) if owner != NOBODY else np.int64(NOBODY)
        is_list = first not in (NOBODY, place) and list_of(graph, node) == place
        if is_list or first == place:
            if graph.slots[owner] != NOBODY and _keeps_edges(graph, owner, least_visits):
                if is_list:
                    graph.edges[first].stats = np.uint32(kept)
                else:
                    node.place = np.uint32(kept)
                for i in range(units):
                    graph.edges[kept + i] = graph.edges[place + i]
                kept += units
            else:
                node.place, node.count, node.tried = NOBODY, 0, 0
        place += units
    graph.used[EDGES] = kept
    forget(graph.free)


@jit
def _move_nodes(graph):
    """Move the marked nodes to the front, and write their new indices into the marks."""
    kept = np.int64(1)
    for index in range(1, graph.used[NODES]):
        if graph.slots[index] == NOBODY:
            continue
        graph.nodes[kept] = graph.nodes[index]
        graph.slots[index] = np.uint32(kept)
        kept += 1
    graph.used[NODES] = kept


@jit
def _follow_marks(graph):
    """Give headers and edges the new indices of nodes."""
    for index in range(1, graph.used[NODES]):
        node = graph.nodes[index]
        if node.place == NOBODY:
            continue
        graph.edges[np.int64(node.place)].child = graph.edges[list_of(graph, node)].child = np.uint32(index)
        for i in range(first_edge(node), first_edge(node) + np.int64(node.tried)):
            graph.edges[i].child = graph.slots[graph.edges[i].child]
    graph.root[0] = np.int64(graph.slots[graph.root[0]])


@jit
def _hash_anew(graph):
    forget(graph.slots)
    for index in range(1, graph.used[NODES]):
        node = graph.nodes[index]
        graph.slots[find_slot(graph, node.payload0, node.payload1)] = np.uint32(index)


@jit
def compact(graph, least_visits):
    """Keep what is reached from the root through nodes with at least that many visits."""
    mark(graph, least_visits)
    _move_edges(graph, least_visits)
    _move_nodes(graph)
    _follow_marks(graph)
    _hash_anew(graph)


@jit
def clear(graph):
    """Make a graph empty."""
    forget(graph.slots)
    forget(graph.free)
    graph.used[NODES] = graph.used[EDGES] = 1
    graph.root[0] = NOBODY


@jit
def make_room(graph, work):
    """If little room is left, drop what is not below the position of `work.state`; if that is unknown, drop all."""
    known = np.int64(graph.slots[find_slot(graph, work.state[0], work.state[1])])
    if known == NOBODY:
        clear(graph)
    elif graph.used[NODES] * EDGES_A_NODE + graph.used[EDGES] > _ROOM_SHARE * len(graph.edges):
        graph.root[0] = known
        compact(graph, 1)
        if not has_room(graph, work):
            clear(graph)


@jit(inline="always")
def _units_of(graph, node):
    """How many units a node's list, its block, and the nodes at the ends of its edges take."""
    place = np.int64(node.place)
    own = np.int64(graph.edges[place].mean)
    if np.int64(node.tried) > 0:
        own += np.int64(graph.edges[list_of(graph, node)].mean)
    return own + EDGES_A_NODE * np.int64(node.tried)


def visits_that_free(graph: Graph, share: float) -> int:
    """The least v such that dropping the edges of nodes with fewer than v visits frees about that share of the memory.

    This is not exact: a node is counted with each edge that leads to it, but is freed only with the last of them.
    """
    return int(_visits_that_free(graph, share, np.zeros(_HISTOGRAM_SIZE, np.int64)))


@jit
def _visits_that_free(graph, share, freed):
    """As `visits_that_free`; `freed` is int64[_HISTOGRAM_SIZE], all zero."""
    most = np.int64(0)
    for index in range(1, graph.used[NODES]):
        node = graph.nodes[index]
        if node.place != NOBODY:
            visits = np.int64(0) if is_resolved(node.stats) else visits_of(node.stats)
            units = _units_of(graph, node)
            freed[min(visits, _HISTOGRAM_SIZE - 1)] += units
            most += units
    wanted, total = np.int64(share * most), np.int64(0)
    for visits in range(_HISTOGRAM_SIZE):
        total += freed[visits]
        if total >= wanted:
            return visits + 1
    return _HISTOGRAM_SIZE
