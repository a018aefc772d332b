"""Growing the tree: walk to the end of the principal variation, expand it, try its children, add the results.

Coulom, "Efficient Selectivity and Backup Operators in Monte-Carlo Tree Search", 2006, began with trees that grow at the
best leaf; the form here, MCTS_basic(x), is that of Tsan-sheng Hsu's slides "Monte-Carlo Game Tree Search: Basic
Techniques". The results of playouts are added at every node above, so a node's mean is over all playouts below it.
Begin reading at `run`.
"""

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.best_first.tree import DONE, EXPANDED, LEAF, NOBODY, NODES, PLAYOUTS, ROOT
from agents.outcomes import outcome_of_children
from game import OPEN, RESOLVED, SAME_MOVER

# --- What a node is worth -------------------------------------------------------------------------------------------


@jit(inline="always")
def passes_turn(word):
    """Whether the player to move at a node is not the player who moved to it, by the node's flags."""
    return word & SAME_MOVER == U64(0)


@jit(inline="always")
def mean_of(tree, node):
    """The mean result of a node's playouts for the player who moved to it; -1 without playouts."""
    return tree.scores[node] / tree.visits[node] if tree.visits[node] > 0.0 else -1.0


@jit
def best_open_child(tree, node):
    """The open child with the best mean for the player to move, the first of equals; NOBODY if all are resolved."""
    best, chosen = -2.0, NOBODY
    first = tree.first[node]
    for child in range(first, first + tree.children[node]):
        if tree.flags[child] & RESOLVED == OPEN and mean_of(tree, child) > best:
            best, chosen = mean_of(tree, child), child
    return chosen


# --- Expansion ------------------------------------------------------------------------------------------------------


@jit
def begin_search(tree):
    """Make the tree a root without children."""
    tree.counters[:] = 0
    tree.counters[NODES], tree.counters[LEAF] = 1, NOBODY
    tree.flags[ROOT], tree.parent[ROOT], tree.children[ROOT] = OPEN, NOBODY, 0
    tree.visits[ROOT] = tree.scores[ROOT] = 0.0


@jit
def walk(kernel, root, leaf_state, tree):
    """Go to the end of the principal variation, make `leaf_state` its position, and return its node."""
    game.begin(kernel, leaf_state, root)
    node = ROOT
    while tree.children[node] > 0:
        node = best_open_child(tree, node)
        game.step(kernel, leaf_state, tree.payload0[node], tree.payload1[node])
    return node


@jit
def expand(kernel, leaf_state, tree, leaf):
    """Give an open leaf its children, with no playouts yet."""
    first = tree.counters[NODES]
    count = game.children(kernel, leaf_state, tree.payload0, tree.payload1, tree.flags, first)
    for child in range(first, first + count):
        tree.parent[child], tree.children[child] = leaf, 0
        tree.visits[child] = tree.scores[child] = 0.0
    tree.first[leaf], tree.children[leaf] = first, count
    tree.counters[NODES] += count
    tree.counters[EXPANDED] += 1
    tree.counters[LEAF], tree.counters[DONE] = leaf, 0


@jit
def resolve_upwards(tree, node):
    """Mark a node with what its children prove, and then the nodes above it, as far as the proof goes."""
    while node != NOBODY:
        result = outcome_of_children(tree.flags, tree.first[node], tree.children[node])
        if result == OPEN:
            return
        tree.flags[node] |= result
        node = tree.parent[node]


@jit
def add_upwards(tree, leaf):
    """Add the playouts of a leaf's new children to the leaf and all nodes above it."""
    visits = score = 0.0
    first = tree.first[leaf]
    for child in range(first, first + tree.children[leaf]):
        visits += tree.visits[child]
        score += tree.scores[child]
    node = leaf
    while node != NOBODY:
        if passes_turn(tree.flags[node]):
            score = visits - score
        tree.visits[node] += visits
        tree.scores[node] += score
        node = tree.parent[node]


# --- The search -----------------------------------------------------------------------------------------------------


@jit
def begin_expansion(kernel, root, leaf_state, tree, most_expanded):
    """Expand the next leaf; returns False if the root is resolved, the tree is full or enough was expanded."""
    is_full = tree.counters[NODES] + game.max_children(kernel) > len(tree.flags)
    if is_full or tree.counters[EXPANDED] >= most_expanded or tree.flags[ROOT] & RESOLVED != OPEN:
        return False
    leaf = walk(kernel, root, leaf_state, tree)
    expand(kernel, leaf_state, tree, leaf)
    resolve_upwards(tree, leaf)
    return True


@jit
def try_child(kernel, leaf_state, state, tree, rng, child):
    """Make a playout from a child of the leaf, or take its known result; returns the value for who chose the child."""
    word = tree.flags[child]
    if word & RESOLVED != OPEN:
        value = game.value_for_chooser(word, np.float32(0))
    else:
        game.begin(kernel, state, leaf_state)
        game.step(kernel, state, tree.payload0[child], tree.payload1[child])
        value = game.playout(kernel, state, rng)
        value = np.float32(1) - value if passes_turn(word) else value
        tree.counters[PLAYOUTS] += 1
    tree.visits[child] += 1.0
    tree.scores[child] += value
    return value


@jit
def finish_expansion(tree):
    """Add the results of the children's trials to the leaf and all nodes above it, and make way for the next leaf."""
    add_upwards(tree, tree.counters[LEAF])
    tree.counters[LEAF] = NOBODY


@jit
def run(kernel, root, leaf_state, state, tree, rng, x, most_expanded, playouts):
    """Grow the tree until so many more playouts were made; returns False when it can grow no more.

    Each new child gets x trials, in turns; a child whose result is known needs no playout. `leaf_state` and `state` are
    working space of the shape of `root`; the search needs them until it ends.
    """
    limit = tree.counters[PLAYOUTS] + playouts
    while tree.counters[PLAYOUTS] < limit:
        if tree.counters[LEAF] == NOBODY and not begin_expansion(kernel, root, leaf_state, tree, most_expanded):
            return False
        leaf = tree.counters[LEAF]
        trials = x * tree.children[leaf] if tree.flags[leaf] & RESOLVED == OPEN else 0
        while tree.counters[DONE] < trials and tree.counters[PLAYOUTS] < limit:
            child = tree.first[leaf] + tree.counters[DONE] % tree.children[leaf]
            try_child(kernel, leaf_state, state, tree, rng, child)
            tree.counters[DONE] += 1
        if tree.counters[DONE] >= trials:
            finish_expansion(tree)
    return True
