"""How likely a move is by what is around it: a small network, which `priors.py` adds to the weights of features.

    first  = bias + a row for what is on each of the 5x5 points around the move + a row for each feature but the shape
    second = bias + sum over the first units of unit * its row
    weight = output . second

where negative units count as 0 (ReLU). It was learned together with the weights of the features
(`experiments/go_priors.py`). Convolutions that predict moves are from Sutskever and Nair, "Mimicking Go Experts with
Convolutional Neural Networks", 2008; here they predict how a search shares its visits. `evaluation.py` has a network
for positions that sees the same around each point.
"""

from go.kinds import KINDS, REACH, SEEN_STRIDE, place_of
from go.vectors import LANES, add_products, rectified_product, write_rectified_sum
from jit import U64, jit

SIDE = 2 * REACH + 1
WINDOW = SIDE * SIDE
ROWS_A_POINT = KINDS + 1  # rows for each of the points around a move, one of them for a point off the board
FIRST_UNITS, SECOND_UNITS = 2 * LANES, LANES  # units of each layer
BIAS, AROUND = 0, 1  # rows of the first layer; those of the first point around a move begin at AROUND
OTHERS = AROUND + WINDOW * ROWS_A_POINT  # the rows of features begin here
SECOND_BIAS, OUTPUT = FIRST_UNITS, FIRST_UNITS + 1  # rows of the second layer, after one for each unit of the first


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


@jit
def weight_around(kernel, p, others):
    """The weight of a move to the point p, as float32, after `write_kinds`; overwrites `kernel.seen.units`.

    `others` are five more rows that are added, from OTHERS on: those of the move's features.
    """
    a, b, c, d, e = rows_around(kernel.seen.kinds, p, AROUND)
    rows, second_rows, units = (*a, *b, *c, *d, *e, BIAS, *others), kernel.second_rows, kernel.seen.units
    second = units[-1]
    for k in range(SECOND_UNITS):
        second[k] = second_rows[SECOND_BIAS, k]
    for part in range(FIRST_UNITS // LANES):
        write_rectified_sum(units[part], kernel.first_rows[part], rows)
        add_products(second, 0, second_rows, LANES * part, units[part])
    return rectified_product(second_rows[OUTPUT], second)
