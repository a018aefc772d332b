"""Ataxx: a disc doubles to a cell beside it, or jumps two away, and takes the opponent's discs around; most discs win.

The rules are those of McGill's COMP 424 in 2025. A move is the cell (row, column) where a new disc stands, whichever
disc beside it doubles; for a jump it is the pair of cells (from, to); None is a pass. The game ends when the board is
full, a player has no disc, nobody can move, or a board occurs for the third time.
"""

import numpy as np

players = ("x", "o")
SYMBOLS = ".xo3"  # of an empty cell, the players' discs, and an obstacle
AROUND = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]
JUMPS = [(down, right) for down in range(-2, 3) for right in range(-2, 3) if max(abs(down), abs(right)) == 2]


def initial(size: int = 7, board: str = "corners"):
    """Discs in the corners of an empty board; or another board, as rows with / between (see SYMBOLS).

    A state is the board (0 empty, 1 and 2 discs, 3 an obstacle), the player to move, and the boards since the last
    disc was added: only these can occur again.
    """
    if board != "corners":
        return read_rows(board), 0, ()
    if size < 3:
        raise ValueError("size must be 3 at least")
    cells = np.zeros((size, size), int)
    cells[0, 0] = cells[-1, -1] = 1
    cells[0, -1] = cells[-1, 0] = 2
    return cells, 0, ()


def to_move(state):
    return state[1]


def steps(cells, row, column, offsets):
    """The empty cells at these offsets from a cell of a board, which is a list of rows."""
    for down, right in offsets:
        to = row + down, column + right
        if 0 <= to[0] < len(cells) and 0 <= to[1] < len(cells[0]) and cells[to[0]][to[1]] == 0:
            yield to


def may_go(board, player, start, to):
    """Whether a disc of the player is in one cell and may double or jump to another; faster than listing all moves."""
    is_inside = min(start) >= 0 and start[0] < len(board) and start[1] < len(board[0])
    return is_inside and board[start] == player + 1 and to in steps(board.tolist(), *start, AROUND + JUMPS)


def moves_of(board, player):
    """The moves of a player without the pass."""
    cells, doubled, jumps = board.tolist(), set(), []
    for row, column in np.argwhere(board == player + 1).tolist():
        doubled.update(steps(cells, row, column, AROUND))
        jumps += [((row, column), to) for to in steps(cells, row, column, JUMPS)]
    return sorted(doubled) + jumps


def legal_moves(state):
    """The player's moves, else a pass."""
    return moves_of(state[0], state[1]) or [None]


def play(state, move):
    """The state after a move."""
    board, player, earlier = state
    if move is None:
        return board, 1 - player, (*earlier, board)
    is_jump = isinstance(move[0], tuple)
    row, column = move[1] if is_jump else move
    after = board.copy()
    around = after[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
    around[around == 2 - player] = player + 1
    after[row, column] = player + 1
    if is_jump:
        after[move[0]] = 0
    return after, 1 - player, (*earlier, board) if is_jump else ()


def result(state):
    """The player with more discs, or "draw"; None while the game is open."""
    board, player, earlier = state
    discs = np.count_nonzero(board == 1), np.count_nonzero(board == 2)
    is_third = sum(np.array_equal(board, other) for other in earlier) >= 2
    if all(discs) and not is_third and (moves_of(board, player) or moves_of(board, 1 - player)):
        return None
    return "draw" if discs[0] == discs[1] else int(discs[0] < discs[1])


def rows_text(board):
    return "/".join("".join(SYMBOLS[value] for value in row) for row in board.tolist())


def read_rows(text):
    """The board that rows of symbols mean; 0, 1 and 2 may stand for the first three symbols."""
    rows = text.translate(str.maketrans("012", SYMBOLS[:3])).split("/")
    if len({len(row) for row in rows}) != 1 or not set("".join(rows)) <= set(SYMBOLS):
        raise ValueError(f"a board is rows of one length with / between, of the characters {SYMBOLS}")
    return np.array([[SYMBOLS.index(value) for value in row] for row in rows])


def to_text(state):
    """The board, the player to move, and the boards that may occur again."""
    board, player, earlier = state
    return " ".join([rows_text(board), players[player], *map(rows_text, earlier)])


def from_text(text):
    """The state that `to_text` wrote."""
    board, player, *earlier = text.split()
    boards = [read_rows(rows) for rows in (board, *earlier)]
    if len({one.shape for one in boards}) > 1:
        raise ValueError("the boards are of one size")
    return boards[0], players.index(player), tuple(boards[1:])
