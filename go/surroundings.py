"""How likely a move is by what is around it: a small network, which `priors.py` adds to the weights of features.

    hidden = bias + a row for what is on each of the 5x5 points around the move + a row for each feature but the shape
    weight = output . hidden, where negative hidden units count as 0

It was learned together with the weights of the features (`experiments/go_priors.py`). Convolutions that predict moves
are from Sutskever and Nair, "Mimicking Go Experts with Convolutional Neural Networks", 2008; here they predict how a
search shares its visits.
"""

from jit import jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from go.kinds import KINDS, REACH, SEEN_STRIDE, place_of

SIDE = 2 * REACH + 1
BIAS, OUTPUT, AROUND = 0, 1, 2  # rows of the network; those of the first point around a move begin at AROUND
A_POINT = KINDS + 1  # as many rows for each of these points, one of them for a point off the board
WIDTH = 16  # hidden units
OTHERS = AROUND + SIDE * SIDE * A_POINT  # the rows of features begin here


@jit(inline="always")
def _rows_of(kinds, first, row):
    """The rows for what is on five points side by side, from `first` in `kinds` on."""
    return (
        row + kinds[first],
        row + A_POINT + kinds[first + 1],
        row + 2 * A_POINT + kinds[first + 2],
        row + 3 * A_POINT + kinds[first + 3],
        row + 4 * A_POINT + kinds[first + 4],
    )


@jit(inline="always")
def _sum(rows, five, k):
    a, b, c, d, e = five
    return (rows[a, k] + rows[b, k]) + (rows[c, k] + rows[d, k]) + rows[e, k]


@jit(fastmath=True)
def weight_around(rows, kinds, p, others):
    """The weight of a move to the point p, as float32; `others` are five more rows that count, from OTHERS on."""
    first = place_of(p) - REACH * SEEN_STRIDE - REACH
    a = _rows_of(kinds, first, AROUND)
    b = _rows_of(kinds, first + SEEN_STRIDE, AROUND + SIDE * A_POINT)
    c = _rows_of(kinds, first + 2 * SEEN_STRIDE, AROUND + 2 * SIDE * A_POINT)
    d = _rows_of(kinds, first + 3 * SEEN_STRIDE, AROUND + 3 * SIDE * A_POINT)
    e = _rows_of(kinds, first + 4 * SEEN_STRIDE, AROUND + 4 * SIDE * A_POINT)
    total = np.float32(0)
    # All in one loop that writes nothing: numba makes vectors of it.
    for k in range(WIDTH):
        hidden = (_sum(rows, a, k) + _sum(rows, b, k)) + (_sum(rows, c, k) + _sum(rows, d, k)) + _sum(rows, e, k)
        hidden += rows[BIAS, k] + _sum(rows, others, k)
        total += rows[OUTPUT, k] * max(hidden, np.float32(0))
    return total
