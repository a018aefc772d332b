"""Pentago for people: positions, moves as text, drawing, and errors that say what was expected."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from jit import U64  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from board_view import BoardView
from game import (
    FIRST,
    AmafGame,
    BookGame,
    IllegalMove,
    LearnedGame,
    NotationError,
    Position,
    Result,
    SolvedGame,
    result_of,
)
from options import shortened
from pentago import rules, typed_moves
from pentago.boards import complete_lines
from pentago.evaluation import load_network
from pentago.features import ACTIVE, BUCKETS, FEATURES
from pentago.forced_wins import make_space
from pentago.lines import LINE_COUNT
from pentago.rules import TWIST
from pentago.tables import CELLS, LINE_CELLS, MOVES, PentagoKernel, cell_at, row_and_column

COLUMNS = "abcdef"
SOLVER_TABLE_BITS = 14  # 256 KB
TURNS = "rf"  # rotate 90 degrees clockwise, flip left to right

_MOVE = re.compile(r"([a-f])([1-6])/([0-3])([rf])")
_COURSE_MOVE = re.compile(r"([0-5])[ ,]+([0-5])[ ,]+([0-3])[ ,]+([01])")
_BOARD = re.compile(r"[.wb]{6}(/[.wb]{6}){5}")

MOVE_HELP = "Type a cell, then a quadrant and r or f: f5/1r (a stone on f5; quadrant 1 rotates, with f it flips)"


class PentagoMove(NamedTuple):
    """A stone on a cell, then a turn of a quadrant.

    Attributes:
        row: 0 to 5 from the top.
        column: 0 to 5 from the left.
        quadrant: 0 top left, 1 top right, 2 bottom left, 3 bottom right.
        turn: 0 rotates the quadrant 90 degrees clockwise, 1 mirrors it left to right.

    >>> str(PentagoMove(4, 5, 1, 0))
    'f5/1r'
    """

    row: int
    column: int
    quadrant: int
    turn: int

    def __str__(self) -> str:
        return f"{COLUMNS[self.column]}{self.row + 1}/{self.quadrant}{TURNS[self.turn]}"

    @property
    def code(self) -> int:
        """The number of the move in compiled code, see the package."""
        return cell_at(self.row, self.column) * 8 + self.quadrant * 2 + self.turn


def _move_with_code(code: int) -> PentagoMove:
    return PentagoMove(*row_and_column(code >> 3), code >> 1 & 3, code & 1)


ALL_MOVES = tuple(_move_with_code(code) for code in range(MOVES))  # by code
_CODES = {move: code for code, move in enumerate(ALL_MOVES)}
_MOVES_OF_CELL = tuple(ALL_MOVES[8 * cell : 8 * cell + 8] for cell in range(CELLS))
_CELLS_BY_ROW = tuple(cell_at(row, column) for row in range(6) for column in range(6))


class PentagoPosition(Position):
    """A position: the stones of the player to move and of the other as 36-bit boards, see the package.

    >>> str(Pentago().initial().play(PentagoMove(4, 5, 3, 1)))
    '....../....../....../....../...w../...... b'
    """

    __slots__ = ()

    @property
    def to_move(self) -> int:
        """FIRST (white) or SECOND (black)."""
        return self.ply % 2

    @property
    def stones(self) -> tuple[int, int]:
        """The stones of white and of black, a bit a cell."""
        mine, theirs = self.words.tolist()
        return (mine, theirs) if self.to_move == FIRST else (theirs, mine)

    @property
    def result(self) -> Result | None:
        """The result, from the lines of both players and whether the board is full; None while the game is open."""
        return result_of(rules.status(*self.words), self.to_move)

    @property
    def board(self) -> np.ndarray:
        """int8[6, 6]: 0 empty, 1 white, 2 black; row 0 at the top."""
        white, black = self.stones
        entries = [(white >> cell & 1) + 2 * (black >> cell & 1) for cell in _CELLS_BY_ROW]
        return np.array(entries, np.int8).reshape(6, 6)

    def legal_moves(self) -> tuple[PentagoMove, ...]:
        """Eight moves for each empty cell, from a1 along the rows; none once the game is over."""
        if self.result is not None:
            return ()
        mine, theirs = self.words.tolist()
        taken = mine | theirs
        return tuple(move for cell in _CELLS_BY_ROW if not taken >> cell & 1 for move in _MOVES_OF_CELL[cell])

    def _checked(self, move: Any) -> tuple[PentagoMove, int]:
        number = _CODES.get(move) if isinstance(move, PentagoMove) else None  # `move.code` may overflow in int8
        if number is None:
            raise IllegalMove(f"{move!r} is not a Pentago move: take one of legal_moves()")
        if (self.stones[0] | self.stones[1]) >> (number >> 3) & 1:
            raise IllegalMove(f"{str(ALL_MOVES[number])[:2]} is taken")
        return ALL_MOVES[number], number

    def move_numbered(self, number: int) -> PentagoMove:
        """The move with this code."""
        return ALL_MOVES[number]


def winning_cells(position: PentagoPosition) -> list[tuple[int, int]]:
    """See `Pentago.winning_cells`; takes a `Draft`, too."""
    board, won = position.board, 0
    for player in (1, 2):
        stones = sum(1 << cell_at(int(row), int(column)) for row, column in np.argwhere(board == player))
        complete = int(complete_lines(U64(stones)))
        for line, cells in enumerate(LINE_CELLS.tolist()):
            won |= cells if complete >> line & 1 else 0
    return [row_and_column(cell) for cell in _CELLS_BY_ROW if won >> cell & 1]


class Pentago(AmafGame, LearnedGame, SolvedGame, BookGame):
    """Pentago Twist (see `game.Game` for what each member means)."""

    name = "pentago"
    players = ("w", "b")
    search_defaults: Mapping[str, Any] = {
        "foresight": True,
        "evaluation": "learned",
        "search": "graph",
        "reuse": True,
        "solve": 64,
        "effort": 0.125,
        "temperature": 0.3,
    }
    amaf_moves = MOVES
    positions_recur = False  # every move adds a stone
    evaluations = ("lines", "learned")
    feature_count = FEATURES
    active_features = ACTIVE
    feature_buckets = BUCKETS
    book = Path(__file__).with_name("book.npz")

    def __init__(self, kernel: PentagoKernel = TWIST) -> None:
        self.kernel = kernel

    def kernel_with(self, **switches: Any) -> Any:
        """The kernel with these switches: `foresight`, and `evaluation`: `lines`, `learned` or a file of weights."""
        if isinstance(name := switches.get("evaluation"), str):
            switches["evaluation"] = self._evaluation(name)
        return self.kernel._replace(**switches)

    @staticmethod
    def _evaluation(name: str) -> Any:
        if name == "lines":
            return LINE_COUNT
        if name != "learned" and not name.endswith(".npz"):
            raise ValueError(f"evaluation={name}: it has to be lines, learned, or a file of weights (.npz)")
        return load_network() if name == "learned" else load_network(Path(name))

    def solver(self) -> Any:
        """Working space of `forced_wins.py`."""
        return make_space(SOLVER_TABLE_BITS)

    def initial(self) -> PentagoPosition:
        """The empty board, white to move."""
        return PentagoPosition(self, np.zeros(2, np.uint64))

    def parse_move(self, text: str, position: PentagoPosition | None = None) -> PentagoMove:
        """Reads `f5/1r` and the course's `x y quadrant op` (row, column, quadrant, 0 rotate or 1 flip).

        >>> Pentago().parse_move("F5/1R") == Pentago().parse_move("4 5 1 0")
        True
        """
        cleaned = " ".join(text.strip().lower().split())
        if match := _MOVE.fullmatch(cleaned):
            column, row, quadrant, turn = match.groups()
            return PentagoMove(int(row) - 1, COLUMNS.index(column), int(quadrant), TURNS.index(turn))
        if match := _COURSE_MOVE.fullmatch(cleaned):
            return PentagoMove(*map(int, match.groups()))
        raise NotationError(f"can't read {shortened(text)}. {MOVE_HELP}")

    def read_typed_move(self, text: str, position: PentagoPosition) -> PentagoMove:
        """Reads `d4/1r`, `d4 1 r`, `d41r`, `d4 r1` and the course's `3 3 1 0`; an error says which part is wrong."""
        return PentagoMove(*typed_moves.read(text, position.board))

    def parse_position(self, text: str) -> PentagoPosition:
        """Reads six rows from the top, joined by `/`, then `w` or `b` to move."""
        board, _, side = text.strip().lower().partition(" ")
        if not _BOARD.fullmatch(board):
            raise NotationError(f"{shortened(text)} is not a position: write six rows of six of '. w b', joined by '/'")
        if side.strip() not in self.players:
            raise NotationError(f"{shortened(text)} does not end with the side to move, 'w' or 'b'")
        symbols = board.replace("/", "")
        white, black = (
            sum(1 << cell for cell, symbol in zip(_CELLS_BY_ROW, symbols, strict=True) if symbol == player)
            for player in self.players
        )
        difference = white.bit_count() - black.bit_count()
        if difference != self.players.index(side.strip()):
            wanted = "as many as" if side.strip() == "w" else "one more than"
            raise NotationError(
                f"{white.bit_count()} white and {black.bit_count()} black stones: with {side.strip()} to move, "
                f"white has {wanted} black"
            )
        stones = (white, black) if difference == 0 else (black, white)
        return PentagoPosition(self, np.array(stones, np.uint64), white.bit_count() + black.bit_count())

    def format_position(self, position: PentagoPosition) -> str:
        """Six rows from the top, joined by `/`, then `w` or `b` to move."""
        rows = ("".join(".wb"[entry] for entry in row) for row in position.board)
        return f"{'/'.join(rows)} {self.players[position.to_move]}"

    def draw(self, position: PentagoPosition, colour: bool = False) -> str:
        """The board with coordinates and quadrant numbers; the last move and winning lines are marked."""
        from pentago.board_view import draw  # noqa: PLC0415  (it imports this module)

        return draw(position, colour)

    def winning_cells(self, position: PentagoPosition) -> list[tuple[int, int]]:
        """The cells of all complete lines; if both players have lines, which is a draw, those of both."""
        return winning_cells(position)

    def board_view(self) -> BoardView:
        """See `pentago/board_view.py`."""
        from pentago.board_view import PentagoView  # noqa: PLC0415  (nobody who plays without a screen needs it)

        return PentagoView()
