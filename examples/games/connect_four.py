"""Connect Four: stones fall to the lowest free row of a column, and four in a row win."""

import numpy as np


def initial(rows: int = 6, columns: int = 7):
    """The empty board, 0 for empty, 1 and 2 for the players; the first one moves."""
    if rows < 1 or columns < 1:
        raise ValueError("rows and columns must be at least 1")
    return np.zeros((rows, columns), int), 0


def legal_moves(state):
    """The columns that have room."""
    board, _ = state
    return [column for column in range(board.shape[1]) if board[0, column] == 0]


def play(state, column):
    """The state after a stone has fallen down a column."""
    board, player = state
    board = board.copy()
    row = np.flatnonzero(board[:, column] == 0)[-1]
    board[row, column] = player + 1
    return board, 1 - player


def result(state):
    """The player with four in a row, or a draw on a full board."""
    board, player = state
    other = 1 - player  # who has just moved
    stones = {(row, column) for row, column in np.argwhere(board == other + 1).tolist()}
    for row, column in stones:
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if all((row + step * down, column + step * right) in stones for step in range(4)):
                return other
    return None if (board[0] == 0).any() else "draw"
