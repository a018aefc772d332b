"""Noughts and crosses: three in a row win."""

import numpy as np


def initial():
    return np.zeros((3, 3), int), 0


def legal_moves(state):
    board, _ = state
    return [(row, column) for row, column in np.argwhere(board == 0)]


def play(state, cell):
    board, player = state
    board = board.copy()
    board[cell] = player + 1
    return board, 1 - player


def result(state):
    """None while the game is open, then the winner, 0 or 1, or "draw"."""
    board, _ = state
    for winner in (0, 1):
        own = board == winner + 1
        if own.all(0).any() or own.all(1).any() or own.diagonal().all() or own[:, ::-1].diagonal().all():
            return winner
    return None if (board == 0).any() else "draw"
