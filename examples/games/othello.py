"""Othello: a disc flips the rows of the opponent's discs that it encloses; whoever cannot flip passes; most discs win.

A move is a cell (row, column), or None for a pass.
"""

import numpy as np

players = ("b", "w")
DIRECTIONS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]


def initial(size: int = 8):
    """The board, 0 for empty, 1 for Black and 2 for White, with four discs in the middle; Black moves first."""
    if size < 4 or size % 2:
        raise ValueError("size must be even, and 4 at least")
    board = np.zeros((size, size), int)
    middle = size // 2
    board[middle - 1, middle] = board[middle, middle - 1] = 1
    board[middle - 1, middle - 1] = board[middle, middle] = 2
    return board, 0


def flipped(board, cell, player):
    """The cells of the discs that a disc of the player would flip there."""
    found = []
    for down, right in DIRECTIONS:
        row, column = cell[0] + down, cell[1] + right
        line = []
        while 0 <= row < len(board) and 0 <= column < len(board) and board[row, column] == 2 - player:
            line.append((row, column))
            row, column = row + down, column + right
        if 0 <= row < len(board) and 0 <= column < len(board) and board[row, column] == player + 1:
            found += line
    return found


def places(board, player):
    """The empty cells where a disc of the player flips others."""
    return [cell for cell in map(tuple, np.argwhere(board == 0).tolist()) if flipped(board, cell, player)]


def legal_moves(state):
    """The cells where discs are flipped, else a pass."""
    return places(*state) or [None]


def play(state, move):
    """The state after a move."""
    board, player = state
    if move is not None:
        board, lines = board.copy(), flipped(board, move, player)
        for cell in [move, *lines]:
            board[cell] = player + 1
    return board, 1 - player


def result(state):
    """Once neither player can flip a disc: the player with more discs, or "draw"; None before."""
    board, player = state
    if places(board, player) or places(board, 1 - player):
        return None
    lead = np.sum(board == 1) - np.sum(board == 2)
    return "draw" if lead == 0 else int(lead < 0)
