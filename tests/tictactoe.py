"""Noughts and crosses, a whole game in one file; every search of it replays the moves from the root.

Its state is an array, int8[10]: nine cells along the rows (0 empty, 1 the cross of the first player, 2 the nought of
the second), then the player to move. A move is a cell.
"""

import re
from typing import NamedTuple

from jit import jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from game import AmafGame, NotationError, Position

CELLS = 9
TO_MOVE = 9  # index of the side to move in a state
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class TicTacToeKernel(NamedTuple):
    """The tables of compiled code. Attributes: lines: int8[8, 3], the cells of each line."""

    lines: np.ndarray


@jit
def free_cells(kernel, state, found):
    """`game.moves`."""
    n = 0
    for cell in range(CELLS):
        if state[cell] == 0:
            found[n] = cell
            n += 1
    return n


@jit
def take(kernel, state, move):
    """`game.apply`."""
    state[move] = state[TO_MOVE] + 1
    state[TO_MOVE] = 1 - state[TO_MOVE]


@jit
def status(kernel, state):
    """`game.outcome`."""
    for line in kernel.lines:
        owner = state[line[0]]
        if owner != 0 and owner == state[line[1]] and owner == state[line[2]]:
            return game.WON if owner == state[TO_MOVE] + 1 else game.LOST
    for cell in range(CELLS):
        if state[cell] == 0:
            return game.OPEN
    return game.DRAWN


@jit
def open_lines(kernel, state):
    """`game.evaluate`: counts the stones in lines that the opponent has not touched."""
    total = 0.0
    for line in kernel.lines:
        mine = theirs = 0
        for cell in line:
            mine += state[cell] == state[TO_MOVE] + 1
            theirs += state[cell] == 2 - state[TO_MOVE]
        if mine == 0 or theirs == 0:
            total += mine - theirs
    return np.float32(0.5 + total / 50.0)  # 8 lines of at most 3 stones: within 0.02 to 0.98


game.implement(
    TicTacToeKernel,
    max_children=lambda kernel: CELLS,
    moves=free_cells,
    apply=take,
    outcome=status,
    evaluate=open_lines,
)


class TicTacToePosition(Position):
    """A position; a move is a cell."""

    __slots__ = ()

    @property
    def board(self) -> np.ndarray:
        """int8[3, 3]: 0 empty, 1 cross, 2 nought."""
        return self.words[:CELLS].reshape(3, 3).copy()


class TicTacToe(AmafGame):
    """Noughts and crosses (see `game.Game` for what each member means)."""

    name = "tictactoe"
    players = ("x", "o")
    kernel = TicTacToeKernel(np.array(LINES, np.int8))
    amaf_moves = CELLS
    positions_recur = False

    def initial(self) -> Position:
        """The empty board, crosses to move."""
        return TicTacToePosition(self, np.zeros(CELLS + 1, np.int8))

    def parse_move(self, text: str, position: Position | None = None) -> int:
        """Reads `b3`: column a to c from the left, row 1 to 3 from the top."""
        if not (match := re.fullmatch("([abc])([123])", text.strip().lower())):
            raise NotationError(f"{text!r} is no move: write column a to c and row 1 to 3, as in b3")
        return "abc".index(match[1]) + 3 * (int(match[2]) - 1)

    def format_move(self, move: int) -> str:
        """`b3`."""
        return f"{'abc'[move % 3]}{move // 3 + 1}"

    def format_position(self, position: Position) -> str:
        """Three rows joined by `/`, then the side to move."""
        rows = ("".join(".xo"[owner] for owner in row) for row in position.board)
        return f"{'/'.join(rows)} {self.players[position.to_move]}"

    def parse_position(self, text: str) -> Position:
        """Reads what `format_position` writes."""
        if not re.fullmatch("[.xo]{3}(/[.xo]{3}){2} [xo]", text.strip()):
            raise NotationError(
                f"{text!r} is no position: write three rows of '. x o' and the side, as in .../.x./... o"
            )
        board, side = text.replace("/", "").split()
        taken, to_move = CELLS - board.count("."), "xo".index(side)
        if board.count("x") - board.count("o") != to_move:
            raise NotationError(f"in {text!r} the numbers of crosses and noughts do not fit the side to move")
        return TicTacToePosition(self, np.array([*map(".xo".index, board), to_move], np.int8), taken)
