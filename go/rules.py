"""The rules of Go on one array: stones, chains, liberties, captures, ko, the score.

A state is uint64[STATE_SIZE]. Six sections of AREA words are indexed by point, chain or position in a list:

    COLOUR + p       EMPTY, BLACK, WHITE, or OFF beyond the edge (COLOUR is 0: `state[p]` is the colour of p)
    CHAIN + p        the head of the chain that the stone on p belongs to: the point of one of its stones
    LINK + p         with a stone: the next stone of its chain, in a circle; empty: the index of p in the list of empty
                     points
    LIBERTIES + h    by the head of a chain, see below
    SIZE + h         by the head of a chain, its stones
    EMPTIES + i      the empty points, in no order
    AROUND + p       the colours of the eight neighbours of p in two bits each, from the top left along the rows

and some single words follow, from TO_MOVE on.

Liberties are pseudo-liberties: an empty point counts once for each stone of the chain beside it. One word holds the
number of them, the sum of their points and the sum of the points' squares; a stone or an empty point more is one
addition, a merger of two chains is one addition. A chain is in atari if all are the same point, which is when the
number times the sum of squares is the square of the sum (Cauchy and Schwarz).

The words of AROUND change with each stone that comes or goes, and are read far more often: whether a point is an eye,
has an empty point beside it, or matches a pattern is then a few operations on one word.

A playout makes choices that no processor can guess, and a wrong guess costs as much as twenty operations. So what is
cheap is computed for all neighbours, whatever is on them (`word_if`), and only what is rare is branched for. CHAIN of a
point without a stone is 0 or what it was, so that the words found through it may be read, and 0 may be added to them.

All words are uint64 and so is every index and constant here: numba makes a float of a uint64 and an int.
"""

from jit import U64, jit, lowest_bit, popcount  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from go.tables import AREA as _AREA
from go.tables import STRIDE as _STRIDE

EMPTY, BLACK, WHITE, OFF = U64(0), U64(1), U64(2), U64(3)  # OFF has the bits of both: it ends eyes as either colour
BOTH = U64(3)  # colour BOTH - c is the opponent of c
PASS = U64(0)
NOWHERE = U64(0)  # no ko, no last move

STRIDE, AREA = U64(_STRIDE), U64(_AREA)
CHAIN, LINK, LIBERTIES, SIZE, EMPTIES, AROUND = (U64(_AREA * section) for section in range(1, 7))
(
    TO_MOVE,  # BLACK or WHITE
    KO,  # the point that the player to move must not take back, or NOWHERE
    PASSES,  # passes in a row that led here
    EMPTY_COUNT,
    LAST,  # the point of the last move, NOWHERE for a pass or at the start
    TAKEN,  # stones captured by black
    TAKEN_BY_WHITE,
    KOMI,  # white's points for moving second, the bits of a float64
    BANNED_COUNT,  # moves that are forbidden at this very move for reasons beyond the board (superko)
) = (U64(_AREA * 7 + word) for word in range(9))
WORDS = 9  # from TO_MOVE on
REGION = BANNED_COUNT + U64(1)  # working space of `tactics.py`, seven words
BANNED = REGION + U64(7)  # the first of the banned moves; there are fewer than AREA
STATE_SIZE = int(BANNED) + _AREA

ZERO, ONE, TWO = U64(0), U64(1), U64(2)
_SUM_SHIFT, _SQUARE_SHIFT = U64(12), U64(34)
COUNT_MASK = U64((1 << 12) - 1)
_SUM_MASK = U64((1 << 22) - 1)
EVERYWHERE = U64(0x5555)  # of a word of AROUND: the lower bits of all eight neighbours
BESIDE = U64(1 << 2 | 1 << 6 | 1 << 8 | 1 << 12)  # of the four that are beside the point
_DIAGONAL = EVERYWHERE ^ BESIDE
_ROWS_AND_COLUMNS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
_STEPS = np.array([_STRIDE * row + column for row, column in _ROWS_AND_COLUMNS], np.int64).view(np.uint64)


# --- Liberties ------------------------------------------------------------------------------------------------------


@jit(inline="always")
def weight(p):
    """A liberty at p in a word of liberties."""
    return p * p << _SQUARE_SHIFT | p << _SUM_SHIFT | ONE


@jit(inline="always")
def is_atari(liberties):
    """Whether a word of liberties is about one point only (or none)."""
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
    """What AROUND has of p, read from the points themselves."""
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
    """A word with the lower bit of each of the eight neighbours of p that is empty."""
    around = state[AROUND + p]
    return ~(around | around >> ONE) & EVERYWHERE


@jit(inline="always")
def neighbour(p, places):
    """The neighbour of p that has the lowest bit of a word like that of `empty_around`."""
    return p + _STEPS[lowest_bit(places) >> ONE]


@jit(inline="always")
def empty_beside(state, p):
    """As `empty_around`, of the four neighbours that are beside p only."""
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
def _add_to_empties(state, p):
    count = state[EMPTY_COUNT]
    state[EMPTIES + count] = p
    state[LINK + p] = count
    state[EMPTY_COUNT] = count + ONE


@jit(inline="always")
def word_if(condition, word):
    """The word if the condition holds, else 0; compiled to a choice without a branch, since the word is known."""
    return word if condition else ZERO


@jit(inline="always")
def _is_stone(colour):
    return (colour == BLACK) | (colour == WHITE)


@jit(inline="always")
def _adjoin(state, p_weight, q):
    """Tell the neighbour q that a liberty with that weight is gone; returns the liberty that q is itself, or 0."""
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
        _add_to_empties(state, stone)
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


@jit
def play(state, p):
    """Play a legal move or PASS for the player to move."""
    colour = state[TO_MOVE]
    state[TO_MOVE] = BOTH - colour
    state[KO] = NOWHERE
    state[BANNED_COUNT] = ZERO
    state[LAST] = p
    if p == PASS:
        state[PASSES] += ONE
        return
    state[PASSES] = ZERO
    captured = put(state, p, colour)
    if captured > ZERO:
        state[TAKEN + colour - ONE] += captured
        # One stone for one: the capturing stone stands alone, and its only liberty is where the captured one stood.
        if captured == ONE and state[CHAIN + p] == p and state[SIZE + p] == ONE:
            liberties = state[LIBERTIES + p]
            if liberties & COUNT_MASK == ONE:
                state[KO] = only_liberty(liberties)


# --- Legality -------------------------------------------------------------------------------------------------------


@jit(inline="always")
def _lets_live(state, p, q, colour):
    """Whether the neighbour q, which is not empty, lets a stone on p have a liberty."""
    found = state[q]
    return (found != OFF) & (is_last_liberty(state, p, q) != (found == colour))


@jit
def is_suicide(state, p, colour):
    """Whether a stone of that colour on p, which is empty, would leave its own chain without liberties."""
    if empty_beside(state, p) != ZERO:
        return False
    lives = _lets_live(state, p, p - STRIDE, colour) | _lets_live(state, p, p - ONE, colour)
    lives |= _lets_live(state, p, p + ONE, colour) | _lets_live(state, p, p + STRIDE, colour)
    return not lives


@jit
def is_legal(state, p):
    """Whether the player to move may play p, which is empty: no suicide, no simple ko; superko is not looked at."""
    return p != state[KO] and not is_suicide(state, p, state[TO_MOVE])


@jit
def is_banned(state, p):
    """Whether a move (a point or PASS) is among those forbidden at this very move."""
    for i in range(state[BANNED_COUNT]):
        if state[BANNED + U64(i)] == p:
            return True
    return False


@jit
def is_own_eye(state, p, colour):
    """Whether p, which is empty, is a one-point eye of a colour.

    Its four neighbours are own stones or off the board, and at most one diagonal neighbour is the opponent's, none at
    the edge.
    """
    around = state[AROUND + p]
    if around >> TWO & around >> U64(6) & around >> U64(8) & around >> U64(12) & colour == ZERO:
        return False
    black, white = around & _DIAGONAL, around >> ONE & _DIAGONAL
    off = black & white
    spoilt = popcount((white if colour == BLACK else black) ^ off)
    return spoilt + U64(off != ZERO) < TWO


# --- The score ------------------------------------------------------------------------------------------------------


@jit
def paint_area(kernel, state, owner):
    """Write who owns each point into owner[0:AREA], as bits: BLACK, WHITE, or BOTH or EMPTY for nobody.

    A stone owns its point; empty points belong to whose stones they reach through empty points only.
    """
    points = kernel.points
    for i in range(len(points)):
        owner[points[i]] = state[points[i]]
    changed = True
    while changed:  # forwards and backwards over the board until nothing spreads any more: twice or so
        changed = False
        for turn in range(2):
            for i in range(len(points)):
                p = points[i] if turn == 0 else points[len(points) - 1 - i]
                if state[p] == EMPTY:
                    reached = owner[p]
                    for q in (p - STRIDE, p - ONE, p + ONE, p + STRIDE):
                        if state[q] != OFF:
                            reached |= owner[q]
                    if reached != owner[p]:
                        owner[p] = reached
                        changed = True


@jit(inline="always")
def points_for_black(owner):
    """What a point counts for black by its owner: 1, -1, or 0 for nobody's, as int64."""
    return np.int64(owner == BLACK) - np.int64(owner == WHITE)


@jit(allocates=True)
def area_score(kernel, state):
    """Black's area less white's, komi not counted, all stones on the board alive, as int64."""
    owner = np.zeros(_AREA, np.uint64)
    paint_area(kernel, state, owner)
    score = np.int64(0)
    for i in range(len(kernel.points)):
        score += points_for_black(owner[kernel.points[i]])
    return score


@jit(inline="always")
def owner_of(state, p):
    """Who owns a point where every empty one is beside stones: the colour of those, BOTH if they differ."""
    owner = state[p]
    if owner == EMPTY:
        for q in (p - STRIDE, p - ONE, p + ONE, p + STRIDE):
            if state[q] != OFF:
                owner |= state[q]
    return owner


@jit
def eye_score(kernel, state):
    """As `area_score` where every empty point is beside stones: of one colour, and belongs to it, or of both."""
    score = np.int64(0)
    for i in range(len(kernel.points)):
        score += points_for_black(owner_of(state, kernel.points[i]))
    return score


@jit(inline="always")
def komi_of(state):
    """Komi as float64."""
    return np.uint64(state[KOMI]).view(np.float64)


# --- Whole positions ------------------------------------------------------------------------------------------------


@jit
def clear(kernel, state):
    """Make `state` the empty board, black to move."""
    for i in range(len(state)):
        state[i] = ZERO
    for i in range(AREA):
        state[i] = OFF
    for i in range(len(kernel.points)):
        p = kernel.points[i]
        state[p] = EMPTY
        _add_to_empties(state, p)
    for i in range(len(kernel.points)):
        p = kernel.points[i]
        state[AROUND + p] = surroundings(state, p)
    state[TO_MOVE] = BLACK


@jit
def copy(kernel, state, root):
    """Make `state` a copy of `root`, of a board of this kernel's size."""
    end = (U64(kernel.size) + TWO) * STRIDE + ONE
    for section in range(7):
        start = U64(section) * AREA
        for i in range(start, start + end):
            state[i] = root[i]
    for i in range(TO_MOVE, BANNED + root[BANNED_COUNT]):
        state[i] = root[i]


@jit
def set_up(kernel, state, colours):
    """Make `state` the position with these stones (uint64[AREA], by point), black to move.

    Returns whether every chain has a liberty; if not, the state is not usable.
    """
    clear(kernel, state)
    for i in range(len(kernel.points)):
        p = kernel.points[i]
        if colours[p] != EMPTY and put(state, p, colours[p]) > ZERO:
            return False
    for i in range(len(kernel.points)):
        p = kernel.points[i]
        if state[p] != colours[p] or (state[p] != EMPTY and liberties_at(state, p) == ZERO):
            return False
    return True


@jit
def board_hash(kernel, state):
    """A number for the stones on the board (Zobrist 1970): uint64, the same for the same stones whoever is to move."""
    total = ZERO
    for i in range(len(kernel.points)):
        p = kernel.points[i]
        total ^= kernel.zobrist[state[p], p]
    return total


@jit
def repeats(kernel, state, scratch, p, history):
    """Whether the board after the legal move p is one of `history` (uint64[n], as `board_hash`)."""
    copy(kernel, scratch, state)
    play(scratch, p)
    after = board_hash(kernel, scratch)
    for i in range(len(history)):
        if history[i] == after:
            return True
    return False


@jit
def legal_points(kernel, state, scratch, history, legal, repeating):
    """Sort the points that are legal by the simple rules into those that repeat no board of `history` and the others.

    `legal` and `repeating` are uint64[size * size]; returns how many were written into each.
    """
    count, banned = 0, 0
    for i in range(len(kernel.points)):
        p = kernel.points[i]
        if state[p] == EMPTY and is_legal(state, p):
            if repeats(kernel, state, scratch, p, history):
                repeating[banned] = p
                banned += 1
            else:
                legal[count] = p
                count += 1
    return count, banned
