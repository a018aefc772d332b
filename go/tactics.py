"""What a move does to the chains beside it: atari, escape, self-atari, patterns; vital points of eyes."""

from jit import U64, jit, popcount, random_below  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from go.chains import (
    colours_beside,
    empty_around,
    empty_beside,
    is_atari,
    liberties_at,
    only_liberty,
    weight,
    word_if,
)
from go.layout import AROUND, BOTH, CHAIN, EMPTY, LIBERTIES, LINK, NOWHERE, ONE, PASS, REGION, STRIDE, TWO, ZERO
from go.patterns import LARGEST_EYE, PATTERN, SMALL_EYE
from go.rules import captures

LARGEST_NAKADE = U64(LARGEST_EYE)
_PATTERN, _SMALL_EYE = np.uint8(PATTERN), np.uint8(SMALL_EYE)


@jit(inline="always")
def _own_liberties(state, q, colour, head1, head2, head3):
    """What the chain of the neighbour q adds to the liberties of a new stone of that colour, unless it was counted."""
    head = state[CHAIN + q]
    is_new = (state[q] == colour) & (head != head1) & (head != head2) & (head != head3)
    return word_if(is_new, state[LIBERTIES + head])


@jit(inline="always")
def _head(state, q, colour):
    return word_if(state[q] == colour, state[CHAIN + q])


@jit
def liberties_after(state, p, colour):
    """The word of liberties of the chain that a stone of that colour on p would belong to, captures not counted."""
    a, b, c, d = p - STRIDE, p - ONE, p + ONE, p + STRIDE
    heads = (_head(state, a, colour), _head(state, b, colour), _head(state, c, colour))
    total = _own_liberties(state, a, colour, NOWHERE, NOWHERE, NOWHERE)
    total += _own_liberties(state, b, colour, heads[0], NOWHERE, NOWHERE)
    total += _own_liberties(state, c, colour, heads[0], heads[1], NOWHERE)
    total += _own_liberties(state, d, colour, heads[0], heads[1], heads[2])
    lost = weight(p)
    for q in (a, b, c, d):
        total += word_if(state[q] == EMPTY, weight(q)) - word_if(state[q] == colour, lost)
    return total


@jit
def is_self_atari(state, p, colour):
    """Whether a stone of that colour on p captures nothing and leaves its chain one liberty at most."""
    if popcount(empty_beside(state, p)) >= TWO:
        return False
    return is_atari(liberties_after(state, p, colour)) and not captures(state, p, colour)


@jit(inline="always")
def matches_pattern(kernel, state, p):
    """Whether the shape around p, which is empty, is a pattern of `patterns.py`."""
    return kernel.shapes[state[AROUND + p]] & _PATTERN != 0


@jit
def capture_beside(state, stone, rng):
    """A random one of the points where a chain in atari captures an opposing chain beside it, or PASS.

    `stone` is any stone of the chain.
    """
    enemy = BOTH - state[stone]
    chosen, found = PASS, ZERO
    s = stone
    while True:
        for q in (s - STRIDE, s - ONE, s + ONE, s + STRIDE):
            if state[q] == enemy and is_atari(liberties_at(state, q)):
                found += ONE
                if random_below(rng, found) == ZERO:
                    chosen = only_liberty(liberties_at(state, q))
        s = state[LINK + s]
        if s == stone:
            return chosen


# --- Small eyes -----------------------------------------------------------------------------------------------------


@jit
def shapes_around(kernel, state, p):
    """A word like those of AROUND: for each empty point around p, its bits PATTERN and SMALL_EYE, else 0.

    These say what `matches_pattern` and `may_be_small_eye` say; all are looked up without a branch.
    """
    up, here, down = AROUND + p - STRIDE, AROUND + p, AROUND + p + STRIDE
    table, found = kernel.shapes, ZERO
    found |= U64(table[state[up - ONE]])
    found |= U64(table[state[up]]) << TWO
    found |= U64(table[state[up + ONE]]) << U64(4)
    found |= U64(table[state[here - ONE]]) << U64(6)
    found |= U64(table[state[here + ONE]]) << U64(8)
    found |= U64(table[state[down - ONE]]) << U64(10)
    found |= U64(table[state[down]]) << U64(12)
    found |= U64(table[state[down + ONE]]) << U64(14)
    empty = empty_around(state, p)
    return found & (empty | empty << ONE)


@jit(inline="always")
def may_be_small_eye(kernel, state, p):
    """Whether the eight points around p, which is empty, allow its region to be an eye with a vital point.

    If not, the region has none: these points alone show that it is too large or too small, or that both colours are
    beside it.
    """
    return kernel.shapes[state[AROUND + p]] & _SMALL_EYE != 0


@jit
def _region(kernel, state, p):
    """Collect the points of the empty region of p from state[REGION] on; returns how many.

    Returns 0 as soon as the region cannot have a vital point: for most regions at the first or second point.
    """
    state[REGION] = p
    count, done, border = ONE, ZERO, ZERO
    while done < count:
        here = state[REGION + done]
        done += ONE
        border |= colours_beside(state, here)
        if border == BOTH or not may_be_small_eye(kernel, state, here):
            return ZERO
        for q in (here - STRIDE, here - ONE, here + ONE, here + STRIDE):
            if state[q] != EMPTY:
                continue
            known = False
            for i in range(count):
                known |= state[REGION + U64(i)] == q
            if not known:
                if count == LARGEST_NAKADE:
                    return ZERO
                state[REGION + count] = q
                count += ONE
    return count


@jit
def vital_point(kernel, state, p):
    """The vital point of the empty region around p, where the next stone decides between one eye and two, or PASS.

    The region is bordered by one colour only, and has three to six points in a shape that one stone reduces to one
    eye: three in any form, the pyramid four, the crossed and the bulky five, the rabbity six.
    """
    count = _region(kernel, state, p)
    if count < U64(3):
        return PASS
    best, most, degrees = PASS, ZERO, ZERO
    for i in range(count):
        here = state[REGION + U64(i)]
        degree = popcount(empty_beside(state, here))
        degrees += degree
        if degree > most:
            best, most = here, degree
    edges = degrees >> ONE
    star = most == count - ONE  # three, pyramid, cross
    square_with_tails = (count == U64(5) or count == U64(6)) and edges == count and most == count - TWO
    return best if star or square_with_tails else PASS
