"""Backup: what a node is worth by the simulations below it: their mean, the minimax of leaves, or a mixture of both.

Scores and visits of all nodes are counted as in every search. A backup other than the mean also keeps a value for each
node, in `WideTree.values`; `value_of` says which value selection and the choice of the move use. The value of a
resolved node is exact, whatever the backup.
"""

from typing import NamedTuple

from jit import U64, dispatched, give_body, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.uct.search import back_up, end_at_leaf, exact_value, prepare_children
from agents.uct.tree import SCORE_OF_WIN, SCORE_SHIFT, child_count_of, first_child_of, visits_of
from game import IMPLIED, OPEN, RESOLVED, SAME_MOVER
from studies.literature.method import Method

_SCORE_SHIFT = U64(SCORE_SHIFT)
_SIXTEENTHS = np.float32(SCORE_OF_WIN)
_WORTH_A_WIN = np.float32(1.0 / SCORE_OF_WIN)
_HALF, _ONE = np.float32(0.5), np.float32(1)


class Mean(NamedTuple):
    """The mean of the values of all simulations through a node: Kocsis & Szepesvari 2006.

    Attributes: nothing: 0, since compiled code wants a field.
    """

    nothing: int


class Minimax(NamedTuple):
    """The best value of the visited children; a leaf has the mean value of its visits. For leaves with playouts.

    With an evaluation in place of playouts, minimax is `Implicit` with share 1: all children of a node have values as
    soon as it is expanded, so its value is then the best of all. That is UCTMAX_H: Ramanujan & Selman, "Trade-Offs in
    Sampling-Based Adversarial Planning", 2011.

    Attributes: nothing: 0, since compiled code wants a field.
    """

    nothing: int


class MeanToMinimax(NamedTuple):
    """(m mean + n best) / (m + n): near the mean while the visits n are few, near the best child's value later.

    The simplest form of the mixture in Coulom, "Efficient Selectivity and Backup Operators in Monte-Carlo Tree Search",
    2006; Bouzy 2004 and Chaslot et al. 2006 also go from the mean to the minimax.

    Attributes: weight: float32, m.
    """

    weight: np.float32


class Implicit(NamedTuple):
    """(1 - a) mean + a best: two values are kept, the mean and the minimax of evaluations, and a weighs them.

    All children of a node are evaluated when it is expanded. Lanctot, Winands, Pepels & Sturtevant, "Monte Carlo Tree
    Search with Heuristic Evaluations using Implicit Minimax Backups", 2014.

    Attributes:
        share: float32 from 0 to 1, a.
        scratch: a state, working space.
    """

    share: np.float32
    scratch: np.ndarray


# --- Values of nodes ------------------------------------------------------------------------------------------------


@jit(inline="always")
def mean_of(tree, node):
    """The mean value of a node's visits for the player who chose it, float32; 0 without visits."""
    word = tree.stats[node]
    score = np.float32(np.int64(word >> _SCORE_SHIFT))
    if len(tree.rest) > 0:
        score += tree.rest[node]
    return score * _WORTH_A_WIN / np.float32(max(visits_of(word), 1))


@dispatched
def value_of(backup, tree, node):
    """What a node is worth for the player who chose it, float32 from 0 to 1; meaningless before its first visit."""


def _value_kept(backup, tree, node):
    return tree.values[node]


@jit(inline="always")
def _implicit_value(backup, tree, node):
    return (_ONE - backup.share) * mean_of(tree, node) + backup.share * tree.values[node]


@jit
def write_values(backup, tree, first, found):
    """Write the values of the nodes from `first` on into `found`, a float32 array, for people to see."""
    for i in range(len(found)):
        found[i] = value_of(backup, tree, first + i)


@jit
def best_below(tree, node, unvisited_too):
    """The largest value among a node's children that are resolved or visited; -1 if there are none.

    It is that of the player to move at the node. With `unvisited_too` all children count.
    """
    links = tree.links[node]
    first, best = first_child_of(links), np.float32(-1)
    for child in range(first, first + child_count_of(links)):
        word = tree.stats[child]
        if word & RESOLVED != U64(0):
            best = max(best, game.value_for_chooser(word, _HALF))
        elif unvisited_too or visits_of(word) > 0:
            best = max(best, tree.values[child])
    return best


@dispatched
def combined(backup, tree, node, best):
    """The value to keep for a node, from `best`, the best of its children; both for the player who chose the node."""


@jit(inline="always")
def _mixed(backup, tree, node, best):
    visits = np.float32(visits_of(tree.stats[node]))
    return (backup.weight * mean_of(tree, node) + visits * best) / (backup.weight + visits)


def _best_itself(backup, tree, node, best):
    return best


@dispatched
def is_valued_at_birth(backup):
    """A compile-time bool: whether nodes have values before their first visit."""


# --- Backing up -----------------------------------------------------------------------------------------------------


@jit
def count_value(tree, path, depth, value):
    """Add a visit to every node of the path, and `value`, which is the leaf's for the player to move there."""
    for i in range(depth, -1, -1):
        node = path[i]
        word = tree.stats[node]
        if word & SAME_MOVER == U64(0):
            value = _ONE - value
        score = value * _SIXTEENTHS
        if len(tree.rest) > 0:
            score += tree.rest[node]
            whole = np.int64(score)
            tree.rest[node] = score - np.float32(whole)
        else:
            whole = np.int64(score + _HALF)
        if len(tree.squares) > 0:
            tree.squares[node] += np.float64(value) * np.float64(value)
        tree.stats[node] = word + (U64(whole) << _SCORE_SHIFT | U64(1))


@jit
def renew_value(backup, tree, node, value):
    """Set the value of a node of the path, to which a simulation has added a visit.

    A resolved node has its exact value, a node with children the `combined` one. The value of a leaf moves towards
    `value`, what this simulation found for the player to move there, unless it was valued when it was created.
    """
    word = tree.stats[node]
    if word & RESOLVED != U64(0):
        tree.values[node] = game.value_for_chooser(word, _HALF)
        return
    best = best_below(tree, node, is_valued_at_birth(backup))
    if best >= np.float32(0):
        seen = best if word & SAME_MOVER != U64(0) else _ONE - best
        tree.values[node] = combined(backup, tree, node, seen)
    elif not is_valued_at_birth(backup):
        seen = value if word & SAME_MOVER != U64(0) else _ONE - value
        tree.values[node] += (seen - tree.values[node]) / np.float32(visits_of(word))


@dispatched
def renew_values(backup, tree, path, depth, value):
    """Set the values of all nodes of the path, from the leaf up."""


@jit
def _renew_all(backup, tree, path, depth, value):
    for i in range(depth, -1, -1):
        renew_value(backup, tree, path[i], value)


def _renew_none(backup, tree, path, depth, value):
    pass


@jit
def _back_up_value(method, tree, path, depth, value):
    count_value(tree, path, depth, value)
    renew_values(method.backup, tree, path, depth, value)


# --- New nodes ------------------------------------------------------------------------------------------------------


@dispatched
def evaluate_children(backup, kernel, tree, state, first, count):
    """Value the children that `game.children` has just written, if the backup wants values before their first visit."""


def _evaluate_none(backup, kernel, tree, state, first, count):
    pass


@jit
def _evaluate_all(backup, kernel, tree, state, first, count):
    found = tree.values[first : first + count]
    game.values(kernel, state, backup.scratch, tree.payload0, tree.payload1, tree.stats, first, count, found)


@jit
def _prepare_children(method, kernel, tree, state, first, count):
    for i in range(first, first + count):
        if len(tree.rest) > 0:
            tree.rest[i] = np.float32(0)
        if len(tree.values) > 0:
            tree.values[i] = np.float32(0)
        if len(tree.squares) > 0:
            tree.squares[i] = 0.0
        if len(tree.amaf) > 0:
            tree.amaf[i] = U64(0)
    if not method.proofs:
        _reopen(tree, first, count, IMPLIED)  # so that what the game sees ahead becomes no value either
    evaluate_children(method.backup, kernel, tree, state, first, count)
    if not method.proofs:
        _reopen(tree, first, count, RESOLVED)


@jit
def _reopen(tree, first, count, flags):
    """Make every new child with any of these flags unresolved."""
    for i in range(first, first + count):
        if tree.stats[i] & flags != U64(0):
            tree.stats[i] = tree.stats[i] & ~(RESOLVED | IMPLIED)


@jit
def _end_at_leaf(method, kernel, state):
    return OPEN if method.proofs else game.outcome(kernel, state)


give_body(back_up, Method, _back_up_value)
give_body(exact_value, Method, lambda method, result: game.value_of_outcome(result))
give_body(prepare_children, Method, _prepare_children)
give_body(end_at_leaf, Method, _end_at_leaf)

give_body(value_of, Mean, lambda backup, tree, node: mean_of(tree, node))
give_body(renew_values, Mean, _renew_none)
give_body(evaluate_children, Mean, _evaluate_none)
for _kind in (Minimax, MeanToMinimax, Implicit):
    give_body(value_of, _kind, _implicit_value if _kind is Implicit else _value_kept)
    give_body(renew_values, _kind, _renew_all)
    give_body(combined, _kind, _mixed if _kind is MeanToMinimax else _best_itself)
    give_body(evaluate_children, _kind, _evaluate_all if _kind is Implicit else _evaluate_none)
give_body(is_valued_at_birth, Minimax, lambda backup: False)
give_body(is_valued_at_birth, MeanToMinimax, lambda backup: False)
give_body(is_valued_at_birth, Implicit, lambda backup: True)
