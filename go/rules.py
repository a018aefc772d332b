"""The rules of Go: moves, captures, ko, suicide, eyes; positions set up, copied and hashed. See `layout.py`."""

from jit import U64, jit, popcount  # first: it decides where compiled code is kept

# isort: split
from go.chains import (
    COUNT_MASK,
    add_to_empties,
    empty_beside,
    is_last_liberty,
    liberties_at,
    only_liberty,
    put,
    surroundings,
)
from go.layout import (
    AREA,
    AROUND,
    BANNED,
    BANNED_COUNT,
    BESIDE,
    BLACK,
    BOTH,
    CHAIN,
    EMPTY,
    EVERYWHERE,
    KO,
    LAST,
    LIBERTIES,
    NOWHERE,
    OFF,
    ONE,
    PASS,
    PASSES,
    SIZE,
    STRIDE,
    TAKEN,
    TO_MOVE,
    TWO,
    ZERO,
)

CAPTURES = U64(0)  # in place of a board in `legal_points`: the move takes stones off it

_DIAGONAL = EVERYWHERE ^ BESIDE


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
    """Whether q, not empty, gives a stone on p a liberty: an own chain with another one, or an enemy captured by it."""
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
def captures(state, p, colour):
    """Whether a stone of that colour on p captures something."""
    enemy = BOTH - colour
    for q in (p - STRIDE, p - ONE, p + ONE, p + STRIDE):
        if state[q] == enemy and is_last_liberty(state, p, q):
            return True
    return False


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
        add_to_empties(state, p)
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
def legal_points(kernel, state, points, boards):
    """Write the points that are legal by the simple rules, and the boards that they lead to; returns how many.

    Both are uint64[size * size]; a board is its `board_hash`, or CAPTURES if the move captures stones.
    """
    colour, board, count = state[TO_MOVE], board_hash(kernel, state), 0
    for i in range(len(kernel.points)):
        p = kernel.points[i]
        if state[p] == EMPTY and is_legal(state, p):
            points[count] = p
            boards[count] = CAPTURES if captures(state, p, colour) else board ^ kernel.zobrist[colour, p]
            count += 1
    return count
