"""Simulations on a graph: select, look, expand, back up means, minimax values and proofs in one pass.

A move is chosen by PUCT (Rosin 2011; Silver et al. 2017), with a prior from the evaluations of all moves:

    (1 - a) mean + a minimax + c prior sqrt(N) / (1 + n)        untried: its evaluation in place of the first two

This is implicit minimax backup (Lanctot, Winands, Pepels & Sturtevant, "Monte Carlo Tree Search with Heuristic
Evaluations using Implicit Minimax Backups", 2014): a quiet mean and the sharp value of best play are both kept, and a
weighs them. A position is looked at when it is first visited: all its children are made, their outcomes tell whether it
is won, lost or drawn, and the best of their evaluations is its value. The most promising moves are stored at once, or
after as many visits as a setting says; the others are stored only when those are refuted. No position counts as lost or
drawn before all its moves were looked at.

Python calls `operate` only, which runs simulations, plants the root and frees places.
"""

import math

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.outcomes import outcome_for_chooser
from agents.uct.graph import (
    DEPTH_MAX,
    DEPTH_SUM,
    NOBODY,
    NUMBER_BITS,
    NUMBERS,
    ONE,
    SIMULATIONS,
    TRUNCATED,
    count_visit,
    find_slot,
    flags_of_move,
    from_fixed,
    is_resolved,
    mean_of,
    move_count,
    number_of_move,
    to_fixed,
    visits_of,
)
from agents.uct.graph_expansion import expand, expand_all, make_node, visit_again
from agents.uct.graph_moves import NO_RANK, first_edge, first_move, has_room, rank_of, try_move
from agents.uct.graph_proofs import (
    ASKED,
    DEPTH,
    NO_DEPTH,
    NOTHING,
    STAGE,
    ask_solver,
    is_solver_due,
    minimax_of,
    resistance,
    resolve,
    seek_win,
)
from agents.uct.graph_recycling import clear, compact, make_room
from agents.uct.tree import MAX_VISITS
from game import IMPLIED, OPEN, SAME_MOVER, WON

PLANT, RUN, COMPACT, SHOW_PROOF, RESISTANCE, SEEK_WIN = range(6)  # operations, see `operate`

# --- Proofs and values ----------------------------------------------------------------------------------------------


@jit
def choose(policy, graph, node):
    """The rank of the move to follow from a node, or NO_RANK if all stored moves are resolved."""
    first, tried = first_edge(node), np.int64(node.tried)
    if tried == 0:
        return 0 if move_count(node) > 0 else NO_RANK
    exploration = policy.c * np.float32(math.sqrt(np.float32(visits_of(node.stats))))
    best, best_bound = NO_RANK, np.float32(-1)
    share = policy.minimax
    for rank in range(tried):
        edge = graph.edges[first + rank]
        if is_resolved(edge.stats):
            continue
        value = from_fixed(edge.mean) * (np.float32(1) - share) + from_fixed(edge.minimax) * share
        bound = value + exploration * edge.prior / np.float32(visits_of(edge.stats) + 1)
        if bound > best_bound:
            best, best_bound = rank, bound
    if tried < move_count(node):
        untried = graph.edges[first - 1]
        value = from_fixed(untried.minimax)
        if value + exploration * untried.prior > best_bound:
            best = int(tried)
    return best


@jit
def update_edge(graph, node, edge, child):
    """Count a visit of an edge, and take over the values of its child as they are now."""
    mean, minimax = mean_of(child), minimax_of(graph, child)
    if U64(edge.stats) & SAME_MOVER == U64(0):
        mean, minimax = np.float32(1) - mean, np.float32(1) - minimax
    visits = visits_of(edge.stats)
    before = visits * np.int64(edge.mean)
    edge.mean, edge.minimax = to_fixed(mean), to_fixed(minimax)
    count_visit(node, np.float64((visits + 1) * np.int64(edge.mean) - before) / np.float64(ONE))
    edge.stats = np.uint32((U64(edge.stats) | U64(child.stats) & (game.RESOLVED | IMPLIED)) + U64(visits < MAX_VISITS))


@jit(inline="always")
def backup(graph, work, depth):
    """Count a visit of every edge of the path, take over values from below, and resolve what is proved."""
    for i in range(depth - 1, -1, -1):
        node, edge = graph.nodes[work.nodes[i]], graph.edges[work.edges[i]]
        update_edge(graph, node, edge, graph.nodes[work.nodes[i + 1]])
        if is_resolved(edge.stats) and not is_resolved(node.stats):
            result = outcome_for_chooser(U64(edge.stats))
            if result == WON:
                node.stats = np.uint32(U64(node.stats) | WON | IMPLIED)
            else:
                resolve(graph, node)


# --- Simulations ----------------------------------------------------------------------------------------------------


@jit(inline="always")
def play(kernel, graph, work, node, rank):
    """Make `work.state` the position after a node's move."""
    work.state[0], work.state[1] = node.payload0, node.payload1
    game.apply(kernel, work.state, number_of_move(graph.moves[first_move(graph, node) + rank]))


@jit(inline="always")
def enter_child(kernel, policy, graph, work, node, place, rng):
    """The node at the end of a node's edge, made if it does not exist; returns its index and whether it is new."""
    edge = graph.edges[place]
    if edge.child != NOBODY:
        return np.int64(edge.child), False
    play(kernel, graph, work, node, place - first_edge(node))
    slot = find_slot(graph, work.state[0], work.state[1]) if policy.transpositions else U64(0)
    child = np.int64(graph.slots[slot]) if policy.transpositions else np.int64(NOBODY)
    is_new = child == NOBODY
    if is_new:
        child = make_node(kernel, policy, graph, work, slot, rng)
    edge.child = np.uint32(child)
    return child, is_new


@jit
def show_proof(kernel, policy, graph, work, index, number, rng):
    """Make a node with moves at the end of a move that is proved by looking ahead, for people: no search goes there."""
    node = graph.nodes[index]
    rank = rank_of(graph, node, number)
    if not has_room(graph, work):
        return
    if rank >= np.int64(node.tried):
        if not _is_implied(flags_of_move(graph.moves[first_move(graph, node) + rank])):
            return
        try_move(graph, work, index, rank)
        rank = rank_of(graph, node, number)
    place = first_edge(node) + rank
    if _is_implied(graph.edges[place].stats) and has_room(graph, work):
        child, _ = enter_child(kernel, policy, graph, work, node, place, rng)
        if graph.nodes[child].place == NOBODY and has_room(graph, work):
            expand(kernel, policy, graph, work, child)


@jit(inline="always")
def _is_implied(stats):
    return U64(stats) & IMPLIED != U64(0)


@jit(inline="always")
def prepare(kernel, policy, graph, work, index):
    """Expand a node that a simulation has reached, and ask the solver about it, if each is due.

    Returns 1 if it has edges to choose, 0 if not, -1 if the simulation has to wait for the solver.
    """
    node = graph.nodes[index]
    if is_resolved(node.stats) or (node.place == NOBODY and visits_of(node.stats) < policy.expand_at):
        return 0
    if node.place == NOBODY:
        if not has_room(graph, work):
            return 0
        expand(kernel, policy, graph, work, index)
    is_asked = work.asking[STAGE] != NOTHING or (not is_resolved(node.stats) and is_solver_due(policy, node))
    if is_asked and not ask_solver(kernel, policy, graph, work, index):
        return -1
    return 0 if is_resolved(node.stats) else 1


@jit(inline="always")
def next_edge(kernel, policy, graph, work, index):
    """The edge to follow from an open node; -1 if the node turns out to be resolved, or if there is no room."""
    node = graph.nodes[index]
    rank = choose(policy, graph, node)
    if rank < 0 and np.int64(node.count) & TRUNCATED != 0:
        if not has_room(graph, work):
            return np.int64(-1)
        expand_all(kernel, graph, work, index)
        rank = choose(policy, graph, node)
    if rank < 0:
        resolve(graph, node)
        return np.int64(-1)
    if rank == np.int64(node.tried):
        if not has_room(graph, work):
            return np.int64(-1)
        try_move(graph, work, index, rank)
    return first_edge(node) + rank


@jit
def simulate(kernel, policy, graph, work, rng):
    """One simulation: follow edges to a new, a resolved or a full node, and back up what is known there.

    Returns False if it has to wait for the solver; the next call goes on from there.
    """
    index, depth, is_new = graph.root[0], np.int64(0), False
    if work.asking[DEPTH] != NO_DEPTH:
        depth, work.asking[DEPTH] = work.asking[DEPTH], NO_DEPTH
        index = work.nodes[depth]
    work.nodes[depth] = index
    while depth + 1 < len(work.nodes):
        state = prepare(kernel, policy, graph, work, index)
        if state < 0:
            work.asking[DEPTH] = depth
            return False
        if state == 0:
            break
        place = next_edge(kernel, policy, graph, work, index)
        if place < 0:
            break
        if graph.edges[place].child == NOBODY and not has_room(graph, work):
            break
        work.edges[depth] = place
        index, is_new = enter_child(kernel, policy, graph, work, graph.nodes[index], place, rng)
        depth += 1
        work.nodes[depth] = index
        if is_new:
            break
    if not is_new:
        visit_again(kernel, policy, graph, work, index, rng)
    backup(graph, work, depth)
    graph.depths[SIMULATIONS] += 1
    graph.depths[DEPTH_SUM] += depth
    graph.depths[DEPTH_MAX] = max(graph.depths[DEPTH_MAX], depth)
    return True


@jit
def plant(kernel, policy, graph, work, rng, keeps):
    """Make the position of `work.state`, which is open, the root, with all its moves stored.

    What the graph knows of it is kept if `keeps` is not 0.
    """
    if keeps == 0:
        clear(graph)
    else:
        make_room(graph, work)
    slot = find_slot(graph, work.state[0], work.state[1])
    index = np.int64(graph.slots[slot])
    if index == NOBODY:
        index = make_node(kernel, policy, graph, work, slot, rng)
        graph.slots[slot] = index
    graph.root[0] = index
    expand_all(kernel, graph, work, index)
    _adopt_children(kernel, policy, graph, work, index)


@jit(inline="always")
def _adopt_children(kernel, policy, graph, work, index):
    """Mark the moves of the root that lead to nodes which are resolved already."""
    node, rank = graph.nodes[index], 0
    while rank < move_count(node):
        child = _known_child(kernel, policy, graph, work, node, rank)
        known = U64(graph.nodes[child].stats) & (game.RESOLVED | IMPLIED) if child != NOBODY else OPEN
        tried = np.int64(node.tried)
        if known != OPEN:
            place = min(rank, tried)
            if rank >= tried:
                try_move(graph, work, index, rank)
            edge = graph.edges[first_edge(node) + place]
            edge.child, edge.stats = np.uint32(child), np.uint32(U64(edge.stats) | known)
            edge.mean = edge.minimax = to_fixed(game.value_for_chooser(U64(edge.stats), np.float32(0)))
        # Trying a move has changed the ranks of others.
        rank = int(node.tried) if np.int64(node.tried) > tried else rank + 1
    was_won = U64(node.stats) & WON != U64(0)
    node.stats = np.uint32(visits_of(node.stats))  # the root is resolved only by what its edges prove
    resolve(graph, node)
    if was_won and not is_resolved(node.stats):  # proved by the solver, which is asked again, to find the winning move
        node.count = np.uint16(np.int64(node.count) & ~ASKED)


@jit(inline="always")
def _known_child(kernel, policy, graph, work, node, rank):
    """The node that a move leads to, or NOBODY if there is none; a resolved move without a node is not looked up."""
    if rank < np.int64(node.tried):
        edge = graph.edges[first_edge(node) + rank]
        if edge.child != NOBODY or is_resolved(edge.stats):
            return np.int64(edge.child)
    elif is_resolved(flags_of_move(graph.moves[first_move(graph, node) + rank])):
        return np.int64(NOBODY)
    if not policy.transpositions:
        return np.int64(NOBODY)
    play(kernel, graph, work, node, rank)
    return np.int64(graph.slots[find_slot(graph, work.state[0], work.state[1])])


@jit
def run(kernel, policy, graph, work, rng, simulations):
    """Make at most that many simulations; returns how many.

    They are fewer if the root becomes resolved, if the graph is full, or if a simulation waits for the solver.
    """
    root = graph.nodes[graph.root[0]]
    for done in range(simulations):
        waits = work.asking[DEPTH] != NO_DEPTH
        if not waits and (is_resolved(root.stats) or not has_room(graph, work)):
            return done
        if not simulate(kernel, policy, graph, work, rng):
            return done
    return simulations


@jit
def operate(operation, kernel, policy, graph, work, rng, number):
    """Do one of the operations on a graph; Python calls only this function, so that what they share is compiled once.

    `operation` is PLANT, with 1 to keep what is known, else 0; RUN, with a number of simulations; COMPACT, with a
    number of visits; SHOW_PROOF, with a node and the number of a move in one (a graph's `Child.node`); RESISTANCE, with
    a node; SEEK_WIN, with a number of plies. Returns what the operation returns, or 0 if it returns nothing.
    """
    if operation == RUN:
        return run(kernel, policy, graph, work, rng, number)
    if operation == PLANT:
        plant(kernel, policy, graph, work, rng, number)
    elif operation == COMPACT:
        compact(graph, number)
    elif operation == SHOW_PROOF:
        show_proof(kernel, policy, graph, work, number >> NUMBER_BITS, number & NUMBERS, rng)
    elif operation == RESISTANCE:
        return resistance(kernel, graph, work, number)
    elif operation == SEEK_WIN:
        return seek_win(kernel, graph, work, number)
    return np.int64(0)
