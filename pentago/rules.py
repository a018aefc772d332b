"""The rules of Pentago in compiled code: turns, lines, successors, playouts.

A state is uint64[2]: the stones of the player to move, the stones of the other; see the package for the bits. A payload
is the state itself, with the move that led there in the upper bits of its first word:

    word 0: bits 0-35 stones of the player to move, bits 36-44 the last move; word 1: bits 0-35 stones of the other

Begin reading at `status`, then `successors`; the verbs of `game/` get their bodies at the end.
"""

from jit import U64, jit, lowest_bit, pcg_output, pcg_step, popcount, select_bit  # first: it sets the compile cache

import numpy as np  # isort: skip

import game
from pentago.boards import FULL, MOVE_SHIFT, QUADRANT, complete_lines, turned
from pentago.evaluation import value_of, values_of_children
from pentago.features import active_features, half_turn
from pentago.foresight import spoilers
from pentago.lines import LINE_COUNT
from pentago.tables import LINES, MOVES, PentagoKernel, clockwise, make_kernel, mirrored

# A player has five stones on the board after ply 9 at the earliest, when 27 cells are empty.
MOST_EMPTY_AT_END = U64(27)


@jit(inline="always")
def flags_of(mover_has_line, other_has_line, full):
    """The outcome after a move for the player now to move, `other`: from who has a line, and if the board is full."""
    if mover_has_line:
        return game.DRAWN if other_has_line else game.LOST
    if other_has_line:
        return game.WON
    return game.DRAWN if full else game.OPEN


@jit
def status(to_move, other):
    """WON, LOST or DRAWN for the player to move, or OPEN, from the stones of both."""
    other_has_line = complete_lines(other) != 0
    to_move_has_line = complete_lines(to_move) != 0
    return flags_of(other_has_line, to_move_has_line, to_move | other == FULL)


@jit
def place_and_turn(kernel, state, move):
    """`game.apply`: the stone, then the turn."""
    placed = state[0] | (U64(1) << U64(move >> 3))
    quadrant, turn = move >> 1 & 3, move & 1
    state[0] = turned(kernel.turns, state[1], quadrant, turn)
    state[1] = turned(kernel.turns, placed, quadrant, turn)


# --- Distinct successors --------------------------------------------------------------------------------------------
# A successor is written once although several moves may lead to it. Let s be the quadrant of the new stone and r the
# turned quadrant. Two moves can lead to the same position only if both have the same s, and if also
#   - both turn the same r other than s, and the two turns of r have the same effect (write the first only); or
#   - both leave every quadrant but s as it was: r = s, or the turn of r has no effect ("idle").
# In the second case s ends as (turned pattern of the opponent, turned pattern with the new stone). So a mirrored stone
# repeats a rotated one if the opponent's patterns are equal and the mover's pattern contains the rotated stones; the
# same holds for a stone left in place.
#
# Which successors the next player wins at once is found for all successors of one turn together, see `foresight.py`:
# the board after the turn without the new stone is the same for all of them, also if the turn has no effect.


@jit
def _write_elsewhere(kernel, mine, theirs, full, payload0, payload1, stats, n):
    """Write successors whose turn changes another quadrant than the new stone's; returns the next free index."""
    turns = kernel.turns
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
            they_have_line = complete_lines(next_theirs) != 0
            rotation = U64(2 * r + t)
            for s in range(4):
                if s == r:
                    continue
                s_shift = U64(9) * U64(s)
                pattern = mine >> s_shift & QUADRANT
                others = next_mine | (QUADRANT << s_shift)  # as if the quadrant of the new stone broke no line
                open_lines = complete_lines(others)
                left = empty >> s_shift & QUADRANT
                while left != U64(0):
                    bit = left & (~left + U64(1))
                    cell = s_shift + lowest_bit(left)
                    left ^= bit
                    payload0[n] = next_theirs | (cell << U64(3) | rotation) << MOVE_SHIFT
                    payload1[n] = next_mine | bit << s_shift
                    stats[n] = flags_of(open_lines & LINES[s, pattern | bit] != 0, they_have_line, full)
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
    """Write the successors that change no quadrant but the new stone's; returns the next free index."""
    turns = kernel.turns
    empty = FULL & ~(mine | theirs)
    for s in range(4):
        shift = U64(9) * U64(s)
        free = empty >> shift & QUADRANT
        if free == U64(0):
            continue
        mine_s, theirs_s = mine >> shift & QUADRANT, theirs >> shift & QUADRANT
        my_open_lines = complete_lines(mine | QUADRANT << shift)
        their_open_lines = complete_lines(theirs | QUADRANT << shift)
        idle = _idle_turn(kernel, mine, theirs, s)
        for t in range(-1, 2):  # -1: the stone stays where it was put
            if t < 0 and idle < 0:
                continue
            rotation = U64(idle if t < 0 else 2 * s + t)
            next_theirs_s = theirs_s if t < 0 else U64(turns[t, theirs_s])
            next_theirs = theirs & ~(QUADRANT << shift) | next_theirs_s << shift
            they_have_line = their_open_lines & LINES[s, next_theirs_s] != 0
            others = mine & ~(QUADRANT << shift)
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
                payload1[n] = others | pattern << shift
                stats[n] = flags_of(my_open_lines & LINES[s, pattern] != 0, they_have_line, full)
                n += 1
    return n


@jit
def _mark_foreseen(kernel, mine, theirs, payload0, payload1, stats, first, end):
    """Mark as won those open children from `first` to `end` that the next player wins at once."""
    for rotation in range(8):
        quadrant, turn = rotation >> 1, rotation & 1
        unplaced = turned(kernel.turns, mine, quadrant, turn)
        preventing = spoilers(kernel, turned(kernel.turns, theirs, quadrant, turn), unplaced)
        if preventing != FULL:
            for i in range(U64(first), U64(end)):
                same = payload0[i] >> MOVE_SHIFT & U64(7) == U64(rotation)
                seen = same & (payload1[i] & preventing == U64(0)) & (stats[i] == game.OPEN)
                stats[i] = game.WON | game.IMPLIED if seen else stats[i]


@jit
def successors(kernel, state, payload0, payload1, stats, first):
    """`game.children` for Pentago."""
    mine, theirs = state[0], state[1]
    full = popcount(mine | theirs) == U64(35)
    n = _write_elsewhere(kernel, mine, theirs, full, payload0, payload1, stats, first)
    n = _write_inside(kernel, mine, theirs, full, payload0, payload1, stats, n)
    if kernel.foresight and not full:
        _mark_foreseen(kernel, mine, theirs, payload0, payload1, stats, first, n)
    return n - first


# --- Playouts -------------------------------------------------------------------------------------------------------


@jit(inline="always")
def _note(trace, stone, rotation, mover):
    """Write into the trace of `game.traced_playout` who makes a move, unless somebody has made it before."""
    move = lowest_bit(stone) << U64(3) | rotation
    if trace[move] == 0:
        trace[move] = np.uint8(mover + 1)


@jit
def random_playout(turns, state, rng, trace):
    """`game.playout` for Pentago: a cell, a quadrant and a turn from 32 random bits a ply.

    `trace` is that of `game.traced_playout`, or None; which of the two is known when this is compiled.
    """
    mine, theirs = state[0], state[1]
    random, increment = rng[0], rng[1]
    empty_count = U64(36) - popcount(mine | theirs)
    mover = 0
    value = np.float32(0.5)
    while empty_count > U64(0):
        bits = pcg_output(random)
        random = pcg_step(random, increment)
        empty = FULL & ~(mine | theirs)
        stone = select_bit(empty, ((bits >> U64(3)) * empty_count) >> U64(29))
        if trace is not None:
            _note(trace, stone, bits & U64(7), mover)
        mine |= stone
        quadrant, turn = bits >> U64(1) & U64(3), bits & U64(1)
        mine = turned(turns, mine, quadrant, turn)
        theirs = turned(turns, theirs, quadrant, turn)
        empty_count -= U64(1)
        if empty_count <= MOST_EMPTY_AT_END:
            my_lines, their_lines = complete_lines(mine), complete_lines(theirs)
            if my_lines | their_lines != 0:
                if my_lines == 0 or their_lines == 0:
                    mover_wins = my_lines != 0
                    value = np.float32(1) if mover_wins == (mover == 0) else np.float32(0)
                break
        mine, theirs = theirs, mine
        mover ^= 1
    rng[0] = random
    return value


# --- The verbs of game ---------------------------------------------------------------------------------------------


def _begin(kernel, state, root):
    state[0] = root[0]
    state[1] = root[1]


def _step(kernel, state, word0, word1):
    state[0] = word0 & FULL
    state[1] = word1


def _values(kernel, state, scratch, payload0, payload1, stats, first, count, values):
    values_of_children(kernel.evaluation, state[0], state[1], payload0, payload1, stats, first, count, values)


game.implement(
    PentagoKernel,
    begin=_begin,
    payload_is_position=lambda kernel: True,
    max_children=lambda kernel: MOVES,
    step=_step,
    apply=place_and_turn,
    outcome=lambda kernel, state: status(state[0], state[1]),
    children=successors,
    # These take the turns only: a whole kernel takes long to pass.
    playout=lambda kernel, state, rng: random_playout(kernel.turns, state, rng, None),
    traced_playout=lambda kernel, state, rng, trace: random_playout(kernel.turns, state, rng, trace),
    move_number=lambda kernel, word0, word1: word0 >> MOVE_SHIFT,
    values=_values,
    evaluate=lambda kernel, state: value_of(kernel.evaluation, state[0], state[1]),
    features=active_features,
    mirror=half_turn,
)

TWIST = make_kernel(LINE_COUNT, clockwise, mirrored)
