"""Moves and positions of Go for people, immutable, with errors that say what was expected."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from jit import U64  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from game import DRAW, FIRST, SECOND, IllegalMove, Position, Result
from go import layout, rules, scoring, verbs  # noqa: F401  (the verbs get their bodies)
from go.tables import AREA, COLUMNS, GoKernel, point_at, row_and_column
from options import GameOption

KOMI = GameOption(
    "komi",
    float,
    None,
    -1000,
    1000,
    in_position=True,
    help="White's points for moving second; unless given 7, on 19x19 7.5",
)


class GoMove(NamedTuple):
    """A stone on a point, or PASS.

    Attributes:
        row: from 0 at the top; -1 in a pass.
        column: from 0 at the left; -1 in a pass.
    """

    row: int
    column: int

    @property
    def code(self) -> int:
        """The number of the move in compiled code: a point, or 0 for a pass."""
        return int(layout.PASS) if self == PASS else point_at(self.row, self.column)


PASS = GoMove(-1, -1)
_COLOUR_WORDS = AREA // 8  # of a packed position: a byte a point, see `pack`


def move_with_code(code: int) -> GoMove:
    """The move of that number in compiled code."""
    return PASS if code == layout.PASS else GoMove(*row_and_column(code))


class History(NamedTuple):
    """The boards of a game as a list, the last first. Attributes: board: its hash. before: the list before it."""

    board: int
    before: "History | None"


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class GoPosition(Position):
    """A position, with the boards of the game so far, which the superko rule needs.

    Two positions are equal if the same stones stand on boards of the same komi, the same player is to move, after as
    many passes, with the same ko. Positions made from text have no earlier boards.

    Attributes:
        words: the stones and the single words of a state (see `pack`): less, since a game keeps hundreds of positions.
        history: the boards of the game.
        forbidden: moves that may not be made, see `forbidding`.

    >>> from go.game import Go
    >>> position = Go(size=5).initial().play(GoMove(2, 2))
    >>> str(position), position.score()
    ('...../...../..b../...../..... w - 7', 18.0)
    """

    history: History | None = None
    forbidden: frozenset[GoMove] = frozenset()

    @property
    def _key(self) -> Hashable:
        words = (layout.TO_MOVE, layout.KO, layout.PASSES, layout.KOMI)
        return (self.size, self._colours.tobytes(), *map(self._word, words))

    @property
    def _colours(self) -> np.ndarray:
        return self.words[:_COLOUR_WORDS].view(np.uint8)

    def _word(self, index: Any) -> int:
        return int(self.words[_COLOUR_WORDS + int(index - layout.TO_MOVE)])

    @property
    def state(self) -> np.ndarray:
        """The position as compiled code holds it (see `layout`), a fresh array; no move is banned in it."""
        return self._state_banning(())

    def _state_banning(self, points: tuple[int, ...]) -> np.ndarray:
        state, banned = np.zeros(layout.STATE_SIZE, U64), int(layout.BANNED)
        rules.set_up(self.kernel, state, self._colours.astype(U64))
        state[int(layout.TO_MOVE) : int(layout.BANNED_COUNT)] = self.words[_COLOUR_WORDS:-1]
        state[layout.BANNED_COUNT] = len(points)
        state[banned : banned + len(points)] = points
        return state

    @property
    def kernel(self) -> GoKernel:
        """The kernel of the game."""
        kernel: GoKernel = self.game.kernel
        return kernel

    @property
    def size(self) -> int:
        """Rows and columns."""
        return self.kernel.size

    @property
    def komi(self) -> float:
        """White's points for moving second."""
        return float(self.words.view(np.float64)[_COLOUR_WORDS + int(layout.KOMI - layout.TO_MOVE)])

    @property
    def to_move(self) -> int:
        """FIRST (black) or SECOND (white)."""
        return self._word(layout.TO_MOVE) - 1

    @property
    def passes(self) -> int:
        """Passes in a row that led here."""
        return self._word(layout.PASSES)

    @property
    def ko(self) -> GoMove | None:
        """The point that the simple ko rule forbids."""
        point = self._word(layout.KO)
        return move_with_code(point) if point != layout.NOWHERE else None

    @property
    def captures(self) -> tuple[int, int]:
        """Stones that black and white have captured."""
        return self._word(layout.TAKEN), self._word(layout.TAKEN_BY_WHITE)

    @property
    def board(self) -> np.ndarray:
        """int8[size, size]: 0 empty, 1 black, 2 white; row 0 at the top."""
        return self._grid(self._colours)

    def _grid(self, words: np.ndarray) -> np.ndarray:
        return np.asarray(words[self.kernel.points], np.int8).reshape(self.size, self.size)

    def area(self) -> np.ndarray:
        """int8[size, size]: the owner of each point, 0 nobody, 1 black, 2 white; all stones count as alive."""
        owner = np.zeros(AREA, np.uint8)
        scoring.paint_area(self.kernel, self.state, owner)
        grid = self._grid(owner)
        grid[grid == int(layout.BOTH)] = 0
        return grid

    def score(self) -> float:
        """Black's area less white's area and komi, as the board stands."""
        return float(scoring.area_score(self.kernel, self.state)) - self.komi

    @property
    def result(self) -> Result | None:
        """The result by area after two passes in a row; None before."""
        return result_of(self.score()) if self.passes >= 2 else None

    def _boards(self) -> list[int]:
        """The hashes of all boards so far, this one included."""
        found, entry = [], self.history
        while entry is not None:
            found.append(entry.board)
            entry = entry.before
        return found

    def _points(self) -> tuple[list[int], list[int]]:
        """Points that may be played, in order, and those that only the superko rule forbids."""
        state, (points, boards) = self.state, np.zeros((2, self.size**2), U64)
        count = rules.legal_points(self.kernel, state, points, boards)
        earlier, legal, repeating = set(self._boards()), list[int](), list[int]()
        for point, board in zip(points[:count].tolist(), boards[:count].tolist(), strict=True):
            after = self._board_after_capture(state, point) if board == rules.CAPTURES else board
            (repeating if after in earlier else legal).append(point)
        return legal, repeating

    def _board_after_capture(self, state: np.ndarray, point: int) -> int:
        after = state.copy()
        rules.play(after, U64(point))
        return int(rules.board_hash(self.kernel, after))

    def legal_moves(self) -> tuple[GoMove, ...]:
        """Points along the rows from the top left, then PASS; none once the game is over."""
        if self.passes >= 2:
            return ()
        moves = (*(move_with_code(point) for point in self._points()[0]), PASS)
        return tuple(move for move in moves if move not in self.forbidden)

    def play(self, move: GoMove) -> "GoPosition":
        """The position after a move. Raises IllegalMove."""
        move, state = self._on_this_board(move), self.state
        self._check(move, state)
        rules.play(state, U64(move.code))
        history = self.history if move == PASS else History(self._board_after(move, state), self.history)
        return GoPosition(self.game, pack(state), self.ply + 1, move, self.to_move, history)

    def move_numbered(self, number: int) -> GoMove:
        """The move with this code."""
        return move_with_code(number)

    def _on_this_board(self, move: Any) -> GoMove:
        """The move, with Python's integers. Raises IllegalMove if it is neither PASS nor a point of this board."""
        if not isinstance(move, GoMove) or (move != PASS and not is_on_board(move, self.size)):
            raise IllegalMove(f"{move!r} is no move on this board; take one of legal_moves()")
        return GoMove(int(move.row), int(move.column))

    def _check(self, move: GoMove, state: np.ndarray) -> None:
        """Raise IllegalMove for a move against the rules; `_board_after` checks suicide and superko."""
        if self.passes >= 2:
            raise IllegalMove("the game is over: both players have passed")
        name = format_move(move, self.size)
        if move in self.forbidden:
            raise IllegalMove(f"{name} is forbidden at this move")
        if move == PASS:
            return
        if state[move.code] != layout.EMPTY:
            raise IllegalMove(f"{name} is taken")
        if move == self.ko:
            raise IllegalMove(f"{name} takes a ko back at once")

    def _board_after(self, move: GoMove, state: np.ndarray) -> int:
        """The hash of the board that a move has led to. Raises IllegalMove for suicide and by the superko rule."""
        name, board = format_move(move, self.size), int(rules.board_hash(self.kernel, state))
        if state[layout.LIBERTIES + state[layout.CHAIN + U64(move.code)]] == 0:
            raise IllegalMove(f"{name} would be suicide")
        if board in self._boards():
            raise IllegalMove(f"{name} would repeat an earlier position (superko)")
        return board

    def with_to_move(self, player: int) -> "GoPosition":
        """The same board with that player to move, no ko and no passes, so the game is open. Raises ValueError."""
        state = self.state
        state[layout.TO_MOVE] = checked_player(player) + 1
        state[layout.KO], state[layout.PASSES] = layout.NOWHERE, 0
        state[layout.LAST] = layout.NOWHERE  # it may be a move of the player now to move, and needs no answer
        return replace(self, words=pack(state), forbidden=frozenset())

    def with_komi(self, komi: float) -> "GoPosition":
        """The same position with another komi. Raises OptionError for a number that cannot be komi."""
        state = self.state
        write_komi(state, checked_komi(komi))
        return replace(self, words=pack(state))

    def forbidding(self, moves: Iterable[GoMove]) -> "GoPosition":
        """The same position, in which these moves are forbidden; at least one legal move has to be left.

        Raises IllegalMove for anything that is no move on this board, ValueError if no move would be left.
        """
        position = replace(self, forbidden=frozenset(map(self._on_this_board, moves)))
        if self.passes < 2 and not position.legal_moves():
            raise ValueError("every legal move would be forbidden")
        return position

    def search_state(self) -> np.ndarray:
        """As `state`, with those moves banned that the simple rules allow but that are forbidden here."""
        banned = {*self._points()[1], *(move.code for move in self.forbidden)}
        return self._state_banning(tuple(sorted(banned)))


def result_of(score: float) -> Result:
    """The result for black's points less white's."""
    if score == 0:
        return DRAW
    return Result(FIRST if score > 0 else SECOND, abs(score))


def pack(state: np.ndarray) -> np.ndarray:
    """The colours of a state's points and its single words: all that `GoPosition.state` needs to make it again."""
    colours, words = state[:AREA].astype(np.uint8), state[int(layout.TO_MOVE) : int(layout.TO_MOVE) + layout.WORDS]
    return np.concatenate((colours.view(U64), words))


def write_komi(state: np.ndarray, komi: float) -> None:
    """Put komi into a state."""
    state.view(np.float64)[layout.KOMI] = komi


def is_on_board(move: GoMove, size: int) -> bool:
    """Whether a move is a point of a board of that size."""
    return all(isinstance(i, int | np.integer) and 0 <= i < size for i in move)


def orientations(board: np.ndarray) -> list[np.ndarray]:
    """A square array turned and mirrored in all eight ways."""
    return [np.rot90(side, turn) for side in (board, board.T) for turn in range(4)]


def format_komi(komi: float) -> str:
    """A komi as text, with all its digits; a whole number has none behind the point.

    >>> format_komi(7.0), format_komi(-0.5), format_komi(6.6666667)
    ('7', '-0.5', '6.6666667')
    """
    return repr(float(komi)).removesuffix(".0")


def format_move(move: GoMove, size: int) -> str:
    """`D4` or `pass`, on a board of that size. Raises ValueError for a point beyond it."""
    if move == PASS:
        return "pass"
    if not is_on_board(move, size):
        raise ValueError(f"{move} is not on a board of {size}x{size}")
    return f"{COLUMNS[move.column]}{size - move.row}"


def checked_komi(komi: float) -> float:
    """The komi as a float. Raises OptionError if it cannot be komi."""
    checked: float = KOMI.check(komi)
    return checked + 0.0  # no -0


def checked_player(player: int) -> int:
    """The player, FIRST or SECOND. Raises ValueError for anything else."""
    if player not in (FIRST, SECOND):
        raise ValueError(f"the player to move is {FIRST} (black) or {SECOND} (white), not {player!r}")
    return player
