"""The rules of Pentago in compiled code: turns, lines, successors, playouts, evaluation.

A state is uint64[2]: the stones of the player to move, the stones of the other; see the package for the bits. A payload
is the state itself, with the move that led there in the upper bits of its first word:

    word 0: bits 0-35 stones of the player to move, bits 36-44 the last move; word 1: bits 0-35 stones of the other

Begin reading at `status`, then `successors`; the verbs of `game.py` get their bodies at the end.
"""

from jit import U64, jit, lowest_bit, pcg_output, pcg_step, popcount, select_bit  # first: it sets the compile cache

import numpy as np  # isort: skip

import game
from pentago.tables import MOVES, PentagoKernel

QUADRANT = U64(511)
FULL = U64((1 << 36) - 1)
MOVE_SHIFT = U64(36)
OUTSIDE = (FULL ^ QUADRANT, FULL ^ QUADRANT << U64(9), FULL ^ QUADRANT << U64(18), FULL ^ QUADRANT << U64(27))

# Five stones are on the board of the player who has moved after ply 9 at the earliest, when 27 cells are empty.
MOST_EMPTY_AT_END = U64(27)


@jit(inline="always")
def complete_lines(lines, stones):
    """The lines, a bit each, that a player's stones have complete."""
    return (
        lines[0, stones & QUADRANT]
        & lines[1, stones >> U64(9) & QUADRANT]
        & lines[2, stones >> U64(18) & QUADRANT]
        & lines[3, stones >> U64(27) & QUADRANT]
    )


@jit(inline="always")
def turned(turns, stones, quadrant, turn):
    """A player's stones after turn 0 or 1 of a quadrant."""
    shift = U64(9) * U64(quadrant)
    return (stones & ~(QUADRANT << shift)) | (U64(turns[turn, stones >> shift & QUADRANT]) << shift)


@jit(inline="always")
def flags_of(mover_has_line, other_has_line, full):
    """The outcome for the player to move, `other`, after a move, from who has a line and whether the board is full."""
    if mover_has_line:
        return game.DRAWN if other_has_line else game.LOST
    if other_has_line:
        return game.WON
    return game.DRAWN if full else game.OPEN


@jit
def status(kernel, to_move, other):
    """WON, LOST or DRAWN for the player to move, or OPEN, from the stones of both."""
    other_has_line = complete_lines(kernel.lines, other) != 0
    to_move_has_line = complete_lines(kernel.lines, to_move) != 0
    return flags_of(other_has_line, to_move_has_line, to_move | other == FULL)


@jit
def place_and_turn(kernel, to_move, other, move):
    """The stones of the player to move next and of the one who has moved, after a move on an empty cell."""
    placed = to_move | (U64(1) << U64(move >> 3))
    quadrant, turn = move >> 1 & 3, move & 1
    return turned(kernel.turns, other, quadrant, turn), turned(kernel.turns, placed, quadrant, turn)


# --- Foresight ------------------------------------------------------------------------------------------------------


@jit(inline="always")
def _pattern(stones, quadrant):
    return stones >> U64(9 * quadrant) & QUADRANT


@jit(inline="always")
def _either_near(lines_1, near_1, lines_2, near_2):
    """Lines of which exactly one cell is missing in two parts, from what is complete and near in each."""
    return near_1 & lines_2 | lines_1 & near_2


@jit(inline="always")
def _wins_by_turning(kernel, q, mine, theirs, complete, near, touched, their_complete):
    """Whether a stone and a turn of quadrant q win, given the lines as the three other quadrants have them."""
    mine_q, theirs_q = _pattern(mine, q), _pattern(theirs, q)
    for t in range(2):
        mine_t, theirs_t = U64(kernel.turns[t, mine_q]), U64(kernel.turns[t, theirs_q])
        lines_t = kernel.lines[q, mine_t]
        one_missing = _either_near(complete, near, lines_t, kernel.near[q, mine_t])
        free = one_missing & ~(touched | kernel.touched[q, theirs_t])
        if free | complete & lines_t != 0 and their_complete & kernel.lines[q, theirs_t] == 0:
            return True
    return False


@jit
def can_win_at_once(kernel, mine, theirs):
    """Whether the player to move has a winning move; an empty cell is assumed, and no line on the board.

    After some turn a line has its five stones, or four and a fifth cell that the opponent does not hold (the new
    stone came there with the turn), and the opponent has no line.
    """
    m0, m1, m2, m3 = _pattern(mine, 0), _pattern(mine, 1), _pattern(mine, 2), _pattern(mine, 3)
    o0, o1, o2, o3 = _pattern(theirs, 0), _pattern(theirs, 1), _pattern(theirs, 2), _pattern(theirs, 3)
    lines, near, touched = kernel.lines, kernel.near, kernel.touched
    c0, c1, c2, c3 = lines[0, m0], lines[1, m1], lines[2, m2], lines[3, m3]
    n0, n1, n2, n3 = near[0, m0], near[1, m1], near[2, m2], near[3, m3]
    b0, b1, b2, b3 = touched[0, o0], touched[1, o1], touched[2, o2], touched[3, o3]
    d0, d1, d2, d3 = lines[0, o0], lines[1, o1], lines[2, o2], lines[3, o3]
    c01, c23, n01, n23 = c0 & c1, c2 & c3, _either_near(c0, n0, c1, n1), _either_near(c2, n2, c3, n3)
    b01, b23, d01, d23 = b0 | b1, b2 | b3, d0 & d1, d2 & d3
    return (
        _wins_by_turning(kernel, 0, mine, theirs, c1 & c23, _either_near(c1, n1, c23, n23), b1 | b23, d1 & d23)
        or _wins_by_turning(kernel, 1, mine, theirs, c0 & c23, _either_near(c0, n0, c23, n23), b0 | b23, d0 & d23)
        or _wins_by_turning(kernel, 2, mine, theirs, c3 & c01, _either_near(c3, n3, c01, n01), b3 | b01, d3 & d01)
        or _wins_by_turning(kernel, 3, mine, theirs, c2 & c01, _either_near(c2, n2, c01, n01), b2 | b01, d2 & d01)
    )


@jit(inline="always")
def _foreseen(kernel, threatened, flags, next_theirs, next_mine):
    """The flags of a successor, with a win at once of the player to move there, where one is possible at all."""
    if threatened and flags == game.OPEN and can_win_at_once(kernel, next_theirs, next_mine):
        return game.WON | game.IMPLIED
    return flags


# --- Distinct successors --------------------------------------------------------------------------------------------
# A successor is written once although several moves may lead to it. Call the quadrant of the new stone s and the turned
# quadrant r. Two moves can meet only if both have the same s, and then either
#   - both turn the same r other than s, whose two turns have the same effect (write the first only); or
#   - both leave every other quadrant as it was: r = s, or r is a quadrant on which the turn has no effect ("idle").
# In the second case s ends as (turned pattern of the opponent, turned pattern with the new stone), so a mirrored stone
# repeats a rotated one where the opponent's patterns are equal and the mover's contains the rotated stones; likewise
# for a stone left in place.
#
# Foresight: a successor in which the next player wins at once is marked as won for them. Whether they can at all
# depends on the turn more than on the new stone, which can only spoil a win: so the turn is tested once without the
# stone, and only where that finds a win is each successor tested.


@jit
def _write_elsewhere(kernel, mine, theirs, full, payload0, payload1, stats, n):
    """The successors that turn another quadrant than the new stone's, and change it; returns the next free index."""
    turns, lines = kernel.turns, kernel.lines
    empty = FULL & ~(mine | theirs)
    for r in range(4):
        r_shift = U64(9) * U64(r)
        mine_r, theirs_r = mine >> r_shift & QUADRANT, theirs >> r_shift & QUADRANT
        same_effect = turns[0, mine_r] == turns[1, mine_r] and turns[0, theirs_r] == turns[1, theirs_r]
        for t in range(1 if same_effect else 2):
            if turns[t, mine_r] == mine_r and turns[t, theirs_r] == theirs_r:
                continue
            next_theirs = turned(turns, theirs, r, t)
            next_mine = turned(turns, mine, r, t)
            they_have_line = complete_lines(lines, next_theirs) != 0
            threatened = kernel.foresight and can_win_at_once(kernel, next_theirs, next_mine)
            rotation = U64(2 * r + t)
            for s in range(4):
                if s == r:
                    continue
                s_shift = U64(9) * U64(s)
                pattern = mine >> s_shift & QUADRANT
                others = next_mine | (QUADRANT << s_shift)  # as if the quadrant of the new stone broke no line
                open_lines = complete_lines(lines, others)
                left = empty >> s_shift & QUADRANT
                while left != U64(0):
                    bit = left & (~left + U64(1))
                    cell = s_shift + lowest_bit(left)
                    left ^= bit
                    payload0[n] = next_theirs | (cell << U64(3) | rotation) << MOVE_SHIFT
                    payload1[n] = next_mine | bit << s_shift
                    flags = flags_of(open_lines & lines[s, pattern | bit] != 0, they_have_line, full)
                    stats[n] = _foreseen(kernel, threatened, flags, next_theirs, next_mine | bit << s_shift)
                    n += 1
    return n


@jit
def _idle_turn(kernel, mine, theirs, s):
    """A turn (2 quadrant + turn) of another quadrant than s that has no effect, or -1."""
    for r in range(4):
        shift = U64(9) * U64(r)
        mine_r, theirs_r = mine >> shift & QUADRANT, theirs >> shift & QUADRANT
        for t in range(2):
            if r != s and kernel.turns[t, mine_r] == mine_r and kernel.turns[t, theirs_r] == theirs_r:
                return 2 * r + t
    return -1


@jit
def _write_inside(kernel, mine, theirs, full, payload0, payload1, stats, n):
    """The successors that change no quadrant but the new stone's; returns the next free index."""
    turns, lines = kernel.turns, kernel.lines
    empty = FULL & ~(mine | theirs)
    for s in range(4):
        shift = U64(9) * U64(s)
        free = empty >> shift & QUADRANT
        if free == U64(0):
            continue
        mine_s, theirs_s = mine >> shift & QUADRANT, theirs >> shift & QUADRANT
        my_open_lines = complete_lines(lines, mine | QUADRANT << shift)
        their_open_lines = complete_lines(lines, theirs | QUADRANT << shift)
        idle = _idle_turn(kernel, mine, theirs, s)
        for t in range(-1, 2):  # -1: the stone stays where it was put
            if t < 0 and idle < 0:
                continue
            rotation = U64(idle if t < 0 else 2 * s + t)
            next_theirs_s = theirs_s if t < 0 else U64(turns[t, theirs_s])
            next_theirs = theirs & ~(QUADRANT << shift) | next_theirs_s << shift
            they_have_line = their_open_lines & lines[s, next_theirs_s] != 0
            others = mine & ~(QUADRANT << shift)
            unplaced = others | (mine_s if t < 0 else U64(turns[t, mine_s])) << shift
            threatened = kernel.foresight and can_win_at_once(kernel, next_theirs, unplaced)
            meets_stay = t >= 0 and idle >= 0 and next_theirs_s == theirs_s
            meets_first = t == 1 and turns[0, theirs_s] == turns[1, theirs_s]
            left = free
            while left != U64(0):
                bit = left & (~left + U64(1))
                cell = shift + lowest_bit(left)
                left ^= bit
                pattern = mine_s | bit if t < 0 else U64(turns[t, mine_s | bit])
                if meets_stay and pattern & mine_s == mine_s:
                    continue
                if meets_first and pattern & U64(turns[0, mine_s]) == U64(turns[0, mine_s]):
                    continue
                payload0[n] = next_theirs | (cell << U64(3) | rotation) << MOVE_SHIFT
                next_mine = others | pattern << shift
                payload1[n] = next_mine
                flags = flags_of(my_open_lines & lines[s, pattern] != 0, they_have_line, full)
                stats[n] = _foreseen(kernel, threatened, flags, next_theirs, next_mine)
                n += 1
    return n


@jit
def successors(kernel, state, payload0, payload1, stats, first):
    """`game.children` for Pentago."""
    mine, theirs = state[0], state[1]
    full = popcount(mine | theirs) == U64(35)
    n = _write_elsewhere(kernel, mine, theirs, full, payload0, payload1, stats, first)
    n = _write_inside(kernel, mine, theirs, full, payload0, payload1, stats, n)
    return n - first


# --- Playouts and evaluation ----------------------------------------------------------------------------------------


@jit
def random_playout(kernel, state, rng):
    """`game.playout` for Pentago: a cell, a quadrant and a turn from 32 random bits a ply."""
    turns, lines = kernel.turns, kernel.lines
    mine, theirs = state[0], state[1]
    random, increment = rng[0], rng[1]
    empty_count = U64(36) - popcount(mine | theirs)
    mover = 0
    value = np.float32(0.5)
    while empty_count > U64(0):
        bits = pcg_output(random)
        random = pcg_step(random, increment)
        empty = FULL & ~(mine | theirs)
        mine |= select_bit(empty, ((bits >> U64(3)) * empty_count) >> U64(29))
        quadrant, turn = bits >> U64(1) & U64(3), bits & U64(1)
        mine = turned(turns, mine, quadrant, turn)
        theirs = turned(turns, theirs, quadrant, turn)
        empty_count -= U64(1)
        if empty_count <= MOST_EMPTY_AT_END:
            my_lines, their_lines = complete_lines(lines, mine), complete_lines(lines, theirs)
            if my_lines | their_lines != 0:
                if my_lines == 0 or their_lines == 0:
                    mover_wins = my_lines != 0
                    value = np.float32(1) if mover_wins == (mover == 0) else np.float32(0)
                break
        mine, theirs = theirs, mine
        mover ^= 1
    rng[0] = random
    return value


# What one to five stones are worth in a line that the opponent has not touched, and the sum at which the side to move
# is taken to win 73 % of the time (1 / (1 + e^-1)). A stone more is worth four times as much: one line with four
# stones outweighs any handful of twos, as it does on the board.
# Alpha-beta loses to this with a factor of two or three, or with values that grow by one; with six or ten it gains at
# depth 2 and not at depth 3.
LINE_VALUES = (0.0, 1.0, 4.0, 16.0, 64.0, 256.0)
EVALUATION_SCALE = 40.0


@jit
def line_evaluation(kernel, state):
    """`game.evaluate` for Pentago: open lines counted by their stones, squashed into 0 to 1."""
    mine, theirs = state[0], state[1]
    total = 0.0
    for i in range(len(kernel.cells)):
        my_count = popcount(mine & kernel.cells[i])
        their_count = popcount(theirs & kernel.cells[i])
        if their_count == U64(0):
            total += LINE_VALUES[my_count]
        elif my_count == U64(0):
            total -= LINE_VALUES[their_count]
    return np.float32(1.0 / (1.0 + np.exp(-total / EVALUATION_SCALE)))


# --- The verbs of game.py -------------------------------------------------------------------------------------------


def _begin(kernel, state, root):
    state[0] = root[0]
    state[1] = root[1]


def _step(kernel, state, word0, word1):
    state[0] = word0 & FULL
    state[1] = word1


game.implement(
    PentagoKernel,
    begin=_begin,
    payload_is_position=lambda kernel: True,
    max_children=lambda kernel: MOVES,
    step=_step,
    outcome=lambda kernel, state: status(kernel, state[0], state[1]),
    children=successors,
    playout=random_playout,
    evaluate=line_evaluation,
)
