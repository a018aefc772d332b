"""How likely a move is by what is around it: a small network, which `priors.py` adds to the weights of features.

    hidden = bias + a row for what is on each of the 5x5 points around the move + a row for each feature but the shape
    weight = output . hidden, where negative hidden units count as 0

It was learned together with the weights of the features (`experiments/go_priors.py`). Convolutions that predict moves
are from Sutskever and Nair, "Mimicking Go Experts with Convolutional Neural Networks", 2008; here they predict how a
search shares its visits. `evaluation.py` has a network for positions that sees the same around each point.
"""

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from go.kinds import KINDS, REACH, SEEN_STRIDE, place_of

SIDE = 2 * REACH + 1
WINDOW = SIDE * SIDE
ROWS_A_POINT = KINDS + 1  # rows for each of the points around a move, one of them for a point off the board
BIAS, OUTPUT, AROUND = 0, 1, 2  # rows of the network; those of the first point around a move begin at AROUND
WIDTH = 16  # hidden units
OTHERS = AROUND + WINDOW * ROWS_A_POINT  # the rows of features begin here


@jit(inline="always")
def _rows_of(kinds, first, row):
    """The rows for what is on five points side by side, from `first` in `kinds` on."""
    return (
        row + kinds[U64(first)],  # a U64 cannot be negative: numba has nothing to check
        row + ROWS_A_POINT + kinds[U64(first + 1)],
        row + 2 * ROWS_A_POINT + kinds[U64(first + 2)],
        row + 3 * ROWS_A_POINT + kinds[U64(first + 3)],
        row + 4 * ROWS_A_POINT + kinds[U64(first + 4)],
    )


@jit(inline="always")
def rows_around(kinds, p, row):
    """The rows for what is on the 5x5 points around the point p, in five tuples; those of the first begin at `row`."""
    first = place_of(p) - REACH * SEEN_STRIDE - REACH
    return (
        _rows_of(kinds, first, row),
        _rows_of(kinds, first + SEEN_STRIDE, row + SIDE * ROWS_A_POINT),
        _rows_of(kinds, first + 2 * SEEN_STRIDE, row + 2 * SIDE * ROWS_A_POINT),
        _rows_of(kinds, first + 3 * SEEN_STRIDE, row + 3 * SIDE * ROWS_A_POINT),
        _rows_of(kinds, first + 4 * SEEN_STRIDE, row + 4 * SIDE * ROWS_A_POINT),
    )


@jit(inline="always")
def _sum(rows, five, k):
    """The sum of column k in five rows."""
    a, b, c, d, e = five
    return (rows[a, k] + rows[b, k]) + (rows[c, k] + rows[d, k]) + rows[e, k]


@jit(fastmath=True)
def weight_around(rows, kinds, p, others):
    """The weight of a move to the point p, as float32; `others` are five more rows that count, from OTHERS on."""
    a, b, c, d, e = rows_around(kinds, p, AROUND)
    total = np.float32(0)
    # All in one loop that writes nothing: numba makes vectors of it.
    for k in range(WIDTH):
        hidden = (_sum(rows, a, k) + _sum(rows, b, k)) + (_sum(rows, c, k) + _sum(rows, d, k)) + _sum(rows, e, k)
        hidden += rows[BIAS, k] + _sum(rows, others, k)
        total += rows[OUTPUT, k] * max(hidden, np.float32(0))
    return total
