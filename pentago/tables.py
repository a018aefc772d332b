"""Tables for Pentago, built once at import: what a turn does to a quadrant, and which lines a quadrant completes."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

QUADRANTS = 4
QUADRANT_CELLS = 9
PATTERNS = 1 << QUADRANT_CELLS  # a pattern is the nine bits of one player in one quadrant
CELLS = QUADRANTS * QUADRANT_CELLS
MOVES = CELLS * QUADRANTS * 2


class PentagoKernel(NamedTuple):
    """The tables and the switch of a variant of Pentago, for compiled code.

    Attributes:
        turns: uint16[2, 512]; the pattern that turn t makes of a pattern.
        back: uint16[2, 512]; the inverse of `turns`: the pattern from which turn t makes a pattern.
        evaluation: the tables of an evaluation, see `evaluation.py`; their type says of which.
        foresight: whether successors that the next player wins at once are marked as won, see `rules.successors`.
    """

    turns: np.ndarray
    back: np.ndarray
    evaluation: Any
    foresight: bool


def cell_at(row: int, column: int) -> int:
    """The bit of a cell, rows from the top, columns from the left.

    >>> cell_at(0, 0), cell_at(0, 3), cell_at(5, 5)
    (0, 9, 35)
    """
    return (row // 3 * 2 + column // 3) * 9 + row % 3 * 3 + column % 3


def row_and_column(cell: int) -> tuple[int, int]:
    """The inverse of `cell_at`.

    >>> row_and_column(cell_at(4, 2))
    (4, 2)
    """
    quadrant, inner = divmod(cell, 9)
    return quadrant // 2 * 3 + inner // 3, quadrant % 2 * 3 + inner % 3


def line_cells() -> list[list[int]]:
    """The 32 lines of five cells, as bits."""
    lines = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(6):
            for column in range(6):
                if row + 4 * down < 6 and 0 <= column + 4 * right < 6:
                    lines.append([cell_at(row + k * down, column + k * right) for k in range(5)])
    return lines


def turn_table(new_place: Callable[[int, int], tuple[int, int]]) -> np.ndarray:
    """uint16[512]: each pattern after every stone has moved from (row, column) to new_place(row, column)."""
    table = np.zeros(PATTERNS, np.uint16)
    for pattern in range(PATTERNS):
        for cell in range(QUADRANT_CELLS):
            if pattern >> cell & 1:
                row, column = new_place(*divmod(cell, 3))
                table[pattern] |= 1 << (3 * row + column)
    return table


def line_table(holds: Callable[[np.ndarray, int], np.ndarray]) -> np.ndarray:
    """uint32[4, 512]: bit i where holds(cells of line i in the pattern, cells of line i in the quadrant)."""
    table = np.zeros((QUADRANTS, PATTERNS), np.uint32)
    patterns = np.arange(PATTERNS)
    for number, cells in enumerate(line_cells()):
        for quadrant in range(QUADRANTS):
            part = [cell % 9 for cell in cells if cell // 9 == quadrant]
            present = sum((patterns >> cell & 1 for cell in part), np.zeros(PATTERNS, np.int64))
            table[quadrant, holds(present, len(part))] |= np.uint32(1 << number)
    return table


# Tables of the 32 lines. They are constants of compiled code: in a kernel, which is passed to each function, they would
# double the time of a search for wins at once.

# uint32[4, 512]: bit i is set if the pattern has all cells of line i that lie in this quadrant, so that the quadrant
# does not break the line. The lines that a board has complete are the AND of four look-ups.
LINES = line_table(lambda present, wanted: present == wanted)
# uint32[4, 512]: bit i is set if all but one of the line's cells in this quadrant are in the pattern.
NEAR = line_table(lambda present, wanted: present == wanted - 1)
# uint32[4, 512]: bit i is set if one or more of the line's cells are in the pattern.
TOUCHED = line_table(lambda present, wanted: present > 0)
# uint64[32]: the cells of each line.
LINE_CELLS = np.array([sum(1 << cell for cell in line) for line in line_cells()], np.uint64)


def clockwise(row: int, column: int) -> tuple[int, int]:
    """Where a 90 degree clockwise rotation puts a cell of a quadrant."""
    return column, 2 - row


def mirrored(row: int, column: int) -> tuple[int, int]:
    """Where the left-right mirror puts a cell of a quadrant."""
    return row, 2 - column


def make_kernel(evaluation: Any, *turns: Callable[[int, int], tuple[int, int]]) -> PentagoKernel:
    """The kernel of a variant of Pentago with these two turns, and an evaluation."""
    tables = np.stack([turn_table(turn) for turn in turns])
    return PentagoKernel(
        turns=tables,
        back=tables.argsort(axis=1).astype(np.uint16),
        evaluation=evaluation,
        foresight=True,
    )
