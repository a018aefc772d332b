"""Go on a board of one size: moves and positions as text, set-up positions, likely owners, and what a search asks."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from jit import U64  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from board_view import BoardView
from game import FIRST, AmafGame, BookGame, NotationError, Result
from go import chains, estimate, evaluation, kinds, ladders, layout, priors, rules
from go.position import (
    KOMI,
    PASS,
    GoMove,
    GoPosition,
    History,
    checked_komi,
    checked_player,
    format_komi,
    format_move,
    is_on_board,
    move_with_code,
    orientations,
    pack,
    result_of,
    write_komi,
)
from go.tables import AREA, COLUMNS, LARGEST, make_kernel
from options import GameOption, shortened

DEFAULT_KOMI, KOMI_ON_19 = 7.0, 7.5
SIZE = GameOption("size", int, 9, 2, LARGEST, help="Rows and columns of the board.")

MOVE_HELP = "Type a column and a row, or pass: D4 (row 1 is at the bottom, there is no column I)"


class Go(AmafGame, BookGame):
    """Go on one size of board with one komi (see `game.Game` for what each member means)."""

    name = "go"
    players = ("b", "w")
    amaf_moves = AREA
    book = Path(__file__).with_name("book.npz")
    options = (SIZE, KOMI)
    search_defaults: Mapping[str, Any] = {
        "formula": "rave",
        "c": 0.002,
        "equivalence": 400.0,
        "reuse": True,
        "stop": "lead",
        "resign": 0.03,
        "keep_eyes": True,
        "priors": True,
        "ladders": True,
        "surroundings": True,
        "heavy": True,
        "escape": 230,
        "pattern": 230,
        "self_atari": 128,
        "nakade": 200,
    }
    opening_plies = 0  # two searches with different seeds do not repeat their games

    def __init__(self, size: int = 9, komi: float | None = None) -> None:
        if komi is None:
            komi = KOMI_ON_19 if size == LARGEST else DEFAULT_KOMI
        self.size, self.komi = SIZE.check(size), checked_komi(komi)
        self.kernel = make_kernel(
            size, priors.learned(), kinds.nothing_seen(), evaluation.learned(), ladders.working_space()
        )
        if size == evaluation.SIZE and abs(self.komi - evaluation.KOMI) <= evaluation.KOMI_RANGE:
            self.search_defaults = {**self.search_defaults, "mixture": 0.5}
        self.moves_ahead = max(8, size * size // 4)  # own moves still to be expected in the opening
        self.longest_game = 4 * size * size
        words = (layout.TO_MOVE, layout.KO, layout.PASSES, layout.KOMI)
        self.key_places = np.array([*self.kernel.points, *words], np.int64)

    # --- Positions ---

    def initial(self) -> GoPosition:
        """The empty board, black to move."""
        return self.set_up()

    def set_up(self, black: Iterable[GoMove] = (), white: Iterable[GoMove] = (), to_move: int = FIRST) -> GoPosition:
        """A position with these stones and no history. Raises ValueError for stones that cannot stand like this."""
        colours = np.zeros(AREA, U64)
        for stones, colour in ((black, layout.BLACK), (white, layout.WHITE)):
            for move in stones:
                if not is_on_board(move, self.size):
                    raise ValueError(f"{move} is not on a board of {self.size}x{self.size}")
                if colours[move.code] not in (layout.EMPTY, colour):
                    raise ValueError(f"both players have a stone on {format_move(move, self.size)}")
                colours[move.code] = colour
        state = np.zeros(layout.STATE_SIZE, U64)
        if not rules.set_up(self.kernel, state, colours):
            raise ValueError("there are stones without a liberty")
        state[layout.TO_MOVE] = checked_player(to_move) + 1
        write_komi(state, self.komi)
        return GoPosition(self, pack(state), history=History(int(rules.board_hash(self.kernel, state)), None))

    def handicap_points(self, number: int) -> tuple[GoMove, ...]:
        """Where the stones of a handicap stand (GTP 2, fixed handicap). Raises ValueError for a number without a place.

        >>> [format_move(move, 9) for move in Go(size=9).handicap_points(3)]
        ['C3', 'G7', 'C7']
        """
        return handicap_points(self.size, number)

    # --- Text ---

    def parse_move(self, text: str, position: GoPosition | None = None) -> GoMove:
        """Reads `D4` and `pass`, in any case; whether the point is on the board is checked here."""
        cleaned = text.strip().upper() if text.isascii() else ""  # upper() makes ASCII letters of some others
        if cleaned == "PASS":
            return PASS
        match = re.fullmatch(r"([A-HJ-T])([1-9][0-9]?)", cleaned)
        if match is None:
            raise NotationError(f"can't read {shortened(text)}. {MOVE_HELP}")
        row, column = self.size - int(match[2]), COLUMNS.index(match[1])
        if row < 0 or column >= self.size:
            raise NotationError(f"{shortened(text)} is not on this {self.size}x{self.size} board. {MOVE_HELP}")
        return GoMove(row, column)

    def read_typed_move(self, text: str, position: GoPosition) -> GoMove:
        """Reads `D4`, `d 4`, `4 4` (column and row), `pass` and `p`; an error says which part is wrong."""
        cleaned = text.strip().upper() if text.isascii() else ""
        if cleaned in ("PASS", "P"):
            return PASS
        if match := re.fullmatch(r"([0-9]{1,2})[ ,]+([0-9]{1,2})", cleaned):
            return self._point(int(match[1]) - 1, int(match[2]), f"{match[1]} {match[2]}")
        match = re.fullmatch(r"([A-Z])[ ,\-]*([0-9]{0,2})", cleaned)
        if match is None:
            raise NotationError(f"can't read {shortened(text)}. {MOVE_HELP}")
        column, row = match.groups()
        if column == "I":
            raise NotationError(f"there is no column I: {self._lines}")
        if not row:
            raise NotationError(f"{column} alone: add the row, 1 to {self.size} from the bottom, as in {column}4")
        return self._point(COLUMNS.find(column), int(row), column + row)

    def _point(self, column: int, row: int, text: str) -> GoMove:
        """The point of a column from 0 and a row from 1, counted from the bottom. Raises NotationError."""
        if not (0 <= column < self.size and 1 <= row <= self.size):
            raise NotationError(f"{text} is not on this board: {self._lines}")
        return GoMove(self.size - row, column)

    @property
    def _lines(self) -> str:
        without = " without I" if self.size > COLUMNS.find("J") else ""
        return f"columns are A to {COLUMNS[self.size - 1]}{without}, rows 1 to {self.size}"

    def format_move(self, move: GoMove) -> str:
        """`D4` or `pass`. Raises TypeError or ValueError for anything that is no move on this board."""
        if not isinstance(move, GoMove):
            raise TypeError(f"{move!r} is no GoMove")
        return format_move(move, self.size)

    def parse_position(self, text: str) -> GoPosition:
        """Reads rows from the top joined by `/`, the side to move, the ko point or `-`, komi, and passes if any."""
        words = text.split()
        if len(words) not in (4, 5):
            raise NotationError(
                f"{shortened(text)} is no position: rows joined by '/', side, ko point or '-', komi, and the number "
                "of passes if there are any"
            )
        rows = words[0].lower().split("/")
        if len(rows) != self.size or any(len(row) != self.size or set(row) - set(".bw") for row in rows):
            raise NotationError(f"{shortened(words[0])} is no board of {self.size} rows of {self.size} of '. b w'")
        if words[1].lower() not in self.players:
            raise NotationError(f"{shortened(words[1])} is no side to move: 'b' or 'w'")
        game = Go(self.size, _read_komi(words[3]))
        black, white = (
            [GoMove(i, j) for i, row in enumerate(rows) for j, symbol in enumerate(row) if symbol == player]
            for player in self.players
        )
        try:
            position = game.set_up(black, white, to_move=self.players.index(words[1].lower()))
        except ValueError as error:
            raise NotationError(f"{shortened(words[0])} is no position: {error}") from error
        state = position.state
        self._read_ko(words[2], state)
        if len(words) == 5:
            if words[4] not in ("1", "2"):
                raise NotationError(f"{shortened(words[4])} is no number of passes: 1 or 2")
            if state[layout.KO] != layout.NOWHERE:
                raise NotationError(f"{shortened(words[2])} is no ko point: a pass ends a ko")
            state[layout.PASSES] = int(words[4])
        return replace(position, words=pack(state))

    def _read_ko(self, text: str, state: np.ndarray) -> None:
        """Write a ko point into the state of a position that is being read."""
        if text == "-":
            return
        try:
            move = self.parse_move(text)
        except NotationError as error:
            raise NotationError(f"{shortened(text)} is no ko point: a point, or '-' for none") from error
        if move == PASS or state[move.code] != layout.EMPTY:
            raise NotationError(f"{shortened(text)} is no ko point: it has to be empty")
        if not _may_be_ko(state, move):
            raise NotationError(
                f"{shortened(text)} is no ko point: a stone of the other player, alone and with this liberty only, "
                "has to stand beside it, and nothing else"
            )
        state[layout.KO] = move.code

    def format_position(self, position: GoPosition) -> str:
        """Rows from the top joined by `/`, the side to move, the ko point or `-`, komi, and passes if any."""
        rows = "/".join("".join(".bw"[entry] for entry in row) for row in position.board)
        ko = self.format_move(position.ko) if position.ko else "-"
        passes = f" {position.passes}" if position.passes else ""
        return f"{rows} {self.players[position.to_move]} {ko} {format_komi(position.komi)}{passes}"

    def draw(self, position: GoPosition, colour: bool = False) -> str:
        """The board with coordinates and star points, the last move marked; captures, ko and komi below."""
        from go.board_view import draw  # noqa: PLC0415  (nobody who plays without a screen needs it)

        return draw(position, colour)

    def board_view(self) -> BoardView:
        """See `go/board_view.py`."""
        from go.board_view import GoView  # noqa: PLC0415  (nobody who plays without a screen needs it)

        return GoView(self.size)

    def draw_area(self, position: GoPosition, colour: bool = False) -> str:
        """The board as text, with the owner of each point."""
        from go.board_view import draw_area  # noqa: PLC0415

        return draw_area(position, colour)

    # --- What is likely ---

    def ownership(self, position: GoPosition, playouts: int = 1000, seed: int = 0) -> np.ndarray:
        """float32[size, size]: the mean owner of each point after playouts, from 1 (black) to -1 (white)."""
        return estimate.ownership(position, playouts, seed)

    def statuses(self, position: GoPosition) -> dict[GoMove, str]:
        """The likely fate of each stone: "alive", "dead" or "seki"."""
        return {move_with_code(point): status for point, status in estimate.statuses(position).items()}

    def final_score(self, position: GoPosition) -> Result:
        """The result by area after the stones that are likely to be dead have been taken off."""
        return result_of(estimate.score_without_dead(position) - position.komi)

    # --- For search ---

    def state(self, position: GoPosition) -> np.ndarray:
        """uint64[layout.STATE_SIZE], see `layout`; its lists do not depend on how the position came about."""
        return position.search_state()

    def images(self, position: GoPosition) -> list[bytes]:
        """The board turned and mirrored in all eight ways, with its ko and all else that counts but earlier boards."""
        board = position.board
        if position.ko:
            board[position.ko.row, position.ko.column] = layout.OFF
        others = f"{position.to_move} {position.passes} {position.komi}".encode()
        return [turned.tobytes() + others for turned in orientations(board)]

    def adjudicate(self, position: GoPosition) -> Result:
        """The result by area, as the board stands."""
        return result_of(position.score())

    def settling_move(self, position: GoPosition) -> GoMove | None:
        """A pass, if the player to move wins by the count of the board as it stands and may pass; else None."""
        ahead = position.score() if position.to_move == FIRST else -position.score()
        return PASS if ahead > 0 and PASS not in position.forbidden else None

    def owner_grid(self, means: np.ndarray) -> np.ndarray:
        """The means of what `tally` adds up, as a board: float32[size, size], from 1 (black) to -1 (white)."""
        return np.asarray(means[self.kernel.points], np.float32).reshape(self.size, self.size)


def _may_be_ko(state: np.ndarray, move: GoMove) -> bool:
    """Whether the last move can have captured one stone on an empty point so that taking back is a ko.

    Only the other player's stones are beside the point, and exactly one of their chains, the single stone that
    captured, has no other liberty.
    """
    point = U64(move.code)
    other = layout.BOTH - state[layout.TO_MOVE]
    beside = [point - layout.STRIDE, point - layout.ONE, point + layout.ONE, point + layout.STRIDE]
    stones = [q for q in beside if state[q] != layout.OFF]
    if any(state[q] != other for q in stones):
        return False
    capturing = {int(state[layout.CHAIN + q]) for q in stones if chains.is_last_liberty(state, point, q)}
    return len(capturing) == 1 and state[layout.SIZE + U64(capturing.pop())] == layout.ONE


def _read_komi(text: str) -> float:
    if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", text, re.IGNORECASE):
        raise NotationError(f"{shortened(text)} is no komi: a number of points")
    try:
        return checked_komi(float(text))
    except ValueError as error:
        raise NotationError(f"{shortened(text)} is no komi: {error}") from error


def most_handicap(size: int) -> int:
    """How many stones a handicap may have on a board of that size."""
    return 0 if size < 7 else 4 if size % 2 == 0 or size == 7 else 9


def handicap_points(size: int, number: int) -> tuple[GoMove, ...]:
    """See `Go.handicap_points`."""
    most = most_handicap(size)
    if not most:
        raise ValueError("boards of less than 7x7 have no places for a handicap")
    if not 2 <= number <= most:
        raise ValueError(f"a handicap on this board has 2 to {most} stones, not {number}")
    low = 2 if size < 13 else 3
    high, middle = size - 1 - low, size // 2
    corners = [(low, low), (high, high), (high, low), (low, high)]  # (row from the bottom, column)
    sides = [(middle, low), (middle, high), (low, middle), (high, middle)]
    centre = [(middle, middle)] if number in (5, 7, 9) else []
    around = number - len(centre)
    places = corners[: min(4, around)] + sides[: max(0, around - 4)] + centre
    return tuple(GoMove(size - 1 - up, column) for up, column in places)
