"""Priors of moves: how many won simulations a move is credited with before any was made.

A move has features: the 3x3 shape around it as its player sees it, how near it is to the last move, what it captures,
whether it saves a chain in atari or puts its own into atari, and its distance from the edge. With `ladders`, a chain
that is caught in a ladder counts as captured, and one that runs into a ladder as put into atari. A search is assumed to
visit a move in proportion to e to the power of the sum of its features' weights. The weights are learned from games
that the search played against itself (`experiments/go_priors.py`), after Coulom, "Computing Elo Ratings of Move
Patterns in the Game of Go", 2007, with the search's shares of visits in place of the moves of masters. With
`surroundings`, a small network adds to that sum what is around the move (`surroundings.py`).

The likeliest move is credited with MOST simulations, another move with MOST times the square root of how likely it is
relative to that move.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from game import AMAF_MOVE_BITS, PRIOR_BITS
from game.weights import check_arrays, read_weights
from go.chains import is_atari, is_last_liberty, liberties_at
from go.kinds import around_seen, write_kinds
from go.ladders import catches, is_caught_after
from go.layout import (
    BOTH,
    CHAIN,
    EMPTY,
    LAST,
    NOWHERE,
    ONE,
    SIZE,
    STRIDE,
    TO_MOVE,
    TWO,
    ZERO,
)
from go.surroundings import FIRST_UNITS, OTHERS, OUTPUT, SECOND_UNITS, weight_around
from go.tactics import is_self_atari, liberties_after
from go.vectors import LANES

FILE = Path(__file__).with_name("priors.npz")
MOST = np.float32(40)
PASSING = U64(10)  # simulations that a pass is thought to have lost

# Where the weights of each kind of feature begin. Shapes are words of AROUND for black.
SHAPES, NEARNESS, CAPTURES, RESCUES, SELF_ATARIS, LINES, FEATURES = (
    U64(start) for start in (0, 1 << 16, (1 << 16) + 16, (1 << 16) + 19, (1 << 16) + 21, (1 << 16) + 23, (1 << 16) + 35)
)
FAR, NO_LAST_MOVE = U64(14), U64(15)  # of NEARNESS
HIGHEST_LINE = U64(5)
KINDS = 6  # every move has one feature of each
SAVED = {  # the shapes of the arrays in FILE
    "weights": (int(FEATURES),),
    "first": (OTHERS + int(FEATURES - NEARNESS), FIRST_UNITS),
    "second": (OUTPUT + 1, SECOND_UNITS),
}
_REACH = U64(3)  # how far around a point other stones are looked for
_VISIT_SHIFT, _SCORE_SHIFT = U64(AMAF_MOVE_BITS), U64(AMAF_MOVE_BITS + PRIOR_BITS)
_WIN = U64(16)  # a won simulation, as scores are counted
_ONE_WEIGHT, _LEAST_WEIGHT = np.float32(1 << 16), np.float32(-1000)  # while a word holds a weight: its unit and its 0


@cache
def learned() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The weights in FILE: float32[FEATURES], and `first_rows` and `second_rows` of `tables.GoKernel`.

    Raises WeightsError.
    """
    return read_weights(FILE, SAVED, _as_tables)


def _as_tables(arrays: Mapping[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    check_arrays(arrays, SAVED)
    first = arrays["first"].reshape(-1, FIRST_UNITS // LANES, LANES).swapaxes(0, 1)
    return arrays["weights"], np.ascontiguousarray(first), arrays["second"]


@jit(inline="always")
def _difference(a, b):
    return a - b if a > b else b - a


@jit
def nearness_of(state, p):
    """How near p is to the last move: |dx| + |dy| + max(|dx|, |dy|), or FAR, or NO_LAST_MOVE."""
    last = state[LAST]
    if last == NOWHERE:
        return NO_LAST_MOVE
    across, down = _difference(last % STRIDE, p % STRIDE), _difference(last // STRIDE, p // STRIDE)
    return min(FAR, across + down + max(across, down))


@jit
def capture_and_rescue(state, p, colour):
    """0, 1 or 2 if p captures no stone, one, or more; and 1 if p brings an own chain out of atari, else 0."""
    capture, saves = ZERO, False
    for q in (p - STRIDE, p - ONE, p + ONE, p + STRIDE):
        if state[q] == BOTH - colour and is_last_liberty(state, p, q):
            capture = max(capture, ONE if state[state[CHAIN + q] + SIZE] == ONE else TWO)
        elif state[q] == colour and is_atari(liberties_at(state, q)):
            saves = True
    return capture, ONE if saves and not is_atari(liberties_after(state, p, colour)) else ZERO


@jit
def capture_by_ladder(kernel, state, p, colour):
    """0, 1 or 2 if p catches no stone in a ladder, one, or more."""
    capture = ZERO
    for q in (p - STRIDE, p - ONE, p + ONE, p + STRIDE):
        if capture != TWO and state[q] == BOTH - colour and catches(kernel, state, p, q):
            capture = ONE if state[state[CHAIN + q] + SIZE] == ONE else TWO
    return capture


@jit
def line_of(kernel, state, p, shape):
    """Twice the line of p (1 at the edge, HIGHEST_LINE at most), and one more if no stone is within three points."""
    size = U64(kernel.size)
    row, column = p // STRIDE, p % STRIDE
    line = min(min(row, column), min(size + ONE - row, size + ONE - column))
    doubled = min(line, HIGHEST_LINE) * TWO
    if shape != ZERO and line != ONE:
        return doubled
    top, left = max(ONE, row - min(row, _REACH)), max(ONE, column - min(column, _REACH))
    for r in range(top, min(size, row + _REACH) + ONE):
        for c in range(left, min(size, column + _REACH) + ONE):
            if state[U64(r) * STRIDE + U64(c)] != EMPTY:
                return doubled
    return doubled + ONE


@jit
def features_of(kernel, state, p):
    """The KINDS features of the legal move p, as indices of `weights`."""
    colour, shape = state[TO_MOVE], around_seen(state, p)
    capture, rescue = capture_and_rescue(state, p, colour)
    self_atari = is_self_atari(state, p, colour)
    if kernel.ladders:
        if rescue == ONE and is_caught_after(kernel, state, p):
            rescue, self_atari = ZERO, True
        if capture == ZERO and not self_atari:
            capture = capture_by_ladder(kernel, state, p, colour)
    return (
        SHAPES + shape,
        NEARNESS + nearness_of(state, p),
        CAPTURES + capture,
        RESCUES + rescue,
        SELF_ATARIS + (ONE if self_atari else ZERO),
        LINES + line_of(kernel, state, p, shape),
    )


@jit
def weight_of(kernel, state, p):
    """The weight of the legal move p; with `surroundings`, `write_kinds` has been called."""
    features, weight = features_of(kernel, state, p), np.float32(0)
    for feature in features:
        weight += kernel.move_weights[feature]
    if kernel.surroundings:
        _, a, b, c, d, e = features
        others = (_row_of(a), _row_of(b), _row_of(c), _row_of(d), _row_of(e))
        weight += weight_around(kernel, p, others)
    return weight


@jit(inline="always")
def _row_of(feature):
    return np.int64(feature - NEARNESS) + OTHERS


@jit
def write_priors(kernel, state, payload0, payload1, first, end):
    """Write the prior of each move in payload0[first:end] above the move; payload1 is 0 before and after.

    To be called before a pass is added to the children.
    """
    best = _LEAST_WEIGHT
    if kernel.surroundings:
        write_kinds(kernel, state)
    for i in range(first, end):
        weight = weight_of(kernel, state, payload0[i])
        best = max(best, weight)
        payload1[i] = U64((weight - _LEAST_WEIGHT) * _ONE_WEIGHT)
    for i in range(first, end):
        weight = np.float32(payload1[i]) / _ONE_WEIGHT + _LEAST_WEIGHT
        payload1[i] = ZERO
        count = U64(MOST * np.exp((weight - best) / np.float32(2)) + np.float32(0.5))
        payload0[i] |= count << _VISIT_SHIFT | count * _WIN << _SCORE_SHIFT


@jit(inline="always")
def prior_of_pass():
    """The prior of a pass."""
    return PASSING << _VISIT_SHIFT
