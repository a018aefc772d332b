"""What a student's file finds as `helpers`: functions on boards, by the rules of the game that is played.

A board is an array [row, column], 0 empty, 1 and 2 discs; a player is 1 or 2; a move is a cell (row, column), in a game
with jumps a `MoveCoordinates`. The frameworks' helpers of all years are here together.
"""

from typing import Any

import numpy as np

from game import Game

AROUND = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]
_game: Any = None
_has_jumps = False


class MoveCoordinates:
    """A move from a cell to another."""

    def __init__(self, src: tuple[int, int], dest: tuple[int, int]) -> None:
        (self.row_src, self.col_src), (self.row_dest, self.col_dest) = src, dest

    def get_src(self) -> tuple[int, int]:
        """The cell that it comes from."""
        return self.row_src, self.col_src

    def get_dest(self) -> tuple[int, int]:
        """The cell that it goes to."""
        return self.row_dest, self.col_dest


def use(game: Game) -> None:
    """From now on this game is played."""
    global _game, _has_jumps
    if game is not _game:
        first = game.initial().legal_moves()
        _game, _has_jumps = game, any(isinstance(move, tuple) and isinstance(move[0], tuple) for move in first)


def _state(chess_board: Any, player: int) -> Any:
    if _game is None:
        raise RuntimeError("the functions of helpers know a game when one has begun: call them in step or __init__")
    shown = _game.shown(_game.initial().words)
    return _game.meant((np.array(chess_board), player - 1, *shown[2:]))


def _after(chess_board: Any, move: Any, player: int) -> Any:
    """The board after a move of the game."""
    return _game.shown(_game.after(_state(chess_board, player), move))[0]


def move_of(chess_board: Any, move: Any, player: int) -> Any:
    """The game's move for one of `get_valid_moves`: a disc beside the cell that it doubles to is not named."""
    if not hasattr(move, "get_src"):
        return tuple(map(int, move))
    src, dest = _cells_of(move)
    is_near = max(abs(src[0] - dest[0]), abs(src[1] - dest[1])) == 1
    is_own = min(src) >= 0 and max(src) < len(chess_board) and chess_board[src] == player
    return dest if is_near and is_own else (src, dest)


def _cells_of(move: Any) -> Any:
    return tuple(tuple(map(int, cell)) for cell in (move.get_src(), move.get_dest()))


def _moves(chess_board: Any, player: int) -> list[Any]:
    """The game's moves but the pass."""
    return [move for move in _game.moves_of(_state(chess_board, player)) if move is not None]


def get_directions() -> list[tuple[int, int]]:
    """The steps to the eight cells around one."""
    return AROUND.copy()


def get_two_tile_directions() -> list[tuple[int, int]]:
    """The steps to the sixteen cells two away."""
    reach = range(-2, 3)
    return [(down, right) for down in reach for right in reach if max(abs(down), abs(right)) == 2]


def get_valid_moves(chess_board: Any, player: int) -> list[Any]:
    """A player's legal moves, empty where only a pass is left; with jumps one for each disc that may move or double."""
    moves = _moves(chess_board, player)
    if not _has_jumps:
        return moves
    found = []
    for move in moves:
        if isinstance(move[0], tuple):
            found.append(MoveCoordinates(*move))
        else:
            beside = ((move[0] + down, move[1] + right) for down, right in AROUND)
            doubling = (MoveCoordinates(cell, move) for cell in beside)
            found += [double for double in doubling if move_of(chess_board, double, player) == move]
    return found


def check_move_validity(chess_board: Any, move_coords: Any, player: int) -> bool:
    """Whether a move is legal; the game's file may have `may_go(board, player, start, to)`, which says it sooner."""
    may_go = getattr(_game.rules, "may_go", None)
    if may_go is not None and hasattr(move_coords, "get_src"):
        return bool(may_go(chess_board, player - 1, *_cells_of(move_coords)))
    return move_of(chess_board, move_coords, player) in _moves(chess_board, player)


def execute_move(chess_board: Any, move: Any, player: int) -> None:
    """Make a move on the board itself. Raises ValueError for an illegal move in a game with jumps."""
    if _has_jumps and not check_move_validity(chess_board, move, player):
        raise ValueError(f"{move_of(chess_board, move, player)} is no legal move of player {player}")
    chess_board[...] = _after(chess_board, move_of(chess_board, move, player), player)


def count_disc_count_change(chess_board: Any, move_coords: Any, player: int) -> int:
    """How many discs a player has more after a move; -1 for an illegal one."""
    if not check_move_validity(chess_board, move_coords, player):
        return -1
    after = _after(chess_board, move_of(chess_board, move_coords, player), player)
    return int(np.sum(after == player) - np.sum(chess_board == player))


def count_capture(chess_board: Any, move_pos: Any, player: int) -> int:
    """How many discs of the opponent a disc there flips, 0 where it cannot be put."""
    return len(_captured(chess_board, move_pos, player))


def count_capture_dir(chess_board: Any, move_pos: Any, player: int, direction: Any) -> int:
    """How many discs it flips in one direction."""
    return len(_captured(chess_board, move_pos, player, direction))


def flip_discs(chess_board: Any, move_pos: Any, player: int, direction: Any) -> None:
    """Flip on the board itself the discs that a disc there flips in one direction."""
    for cell in _captured(chess_board, move_pos, player, direction):
        chess_board[cell] = player


def _captured(chess_board: Any, move_pos: Any, player: int, direction: Any = None) -> list[tuple[int, int]]:
    row, column = move = move_of(chess_board, move_pos, player)
    if chess_board[move] not in (0, player):
        return []
    before = np.array(chess_board)
    before[move] = 0
    changed = np.argwhere((_after(before, move, player) == player) & (before == 3 - player)).tolist()
    if direction is None:
        return [] if chess_board[move] else [(r, c) for r, c in changed]
    return [(r, c) for r, c in changed if (np.sign(r - row), np.sign(c - column)) == tuple(direction)]


def check_endgame(chess_board: Any, player: int = 1, opponent: int = 2) -> tuple[bool, int, int]:
    """Whether the game is over, and the discs of both players; with jumps, all cells for who is left alone."""
    counts = int(np.sum(chess_board == 1)), int(np.sum(chess_board == 2))
    if _has_jumps and 0 in counts:
        counts = tuple(chess_board.size if count else 0 for count in counts)  # type: ignore[assignment]
    return _game.result_of(_state(chess_board, player)) is not None, *counts


def random_move(chess_board: Any, player: int) -> Any:
    """One of `get_valid_moves`; None where there is none."""
    moves = get_valid_moves(chess_board, player)
    return moves[np.random.randint(len(moves))] if moves else None
