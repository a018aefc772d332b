"""The last three plies of a forced win of Pentago, searched for all stones that go with the same turn together.

A move wins if every reply then allows a win at once. This is asked turn by turn: after a turn of the player and a turn
of the other, which cells would have to hold the new stone? After few turns of the player any such cells are left, and
only stones on these cells are tried.

Begin reading at `threatening`, then `wins_within_three`.
"""

from jit import U64, jit, lowest_bit  # first: it decides where compiled code is kept

from pentago.boards import FULL, complete_lines, pattern_of, turned  # isort: skip
from pentago.foresight import can_win_at_once, spoilers
from pentago.tables import LINE_CELLS, LINES, NEAR, line_table

# uint32[4, 512]: bit i is set if all but two of line i's cells in this quadrant are in the pattern.
TWO_MISSING = line_table(lambda present, wanted: present == wanted - 2)


# --- Threats --------------------------------------------------------------------------------------------------------
# Three words, a bit a line, describe a player's lines in a part of the board: the lines of which no cell is
# missing there, those of which one cell is missing there, and those of which two are.


@jit(inline="always")
def _part(quadrant, pattern):
    return U64(LINES[quadrant, pattern]), U64(NEAR[quadrant, pattern]), U64(TWO_MISSING[quadrant, pattern])


@jit(inline="always")
def _joined(part_1, part_2):
    none_1, one_1, two_1 = part_1
    none_2, one_2, two_2 = part_2
    return none_1 & none_2, one_1 & none_2 | none_1 & one_2, two_1 & none_2 | one_1 & one_2 | none_1 & two_2


@jit(inline="always")
def _rests(stones):
    """A player's lines in the board without quadrant 0, 1, 2, 3, and in the whole board."""
    part_0 = _part(0, pattern_of(stones, 0))
    part_1 = _part(1, pattern_of(stones, 1))
    part_2 = _part(2, pattern_of(stones, 2))
    part_3 = _part(3, pattern_of(stones, 3))
    upper, lower = _joined(part_0, part_1), _joined(part_2, part_3)
    rests = (_joined(part_1, lower), _joined(part_0, lower), _joined(part_3, upper), _joined(part_2, upper))
    return rests, _joined(upper, lower)


@jit(inline="always")
def _missing(lines, mine, theirs):
    """The missing cells of a player's lines; lines in which the other has a stone do not count."""
    cells, left = U64(0), lines
    while left != U64(0):
        line = LINE_CELLS[lowest_bit(left)]
        if line & theirs == U64(0):
            cells |= line & ~mine
        left &= left - U64(1)
    return cells


@jit
def threatening(kernel, mine, theirs):
    """The cells, as bits, where one more stone of the player would leave a winning move, if it were that player's turn.

    All cells if there is such a move, or a line of the player, without the stone. None if only the other has a line.
    """
    rests, (complete, near, _) = _rests(mine)
    if complete != 0:
        return FULL
    if complete_lines(theirs) != 0:
        return U64(0)
    cells = _missing(near, mine, theirs)
    for turn in range(8):
        quadrant, turn_of_it = turn >> 1, turn & 1
        pattern = U64(kernel.turns[turn_of_it, pattern_of(mine, quadrant)])
        complete, near, far = _joined(rests[quadrant], _part(quadrant, pattern))
        if complete | near | far == 0:
            continue
        next_theirs = turned(kernel.turns, theirs, quadrant, turn_of_it)
        if complete_lines(next_theirs) != 0:
            continue
        next_mine = turned(kernel.turns, mine, quadrant, turn_of_it)
        if complete != 0 or _missing(near, next_mine, next_theirs) != U64(0):
            return FULL
        cells |= turned(kernel.back, _missing(far, next_mine, next_theirs), quadrant, turn_of_it)
    return cells


# --- The last three plies -------------------------------------------------------------------------------------------


@jit
def _can_draw(kernel, mine, empty, turn):
    """Whether some stone with this turn, which completes a line of the other, completes one's own line as well."""
    left = empty
    while left != U64(0):
        stone = left & (~left + U64(1))
        left ^= stone
        if complete_lines(turned(kernel.turns, mine | stone, turn >> 1, turn & 1)) != 0:
            return True
    return False


@jit
def last_replies_lose(kernel, mine, theirs):
    """Whether every move of the player to move, who owns `mine`, loses at once or lets the other win at once.

    Neither has a line, and the player to move cannot win at once (not checked).
    """
    empty = FULL & ~(mine | theirs)
    if empty == U64(0):
        return False  # a draw: there is no move
    is_last = empty & (empty - U64(1)) == U64(0)  # the game ends with this stone: the other wins now or never
    for turn in range(8):
        quadrant, turn_of_it = turn >> 1, turn & 1
        next_mine = turned(kernel.turns, mine, quadrant, turn_of_it)
        next_theirs = turned(kernel.turns, theirs, quadrant, turn_of_it)
        cells = turned(kernel.turns, empty, quadrant, turn_of_it)
        if complete_lines(next_theirs) != 0:
            if _can_draw(kernel, mine, empty, turn):
                return False
        elif is_last or spoilers(kernel, next_theirs, next_mine) & cells != U64(0):
            return False
    return True


@jit(inline="always")
def _candidates(kernel, mine, theirs, stones):
    """Those of the cells `stones` where a stone of one's own may leave a win after each turn of the other."""
    for turn in range(8):
        quadrant, turn_of_it = turn >> 1, turn & 1
        next_mine = turned(kernel.turns, mine, quadrant, turn_of_it)
        next_theirs = turned(kernel.turns, theirs, quadrant, turn_of_it)
        cells = threatening(kernel, next_mine, next_theirs)
        stones &= turned(kernel.back, cells, quadrant, turn_of_it)
        if stones == U64(0):
            break
    return stones


@jit
def wins_within_three(kernel, mine, theirs):
    """Whether the player to move, who has no win at once, has a move after which every reply allows one."""
    empty = FULL & ~(mine | theirs)
    for turn in range(8):
        quadrant, turn_of_it = turn >> 1, turn & 1
        next_mine = turned(kernel.turns, mine, quadrant, turn_of_it)
        next_theirs = turned(kernel.turns, theirs, quadrant, turn_of_it)
        if complete_lines(next_theirs) != 0:
            continue
        cells = turned(kernel.turns, empty, quadrant, turn_of_it)
        left = _candidates(kernel, next_mine, next_theirs, cells)
        while left != U64(0):
            stones = next_mine | left & (~left + U64(1))
            left &= left - U64(1)
            is_open = complete_lines(stones) == 0 and not can_win_at_once(kernel, next_theirs, stones)
            if is_open and last_replies_lose(kernel, next_theirs, stones):
                return True
    return False
