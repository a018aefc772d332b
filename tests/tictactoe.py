"""Noughts and crosses: a whole game in one file, and the smallest example of one that does not fit in a node.

Its state is an array, int8[10]: nine cells along the rows (0 empty, 1 the cross of the first player, 2 the nought of
the second), then the player to move. Its payload keeps the move only (word 0, the cell), so a search replays the moves
from the root with `step`.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from jit import U64, jit, random_below  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from game import DRAW, FIRST, SECOND, Game, IllegalMove, NotationError, Result

CELLS = 9
TO_MOVE = 9  # index of the side to move in a state
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class TicTacToeKernel(NamedTuple):
    """The tables of compiled code. Attributes: lines: int8[8, 3], the cells of each line."""

    lines: np.ndarray


KERNEL = TicTacToeKernel(np.array(LINES, np.int8))


# --- For people -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TicTacToePosition:
    """A position: `cells` holds 0 for an empty cell, 1 for a cross, 2 for a nought, along the rows.

    >>> str(TicTacToePosition().play(4))
    '.../.x./... o'
    """

    cells: tuple[int, ...] = (0,) * CELLS
    last_move: int | None = None

    def __eq__(self, other: object) -> bool:
        return self.cells == other.cells if isinstance(other, TicTacToePosition) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.cells)

    @property
    def ply(self) -> int:
        """Cells taken."""
        return CELLS - self.cells.count(0)

    @property
    def to_move(self) -> int:
        """FIRST (crosses) or SECOND (noughts)."""
        return self.ply % 2

    @property
    def result(self) -> Result | None:
        """None while the game is open."""
        for line in LINES:
            owners = {self.cells[cell] for cell in line}
            if owners in ({1}, {2}):
                return Result(FIRST if owners == {1} else SECOND)
        return None if 0 in self.cells else DRAW

    @property
    def board(self) -> np.ndarray:
        """int8[3, 3]: 0 empty, 1 cross, 2 nought."""
        return np.array(self.cells, np.int8).reshape(3, 3)

    def legal_moves(self) -> tuple[int, ...]:
        """The empty cells, along the rows."""
        if self.result is not None:
            return ()
        return tuple(cell for cell in range(CELLS) if self.cells[cell] == 0)

    def play(self, move: int) -> "TicTacToePosition":
        """The position with a cell taken. Raises IllegalMove."""
        if self.result is not None:
            raise IllegalMove("the game is over")
        if move not in range(CELLS):
            raise IllegalMove(f"{move!r} is no cell from 0 to 8")
        if self.cells[move] != 0:
            raise IllegalMove(f"{TicTacToe().format_move(move)} is taken")
        return TicTacToePosition((*self.cells[:move], self.to_move + 1, *self.cells[move + 1 :]), move)

    def __str__(self) -> str:
        symbols = "".join(".xo"[owner] for owner in self.cells)
        return "/".join((symbols[:3], symbols[3:6], symbols[6:])) + " " + "xo"[self.to_move]


class TicTacToe(Game):
    """Noughts and crosses (see `game.Game` for what each member means)."""

    name = "tictactoe"
    players = ("x", "o")
    kernel = KERNEL
    amaf_moves = CELLS
    positions_recur = False

    def initial(self) -> TicTacToePosition:
        """The empty board, crosses to move."""
        return TicTacToePosition()

    def parse_move(self, text: str, position: TicTacToePosition | None = None) -> int:
        """Reads `b3`: column a to c from the left, row 1 to 3 from the top."""
        if not (match := re.fullmatch("([abc])([123])", text.strip().lower())):
            raise NotationError(f"{text!r} is no move: write column a to c and row 1 to 3, as in b3")
        return "abc".index(match[1]) + 3 * (int(match[2]) - 1)

    def format_move(self, move: int) -> str:
        """`b3`."""
        return f"{'abc'[move % 3]}{move // 3 + 1}"

    def parse_position(self, text: str) -> TicTacToePosition:
        """Reads three rows joined by `/`, then the side to move."""
        if not re.fullmatch("[.xo]{3}(/[.xo]{3}){2} [xo]", text.strip()):
            raise NotationError(
                f"{text!r} is no position: write three rows of '. x o' and the side, as in .../.x./... o"
            )
        position = TicTacToePosition(tuple(".xo".index(symbol) for symbol in text.strip()[:11] if symbol != "/"))
        if (
            position.cells.count(1) - position.cells.count(2) != position.to_move
            or text.strip()[-1] != str(position)[-1]
        ):
            raise NotationError(f"in {text!r} the numbers of crosses and noughts do not fit the side to move")
        return position

    def draw(self, position: TicTacToePosition, colour: bool = False) -> str:
        """Three rows with coordinates."""
        marks = [("\x1b[7m{}\x1b[0m" if colour and i == position.last_move else "{}") for i in range(CELLS)]
        symbols = [mark.format(".xo"[owner]) for mark, owner in zip(marks, position.cells, strict=True)]
        return "\n".join(["  a b c", *(f"{row + 1} {' '.join(symbols[3 * row : 3 * row + 3])}" for row in range(3))])

    def state(self, position: TicTacToePosition) -> np.ndarray:
        """int8[10], see the module."""
        return np.array((*position.cells, position.to_move), np.int8)

    def move_of(self, position: TicTacToePosition, word0: int, word1: int) -> int:
        """The payload is the move."""
        return int(word0)


# --- For search -----------------------------------------------------------------------------------------------------


@jit
def _has_line(kernel, state, owner):
    for i in range(len(kernel.lines)):
        if (
            state[kernel.lines[i, 0]] == owner
            and state[kernel.lines[i, 1]] == owner
            and state[kernel.lines[i, 2]] == owner
        ):
            return True
    return False


@jit
def _status(kernel, state):
    if _has_line(kernel, state, state[TO_MOVE] + 1):
        return game.WON
    if _has_line(kernel, state, 2 - state[TO_MOVE]):
        return game.LOST
    for cell in range(CELLS):
        if state[cell] == 0:
            return game.OPEN
    return game.DRAWN


@jit
def _take(state, cell):
    state[cell] = state[TO_MOVE] + 1
    state[TO_MOVE] = 1 - state[TO_MOVE]


@jit
def _give_back(state, cell):
    state[cell] = 0
    state[TO_MOVE] = 1 - state[TO_MOVE]


@jit
def _successors(kernel, state, payload0, payload1, stats, first):
    n = first
    for cell in range(CELLS):
        if state[cell] == 0:
            _take(state, cell)
            payload0[n], payload1[n], stats[n] = U64(cell), U64(0), _status(kernel, state)
            _give_back(state, cell)
            n += 1
    return n - first


@jit
def _random_playout(kernel, state, rng, trace):
    player = state[TO_MOVE]
    while _status(kernel, state) == game.OPEN:
        empty = 0
        for cell in range(CELLS):
            empty += state[cell] == 0
        left = np.int64(random_below(rng, empty))
        cell = 0
        while state[cell] != 0 or left > 0:
            left -= state[cell] == 0
            cell += 1
        if trace is not None and trace[cell] == 0:
            trace[cell] = 1 if state[TO_MOVE] == player else 2
        _take(state, cell)
    outcome = _status(kernel, state)
    if outcome == game.DRAWN:
        return np.float32(0.5)
    return np.float32(1) if (outcome == game.WON) == (state[TO_MOVE] == player) else np.float32(0)


@jit
def _evaluation(kernel, state):
    """Lines that the opponent has not touched, the stones in them counted."""
    total = 0.0
    for i in range(len(kernel.lines)):
        mine = theirs = 0
        for k in range(3):
            mine += state[kernel.lines[i, k]] == state[TO_MOVE] + 1
            theirs += state[kernel.lines[i, k]] == 2 - state[TO_MOVE]
        if mine == 0 or theirs == 0:
            total += mine - theirs
    return np.float32(0.5 + total / 50.0)  # 8 lines of at most 3 stones: within 0.02 to 0.98


game.implement(
    TicTacToeKernel,
    max_children=lambda kernel: CELLS,
    step=lambda kernel, state, word0, word1: _take(state, word0),
    outcome=_status,
    children=_successors,
    playout=lambda kernel, state, rng: _random_playout(kernel, state, rng, None),
    traced_playout=_random_playout,
    evaluate=_evaluation,
)
