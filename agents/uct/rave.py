"""MC-RAVE: the value of a move whenever it was played later on is a first estimate of its value now.

AMAF counts ("all moves as first", Bruegmann 1993; in trees "rapid action value estimation", Gelly & Silver 2007) are
about the simulations through a node's parent in which the player to move there made the node's move, then or later, and
before the other player did: their score and their number. Both are in one word, the second of a node's payload, which a
game like Go leaves to the search. What a game has to offer for this is in `game/verbs/amaf.py`.
"""

import math
from typing import NamedTuple

from jit import U64, dispatched, give_body, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.uct.selection import INDEX_BITS, INDEX_MASK
from agents.uct.tree import (
    SCORE_OF_WIN,
    SCORE_SHIFT,
    VISIT_MASK,
    Tree,
    child_count_of,
    first_child_of,
)
from game import AMAF_MOVE_BITS, PRIOR_BITS, RESOLVED, SAME_MOVER

_COUNT_MASK = U64((1 << 32) - 1)
_PRIOR_SHIFT, _PRIOR_MASK = U64(AMAF_MOVE_BITS), U64((1 << PRIOR_BITS) - 1)
_PRIOR_SCORE_SHIFT = U64(AMAF_MOVE_BITS + PRIOR_BITS)
_SCORE_SHIFT = U64(SCORE_SHIFT)
_WORTH_A_WIN = np.float32(1.0 / SCORE_OF_WIN)
_TINY = np.float32(1e-9)  # so many simulations, all won, are added to the others: so a mean is never 0 / 0


class Rave(NamedTuple):
    """(1 - b) Q + b AMAF + c p sqrt(N) / (n + 1): Gelly & Silver 2011, with their min-MSE schedule.

    Q and n are the mean and number of the child's simulations, its prior and the even ones included; p is the number of
    won simulations of its prior, and N that of its parent's simulations; AMAF and m are the mean and number of its AMAF
    counts; b = m / (n + m + n m bias). The last term is that of PUCT (Rosin 2011; Silver et al. 2016). Without it, a
    good move whose AMAF is no better than that of the others may wait for 100,000 simulations.

    Attributes:
        c: float32, the weight of exploration by the priors.
        bias: float32, four times the square of AMAF's error: the larger, the sooner Q takes over.
        even: float32, the number of simulations of value 1/2 that every child is given.
        mixture: float32, for MixedRave only: the weight of the playout in the value of a leaf.
        trace: uint8[AmafGame.amaf_moves], working space, see `game.traced_playout`.
        owners: int64[AmafGame.amaf_moves], sums of `game.tally` over all playouts since this root was made.
        playouts: int64[1], the number of these playouts.
    """

    c: np.float32
    bias: np.float32
    even: np.float32
    mixture: np.float32
    trace: np.ndarray
    owners: np.ndarray
    playouts: np.ndarray


class MixedRave(Rave):
    """MC-RAVE for a search in which a leaf is worth a weighted mean of a playout and the game's evaluation."""

    __slots__ = ()


def rave(c: float, equivalence: float, even: float, moves: int, mixture: float = 1.0) -> Rave:
    """MC-RAVE for a game whose moves have numbers below `moves`.

    `equivalence`, 1 / bias, is the number of simulations that weigh as much as any number of AMAF counts; it is above
    0 (not checked).
    """
    return Rave(
        c=np.float32(c),
        bias=np.float32(1 / equivalence),
        even=np.float32(even),
        mixture=np.float32(mixture),
        trace=np.zeros(moves, np.uint8),
        owners=np.zeros(moves, np.int64),
        playouts=np.zeros(1, np.int64),
    )


def prior_of(payload0: int, even: float) -> float:
    """The value of a node before any simulation, 0 to 1, from the first word of its payload; 0.5 without a prior."""
    word = payload0 >> AMAF_MOVE_BITS
    visits, score = word & (1 << PRIOR_BITS) - 1, word >> PRIOR_BITS
    return (score / SCORE_OF_WIN + even / 2) / (visits + even) if visits + even > 0 else 0.5


@jit(inline="always")
def _as_float(word):
    return np.float32(np.int32(word))  # counts and scores are below 2^31, as `tree.MAX_VISITS` sees to


@jit(inline="always")
def rave_mean(formula, visits, score, prior, amaf):
    """(1 - b) Q + b AMAF of a child, and its n.

    They are made of the child's visits, their score in sixteenths, and its payload words: first the prior, then AMAF
    counts.
    """
    visits = visits + _as_float(prior >> _PRIOR_SHIFT & _PRIOR_MASK) + formula.even
    score = score + _as_float(prior >> _PRIOR_SCORE_SHIFT)
    score += formula.even * np.float32(SCORE_OF_WIN // 2)
    others = _as_float(amaf & _COUNT_MASK)
    share = others / (others + visits + others * visits * formula.bias + _TINY)
    mean = (score + _TINY * np.float32(SCORE_OF_WIN)) / (visits + _TINY)
    amaf_mean = _as_float(amaf >> _SCORE_SHIFT) / (others + _TINY)
    return (share * amaf_mean + (np.float32(1) - share) * mean) * _WORTH_A_WIN, visits


@jit
def choose_rave(formula, tree, first, count, parent_visits):
    """`choose` by MC-RAVE: the open child of the largest value, the first of equals (they stand in random order).

    A child's value and number are packed into one word, as by `selection.choose_ucb1`, so that the compiler works on
    eight children at a time.
    """
    exploration = formula.c * np.float32(math.sqrt(float(parent_visits))) * _WORTH_A_WIN
    stats, priors = tree.stats[first : first + count], tree.payload0[first : first + count]
    amaf = tree.payload1[first : first + count]
    best = U64(0)  # less than the key of any open child
    for j in range(count):
        word = stats[j]
        visits, score = _as_float(word & VISIT_MASK), _as_float(word >> _SCORE_SHIFT)
        value, simulations = rave_mean(formula, visits, score, priors[j], amaf[j])
        likely = _as_float(priors[j] >> _PRIOR_SCORE_SHIFT)
        value = np.float32(value + exploration * likely / (simulations + np.float32(1)))
        key = U64(value.view(np.uint32)) << INDEX_BITS | INDEX_MASK - U64(j)
        best = max(best, U64(0) if word & RESOLVED != U64(0) else key)
    return first + np.int64(INDEX_MASK - (best & INDEX_MASK)) if best != U64(0) else first


@dispatched
def add_amaf(tree, node, gain):
    """Add to a node's word of AMAF counts: their score (32 bits) and their number (32)."""


def _add_to_payload(tree, node, gain):
    tree.payload1[node] += gain


give_body(add_amaf, Tree, _add_to_payload)


@jit(inline="always")
def _move_of(kernel, tree, node):
    return game.move_number(kernel, tree.payload0[node], tree.payload1[node])


@jit
def credit(kernel, tree, path, depth, trace, score):
    """Count a playout from path[depth] in the AMAF counts of the children of all nodes above.

    `trace` is as `game.traced_playout` leaves it, and is spoiled; `score` is the leaf's, in sixteenths, for the player
    to move there.
    """
    player = np.uint8(1)
    for i in range(depth - 1, -1, -1):
        if tree.stats[path[i + 1]] & SAME_MOVER == U64(0):
            player = np.uint8(3) - player
        trace[_move_of(kernel, tree, path[i + 1])] = player
        gain = U64(score if player == 1 else SCORE_OF_WIN - score) << _SCORE_SHIFT | U64(1)
        links = tree.links[path[i]]
        first = first_child_of(links)
        for child in range(first, first + child_count_of(links)):
            if trace[_move_of(kernel, tree, child)] == player:
                add_amaf(tree, child, gain)
