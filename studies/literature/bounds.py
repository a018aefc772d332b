"""Selection by a bound for each child; leaves and backup may be of any kind.

A formula here computes a bound from a child's visits and value; the open child with the largest bound is chosen. Of
equal children (they stand in random order) it is the first, but with UCB1 and UCB1-TUNED, if all were tried, the last.
UCB1 and MC-RAVE are here again, for searches by a `Method`. For one playout a leaf and means, the versions in
`selection.py` and `rave.py` are faster, and choose the same of equal children.
"""

import math
from typing import NamedTuple

from jit import U64, dispatched, give_body, jit, random_below  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.uct.rave import Rave, rave_mean
from agents.uct.selection import UCB1, choose, ucb1
from agents.uct.tree import SCORE_OF_WIN, visits_of
from game import RESOLVED
from studies.literature.backups import mean_of, value_of
from studies.literature.method import Method
from studies.literature.wide_tree import amaf_of

_SIXTEENTHS = np.float32(SCORE_OF_WIN)
_UNTRIED = np.float32(math.inf)
_CHANCES = 1 << 24  # float32 tells so many shares apart


class Dailey(NamedTuple):
    """(r + f) / (n + f), f = base + N^power: a move is credited with f wins, and f grows with N.

    r is the sum of the child's results, 1 for a win and -1 for a loss; n and N are the visits of child and parent. By
    D. Dailey, base 6 and power 0.2: list computer-go, September 2006.

    Attributes: base, power: float32.
    """

    base: np.float32
    power: np.float32


class Tuned(NamedTuple):
    """Q + c sqrt(ln N / n min(V, c2)) with V = variance + c1 sqrt(ln N / n): UCB1-TUNED, Auer et al. 2002.

    In their paper c is 1, c1 sqrt 2 and c2 1/4, the largest variance of results from 0 to 1. The variance is that of
    the results of a child's simulations. In Go: Gelly et al. 2006.

    Attributes: c, c1, c2: float32.
    """

    c: np.float32
    c1: np.float32
    c2: np.float32


class EpsilonGreedy(NamedTuple):
    """With probability `epsilon` a random child, else the one of largest value; with 1/2: Sensei's Library, page UCT.

    A child without visits is never the best of several.

    Attributes:
        epsilon: float32.
        rng: uint64[2], see `jit.new_rng`; in a search that of its playouts, so that its seed decides all.
    """

    epsilon: np.float32
    rng: np.ndarray


def tuned(c: float, c1: float, c2: float) -> Tuned:
    """UCB1-TUNED."""
    return Tuned(np.float32(c), np.float32(c1), np.float32(c2))


DAILEY = Dailey(np.float32(6), np.float32(0.2))


def valkyria(uctk: float) -> UCB1:
    """Q + uctk sqrt(ln N(s) / (5 N(s, a))), as in M. Persson's program Valkyria: UCB1 with c = uctk / sqrt 5.

    Sensei's Library, page UCT; with uctk = 1 it is Q + sqrt(2 ln N / (10 n)) of his letter to the list computer-go
    of 21 September 2006.
    """
    return ucb1(uctk / math.sqrt(5))


@dispatched
def common_term(bound, parent_visits):
    """The term that the bounds of all children of a node share, float32, from the node's visits."""


@dispatched
def bound_of(bound, tree, child, visits, value, term):
    """The bound of a child, float32, from its visits (float32) and value; infinite for a child to be tried first."""


@dispatched
def is_last_of_equals(bound):
    """A compile-time bool: whether the last of several children with the same finite bound is chosen, or the first."""


@jit(inline="always")
def _log(bound, parent_visits):
    return np.float32(math.log(max(1.0, float(parent_visits))))


@jit(inline="always")
def _ucb1(bound, tree, child, visits, value, term):
    if visits == np.float32(0):
        return _UNTRIED
    return value + bound.c * np.sqrt(term / visits)


@jit(inline="always")
def _tuned(bound, tree, child, visits, value, term):
    if visits == np.float32(0):
        return _UNTRIED
    mean = mean_of(tree, child)
    variance = np.float32(tree.squares[child]) / visits - mean * mean
    ratio = term / visits
    spread = max(variance, np.float32(0)) + bound.c1 * np.sqrt(ratio)
    return value + bound.c * np.sqrt(ratio * min(spread, bound.c2))


@jit(inline="always")
def _credit(bound, parent_visits):
    return bound.base + np.float32(math.pow(float(parent_visits), float(bound.power)))


@jit(inline="always")
def _dailey(bound, tree, child, visits, value, term):
    results = visits * (np.float32(2) * value - np.float32(1))
    return (results + term) / (visits + term)


@jit
def _random_share(bound):
    return np.float32(random_below(bound.rng, _CHANCES)) / np.float32(_CHANCES)


@jit
def _coin(bound, parent_visits):
    return np.float32(1) if _random_share(bound) < bound.epsilon else np.float32(0)


@jit
def _epsilon_greedy(bound, tree, child, visits, value, term):
    if term > np.float32(0):
        return _random_share(bound)
    return value if visits > np.float32(0) else np.float32(-1)


@jit(inline="always")
def _rave(bound, tree, child, visits, value, term):
    prior = U64(0) if len(tree.amaf) > 0 else tree.payload0[child]
    score = visits * value * _SIXTEENTHS
    mean, simulations = rave_mean(bound, visits, score, prior, amaf_of(tree, child))
    return mean + bound.c * np.sqrt(term / (simulations + np.float32(1)))


@jit(inline="always")
def _goes_before(bound, its_bound, best_bound):
    """Whether a child with `its_bound` is preferred to the children before it, the best of which has `best_bound`."""
    if its_bound == best_bound:
        return is_last_of_equals(bound) and its_bound < _UNTRIED
    return its_bound > best_bound


@jit
def _least_unpruned(formula, tree, first, count):
    """A child is pruned if its value + margin is below this: `prune`, or the largest value - margin of a child."""
    best = formula.prune
    if formula.prune_margin > np.float32(0):
        best = -_UNTRIED
        for child in range(first, first + count):
            visits = visits_of(tree.stats[child])
            if visits > 0 and tree.stats[child] & RESOLVED == U64(0):
                margin = formula.prune_margin / np.sqrt(np.float32(visits))
                best = max(best, value_of(formula.backup, tree, child) - margin)
    return best


@jit
def choose_by_bound(formula, tree, first, count, parent_visits):
    """`choose` by a `Method`: the least visited child without trust, else the largest bound, pruned ones last."""
    least = _least_unpruned(formula, tree, first, count)
    term = common_term(formula.bound, parent_visits)
    best, best_bound, best_pruned, pruned_bound = -1, -_UNTRIED, -1, -_UNTRIED
    newest, fewest = -1, np.int64(formula.trust)
    for child in range(first, first + count):
        if tree.stats[child] & RESOLVED != U64(0):
            continue
        visits = visits_of(tree.stats[child])
        if visits < fewest:
            newest, fewest = child, visits
        value = value_of(formula.backup, tree, child)
        bound = bound_of(formula.bound, tree, child, np.float32(visits), value, term)
        enough = 0 < formula.prune_visits <= visits
        if enough and value + formula.prune_margin / np.sqrt(np.float32(visits)) < least:
            if _goes_before(formula.bound, bound, pruned_bound):
                best_pruned, pruned_bound = child, bound
        elif _goes_before(formula.bound, bound, best_bound):
            best, best_bound = child, bound
    if newest >= 0:
        return newest
    return best if best >= 0 else best_pruned


give_body(choose, Method, choose_by_bound)
for _kind, _term, _bound in (
    (UCB1, _log, _ucb1),
    (Tuned, _log, _tuned),
    (Dailey, _credit, _dailey),
    (EpsilonGreedy, _coin, _epsilon_greedy),
    (Rave, _log, _rave),
):
    give_body(common_term, _kind, _term)
    give_body(bound_of, _kind, _bound)
for _kind in (UCB1, Tuned):
    give_body(is_last_of_equals, _kind, lambda bound: True)
for _kind in (Dailey, EpsilonGreedy, Rave):
    give_body(is_last_of_equals, _kind, lambda bound: False)
