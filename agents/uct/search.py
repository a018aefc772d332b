"""One simulation after the other: select, expand, simulate, backup (Browne et al., "A Survey of MCTS", 2012).

A leaf is expanded when it is visited again after `threshold` visits; its first visits are playouts from it. All of it
is compiled specially for each game and formula. `run` is the only entry.
"""

from jit import U64, jit, random_below  # first: it decides where compiled code is kept

import numpy as np  # isort: skip
from numba.extending import overload

import game
from agents.uct.rave import Rave, credit
from agents.uct.resolution import outcome_for_chooser, outcome_of_children, resolve_upwards, score_of_outcome
from agents.uct.selection import choose, is_formula
from agents.uct.tree import (
    ROOT,
    SCORE_OF_WIN,
    SCORE_SHIFT,
    child_count_of,
    first_child_of,
    pack_links,
    visits_of,
)
from game import IMPLIED, OPEN, RESOLVED, SAME_MOVER, WON

_SCORE_SHIFT = U64(SCORE_SHIFT)


@jit
def select(formula, tree, path):
    """Walk from the root to a leaf by the formula; returns the depth of the leaf, path[depth]."""
    node, depth = ROOT, 0
    path[0] = ROOT
    while True:
        links = tree.links[node]
        count = child_count_of(links)
        if count == 0:
            return depth
        node = choose(formula, tree, first_child_of(links), count, visits_of(tree.stats[node]))
        depth += 1
        path[depth] = node


@jit
def enter(kernel, tree, path, depth, root, state):
    """Make `state` the position of path[depth]."""
    if depth == 0 or not game.payload_is_position(kernel):
        game.begin(kernel, state, root)
    start = depth if game.payload_is_position(kernel) and depth > 0 else 1
    for i in range(start, depth + 1):
        game.step(kernel, state, tree.payload0[path[i]], tree.payload1[path[i]])


@jit
def _swap(tree, i, j):
    """Exchange two nodes that have neither children nor visits."""
    tree.payload0[i], tree.payload0[j] = tree.payload0[j], tree.payload0[i]
    tree.payload1[i], tree.payload1[j] = tree.payload1[j], tree.payload1[i]
    tree.stats[i], tree.stats[j] = tree.stats[j], tree.stats[i]


@jit
def _arrange(tree, first, count, rng):
    """Put new children in the order in which they will be tried: the resolved ones first, the others at random."""
    done = first
    for i in range(first, first + count):
        if tree.stats[i] & RESOLVED != U64(0):
            _swap(tree, i, done)
            done += 1
    for i in range(first + count - 1, done, -1):
        _swap(tree, i, done + np.int64(random_below(rng, U64(i - done + 1))))


@jit
def _keep_the_winner(tree, first, count):
    """Move a child that wins for its chooser to `first`."""
    for i in range(first, first + count):
        if outcome_for_chooser(tree.stats[i]) == WON:
            _swap(tree, i, first)
            return


@jit
def expand(kernel, tree, node, state, rng):
    """Create the children of a leaf, whose position `state` holds; returns what they prove of it, OPEN if nothing.

    Where a child wins at once, it alone is kept, but for the root, whose children people want to see.
    """
    first = tree.used[0]
    count = game.children(kernel, state, tree.payload0, tree.payload1, tree.stats, first)
    result = outcome_of_children(tree.stats, first, count)
    if result == WON and node != ROOT:
        _keep_the_winner(tree, first, count)
        count = 1
    elif result == OPEN:
        _arrange(tree, first, count, rng)
    for i in range(first, first + count):
        tree.links[i] = pack_links(node, 0, 0)
    tree.used[0] = first + count
    tree.links[node] = tree.links[node] | pack_links(0, first, count)
    return result


@jit
def backup(tree, path, depth, score):
    """Add a visit and the leaf's score, in sixteenths for the player to move there, to every node of the path."""
    for i in range(depth, -1, -1):
        node = path[i]
        word = tree.stats[node]
        if word & SAME_MOVER == U64(0):
            score = SCORE_OF_WIN - score
        tree.stats[node] = word + (U64(score) << _SCORE_SHIFT | U64(1))


@jit
def most_children(kernel):
    """An upper bound of a node's children."""
    return game.max_children(kernel)


@jit
def has_room(kernel, tree):
    """Whether any node's children would fit into the array."""
    return tree.used[0] + game.max_children(kernel) <= len(tree.stats)


@jit(inline="always")
def _in_sixteenths(value):
    return np.int64(value * np.float32(SCORE_OF_WIN) + np.float32(0.5))


@jit
def _score_with_amaf(kernel, formula, tree, path, depth, state, rng):
    formula.trace[:] = 0
    score = _in_sixteenths(game.traced_playout(kernel, state, rng, formula.trace))
    game.tally(kernel, state, formula.owners)
    formula.playouts[0] += 1
    credit(tree, path, depth, formula.trace, score)
    return score


def score_playout(kernel, formula, tree, path, depth, state, rng):
    """Play out from the state of the leaf path[depth]; returns its score in sixteenths.

    With a formula that reads AMAF counts, they and the owners of points are kept.
    """
    raise NotImplementedError


@overload(score_playout, inline="always")
def _score_playout(kernel, formula, tree, path, depth, state, rng):
    if is_formula(formula, Rave):
        return lambda kernel, formula, tree, path, depth, state, rng: _score_with_amaf(
            kernel, formula, tree, path, depth, state, rng
        )
    return lambda kernel, formula, tree, path, depth, state, rng: _in_sixteenths(game.playout(kernel, state, rng))


@jit
def simulate(kernel, formula, tree, root, state, path, rng, threshold):
    """One simulation: a leaf is chosen and perhaps expanded, a playout made or an outcome proved, the result counted.

    Returns the number of playouts, 1 or 0.
    """
    depth = select(formula, tree, path)
    leaf = path[depth]
    enter(kernel, tree, path, depth, root, state)
    room = has_room(kernel, tree) and depth + 2 < len(path)
    if room and visits_of(tree.stats[leaf]) >= threshold:
        result = expand(kernel, tree, leaf, state, rng)
        if result != OPEN:
            tree.stats[leaf] |= result | IMPLIED
            resolve_upwards(tree, path, depth)
            backup(tree, path, depth, score_of_outcome(result))
            return 0
        links = tree.links[leaf]
        leaf = choose(formula, tree, first_child_of(links), child_count_of(links), np.int64(1))
        depth += 1
        path[depth] = leaf
        game.step(kernel, state, tree.payload0[leaf], tree.payload1[leaf])
    backup(tree, path, depth, score_playout(kernel, formula, tree, path, depth, state, rng))
    return 1


@jit
def plant(kernel, tree, root, state, rng):
    """Make the tree a root and its children. The root is resolved if its own position or a child settles it."""
    tree.used[0] = 1
    tree.links[ROOT] = U64(0)
    game.begin(kernel, state, root)
    tree.stats[ROOT] = game.outcome(kernel, state)
    if tree.stats[ROOT] == OPEN:
        result = expand(kernel, tree, np.int64(ROOT), state, rng)  # of the type of other nodes: compiled once
        if result != OPEN:
            tree.stats[ROOT] |= result | IMPLIED


@jit
def run(kernel, formula, tree, root, state, path, rng, threshold, simulations):
    """At most that many simulations, fewer if the root becomes resolved; returns how many, and how many playouts.

    Arrays:
        root, state: as made by `Game.state`, the second is working space.
        path: int64[longest path], working space; leaves as deep as it is long are not expanded.
        rng: uint64[2], see `jit.new_rng`.
    """
    playouts = 0
    for done in range(simulations):
        if tree.stats[ROOT] & RESOLVED != U64(0):
            return done, playouts
        playouts += simulate(kernel, formula, tree, root, state, path, rng, threshold)
    return simulations, playouts
