"""Selection: the child that a simulation goes to.

A formula is a NamedTuple of its parameters and tables; `choose` gets its body from the formula's type, as the verbs of
a game do from the kernel's. To add one, write a NamedTuple, a compiled function with the arguments of `choose`, a line
for it at `search.implement_formula`, and one in `settings.FORMULAS`. UCB1 is here, MC-RAVE in `rave.py`.
"""

import math
from typing import NamedTuple

from jit import U64, dispatched, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.uct.tree import SCORE_OF_WIN, SCORE_SHIFT, VISIT_MASK
from game import RESOLVED

# Visits for which sqrt(ln n) and 1 / sqrt(n) are looked up; a float32 table of 256 KB stays in the second-level cache.
TABLE_SIZE = 1 << 16
# For so many children and more, 1 / sqrt(n) is computed for eight or sixteen at a time, which is as fast as gathering
# it from the table (`benchmarks/cached_terms.py`); for fewer, it is looked up, one child after the other.
FEW = 8


class UCB1(NamedTuple):
    """Q + c sqrt(ln N(s) / N(s, a)): Auer, Cesa-Bianchi & Fischer 2002; in trees: Kocsis & Szepesvari 2006.

    Attributes:
        c: float32, the weight of exploration.
        sqrt_log: float32[65536], sqrt(ln n).
        inverse_sqrt: float32[65536], 1 / sqrt(n), with the same bits that computing it gives.
    """

    c: np.float32
    sqrt_log: np.ndarray
    inverse_sqrt: np.ndarray


class EvaluatedUCB1(UCB1):
    """UCB1 for a search that values a leaf by the game's evaluation instead of a playout."""

    __slots__ = ()


def ucb1(c: float) -> UCB1:
    """UCB1 with its tables; c is finite and not negative (not checked)."""
    visits = np.arange(TABLE_SIZE, dtype=np.float64)
    visits[0] = 1
    inverse_sqrt = np.float32(1) / np.sqrt(visits.astype(np.float32))
    return UCB1(np.float32(c), np.sqrt(np.log(visits)).astype(np.float32), inverse_sqrt)


@dispatched
def choose(formula, tree, first, count, parent_visits):
    """The index of the child to visit among `count` children from `first` on; at least one is open (not checked)."""


@jit
def first_untried(stats, first, count):
    """The first child that was never visited and is open, or -1.

    Children are created in the order in which they are to be tried (`search.expand`): those resolved at once, then
    the others in random order. So all tried children lie before the untried ones: the last child tells whether any
    child is untried, and a binary search finds the first of them.
    """
    tried = VISIT_MASK | RESOLVED
    if stats[first + count - 1] & tried != U64(0):
        return -1
    low, high = first, first + count - 1
    while low < high:
        middle = (low + high) >> 1
        if stats[middle] & tried != U64(0):
            low = middle + 1
        else:
            high = middle
    return low


INDEX_BITS, INDEX_MASK = U64(12), U64((1 << 12) - 1)
_WORTH_A_WIN = np.float32(1.0 / SCORE_OF_WIN)
_SCORE_SHIFT = U64(SCORE_SHIFT)
_LN_2 = np.float32(math.log(2))


@jit(inline="always")
def _exploration(formula, parent_visits):
    """c sqrt(ln N), with an error of a few millionths.

    Beyond the table, ln N is ln(N / 2^k) + k ln 2 with N / 2^k rounded down: a call of log would take a twentieth of
    the search in Kalah.
    """
    kept, halvings = parent_visits, 0
    while kept >= TABLE_SIZE:
        kept, halvings = kept >> 1, halvings + 1
    term = formula.sqrt_log[kept]
    if halvings > 0:
        term = np.sqrt(term * term + np.float32(halvings) * _LN_2)
    return formula.c * term


@jit(inline="always")
def _inverse_sqrt(visits):
    """1 / sqrt(n), computed instead of looked up."""
    return np.float32(1) / np.sqrt(np.float32(np.int32(visits)))


@jit(inline="always")
def _key(word, r, exploration, j):
    """A child's UCB1 and its number j in one word, so that the largest word is the best child's; 0 if it is resolved.

    Floats that are not negative are ordered as their bits are. With r = 1 / sqrt(n), q + e / sqrt(n) = r (score r + e).
    The function has no branch, so that the compiler works on a vector of children.
    """
    score = np.float32(np.int32(word >> _SCORE_SHIFT))
    bound = r * (score * _WORTH_A_WIN * r + exploration)
    key = U64(np.float32(bound).view(np.uint32)) << INDEX_BITS | U64(j)
    return U64(0) if word & RESOLVED != U64(0) else key


@jit
def choose_ucb1(formula, tree, first, count, parent_visits):
    """`choose` by UCB1: the first untried child; without one, the child with the largest bound, the last of equals."""
    stats = tree.stats
    untried = first_untried(stats, first, count)
    if untried >= 0:
        return untried
    exploration = _exploration(formula, parent_visits)
    words = stats[first : first + count]
    best = U64(0)
    if count < FEW:
        for j in range(count):
            visits = words[j] & VISIT_MASK
            r = formula.inverse_sqrt[visits] if visits < U64(TABLE_SIZE) else _inverse_sqrt(visits)
            best = max(best, _key(words[j], r, exploration, j))
    else:
        for j in range(count):
            best = max(best, _key(words[j], _inverse_sqrt(words[j] & VISIT_MASK), exploration, j))
    return first + np.int64(best & INDEX_MASK)
