"""Trees in compiled code: critical win-loss trees, and P-games.

*Critical win-loss trees* (Ramanujan, Sabharwal & Selman, "On the Behavior of UCT in Synthetic Search Spaces", 2011;
Nguyen & Ramanujan, "Lookahead Pathology in Monte-Carlo Tree Search", 2022): the first player wins at the root. At a
node that is lost for the player to move, all children are lost for that player; at a node that is won, one child drawn
at random keeps the win, and each other child throws it away with probability `rate`, the critical rate. At the root all
others throw it away: there is one right move.

*P-games* (Kocsis & Szepesvari, "Bandit based Monte-Carlo Planning", 2006): every move of the first player brings 0 to
127 points, drawn evenly, and every move of the second takes 0 to 127 away; the first player wins if the sum at the end
is above 0, the second if it is below.

A state is uint64[2]; it is also the payload of a node:

    word 0: a random number that belongs to the node
    word 1: bits 0-7 depth, 48-63 last move; in critical trees bit 8 tells whether the first player wins, in P-games
            bits 16-39 are the sum + 2^20
"""

import math
from typing import NamedTuple

from jit import U64, jit, random_below  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game

CRITICAL, SUMS = 0, 1
STEP_MOST = 127  # points of one move in a P-game
RATE_BITS = 16  # the critical rate is in 65,536ths
SUM_SHIFT, SUM_ZERO = U64(16), 1 << 20
MOVE_SHIFT = U64(48)
DEPTH_MASK, WIN_BIT = U64(255), U64(256)


class SyntheticKernel(NamedTuple):
    """The parameters of a tree.

    Attributes:
        kind: CRITICAL or SUMS.
        branching: children of every inner node.
        depth: plies from the root to every leaf, below 256.
        rate: of a critical tree: the critical rate in 65,536ths.
        noise: the standard deviation of the evaluation's normal error; the true value is +1 or -1.
    """

    kind: int
    branching: int
    depth: int
    rate: int
    noise: float


@jit(inline="always")
def mixed(word):
    """A word that looks random, from another word: the output function of SplitMix64 (Steele, Lea & Flood 2014)."""
    word = (word ^ word >> U64(30)) * U64(0xBF58476D1CE4E5B9)
    word = (word ^ word >> U64(27)) * U64(0x94D049BB133111EB)
    return word ^ word >> U64(31)


@jit(inline="always")
def drawn(word, purpose, n):
    """A number below n <= 2^32, drawn from a node's word 0 and a number for the purpose."""
    return (mixed(word + U64(purpose)) >> U64(32)) * U64(n) >> U64(32)


@jit(inline="always")
def depth_of(state):
    return np.int64(state[1] & DEPTH_MASK)


@jit(inline="always")
def sum_of(state):
    """The points of the first player so far, in a P-game."""
    return np.int64(state[1] >> SUM_SHIFT & U64((1 << 24) - 1)) - SUM_ZERO


@jit(inline="always")
def mover_has_won(state):
    """Whether the player to move at a node of a critical tree wins with right play."""
    return (state[1] & WIN_BIT != U64(0)) == (state[1] & U64(1) == U64(0))


@jit
def grow(kernel, state, move):
    """Change `state` to the child of a move, 0 to branching - 1; `state` is no leaf (not checked)."""
    depth = depth_of(state)
    child = mixed(state[0] + U64(0x9E3779B97F4A7C15) * U64(move + 1))
    word = U64(depth + 1) | U64(move) << MOVE_SHIFT
    if kernel.kind == SUMS:
        points = np.int64(drawn(child, 1, STEP_MOST + 1))
        total = sum_of(state) + (points if depth & 1 == 0 else -points)
        word |= U64(total + SUM_ZERO) << SUM_SHIFT
    else:
        win = state[1] & WIN_BIT
        if mover_has_won(state) and U64(move) != drawn(state[0], 2, kernel.branching):
            rate = 1 << RATE_BITS if depth == 0 else kernel.rate
            if np.int64(drawn(child, 3, 1 << RATE_BITS)) < rate:
                win ^= WIN_BIT
        word |= win
    state[0], state[1] = child, word


@jit
def outcome(kernel, state):
    """See `game.outcome`: by the win bit of a leaf in a critical tree, by the sum of its points in a P-game."""
    if depth_of(state) < kernel.depth:
        return game.OPEN
    if kernel.kind == CRITICAL:
        return game.WON if mover_has_won(state) else game.LOST
    total = sum_of(state) if kernel.depth & 1 == 0 else -sum_of(state)
    return game.WON if total > 0 else game.LOST if total < 0 else game.DRAWN


def _step(kernel, state, word0, word1):
    state[0], state[1] = word0, word1


@jit
def _moves(kernel, state, found):
    for move in range(kernel.branching):
        found[move] = move
    return kernel.branching


@jit
def children(kernel, state, payload0, payload1, stats, first):
    """See `game.children`."""
    word0, word1 = state[0], state[1]
    for move in range(kernel.branching):
        grow(kernel, state, move)
        payload0[first + move], payload1[first + move] = state[0], state[1]
        stats[first + move] = outcome(kernel, state)
        state[0], state[1] = word0, word1
    return kernel.branching


@jit
def playout(kernel, state, rng):
    """See `game.playout`: uniformly random moves."""
    player = depth_of(state) & 1
    while depth_of(state) < kernel.depth:
        grow(kernel, state, np.int64(random_below(rng, U64(kernel.branching))))
    result = outcome(kernel, state)
    if result == game.DRAWN:
        return np.float32(0.5)
    return np.float32((result == game.WON) == (depth_of(state) & 1 == player))


@jit
def normal_of(word):
    """A standard normal number, drawn from a node's word 0 (Box & Muller 1958)."""
    radius = math.sqrt(-2 * math.log((np.float64(drawn(word, 4, 1 << 32)) + 1) / 4294967296.0))
    return radius * math.cos(2 * math.pi * np.float64(drawn(word, 5, 1 << 32)) / 4294967296.0)


@jit
def evaluate(kernel, state):
    """The true value, +1 or -1 (in a P-game the points so far / 127), plus noise, as a chance of the player to move."""
    if kernel.kind == CRITICAL:
        value = 1.0 if mover_has_won(state) else -1.0
    else:
        value = sum_of(state) / STEP_MOST * (1 - 2 * (depth_of(state) & 1))
    if kernel.noise > 0:
        value += kernel.noise * normal_of(state[0])
    return np.float32(0.5 + 0.5 * math.tanh(value / 2))


game.implement(
    SyntheticKernel,
    payload_is_position=lambda kernel: True,
    max_children=lambda kernel: kernel.branching,
    to_move=lambda kernel, state: depth_of(state) & 1,
    moves=_moves,
    apply=grow,
    step=_step,
    outcome=outcome,
    children=children,
    move_number=lambda kernel, word0, word1: word1 >> MOVE_SHIFT,
    playout=playout,
    evaluate=evaluate,
)
