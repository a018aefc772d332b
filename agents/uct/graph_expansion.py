"""Looking at a position of a graph, and storing its moves as edges.

The most promising ones come first, all of them when those are refuted.
"""

import math

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.outcomes import outcome_for_chooser, outcome_of_children
from agents.uct.graph import (
    EDGES,
    NOBODY,
    NODES,
    TRUNCATED,
    as_mean,
    count_visit,
    edge_count,
    is_resolved,
    to_fixed,
    visits_of,
)
from agents.uct.graph_proofs import ASKED
from game import IMPLIED, LOST, OPEN, WON

# The evaluations of moves never say 0 or 1: a prior of nothing would never be tried.
_LEAST, _MOST = np.float32(1e-4), np.float32(1 - 1e-4)
_MOST_ODDS = 1e30  # with a low temperature; the sum of all moves' odds is a float32


# --- Looking at a position ------------------------------------------------------------------------------------------


@jit
def look(kernel, work):
    """Write the children of `work.state`, which is open; returns their number and what they prove, OPEN if nothing.

    Unless they prove something, `work.values` has their values for the player who chooses.
    """
    count = game.children(kernel, work.state, work.payload0, work.payload1, work.stats, 0)
    result = outcome_of_children(work.stats, 0, count)
    if result == OPEN:
        game.values(kernel, work.state, work.scratch, work.payload0, work.payload1, work.stats, 0, count, work.values)
    return count, result


@jit
def judge(kernel, policy, work, rng):
    """The outcome of `work.state`, OPEN if not proved by its children, and its value for the player to move in it.

    With a playout's part in the value `work.state` is spoiled.
    """
    count, result = look(kernel, work)
    if result != OPEN:
        return result | IMPLIED, game.value_of_outcome(result)
    value = np.float32(0)
    for i in range(count):
        value = max(value, work.values[i])
    if policy.playouts > np.float32(0):
        value += policy.playouts * (game.playout(kernel, work.state, rng) - value)
    return OPEN, value


@jit
def make_node(kernel, policy, graph, work, slot, rng):
    """Make the position of `work.state`, which is open, a node that was visited once; returns its index."""
    index = graph.used[NODES]
    graph.used[NODES] = index + 1
    node = graph.nodes[index]
    node.payload0, node.payload1 = work.state[0], work.state[1]
    node.first, node.count, node.tried = NOBODY, 0, 0
    flags, value = judge(kernel, policy, work, rng)
    node.stats, node.mean = flags | U64(1), as_mean(np.float64(value))
    if policy.transpositions:
        graph.slots[slot] = index
    return index


@jit
def visit_again(kernel, policy, graph, work, index, rng):
    """Count another visit of a node that was not expanded: its value once more, by a playout of its own."""
    node = graph.nodes[index]
    if node.first == NOBODY and not is_resolved(node.stats):
        work.state[0], work.state[1] = node.payload0, node.payload1
        count_visit(node, np.float64(judge(kernel, policy, work, rng)[1]))


@jit
def has_room(graph, work):
    """Whether a node and all edges of two others would fit."""
    enough = graph.used[EDGES] + 2 * len(work.order) + 2 <= len(graph.edges)
    return enough and graph.used[NODES] + 2 <= len(graph.nodes)


# --- Expansion ------------------------------------------------------------------------------------------------------


@jit
def select_best(values, order, count, wanted):
    """Bring the indices in `order` so that the `wanted` largest values stand in front (Hoare's quickselect)."""
    low, high = 0, count - 1
    while low < high:
        pivot = values[order[(low + high) >> 1]]
        i, j = low, high
        while i <= j:
            while values[order[i]] > pivot:
                i += 1
            while values[order[j]] < pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if wanted - 1 <= j:
            high = j
        elif wanted - 1 >= i:
            low = i
        else:
            return


@jit(inline="always")
def _sharpened(policy, work, value, odds):
    """The odds of a value to the power of the policy's sharpness.

    Powers are slow, and values come again: those of Pentago's network are 4096 different ones.
    """
    place = to_fixed(value)
    if work.powers[place].value != value:
        work.powers[place].value = value
        work.powers[place].power = np.float32(min(math.pow(odds, policy.sharpness), _MOST_ODDS))
    return work.powers[place].power


@jit
def _write_odds(policy, work, count):
    """Write the odds of all children, to the power of the policy's sharpness; returns their sum."""
    total = np.float32(0)
    for i in range(count):
        value = min(max(work.values[i], _LEAST), _MOST)
        odds = value / (np.float32(1) - value)
        if policy.sharpness != np.float32(1):
            odds = _sharpened(policy, work, value, odds)
        if outcome_for_chooser(work.stats[i]) == LOST:
            odds = np.float32(0)
        work.odds[i] = odds
        total += odds
    return total


@jit
def _exchange(edges, i, j):
    """Exchange two edges."""
    a, b = edges[i], edges[j]
    a.payload0, b.payload0 = b.payload0, a.payload0
    a.payload1, b.payload1 = b.payload1, a.payload1
    a.prior, b.prior = b.prior, a.prior
    a.child, b.child = b.child, a.child
    a.stats, b.stats = b.stats, a.stats
    a.mean, b.mean = b.mean, a.mean
    a.minimax, b.minimax = b.minimax, a.minimax


@jit
def bring_best_forward(graph, node):
    """Put the best untried edge in front of the others; count those that turn out to be resolved as tried."""
    edges, end = graph.edges, np.int64(node.first) + edge_count(node)
    front = np.int64(node.first) + np.int64(node.tried)
    while front < end:
        best = int(front)
        for i in range(front + 1, end):
            if edges[i].minimax > edges[best].minimax:
                best = i
        if best != front:
            _exchange(edges, front, best)
        if not is_resolved(edges[front].stats):
            break
        front += 1
    node.tried = np.uint16(front - np.int64(node.first))


@jit
def _write_edge(work, edge, i, scale):
    """Make child i of the workspace an edge that was never tried."""
    edge.payload0, edge.payload1 = work.payload0[i], work.payload1[i]
    edge.prior, edge.child = work.odds[i] * scale, NOBODY
    edge.stats = np.uint32(work.stats[i])
    edge.mean = edge.minimax = to_fixed(work.values[i])


@jit
def _write_exact_values(work, count):
    for i in range(count):
        work.values[i] = game.value_for_chooser(work.stats[i], np.float32(0.5))


@jit
def write_edges(policy, graph, work, index, count, wanted):
    """Store the `wanted` best of the workspace's children as edges of a node, in the order of `work.order`."""
    total = _write_odds(policy, work, count)
    scale = np.float32(1) / total if total > np.float32(0) else np.float32(0)
    first = graph.used[EDGES] + 1
    header = graph.edges[first - 1]
    header.payload0 = header.payload1 = U64(0)
    header.child, header.stats = np.uint32(index), np.uint32(wanted)
    for k in range(wanted):
        _write_edge(work, graph.edges[first + k], work.order[k], scale)
    graph.used[EDGES] = first + wanted
    node = graph.nodes[index]
    node.first, node.count, node.tried = np.uint32(first), np.uint16(wanted), 0


@jit
def expand(kernel, policy, graph, work, index):
    """Store the most promising children of an open node; those that are lost at once are left out.

    Of a node that its children prove, those that do are stored: one of them if it is won.
    """
    node = graph.nodes[index]
    work.state[0], work.state[1] = node.payload0, node.payload1
    count, result = look(kernel, work)
    if result != OPEN:
        _write_exact_values(work, count)
    candidates = np.int64(0)
    for i in range(count):
        seen = outcome_for_chooser(work.stats[i])
        if seen == result or (result == OPEN and seen != LOST):
            work.order[candidates] = i
            candidates += 1
    wanted = min(candidates, np.int64(1 if result == WON else policy.stored))
    if wanted < candidates:
        select_best(work.values, work.order, candidates, wanted)
    write_edges(policy, graph, work, index, count, wanted)
    if result == OPEN and wanted < candidates:
        node.count = np.uint16(wanted | TRUNCATED)
    bring_best_forward(graph, node)


@jit
def _copy_known(graph, old_first, old_count, first, count):
    """Give new edges what the old ones of the same moves know, but for their priors."""
    for i in range(old_first, old_first + old_count):
        old = graph.edges[i]
        for j in range(first, first + count):
            new = graph.edges[j]
            if new.payload0 == old.payload0 and new.payload1 == old.payload1:
                new.child, new.stats, new.mean, new.minimax = old.child, old.stats, old.mean, old.minimax
                break


@jit
def put_tried_first(graph, node):
    """Bring the edges that have visits or are resolved to the front, and count them as tried."""
    edges, first = graph.edges, np.int64(node.first)
    front = np.int64(first)
    for i in range(first, first + edge_count(node)):
        if visits_of(edges[i].stats) > 0 or is_resolved(edges[i].stats):
            _exchange(edges, front, i)
            front += 1
    node.tried = np.uint16(front - first)


@jit
def expand_all(kernel, policy, graph, work, index):
    """Store all children of a node, those that are lost at once only of the root; what is known of them is kept."""
    node = graph.nodes[index]
    old_first, old_count, kept = np.int64(node.first), edge_count(node), np.int64(node.count) & ASKED
    work.state[0], work.state[1] = node.payload0, node.payload1
    count, result = look(kernel, work)
    if result != OPEN:
        _write_exact_values(work, count)
    candidates = np.int64(0)
    for i in range(count):
        if index == graph.root[0] or outcome_for_chooser(work.stats[i]) != LOST:
            work.order[candidates] = i
            candidates += 1
    write_edges(policy, graph, work, index, count, candidates)
    node.count = np.uint16(candidates | kept)
    _copy_known(graph, old_first, old_count, np.int64(node.first), candidates)
    put_tried_first(graph, node)
    bring_best_forward(graph, node)
