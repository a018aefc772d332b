"""Looking at a position of a graph, and storing its moves.

The most promising moves are stored first, all of them only when those are refuted.
"""

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.outcomes import outcome_for_chooser, outcome_of_children
from agents.uct.graph import (
    NOBODY,
    NODES,
    TRUNCATED,
    as_mean,
    count_visit,
    is_resolved,
    number_of_move,
    pack_move,
    to_fixed,
)
from agents.uct.graph_moves import NO_RANK, exchange_moves, first_move, rank_of, store_moves, try_move
from agents.uct.graph_proofs import ASKED
from game import DRAWN, IMPLIED, LOST, OPEN, RESOLVED, WON

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
    """Look at `work.state`; returns its outcome, OPEN if not proved, its value for the player to move in it, and the
    number of its children.

    If a playout has a part in the value, `work.state` is spoiled.
    """
    count, result = look(kernel, work)
    if result != OPEN:
        return result | IMPLIED, game.value_of_outcome(result), count
    value = np.float32(0)
    for i in range(count):
        value = max(value, work.values[i])
    if policy.playouts > np.float32(0):
        value += policy.playouts * (game.playout(kernel, work.state, rng) - value)
    return OPEN, value, count


# --- Expansion ------------------------------------------------------------------------------------------------------


@jit
def keep_best(words, count, wanted):
    """Bring the `wanted` largest of the first `count` words to the front, in their old order; all words are different.

    The least of them is found bit by bit, without a branch that depends on a word, in a third of quickselect's time.
    """
    least = U64(0)
    for bit in range(31, -1, -1):
        found, guess = 0, np.uint32(least | U64(1) << U64(bit))
        for i in range(count):
            found += int(words[i] >= guess)
        if found >= wanted:
            least = U64(guess)
        if found == wanted:
            break
    kept = 0
    for i in range(count):
        word = words[i]
        words[kept] = word
        kept += int(U64(word) >= least)


@jit
def _write_moves(kernel, work, count, kept):
    """Pack the children of the workspace into `work.words`: the open ones, and those whose outcome is in `kept`.

    `kept` is a set of flags for the player who chooses. Returns how many children were packed, and the sum of the odds
    of all children that are not lost.
    """
    total, written = np.float32(0), 0
    for i in range(count):
        flags, seen = work.stats[i], outcome_for_chooser(work.stats[i])
        value = to_fixed(work.values[i])
        if seen != LOST:
            total += work.odds[U64(value)]
        if seen == OPEN or seen & kept != U64(0):
            number = game.child_move(kernel, work.state, i, work.payload0[i], work.payload1[i])
            work.words[written] = pack_move(value, flags, number)
            written += 1
    return written, total


@jit
def _write_exact_values(work, count):
    for i in range(count):
        work.values[i] = game.value_for_chooser(work.stats[i], np.float32(0.5))


@jit
def _look_again(kernel, work, node):
    """Look at the position of a node and give every child a value; returns their number and what they prove."""
    work.state[0], work.state[1] = node.payload0, node.payload1
    count, result = look(kernel, work)
    if result != OPEN:
        _write_exact_values(work, count)
    return count, result


@jit
def _store_best(kernel, policy, graph, work, index, count, result):
    """Store the most promising of a node's children, which were just looked at.

    If the node is open, children that are lost are left out. If its children prove it, those that prove it are stored,
    only one of them if it is won.
    """
    candidates, total = _write_moves(kernel, work, count, WON | DRAWN if result == OPEN else result)
    wanted = min(candidates, 1 if result == WON else policy.stored)
    if wanted < candidates:
        keep_best(work.words, candidates, wanted)
    store_moves(graph, work, index, wanted, total)
    is_truncated = result == OPEN and wanted < candidates
    graph.nodes[index].count = np.uint16(wanted | TRUNCATED if is_truncated else wanted)
    try_move(graph, work, index, NO_RANK)


@jit
def expand(kernel, policy, graph, work, index):
    """Store the most promising moves of a node that has none."""
    count, result = _look_again(kernel, work, graph.nodes[index])
    _store_best(kernel, policy, graph, work, index, count, result)


@jit
def expand_all(kernel, graph, work, index):
    """Store all moves of a node and keep what is known of them; moves that lose at once are stored at the root only."""
    node = graph.nodes[index]
    kept_flags, tried = np.int64(node.count) & ASKED, np.int64(node.tried)
    old = first_move(graph, node) if tried > 0 else 0
    count, _ = _look_again(kernel, work, node)
    stored, total = _write_moves(kernel, work, count, RESOLVED if index == graph.root[0] else WON | DRAWN)
    store_moves(graph, work, index, stored, total)
    node.count = np.uint16(stored | kept_flags)
    first = first_move(graph, node)
    for i in range(tried):
        rank = rank_of(graph, node, number_of_move(graph.moves[old + i]))
        exchange_moves(graph, first + i, first + rank)
    try_move(graph, work, index, NO_RANK)


# --- Nodes ----------------------------------------------------------------------------------------------------------


@jit
def make_node(kernel, policy, graph, work, slot, rng):
    """Make the position of `work.state`, which is open, a node that was visited once; returns its index.

    Its moves are stored at once, unless the policy wants more visits first or makes playouts. Most nodes are never
    visited again, but looking a second time at those that are takes longer than storing the moves of all.
    """
    index = graph.used[NODES]
    graph.used[NODES] = index + 1
    node = graph.nodes[index]
    node.payload0, node.payload1 = work.state[0], work.state[1]
    node.place, node.count, node.tried = NOBODY, 0, 0
    flags, value, count = judge(kernel, policy, work, rng)
    node.stats, node.mean = flags | U64(1), as_mean(np.float64(value))
    if flags == OPEN and policy.expand_at == 1 and policy.playouts == np.float32(0):
        _store_best(kernel, policy, graph, work, index, count, OPEN)
    if policy.transpositions:
        graph.slots[slot] = index
    return index


@jit
def visit_again(kernel, policy, graph, work, index, rng):
    """Count another visit of a node, if it is open and not expanded, with its value found anew (by another playout)."""
    node = graph.nodes[index]
    if node.place == NOBODY and not is_resolved(node.stats):
        work.state[0], work.state[1] = node.payload0, node.payload1
        count_visit(node, np.float64(judge(kernel, policy, work, rng)[1]))
