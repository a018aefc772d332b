"""What a student's file finds as `helpers`: functions on boards, with the same results as in the frameworks.

A board is an array [row, column], 0 empty, 1 and 2 discs, 3 an obstacle; a player is 1 or 2; a move is a cell (row,
column), in a game with jumps a `MoveCoordinates`. The helpers of all years are here together, and their lists have the
frameworks' order. Moves that are cells follow the rules of the game that is played. Functions that students' searches
call at every node look at the board alone, since they must be as fast as in the frameworks.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from game import Game

AROUND = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]
TWO_AWAY = [
    *((-2, 0), (2, 0), (0, -2), (0, 2), (-2, 1), (2, 1), (1, -2), (1, 2)),
    *((-2, -1), (2, -1), (-1, -2), (-1, 2), (-2, -2), (-2, 2), (2, -2), (2, 2)),
]
_game: Any = None
_has_jumps = False


class MoveCoordinates:
    """A move from one cell to another."""

    def __init__(self, src: tuple[int, int], dest: tuple[int, int]) -> None:
        (self.row_src, self.col_src), (self.row_dest, self.col_dest) = src, dest

    def get_src(self) -> tuple[int, int]:
        """The cell that the move starts from."""
        return self.row_src, self.col_src

    def get_dest(self) -> tuple[int, int]:
        """The cell that the move goes to."""
        return self.row_dest, self.col_dest


def use(game: Game) -> None:
    """Let the functions here follow the rules of this game from now on."""
    global _game, _has_jumps
    if game is not _game:
        first = game.initial().legal_moves()
        _game, _has_jumps = game, any(isinstance(move, tuple) and isinstance(move[0], tuple) for move in first)


def _state(chess_board: Any, player: int) -> Any:
    if _game is None:
        raise RuntimeError("no game has begun: call the functions of helpers only in step or __init__")
    shown = _game.shown(_game.initial().words)
    return _game.meant((np.array(chess_board), player - 1, *shown[2:]))


def move_of(chess_board: Any, move: Any, player: int) -> Any:
    """The game's move for a move of the frameworks; if a disc doubles, the game names the new cell alone."""
    if not hasattr(move, "get_src"):
        return tuple(map(int, move))
    src, dest = _cells_of(move)
    is_near = _distance(src, dest) == 1
    is_inside = min(src) >= 0 and src[0] < len(chess_board) and src[1] < len(chess_board[0])
    is_own = is_inside and chess_board[src] == player
    return dest if is_near and is_own else (src, dest)


def _cells_of(move: Any) -> Any:
    return tuple(tuple(map(int, cell)) for cell in (move.get_src(), move.get_dest()))


def _moves(chess_board: Any, player: int) -> list[Any]:
    """The game's moves except the pass."""
    return [move for move in _game.moves_of(_state(chess_board, player)) if move is not None]


def get_directions() -> list[tuple[int, int]]:
    """The steps to the eight cells around one."""
    return AROUND.copy()


def get_two_tile_directions() -> list[tuple[int, int]]:
    """The steps to the sixteen cells two away."""
    return TWO_AWAY.copy()


def get_valid_moves(chess_board: Any, player: int) -> list[Any]:
    """A player's legal moves, empty if only a pass is left; with jumps, one for each disc and cell it may go to."""
    return list(_of_discs(chess_board, player)) if _has_jumps else _moves(chess_board, player)


def _of_discs(chess_board: Any, player: int) -> Iterator[MoveCoordinates]:
    """The moves of a player's discs: each doubles to a free cell around it, or jumps to a free cell two away."""
    cells, steps = chess_board.tolist(), AROUND + TWO_AWAY
    height, width = chess_board.shape
    for row, column in np.argwhere(chess_board == player).tolist():
        for down, right in steps:
            to = row + down, column + right
            if 0 <= to[0] < height and 0 <= to[1] < width and cells[to[0]][to[1]] == 0:
                yield MoveCoordinates((row, column), to)


def check_move_validity(chess_board: Any, move_coords: Any, player: int) -> bool:
    """Whether a move is legal; if the game's file has `may_go(board, player, start, to)`, this is faster."""
    may_go = getattr(_game.rules, "may_go", None)
    if may_go is not None and hasattr(move_coords, "get_src"):
        return bool(may_go(chess_board, player - 1, *_cells_of(move_coords)))
    return move_of(chess_board, move_coords, player) in _moves(chess_board, player)


def _distance(src: Any, dest: Any) -> int:
    return int(max(abs(src[0] - dest[0]), abs(src[1] - dest[1])))


def execute_move(chess_board: Any, move: Any, player: int) -> None:
    """Make a move on the board itself. Raises ValueError for an illegal move in a game with jumps."""
    if _has_jumps and not check_move_validity(chess_board, move, player):
        raise ValueError(f"{move_of(chess_board, move, player)} is no legal move of player {player}")
    after = _game.after(_state(chess_board, player), move_of(chess_board, move, player))
    chess_board[...] = _game.shown(after)[0]


def count_disc_count_change(chess_board: Any, move_coords: Any, player: int) -> int:
    """How many more discs a player has after a move of a game with jumps; -1 for an illegal move."""
    if not check_move_validity(chess_board, move_coords, player):
        return -1
    src, (row, column) = move_coords.get_src(), move_coords.get_dest()
    around = chess_board[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
    return int(np.count_nonzero(around == 3 - player)) + (_distance(src, (row, column)) == 1)


def count_capture(chess_board: Any, move_pos: Any, player: int) -> int:
    """How many discs of the opponent a disc placed there flips; 0 if the cell is not empty."""
    row, column = move_pos
    if chess_board[row, column] != 0:
        return 0
    return sum(count_capture_dir(chess_board, move_pos, player, direction) for direction in AROUND)


def count_capture_dir(chess_board: Any, move_pos: Any, player: int, direction: Any) -> int:
    """How many discs of the opponent a disc placed there flips in one direction."""
    return len(_enclosed(chess_board, move_pos, player, direction))


def flip_discs(chess_board: Any, move_pos: Any, player: int, direction: Any) -> None:
    """Flip, on the board itself, the discs that a disc placed there encloses in one direction."""
    for cell in _enclosed(chess_board, move_pos, player, direction):
        chess_board[cell] = player


def _enclosed(chess_board: Any, move_pos: Any, player: int, direction: Any) -> list[tuple[int, int]]:
    """The cells of other discs between a cell and the player's next disc in a direction; none without such a disc."""
    found: list[tuple[int, int]] = []
    (row, column), (down, right) = move_pos, direction
    height, width = chess_board.shape
    while 0 <= (row := row + down) < height and 0 <= (column := column + right) < width:
        if chess_board[row, column] == player:
            return found
        if chess_board[row, column] == 0:
            break
        found.append((row, column))
    return []


def check_endgame(chess_board: Any, player: int = 1, opponent: int = 2) -> tuple[bool, Any, Any]:
    """Whether the game is over, and the discs of both players.

    With jumps it is over on a full board, or when a player has no discs: then all cells count for the other.
    """
    counts = np.sum(chess_board == 1), np.sum(chess_board == 2)  # NumPy's numbers, as there: students divide by them
    if not _has_jumps:
        return _game.result_of(_state(chess_board, player)) is not None, *counts
    if 0 not in counts:
        return not np.any(chess_board == 0), *counts
    return True, *(chess_board.size if other == 0 else count for count, other in zip(counts, counts[::-1], strict=True))


def random_move(chess_board: Any, player: int) -> Any:
    """A random one of `get_valid_moves`; None if there is none."""
    moves = get_valid_moves(chess_board, player)
    return moves[np.random.randint(len(moves))] if moves else None
