"""Exact margins of Kalah, found by alpha-beta with null windows (MTD(f), Plaat 1996).

The value of a position is the stones that the player to move gains from now on, less those that the other player gains.
Stones that are in the stores do not matter, so the table knows a position by its pits alone.
"""

from typing import NamedTuple

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from mancala import rules
from mancala.game import Kalah

_MULTIPLIER = U64(0xD1342543DE82EF95)
_HALF = U64(32)
_INFINITY = 999


class Table(NamedTuple):
    """A transposition table; all arrays but `nodes` have the same length n, a power of two.

    Attributes:
        own, other: uint64[n], the pits of an entry's position; 0 and 0 where there is no entry.
        lower, upper: int16[n], bounds of the position's value.
        best: int8[n], the pit that was best or caused a cutoff the last time.
        nodes: int64[1], the number of positions that were entered.
    """

    own: np.ndarray
    other: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    best: np.ndarray
    nodes: np.ndarray


def make_table(bits: int) -> Table:
    size = 1 << bits
    words = np.zeros(size, np.uint64), np.zeros(size, np.uint64)
    bounds = np.zeros(size, np.int16), np.zeros(size, np.int16)
    return Table(*words, *bounds, np.zeros(size, np.int8), np.zeros(1, np.int64))


@jit
def _slot(table, own, other):
    key = (own + U64(0x9E3779B97F4A7C15)) * _MULTIPLIER
    key = ((key ^ key >> _HALF) + other) * _MULTIPLIER
    return np.int64((key ^ key >> _HALF) & U64(len(table.own) - 1))


@jit
def _stones(kernel, side):
    return np.int64(rules.all_of(kernel, side, U64(0)))


@jit
def _after(kernel, own, other, pit):
    """Both sides' pits after a move, what the player gained, and whether the same player moves again.

    If the move ends the game, the gain counts the stones left in the own pits, less the other's, and no pit has stones.
    """
    shift = pit * kernel.width
    stones = rules.stones_at(kernel, own, U64(0), shift)
    mine, _, theirs, _, again = rules.sow(kernel, own, U64(0), other, U64(0), shift, stones)
    gain = np.int64(mine >> kernel.store)
    mine &= kernel.in_pits
    if mine == U64(0) or theirs == U64(0):
        return U64(0), U64(0), gain + _stones(kernel, mine) - _stones(kernel, theirs), again
    return mine, theirs, gain, again


@jit
def _order(kernel, own, other, best, order, scores):
    """Write the legal pits into `order`, the most promising first; returns how many there are."""
    count = 0
    for pit in range(kernel.pits):
        if rules.stones_at(kernel, own, U64(0), U64(pit) * kernel.width) == U64(0):
            continue
        _, _, gain, again = _after(kernel, own, other, U64(pit))
        score = 1000 * (pit == best) + 4 * gain + 6 * again + pit
        place = count
        while place > 0 and scores[place - 1] < score:
            order[place], scores[place] = order[place - 1], scores[place - 1]
            place -= 1
        order[place], scores[place] = pit, score
        count += 1
    return count


@jit
def _exceeds(kernel, table, orders, scores, own, other, bound, depth):
    """Whether the value of a position for the player to move is more than `bound`."""
    left = _stones(kernel, own) + _stones(kernel, other)
    if bound >= left or bound < -left:
        return bound < -left
    table.nodes[0] += 1
    slot, best = _slot(table, own, other), np.int64(-1)
    if table.own[slot] == own and table.other[slot] == other:
        if table.lower[slot] > bound or table.upper[slot] <= bound:
            return table.lower[slot] > bound
        best = np.int64(table.best[slot])
    count = _order(kernel, own, other, best, orders[depth], scores[depth])
    found, exceeds = np.int64(orders[depth, 0]), False
    for i in range(count):
        pit = orders[depth, i]
        mine, theirs, gain, again = _after(kernel, own, other, U64(pit))
        if mine == U64(0) and theirs == U64(0):
            exceeds = gain > bound
        elif again:
            exceeds = _exceeds(kernel, table, orders, scores, mine, theirs, bound - gain, depth + 1)
        else:  # gain - value > bound, where value is the other player's
            exceeds = not _exceeds(kernel, table, orders, scores, theirs, mine, gain - bound - 1, depth + 1)
        if exceeds:
            found = np.int64(pit)
            break
    if table.own[slot] != own or table.other[slot] != other:
        table.own[slot], table.other[slot] = own, other
        table.lower[slot], table.upper[slot] = -_INFINITY, _INFINITY
    if exceeds:
        table.lower[slot] = bound + 1
    else:
        table.upper[slot] = bound
    table.best[slot] = found
    return exceeds


def margin(game: Kalah, position, table_bits: int = 22) -> int:
    """The first player's lead at the end, if both play perfectly from a position; narrow boards only.

    The arrays of the recursion are deeper than any game with so many stones.
    """
    kernel, table = game.kernel, make_table(table_bits)
    own, _, other, _ = rules.read(kernel, game.state(position))
    lead = int(own >> kernel.store) - int(other >> kernel.store)
    pits = U64(own & kernel.in_pits), U64(other & kernel.in_pits)
    deepest = 4 * int(kernel.all_stones)
    space = np.zeros((deepest, game.pits), np.int64), np.zeros((deepest, game.pits), np.int64)
    low, high = -int(kernel.all_stones), int(kernel.all_stones)  # low <= value <= high
    guess = 0
    while low < high:
        if bool(_exceeds(kernel, table, *space, *pits, guess, 0)):
            low = guess + 1
        else:
            high = guess
        guess = max(low, min(high - 1, guess + (2 if low > guess else -2)))
    return (low + lead) * (1 if position.to_move == 0 else -1)
