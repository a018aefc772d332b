"""What is on each point, as learned weights see it: from the player to move.

Of an empty point the kind says whose stones are beside it, whose eye it is, or that it is the ko; of a stone, whose it
is and how many liberties its chain has.
"""

from typing import NamedTuple

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from go.layout import (
    AREA,
    AROUND,
    BESIDE,
    BLACK,
    BOTH,
    CHAIN,
    EMPTIES,
    EMPTY,
    EMPTY_COUNT,
    EVERYWHERE,
    KO,
    ONE,
    STRIDE,
    TO_MOVE,
    WHITE,
    ZERO,
)
from go.rules import is_own_eye
from go.vectors import LANES

# From 0 to 3: an empty point by whose stones are beside it: nobody's, one's own, the other's, both.
OWN_EYE, OTHER_EYE, A_KO, OWN_STONE = 4, 5, 6, 7
MOST_LIBERTIES = 5  # or more
OTHER_STONE = OWN_STONE + MOST_LIBERTIES
OFF_BOARD = KINDS = OTHER_STONE + MOST_LIBERTIES
REACH = 2  # how far from a point on the board `Seen.kinds` may be read
SEEN_STRIDE = int(STRIDE) + REACH - 1  # so that on 19x19, too, REACH steps to the left or right end off the board


class Seen(NamedTuple):
    """What `write_kinds` writes, and more working space of the networks, for one thread at a time.

    Attributes:
        kinds: int32, rows of SEEN_STRIDE: the kind of each point at its `place_of`, OFF_BOARD elsewhere.
        liberties: int32[AREA], how many points the liberties of a chain are, by its head.
        units: float32[3, LANES], units of the networks, for one point at a time.
    """

    kinds: np.ndarray
    liberties: np.ndarray
    units: np.ndarray


def nothing_seen() -> Seen:
    """The working space for boards of one size."""
    rows = int(AREA // STRIDE) + 2 * REACH
    kinds, liberties = np.full(rows * SEEN_STRIDE, OFF_BOARD, np.int32), np.zeros(int(AREA), np.int32)
    return Seen(kinds, liberties, np.zeros((3, LANES), np.float32))


@jit(inline="always")
def place_of(p):
    """Where the kind of a point is."""
    return np.int64(p // STRIDE + U64(REACH)) * SEEN_STRIDE + np.int64(p % STRIDE)


@jit
def _head_beside(state, q):
    """The head of the chain on q; 0 if there is none."""
    colour = state[q]
    return state[CHAIN + q] if (colour == BLACK) | (colour == WHITE) else ZERO


@jit
def _count_liberties(kernel, state, liberties):
    """Write for each chain, by its head, how many points its liberties are."""
    for i in range(len(kernel.points)):
        liberties[state[CHAIN + kernel.points[i]]] = 0
    for i in range(state[EMPTY_COUNT]):
        p = state[EMPTIES + U64(i)]
        a, b = _head_beside(state, p - STRIDE), _head_beside(state, p - ONE)
        c, d = _head_beside(state, p + ONE), _head_beside(state, p + STRIDE)
        liberties[a] += np.int32(1)
        liberties[b] += np.int32(b != a)
        liberties[c] += np.int32((c != a) & (c != b))
        liberties[d] += np.int32((d != a) & (d != b) & (d != c))


@jit(inline="always")
def around_seen(state, p):
    """The word of AROUND of a point with the player to move as black."""
    around = state[AROUND + p]
    return (around & EVERYWHERE) << ONE | around >> ONE & EVERYWHERE if state[TO_MOVE] == WHITE else around


@jit
def _kind_of_empty(state, p, around, own):
    """What an empty point is; `around` is its word as `around_seen` has it."""
    if p == state[KO]:
        return A_KO
    mine, theirs = around & BESIDE, around >> ONE & BESIDE
    off = mine & theirs
    if theirs == off:
        if mine == off:
            return 0
        return OWN_EYE if is_own_eye(state, p, own) else 1
    if mine == off:
        return OTHER_EYE if is_own_eye(state, p, BOTH - own) else 2
    return 3


@jit
def write_kinds(kernel, state):
    """Write the kind of each point into `kernel.seen`."""
    own, kinds, liberties = state[TO_MOVE], kernel.seen.kinds, kernel.seen.liberties
    _count_liberties(kernel, state, liberties)
    for i in range(len(kernel.points)):
        p = kernel.points[i]
        colour = state[p]
        if colour == EMPTY:
            kind = _kind_of_empty(state, p, around_seen(state, p), own)
        else:
            count = min(np.int64(liberties[state[CHAIN + p]]), np.int64(MOST_LIBERTIES))
            kind = count - 1 + (OWN_STONE if colour == own else OTHER_STONE)
        kinds[place_of(p)] = kind
