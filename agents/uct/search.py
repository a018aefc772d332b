"""One simulation after the other: select, expand, simulate, backup (Browne et al., "A Survey of MCTS", 2012).

A leaf is expanded when it is visited again after `threshold` visits; its first visits are playouts from it. All of this
is compiled anew for each game and each *method*. The methods here are formulas of selection: a leaf is worth a playout,
an evaluation or a mixture of both, and means are backed up. Another method gives bodies of its own to `choose`,
`prepare_children`, `end_at_leaf`, `value_of_leaf`, `playouts_of_leaf`, `exact_value` and `back_up`
(`studies/literature` has some), and a tree with more arrays to `swap_extras`, `move_extras` and `add_amaf`. `run` is
the entry.
"""

from collections.abc import Callable
from typing import Any

from jit import U64, dispatched, give_body, jit, prefetch, random_below  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.outcomes import outcome_for_chooser, outcome_of_children
from agents.uct.rave import MixedRave, Rave, choose_rave, credit
from agents.uct.resolution import resolve_upwards
from agents.uct.selection import FEW, UCB1, EvaluatedUCB1, choose, choose_ucb1
from agents.uct.tree import (
    EXPANDED,
    NODES,
    ROOT,
    SCORE_OF_WIN,
    SCORE_SHIFT,
    Tree,
    child_count_of,
    first_child_of,
    pack_links,
    visits_of,
)
from game import IMPLIED, OPEN, RESOLVED, SAME_MOVER, WON, value_of_outcome

_SCORE_SHIFT = U64(SCORE_SHIFT)
_CHANCES = 1 << 16  # a random number below this decides whether an evaluation is rounded up


@jit
def select(method, tree, path):
    """Walk from the root to a leaf by the formula; returns the depth of the leaf, path[depth]."""
    node, depth = ROOT, 0
    path[0] = ROOT
    while True:
        links = tree.links[node]
        count = child_count_of(links)
        if count == 0:
            return depth
        first = first_child_of(links)
        if count < FEW:  # the links, one of which is read next, come from memory together with the statistics
            prefetch(tree.links, first)
            prefetch(tree.links, first + count - 1)
        node = choose(method, tree, first, count, visits_of(tree.stats[node]))
        depth += 1
        path[depth] = node


@jit
def enter(kernel, tree, path, depth, root, state):
    """Make `state` the position of path[depth]."""
    start = depth
    if depth == 0 or not game.payload_is_position(kernel):
        game.begin(kernel, state, root)
        start = 1
    for i in range(start, depth + 1):
        game.step(kernel, state, tree.payload0[path[i]], tree.payload1[path[i]])


@dispatched
def swap_extras(tree, i, j):
    """Exchange what two nodes without visits have in arrays other than those of `Tree`."""


def _swap_nothing(tree, i, j):
    pass


give_body(swap_extras, Tree, _swap_nothing)


@jit
def _swap(tree, i, j):
    """Exchange two nodes that have neither children nor visits."""
    tree.payload0[i], tree.payload0[j] = tree.payload0[j], tree.payload0[i]
    tree.payload1[i], tree.payload1[j] = tree.payload1[j], tree.payload1[i]
    tree.stats[i], tree.stats[j] = tree.stats[j], tree.stats[i]
    swap_extras(tree, i, j)


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


@dispatched
def prepare_children(method, kernel, tree, state, first, count):
    """Add what the method needs to the children that `game.children` has just written."""


@jit
def expand(method, kernel, tree, node, state, rng):
    """Create the children of a leaf, whose position `state` holds; returns what they prove of it, OPEN if nothing.

    If a child wins at once, only that child is kept. The root keeps all children, since people want to see them.
    """
    first = tree.used[NODES]
    count = game.children(kernel, state, tree.payload0, tree.payload1, tree.stats, first)
    prepare_children(method, kernel, tree, state, first, count)
    result = outcome_of_children(tree.stats, first, count)
    if result == WON and node != ROOT:
        _keep_the_winner(tree, first, count)
        count = 1
    elif result == OPEN:
        _arrange(tree, first, count, rng)
    for i in range(first, first + count):
        tree.links[i] = pack_links(node, 0, 0)
    tree.used[NODES] = first + count
    tree.used[EXPANDED] += 1
    tree.links[node] = tree.links[node] | pack_links(0, first, count)
    return result


@dispatched
def back_up(method, tree, path, depth, value):
    """Add a visit and the leaf's value, as `value_of_leaf` gives it, to every node of the path."""


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
def has_room(kernel, tree):
    """Whether the children of any node, however many, would fit into the array."""
    return tree.used[NODES] + game.max_children(kernel) <= len(tree.stats)


@jit(inline="always")
def _in_sixteenths(value):
    return np.int64(value * np.float32(SCORE_OF_WIN) + np.float32(0.5))


@dispatched
def end_at_leaf(method, kernel, state):
    """WON, LOST or DRAWN for the player to move in `state`, a leaf's position, if the game is over there, else OPEN.

    Always OPEN for a method with proofs, which never selects a finished leaf.
    """


@dispatched
def value_of_leaf(method, kernel, tree, path, depth, state, rng):
    """The value of the leaf path[depth], whose position is `state`, for the player to move there; spoils `state`.

    The methods here give it in sixteenths of a win.
    """


@dispatched
def playouts_of_leaf(method):
    """How many playouts `value_of_leaf` makes."""


@dispatched
def exact_value(method, result):
    """The value of a proved outcome, in the unit of `value_of_leaf`."""


@jit
def _traced_playout(formula, kernel, state, rng):
    """The value of a playout; the formula keeps its moves and adds up the owners of points."""
    formula.trace[:] = 0
    value = game.traced_playout(kernel, state, rng, formula.trace)
    game.tally(kernel, state, formula.owners)
    formula.playouts[0] += 1
    return value


@jit
def playout_with_amaf(method, kernel, tree, path, depth, state, rng):
    """`value_of_leaf` for a formula that reads AMAF counts: a playout, which is counted in them."""
    score = _in_sixteenths(_traced_playout(method, kernel, state, rng))
    credit(kernel, tree, path, depth, method.trace, score)
    return score


def _plain_playout(method, kernel, tree, path, depth, state, rng):
    return _in_sixteenths(game.playout(kernel, state, rng))


@jit
def _rounded(value, rng):
    """A value in whole sixteenths, rounded up or down at random, so that the mean of many is right."""
    chance = np.float32(random_below(rng, U64(_CHANCES))) * np.float32(1 / _CHANCES)
    return np.int64(value * np.float32(SCORE_OF_WIN) + chance)


@jit
def _evaluation(method, kernel, tree, path, depth, state, rng):
    return _rounded(game.evaluate(kernel, state), rng)


@jit
def _mixture_with_amaf(method, kernel, tree, path, depth, state, rng):
    opinion = game.evaluate(kernel, state)
    outcome = _traced_playout(method, kernel, state, rng)
    score = _rounded(opinion + method.mixture * (outcome - opinion), rng)
    credit(kernel, tree, path, depth, method.trace, score)
    return score


def _nothing(method, kernel, tree, state, first, count):
    pass


@jit(inline="always")
def _back_up_score(method, tree, path, depth, value):
    backup(tree, path, depth, value)


def implement_formula(formula: type, chooser: Callable[..., Any], leaf: Callable[..., Any] = _plain_playout) -> None:
    """Make a formula a method: each leaf gets one value, by default a playout's, which counts in the means above it.

    `chooser` (a compiled function) becomes the body of `choose`, and `leaf` that of `value_of_leaf`.
    """
    give_body(choose, formula, chooser)
    give_body(prepare_children, formula, _nothing)
    give_body(end_at_leaf, formula, lambda method, kernel, state: OPEN)
    give_body(value_of_leaf, formula, leaf)
    give_body(playouts_of_leaf, formula, (lambda method: 0) if leaf is _evaluation else (lambda method: 1))
    give_body(exact_value, formula, lambda method, result: _in_sixteenths(value_of_outcome(result)))
    give_body(back_up, formula, _back_up_score)


implement_formula(UCB1, choose_ucb1)
implement_formula(EvaluatedUCB1, choose_ucb1, _evaluation)
implement_formula(Rave, choose_rave, playout_with_amaf)
implement_formula(MixedRave, choose_rave, _mixture_with_amaf)


@jit
def _value_and_back_up(method, kernel, tree, path, depth, state, rng):
    """Value the leaf path[depth], whose position is `state`, and back the value up; returns the number of playouts."""
    end = end_at_leaf(method, kernel, state)
    if end != OPEN:
        back_up(method, tree, path, depth, exact_value(method, end))
        return 0
    back_up(method, tree, path, depth, value_of_leaf(method, kernel, tree, path, depth, state, rng))
    return playouts_of_leaf(method)


@jit
def simulate(method, kernel, tree, root, state, path, rng, threshold):
    """One simulation: select a leaf, perhaps expand it, value it or prove its outcome, and back the result up.

    Returns the number of playouts.
    """
    depth = select(method, tree, path)
    leaf = path[depth]
    enter(kernel, tree, path, depth, root, state)
    room = has_room(kernel, tree) and depth + 2 < len(path)
    if room and visits_of(tree.stats[leaf]) >= threshold and end_at_leaf(method, kernel, state) == OPEN:
        result = expand(method, kernel, tree, leaf, state, rng)
        if result != OPEN:
            tree.stats[leaf] |= result | IMPLIED
            resolve_upwards(tree, path, depth)
            back_up(method, tree, path, depth, exact_value(method, result))
            return 0
        links = tree.links[leaf]
        leaf = choose(method, tree, first_child_of(links), child_count_of(links), np.int64(1))
        depth += 1
        path[depth] = leaf
        game.step(kernel, state, tree.payload0[leaf], tree.payload1[leaf])
    return _value_and_back_up(method, kernel, tree, path, depth, state, rng)


@jit
def plant(method, kernel, tree, root, state, rng):
    """Make the root and its children. The root is resolved if its game is over or its children prove an outcome."""
    tree.used[NODES] = 1
    tree.links[ROOT] = U64(0)
    game.begin(kernel, state, root)
    tree.stats[ROOT] = game.outcome(kernel, state)
    if tree.stats[ROOT] == OPEN:
        result = expand(method, kernel, tree, np.int64(ROOT), state, rng)  # int64 as other nodes are: compiled once
        if result != OPEN:
            tree.stats[ROOT] |= result | IMPLIED


@jit
def run(method, kernel, tree, root, state, path, rng, threshold, simulations):
    """Make simulations, fewer if the root becomes resolved; returns the numbers of simulations and of playouts.

    An empty tree first gets its root and the root's children.

    Arrays:
        root, state: as made by `Game.state`; the second is working space.
        path: int64[longest path], working space; a leaf is not expanded if its children would not fit into a path.
        rng: uint64[2], see `jit.new_rng`.
    """
    if tree.used[NODES] == 0:
        plant(method, kernel, tree, root, state, rng)
    playouts = 0
    for done in range(simulations):
        if tree.stats[ROOT] & RESOLVED != U64(0):
            return done, playouts
        playouts += simulate(method, kernel, tree, root, state, path, rng, threshold)
    return simulations, playouts
