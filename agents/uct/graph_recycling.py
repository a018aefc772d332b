"""Making room in a full graph: keep what well-visited moves reach from the root, and drop the rest.

Nodes that are resolved keep their proof and lose their edges: a search never goes below them. A node that was visited
less often than a threshold loses its edges, too, and keeps its values.
"""

from jit import jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.uct.graph import (
    EDGES,
    NOBODY,
    NODES,
    edge_count,
    find_slot,
    is_resolved,
    visits_of,
)

_HISTOGRAM_SIZE = 1 << 16


@jit
def _keeps_edges(graph, index, least_visits):
    node = graph.nodes[index]
    if node.first == NOBODY:
        return False
    return index == graph.root[0] or (visits_of(node.stats) >= least_visits and not is_resolved(node.stats))


@jit
def mark(graph, least_visits):
    """Write into `slots` which nodes are reached, as 1 at the node's index; returns how many edges they keep.

    The hash table is spoiled. A node is made after one that leads to it, or is reached by a transposition from one that
    was made later: so nodes are marked until nothing changes.
    """
    slots = graph.slots
    for i in range(len(slots)):
        slots[i] = NOBODY
    slots[graph.root[0]] = 1
    changed, edges = True, np.int64(0)
    while changed:
        changed, edges = False, np.int64(0)
        for index in range(1, graph.used[NODES]):
            if slots[index] == NOBODY or not _keeps_edges(graph, index, least_visits):
                continue
            node = graph.nodes[index]
            first = np.int64(node.first)
            edges += edge_count(node) + 1
            for i in range(first, first + edge_count(node)):
                child = np.int64(graph.edges[i].child)
                if child != NOBODY and slots[child] == NOBODY:
                    slots[child] = 1
                    if child < index:
                        changed = True
    return edges


@jit
def _move_edges(graph, least_visits):
    """Move the edges that stay together, by their headers; those of a node that goes are dropped."""
    kept, place = np.int64(1), np.int64(1)
    while place < graph.used[EDGES]:
        header = graph.edges[place]
        owner, count = np.int64(header.child), np.int64(header.stats)
        node = graph.nodes[owner]
        is_current = np.int64(node.first) == place + 1
        if is_current and graph.slots[owner] != NOBODY and _keeps_edges(graph, owner, least_visits):
            node.first = np.uint32(kept + 1)
            for i in range(count + 1):
                graph.edges[kept + i] = graph.edges[place + i]
            kept += count + 1
        elif is_current:
            node.first, node.count, node.tried = NOBODY, 0, 0
        place += count + 1
    graph.used[EDGES] = kept


@jit
def _move_nodes(graph):
    """Move the marked nodes together, and write their new indices into the marks."""
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
    place = np.int64(1)
    while place < graph.used[EDGES]:
        count = np.int64(graph.edges[place].stats)
        for i in range(place, place + count + 1):
            edge = graph.edges[i]
            edge.child = graph.slots[edge.child]
        place += count + 1
    graph.root[0] = np.int64(graph.slots[graph.root[0]])


@jit
def _hash_anew(graph):
    for i in range(len(graph.slots)):
        graph.slots[i] = NOBODY
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


@jit(allocates=True)
def visits_that_free(graph, share):
    """The least number of visits such that dropping the edges of nodes with fewer frees that share of all edges."""
    freed = np.zeros(_HISTOGRAM_SIZE, np.int64)
    living = np.int64(0)
    for index in range(1, graph.used[NODES]):
        node = graph.nodes[index]
        if node.first != NOBODY:
            visits = np.int64(0) if is_resolved(node.stats) else visits_of(node.stats)
            freed[min(visits, _HISTOGRAM_SIZE - 1)] += edge_count(node) + 1
            living += edge_count(node) + 1
    wanted, total = np.int64(share * graph.used[EDGES]), graph.used[EDGES] - living  # first those that were replaced
    for visits in range(_HISTOGRAM_SIZE):
        total += freed[visits]
        if total >= wanted:
            return visits + 1
    return _HISTOGRAM_SIZE
