"""What a move does to the chains beside it: atari, capture, escape, self-atari, patterns; vital points of eyes."""

from jit import U64, jit, random_below  # first: it decides where compiled code is kept

# isort: split
from go.rules import (
    BOTH,
    CHAIN,
    EMPTY,
    LIBERTIES,
    LINK,
    NOWHERE,
    OFF,
    ONE,
    PASS,
    REGION,
    STRIDE,
    TWO,
    ZERO,
    is_atari,
    is_last_liberty,
    liberties_at,
    only_liberty,
    weight,
)

LARGEST_NAKADE = U64(6)


@jit(inline="always")
def _own_liberties(state, q, colour, head1, head2, head3):
    """What the chain of the neighbour q adds to the liberties of a new stone of that colour, unless it was counted."""
    if state[q] != colour:
        return ZERO
    head = state[CHAIN + q]
    if head == head1 or head == head2 or head == head3:
        return ZERO
    return state[LIBERTIES + head]


@jit(inline="always")
def _head(state, q, colour):
    return state[CHAIN + q] if state[q] == colour else NOWHERE


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
        if state[q] == EMPTY:
            total += weight(q)
        elif state[q] == colour:
            total -= lost
    return total


@jit
def captures(state, p, colour):
    """Whether a stone of that colour on p captures something."""
    enemy = BOTH - colour
    for q in (p - STRIDE, p - ONE, p + ONE, p + STRIDE):
        if state[q] == enemy and is_last_liberty(state, p, q):
            return True
    return False


@jit
def is_self_atari(state, p, colour):
    """Whether a stone of that colour on p captures nothing and leaves its chain one liberty at most."""
    a, b, c, d = p - STRIDE, p - ONE, p + ONE, p + STRIDE
    empty = U64(state[a] == EMPTY) + U64(state[b] == EMPTY) + U64(state[c] == EMPTY) + U64(state[d] == EMPTY)
    return empty < TWO and is_atari(liberties_after(state, p, colour)) and not captures(state, p, colour)


@jit(inline="always")
def surroundings(state, p):
    """The colours of the eight neighbours of p in two bits each, from the top left along the rows; uint64."""
    up, down = p - STRIDE, p + STRIDE
    code = state[up - ONE] | state[up] << TWO | state[up + ONE] << U64(4) | state[p - ONE] << U64(6)
    code |= state[p + ONE] << U64(8) | state[down - ONE] << U64(10) | state[down] << U64(12)
    return code | state[down + ONE] << U64(14)


@jit(inline="always")
def matches_pattern(kernel, state, p):
    """Whether the shape around p, which is empty, is a pattern of `patterns.py`."""
    return kernel.patterns[surroundings(state, p)] != 0


@jit
def capture_beside(state, stone, rng):
    """A point on which the opponent of a chain in atari would be captured by it, at random, or PASS.

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
def _region(state, p):
    """Collect the empty points around p from state[REGION] on, seven at most; returns how many, 0 if both border it."""
    state[REGION] = p
    count, done, border = ONE, ZERO, ZERO
    while done < count:
        here = state[REGION + done]
        done += ONE
        for q in (here - STRIDE, here - ONE, here + ONE, here + STRIDE):
            colour = state[q]
            if colour == OFF:
                continue
            if colour != EMPTY:
                border |= colour
                if border == BOTH:
                    return ZERO
                continue
            known = False
            for i in range(count):
                known |= state[REGION + U64(i)] == q
            if not known:
                state[REGION + count] = q
                count += ONE
                if count > LARGEST_NAKADE:
                    return count
    return count


@jit
def vital_point(state, p):
    """The point of the empty region around p whose owner decides whether it is one eye or two; PASS if there is none.

    The region is bordered by one colour only, and is of three to six points in a shape that one stone reduces to one
    eye: three in any form, the pyramid four, the crossed and the bulky five, the rabbity six.
    """
    count = _region(state, p)
    if count < U64(3) or count > LARGEST_NAKADE:
        return PASS
    best, most, degrees = PASS, ZERO, ZERO
    for i in range(count):
        here = state[REGION + U64(i)]
        degree = ZERO
        for q in (here - STRIDE, here - ONE, here + ONE, here + STRIDE):
            degree += U64(state[q] == EMPTY)
        degrees += degree
        if degree > most:
            best, most = here, degree
    edges = degrees >> ONE
    star = most == count - ONE  # three, pyramid, cross
    square_with_tails = (count == U64(5) or count == U64(6)) and edges == count and most == count - TWO
    return best if star or square_with_tails else PASS
