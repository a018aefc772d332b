"""Connect Four in compiled code, on bits; the same game as connect_four.py, thousands of times as fast.

A state is int64[3]: the stones of each player, then the player to move. A column has seven bits from the lowest row up,
the last of them always empty; a move is a column.
"""

import numpy as np

from jit import jit

players = ("x", "o")
most_moves = 7
PLACES = np.arange(7) * 7 + np.arange(5, -1, -1)[:, None]  # the bit of each cell, the top row first
COLUMN, FULL = 0b1111111, 0b0111111_0111111_0111111_0111111_0111111_0111111_0111111


def initial():
    """The empty board."""
    return np.zeros(3, np.int64)


@jit
def legal(state, found):
    """Write the columns that have room; return how many there are."""
    count = 0
    for column in range(7):
        found[count] = column
        count += (state[0] | state[1]) >> (7 * column + 5) & 1 ^ 1
    return count


@jit
def apply(state, column):
    """Drop a stone: adding a bit at the foot of a column carries it to the lowest free cell."""
    stones = state[0] | state[1]
    state[state[2]] |= (stones + (1 << 7 * column)) & ~stones & COLUMN << 7 * column
    state[2] = 1 - state[2]


@jit
def result(state):
    """-1 while the game is open, the winner, or 2 for a draw."""
    mine = state[1 - state[2]]
    for step in (1, 6, 7, 8):  # up, and to the right: falling, level and rising
        pairs = mine & mine >> step
        if pairs & pairs >> 2 * step:
            return 1 - state[2]
    return 2 if state[0] | state[1] == FULL else -1


def grid(state):
    """The board as rows and columns, the top row first: 0 empty, 1 and 2 the players."""
    return (state[0] >> PLACES & 1) + 2 * (state[1] >> PLACES & 1)


def from_grid(board, player):
    """The state with this board and player to move."""
    bits = 1 << PLACES
    return np.array([bits[board == 1].sum(), bits[board == 2].sum(), player])
