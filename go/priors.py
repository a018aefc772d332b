"""The first opinion of a move: simulations that it is credited with before any was made.

Kinds and weights follow what Gelly & Silver (2011), Pachi (Baudis & Gailly 2012) and Michi give: captures and escapes,
patterns, self-atari, the neighbourhood of the last move, the border of an empty board.
"""

from jit import U64, jit  # first: it decides where compiled code is kept

# isort: split
from game import AMAF_MOVE_BITS, PRIOR_BITS
from go.chains import is_atari, is_last_liberty, liberties_at
from go.layout import BOTH, CHAIN, EMPTY, LAST, NOWHERE, ONE, SIZE, STRIDE, TO_MOVE, TWO, ZERO
from go.tactics import is_self_atari, liberties_after, matches_pattern

_VISIT_SHIFT, _SCORE_SHIFT = U64(AMAF_MOVE_BITS), U64(AMAF_MOVE_BITS + PRIOR_BITS)
_WIN = U64(16)  # a won simulation, as scores are counted

# Simulations won (or, where it says so, lost) that a reason is worth.
CAPTURE_ONE, CAPTURE_MORE, ESCAPE = U64(15), U64(30), U64(15)
PATTERN, SELF_ATARI, BORDER, PASSING = U64(10), U64(10), U64(10), U64(10)
NEAR = (U64(0), U64(0), U64(24), U64(22), U64(8))  # by distance to the last move: |dx| + |dy| + max(|dx|, |dy|)


@jit(inline="always")
def _won(count):
    return count << _VISIT_SHIFT | count * _WIN << _SCORE_SHIFT


@jit(inline="always")
def _lost(count):
    return count << _VISIT_SHIFT


@jit(inline="always")
def _difference(a, b):
    return a - b if a > b else b - a


@jit
def _nearness(last, p):
    across = _difference(last % STRIDE, p % STRIDE)
    down = _difference(last // STRIDE, p // STRIDE)
    distance = across + down + max(across, down)
    return NEAR[distance] if distance < U64(len(NEAR)) else ZERO


@jit
def _rescue(state, p, colour):
    """What captures on p and an escape from p are worth."""
    total = ZERO
    saves = False
    for q in (p - STRIDE, p - ONE, p + ONE, p + STRIDE):
        if state[q] == BOTH - colour and is_last_liberty(state, p, q):
            total = max(total, CAPTURE_ONE if state[state[CHAIN + q] + SIZE] == ONE else CAPTURE_MORE)
        elif state[q] == colour and is_atari(liberties_at(state, q)):
            saves = True
    if saves and not is_atari(liberties_after(state, p, colour)):
        total += ESCAPE
    return total


@jit
def _line_and_emptiness(kernel, state, p):
    """The line that p is on, from 1 at the edge, and whether no stone is within three points across and down."""
    size = U64(kernel.size)
    row, column = p // STRIDE, p % STRIDE
    line = min(min(row, column), min(size + ONE - row, size + ONE - column))
    reach = U64(3)
    top, left = max(ONE, row - min(row, reach)), max(ONE, column - min(column, reach))
    for r in range(top, min(size, row + reach) + ONE):
        for c in range(left, min(size, column + reach) + ONE):
            if state[U64(r) * STRIDE + U64(c)] != EMPTY:
                return line, False
    return line, True


@jit
def prior_of(kernel, state, p):
    """The prior of the legal move p, as the bits of a payload's first word above the move."""
    colour = state[TO_MOVE]
    prior = _won(_rescue(state, p, colour))
    if matches_pattern(kernel, state, p):
        prior += _won(PATTERN)
    if is_self_atari(state, p, colour):
        prior += _lost(SELF_ATARI)
    if state[LAST] != NOWHERE:
        prior += _won(_nearness(state[LAST], p))
    line, alone = _line_and_emptiness(kernel, state, p)
    if alone and line <= TWO:
        prior += _lost(BORDER)
    elif alone and line == U64(3):
        prior += _won(BORDER)
    return prior


@jit(inline="always")
def prior_of_pass():
    """The prior of a pass."""
    return _lost(PASSING)
