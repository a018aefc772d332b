"""Chains of stones and their liberties: what is beside a point, and stones that come and go. See `layout.py`."""

from jit import U64, jit, lowest_bit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from go.layout import (
    AROUND,
    BESIDE,
    BLACK,
    BOTH,
    CHAIN,
    EMPTIES,
    EMPTY,
    EMPTY_COUNT,
    EVERYWHERE,
    LIBERTIES,
    LINK,
    ONE,
    SIZE,
    STRIDE,
    TWO,
    WHITE,
    ZERO,
)
from go.tables import STRIDE as _STRIDE

_SUM_SHIFT, _SQUARE_SHIFT = U64(12), U64(34)
COUNT_MASK = U64((1 << 12) - 1)
_SUM_MASK = U64((1 << 22) - 1)
_ROWS_AND_COLUMNS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
_STEPS = np.array([_STRIDE * row + column for row, column in _ROWS_AND_COLUMNS], np.int64).view(np.uint64)


# --- Liberties ------------------------------------------------------------------------------------------------------


@jit(inline="always")
def weight(p):
    """What a liberty at p adds to a word of liberties."""
    return p * p << _SQUARE_SHIFT | p << _SUM_SHIFT | ONE


@jit(inline="always")
def is_atari(liberties):
    """Whether all liberties in a word of liberties are the same point, or there are none."""
    total = liberties >> _SUM_SHIFT & _SUM_MASK
    return (liberties & COUNT_MASK) * (liberties >> _SQUARE_SHIFT) == total * total


@jit(inline="always")
def only_liberty(liberties):
    """The point of the liberties of a chain in atari."""
    return (liberties >> _SUM_SHIFT & _SUM_MASK) // (liberties & COUNT_MASK)


@jit(inline="always")
def liberties_at(state, p):
    """The word of liberties of the chain with a stone on p."""
    return state[LIBERTIES + state[CHAIN + p]]


@jit(inline="always")
def is_last_liberty(state, p, q):
    """Whether p, which is empty and beside the stone on q, is the only liberty of that stone's chain."""
    liberties = liberties_at(state, q)
    return liberties == (liberties & COUNT_MASK) * weight(p)


# --- Neighbours -----------------------------------------------------------------------------------------------------


@jit(inline="always")
def surroundings(state, p):
    """The word of AROUND for p, read from the points themselves."""
    up, down = p - STRIDE, p + STRIDE
    word = state[up - ONE] | state[up] << TWO | state[up + ONE] << U64(4) | state[p - ONE] << U64(6)
    word |= state[p + ONE] << U64(8) | state[down - ONE] << U64(10) | state[down] << U64(12)
    return word | state[down + ONE] << U64(14)


@jit(inline="always")
def _flip_around(state, p, colour):
    """Write a stone of that colour on p into the words of its eight neighbours, or take it out again."""
    up, here, down = AROUND + p - STRIDE, AROUND + p, AROUND + p + STRIDE
    state[up - ONE] ^= colour << U64(14)
    state[up] ^= colour << U64(12)
    state[up + ONE] ^= colour << U64(10)
    state[here - ONE] ^= colour << U64(8)
    state[here + ONE] ^= colour << U64(6)
    state[down - ONE] ^= colour << U64(4)
    state[down] ^= colour << TWO
    state[down + ONE] ^= colour


@jit(inline="always")
def empty_around(state, p):
    """A word like those of AROUND: the lower bit is set for each of the eight neighbours of p that is empty."""
    around = state[AROUND + p]
    return ~(around | around >> ONE) & EVERYWHERE


@jit(inline="always")
def neighbour(p, places):
    """The neighbour of p to which the lowest bit of a word like that of `empty_around` belongs."""
    return p + _STEPS[lowest_bit(places) >> ONE]


@jit(inline="always")
def empty_beside(state, p):
    """As `empty_around`, but for the four neighbours beside p only."""
    return empty_around(state, p) & BESIDE


@jit(inline="always")
def colours_beside(state, p):
    """The colours of the stones on the four points beside p: BLACK, WHITE, BOTH, or EMPTY for none."""
    around = state[AROUND + p]
    black, white = around & BESIDE, around >> ONE & BESIDE
    off = black & white
    return U64(black != off) | U64(white != off) << ONE


# --- Stones ---------------------------------------------------------------------------------------------------------


@jit
def _take_from_empties(state, p):
    count = state[EMPTY_COUNT] - ONE
    state[EMPTY_COUNT] = count
    last, index = state[EMPTIES + count], state[LINK + p]
    state[EMPTIES + index] = last
    state[LINK + last] = index


@jit(inline="always")
def add_to_empties(state, p):
    count = state[EMPTY_COUNT]
    state[EMPTIES + count] = p
    state[LINK + p] = count
    state[EMPTY_COUNT] = count + ONE


@jit(inline="always")
def word_if(condition, word):
    """The word if the condition holds, else 0; compiled without a branch, since the word is known already."""
    return word if condition else ZERO


@jit(inline="always")
def _is_stone(colour):
    return (colour == BLACK) | (colour == WHITE)


@jit(inline="always")
def _adjoin(state, p_weight, q):
    """Take a liberty of that weight from the chain on q, if any; returns the weight of q if q is empty, else 0."""
    colour = state[q]
    state[LIBERTIES + state[CHAIN + q]] -= word_if(_is_stone(colour), p_weight)
    return word_if(colour == EMPTY, weight(q))


@jit
def _merge(state, head, other):
    """Make one chain of two; returns its head, which is that of the larger one."""
    if state[SIZE + head] < state[SIZE + other]:
        head, other = other, head
    state[SIZE + head] += state[SIZE + other]
    state[LIBERTIES + head] += state[LIBERTIES + other]
    stone = other
    while True:
        state[CHAIN + stone] = head
        stone = state[LINK + stone]
        if stone == other:
            break
    state[LINK + head], state[LINK + other] = state[LINK + other], state[LINK + head]
    return head


@jit(inline="always")
def _join(state, head, q, colour):
    if state[q] == colour and state[CHAIN + q] != head:
        return _merge(state, head, state[CHAIN + q])
    return head


@jit(inline="always")
def _give_liberty(state, p_weight, q):
    state[LIBERTIES + state[CHAIN + q]] += word_if(_is_stone(state[q]), p_weight)


@jit
def _remove(state, head):
    """Take a chain off the board; returns how many stones it had."""
    stone = head
    while True:
        next_stone = state[LINK + stone]
        _flip_around(state, stone, state[stone])
        state[stone] = EMPTY
        add_to_empties(state, stone)
        stone_weight = weight(stone)
        _give_liberty(state, stone_weight, stone - STRIDE)
        _give_liberty(state, stone_weight, stone - ONE)
        _give_liberty(state, stone_weight, stone + ONE)
        _give_liberty(state, stone_weight, stone + STRIDE)
        stone = next_stone
        if stone == head:
            return state[SIZE + head]


@jit(inline="always")
def _is_lost(state, q, enemy):
    """Whether there is a stone of the enemy on q whose chain has no liberty."""
    return (state[q] == enemy) & (liberties_at(state, q) == ZERO)


@jit(inline="always")
def _capture(state, q, enemy):
    if _is_lost(state, q, enemy):
        return _remove(state, state[CHAIN + q])
    return ZERO


@jit
def put(state, p, colour):
    """Put a stone on p, which is empty, and take what it captures off; returns the number of stones captured."""
    _take_from_empties(state, p)
    state[p] = colour
    _flip_around(state, p, colour)
    state[CHAIN + p] = p
    state[LINK + p] = p
    state[SIZE + p] = ONE
    own = weight(p)
    liberties = _adjoin(state, own, p - STRIDE)
    liberties += _adjoin(state, own, p - ONE)
    liberties += _adjoin(state, own, p + ONE)
    liberties += _adjoin(state, own, p + STRIDE)
    state[LIBERTIES + p] = liberties
    head = _join(state, p, p - STRIDE, colour)
    head = _join(state, head, p - ONE, colour)
    head = _join(state, head, p + ONE, colour)
    _join(state, head, p + STRIDE, colour)
    enemy = BOTH - colour
    lost = _is_lost(state, p - STRIDE, enemy) | _is_lost(state, p - ONE, enemy)
    lost |= _is_lost(state, p + ONE, enemy) | _is_lost(state, p + STRIDE, enemy)
    if not lost:
        return ZERO
    captured = _capture(state, p - STRIDE, enemy)
    captured += _capture(state, p - ONE, enemy)
    captured += _capture(state, p + ONE, enemy)
    return captured + _capture(state, p + STRIDE, enemy)
