"""Wins one ply ahead: whether the player to move can win at once, and which stones of the other would prevent it.

`rules.successors` marks a child if the next player wins it at once. That depends more on the turn that led there than
on the new stone, which can only spoil a win. So wins are looked for once for each turn, on the board without the new
stone. This gives the set of cells where the stone would spoil all wins; then a child costs one test of a bit. At ply 20
the children of a position take half the time that they take with a search for a win in each child.

Begin reading at `winning_turn`, then `spoilers`. Three words with a bit a line describe a player's lines in the board
or in a part of it: the complete lines, the lines of which one cell is missing, and the lines touched (see `tables.py`).
"""

from jit import U64, jit, lowest_bit  # first: it sets the compile cache
from pentago.boards import FULL, pattern_of, turned
from pentago.tables import LINE_CELLS, LINES, NEAR, TOUCHED

NOWHERE = U64(0)
NO_TURN = -1


@jit(inline="always")
def _part(quadrant, pattern):
    """A player's lines in a quadrant: those it does not break, those of which it lacks one cell, those it touches."""
    return U64(LINES[quadrant, pattern]), U64(NEAR[quadrant, pattern]), U64(TOUCHED[quadrant, pattern])


@jit(inline="always")
def _joined(part_1, part_2):
    """A player's lines in two parts of the board together."""
    complete_1, near_1, touched_1 = part_1
    complete_2, near_2, touched_2 = part_2
    return complete_1 & complete_2, near_1 & complete_2 | complete_1 & near_2, touched_1 | touched_2


@jit(inline="always")
def _without_each(stones):
    """A player's lines in the board without quadrant 0, 1, 2, 3."""
    part_0, part_1 = _part(0, pattern_of(stones, 0)), _part(1, pattern_of(stones, 1))
    part_2, part_3 = _part(2, pattern_of(stones, 2)), _part(3, pattern_of(stones, 3))
    upper, lower = _joined(part_0, part_1), _joined(part_2, part_3)
    return _joined(part_1, lower), _joined(part_0, lower), _joined(part_3, upper), _joined(part_2, upper)


@jit(inline="always")
def _after_turn(turns, quadrant, turn, stones, rest):
    """Lines of a player after a turn of the quadrant that `rest` leaves out."""
    return _joined(rest, _part(quadrant, U64(turns[turn, pattern_of(stones, quadrant)])))


@jit
def winning_turn(turns, mine, theirs):
    """The first turn, 2 quadrant + turn, with which a stone of the player to move wins, or NO_TURN.

    An empty cell is assumed, and no line on the board. A turn wins if afterwards the opponent has no line, and a line
    has its five stones, or four and a fifth cell that the opponent does not hold: the turn brings the new stone there.
    """
    my_rests, their_rests = _without_each(mine), _without_each(theirs)
    for q in range(4):
        for t in range(2):
            complete, near, _ = _after_turn(turns, q, t, mine, my_rests[q])
            their_complete, _, touched = _after_turn(turns, q, t, theirs, their_rests[q])
            if complete | near & ~touched != 0 and their_complete == 0:
                return 2 * q + t
    return NO_TURN


@jit
def can_win_at_once(kernel, mine, theirs):
    """Whether the player to move has a winning move; assumes what `winning_turn` assumes."""
    return winning_turn(kernel.turns, mine, theirs) != NO_TURN


# --- Which stones prevent it ----------------------------------------------------------------------------------------


@jit(inline="always")
def _on_board(stones):
    """A player's lines in the whole board."""
    part_0, part_1 = _part(0, pattern_of(stones, 0)), _part(1, pattern_of(stones, 1))
    part_2, part_3 = _part(2, pattern_of(stones, 2)), _part(3, pattern_of(stones, 3))
    return _joined(_joined(part_0, part_1), _joined(part_2, part_3))


@jit(inline="always")
def _missing_cells(lines, stones):
    """The missing cells of lines of which each lacks one cell."""
    cells = NOWHERE
    left = lines
    while left != U64(0):
        cells |= LINE_CELLS[lowest_bit(left)] & ~stones
        left &= left - U64(1)
    return cells


@jit
def _spoilers_of_turn(turns, back, mine, theirs, turn):
    """The empty cells where one more stone of the other leaves the player to move no win with a turn, which has one.

    Such a stone blocks the only cell that wins, or completes a line of the other.
    """
    quadrant, turn_of_it = turn >> 1, turn & 1
    mine = turned(turns, mine, quadrant, turn_of_it)
    theirs = turned(turns, theirs, quadrant, turn_of_it)
    complete, near, touched = _on_board(mine)
    _, their_near, their_touched = _on_board(theirs)
    cells = _missing_cells(their_near & ~touched, theirs)
    if complete == 0:
        wins = _missing_cells(near & ~their_touched, mine)
        if wins & (wins - U64(1)) == U64(0):
            cells |= wins
    return turned(back, cells, quadrant, turn_of_it)


@jit(inline="always")
def spoilers(kernel, mine, theirs):
    """The cells, as bits, where one more stone of the other leaves the player to move no winning move.

    All cells if there is no winning move anyway. No line is on the board, and an empty cell is left after the stone.
    """
    turn = winning_turn(kernel.turns, mine, theirs)
    if turn == NO_TURN:
        return FULL
    found = NOWHERE
    left = _spoilers_of_turn(kernel.turns, kernel.back, mine, theirs, turn)
    while left != U64(0):
        stone = left & (~left + U64(1))
        left ^= stone
        if winning_turn(kernel.turns, mine, theirs | stone) == NO_TURN:
            found |= stone
    return found
