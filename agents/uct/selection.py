"""Which child a simulation goes to.

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
# So many children and more have 1 / sqrt(n) computed, eight or sixteen at a time, which is as fast as gathering it
# (`benchmarks/cached_terms.py`); of fewer, one after the other, it is looked up.
FEW = 8


class UCB1(NamedTuple):
    """Q + c sqrt(ln N(s) / N(s, a)): Auer, Cesa-Bianchi & Fischer 2002; in trees: Kocsis & Szepesvari 2006.

    Attributes:
        c: float32, the weight of exploration.
        sqrt_log: float32[65536], sqrt(ln n).
        inverse_sqrt: float32[65536], 1 / sqrt(n), the very bits that computing it gives.
    """

    c: np.float32
    sqrt_log: np.ndarray
    inverse_sqrt: np.ndarray


class EvaluatedUCB1(UCB1):
    """UCB1 of a search in which the game's evaluation of a leaf takes the place of a playout."""

    __slots__ = ()


def ucb1(c: float) -> UCB1:
    """UCB1 with its tables; c is finite and from 0 on (not checked)."""
    visits = np.arange(TABLE_SIZE, dtype=np.float64)
    visits[0] = 1
    inverse_sqrt = np.float32(1) / np.sqrt(visits.astype(np.float32))
    return UCB1(np.float32(c), np.sqrt(np.log(visits)).astype(np.float32), inverse_sqrt)


@dispatched
def choose(formula, tree, first, count, parent_visits):
    """The index of the child to visit among `count` children from `first` on, of which one at least is open."""


@jit
def first_untried(stats, first, count):
    """The first child that was never visited and is open, or -1.

    Children are created in the order in which they are to be tried (`search.expand`): those resolved at once, then
    the others in random order. So the tried ones lie before the untried, the last child tells whether there are any,
    and a binary search finds the first.
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
    """c sqrt(ln N), to a few millionths.

    Beyond the table, where a call of log would have a twentieth of the search in Kalah, ln N is ln(N / 2^k) + k ln 2
    with N / 2^k rounded down.
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
    """1 / sqrt(n), computed."""
    return np.float32(1) / np.sqrt(np.float32(np.int32(visits)))


@jit(inline="always")
def _key(word, r, exploration, j):
    """A child's UCB1 and its number in one word, so that the maximum of words is the argmax; 0 if it is resolved.

    Floats from 0 on are ordered as their bits are. q + e / sqrt(n) = r (score r + e) with r = 1 / sqrt(n). There is no
    branch in it, so that the compiler works on a vector of children.
    """
    score = np.float32(np.int32(word >> _SCORE_SHIFT))
    bound = r * (score * _WORTH_A_WIN * r + exploration)
    key = U64(np.float32(bound).view(np.uint32)) << INDEX_BITS | U64(j)
    return U64(0) if word & RESOLVED != U64(0) else key


@jit
def choose_ucb1(formula, tree, first, count, parent_visits):
    """`choose` by UCB1: untried children first, then the largest bound, the last of equals."""
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
