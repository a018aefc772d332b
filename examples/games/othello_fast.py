"""Othello in compiled code, on bits; the same game as othello.py, thousands of times as fast.

A state is uint64[3]: the discs of Black and of White, bit 8 * row + column, then the player to move.
"""

import numpy as np

from jit import U64, jit, lowest_bit, popcount

players = ("b", "w")
cells, PASS = (8, 8), 64  # a move is the number of a cell, or a pass
most_moves = 33  # there are never more places for a disc
PLACES = np.arange(64, dtype=np.uint64).reshape(cells)  # the bit of each cell
INNER = U64(0x7E7E7E7E7E7E7E7E)  # the columns between the first and the last: no line goes on over the edge


def initial():
    """Four discs in the middle, Black to move."""
    return np.array([1 << 28 | 1 << 35, 1 << 27 | 1 << 36, 0], np.uint64)


@jit(inline="always")
def beyond(begin, between, step):
    """The discs of `between` in unbroken lines from `begin` on, in steps of so many bits: forwards and backwards."""
    if step != U64(8):
        between &= INNER
    up, down = between & begin << step, between & begin >> step
    for _ in range(5):
        up |= between & up << step
        down |= between & down >> step
    return up, down


@jit(inline="always")
def places(mine, theirs):
    """The empty cells at the ends of lines of their discs that begin beside a disc of mine."""
    found = U64(0)
    for step in (U64(1), U64(7), U64(8), U64(9)):
        up, down = beyond(mine, theirs, step)
        found |= up << step | down >> step
    return found & ~(mine | theirs)


@jit
def legal(state, found):
    """Write the cells where discs are flipped, else a pass; return how many there are."""
    left, count = places(state[state[2]], state[U64(1) - state[2]]), 0
    while left != U64(0):
        found[count] = lowest_bit(left)
        left &= left - U64(1)
        count += 1
    if count == 0:
        found[0] = PASS
    return max(count, 1)


@jit
def apply(state, move):
    """Put a disc down, and flip the lines that end at another disc of the player."""
    player, other = state[2], U64(1) - state[2]
    state[2] = other
    if move == PASS:
        return
    disc, changed = U64(1) << U64(move), U64(0)
    for step in (U64(1), U64(7), U64(8), U64(9)):
        up, down = beyond(disc, state[other], step)
        changed |= up if up << step & state[player] != U64(0) else U64(0)
        changed |= down if down >> step & state[player] != U64(0) else U64(0)
    state[player] |= changed | disc
    state[other] &= ~changed


@jit
def result(state):
    """-1 while a player can flip a disc, then the player with more discs, or 2 for a draw."""
    if places(state[0], state[1]) | places(state[1], state[0]) != U64(0):
        return -1
    first, second = popcount(state[0]), popcount(state[1])
    return 2 if first == second else 0 if first > second else 1


def grid(state):
    """The board as rows and columns: 0 empty, 1 Black, 2 White."""
    return (state[0] >> PLACES & 1) + 2 * (state[1] >> PLACES & 1)


def from_grid(board, player):
    """The state with this board and player to move."""
    bits = U64(1) << PLACES
    return np.array([bits[board == 1].sum(), bits[board == 2].sum(), player], np.uint64)
