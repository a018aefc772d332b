"""The kernel of Go: what compiled code needs to know of a board, and the switches of its playouts and its children."""

from typing import Any, NamedTuple

from jit import U64  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from go import patterns

STRIDE = 20
COLUMNS = "ABCDEFGHJKLMNOPQRST"  # without I, which looks like 1
LARGEST = 19  # rows and columns; a point's number is below AREA
AREA = 424  # 21 rows of 20 and one more, as a multiple of eight


class GoKernel(NamedTuple):
    """The tables and switches of compiled code.

    Attributes:
        size: rows and columns.
        points: uint64[size * size], every point of the board, row by row from the top left.
        zobrist: uint64[3, AREA], a random number for a stone of colour 1 or 2 on a point.
        shapes: uint8[65536], PATTERN and SMALL_EYE by the word of a point's eight neighbours; see `patterns`.
        move_weights: float32[FEATURES], the weight of each feature of a move; see `priors`.
        first_rows: float32[FIRST_UNITS // LANES, rows, LANES], the first layer of the network in `surroundings`.
        second_rows: float32[OUTPUT + 1, SECOND_UNITS], its second layer.
        seen: working space of the networks, see `kinds`.
        learned: the network for positions on 9x9, see `evaluation`.
        spare: uint8[AREA], working space, of one thread at a time: owners of points, or the moves of a playout that
            nobody watches.
        reading: uint64[LEVELS + 1, STATE_SIZE], working space of `ladders.py`, of one thread at a time.
        heavy: playouts follow the rules of `playouts.py`; otherwise they are uniformly random.
        keep_eyes: children leave out moves that fill an own one-point eye.
        priors: children carry the first opinion of `priors.py`.
        ladders: this opinion reads ladders, see `ladders.py`.
        surroundings: it also knows what is around a move, see `surroundings.py`.
        escape, pattern, self_atari, nakade: how often, in 1/256, a heavy playout applies these rules.
    """

    size: int
    points: np.ndarray
    zobrist: np.ndarray
    shapes: np.ndarray
    move_weights: np.ndarray
    first_rows: np.ndarray
    second_rows: np.ndarray
    seen: Any
    learned: Any
    spare: np.ndarray
    reading: np.ndarray
    heavy: bool = False
    keep_eyes: bool = False
    priors: bool = False
    ladders: bool = False
    surroundings: bool = False
    escape: int = 0
    pattern: int = 0
    self_atari: int = 0
    nakade: int = 0


def point_at(row: int, column: int) -> int:
    """The number of the point in a row from the top and a column from the left, both from 0."""
    return (row + 1) * STRIDE + column + 1


def row_and_column(point: int) -> tuple[int, int]:
    """The row and column of a point, as for `point_at`.

    >>> row_and_column(point_at(3, 5))
    (3, 5)
    """
    return point // STRIDE - 1, point % STRIDE - 1


def _zobrist() -> np.ndarray:
    table = np.random.default_rng(19).integers(1, 1 << 64, (3, AREA), dtype=np.uint64)
    table[0] = 0
    return table


def make_kernel(
    size: int, for_moves: tuple[np.ndarray, np.ndarray, np.ndarray], seen: Any, learned: Any, reading: np.ndarray
) -> GoKernel:
    """The kernel for a board of that size, with plain rules and uniformly random playouts.

    `for_moves` is what `priors.learned` returns, `learned` the network for positions.
    """
    points = np.array([point_at(row, column) for row in range(size) for column in range(size)], U64)
    shapes, spare = patterns.shapes_by_code(), np.zeros(AREA, np.uint8)
    return GoKernel(size, points, _zobrist(), shapes, *for_moves, seen, learned, spare, reading)
