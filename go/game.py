"""Go for people: positions, moves as text, boards, and errors that say what was expected."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

from jit import U64  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from game import DRAW, FIRST, SECOND, Game, IllegalMove, NotationError, Result
from go import drawing, estimate, rules, verbs
from go.tables import AREA, COLUMNS, LARGEST, GoKernel, make_kernel, point_at, row_and_column
from options import GameOption, shortened

DEFAULT_KOMI, KOMI_ON_19 = 7.0, 7.5
SIZE = GameOption("size", int, 9, 2, LARGEST, help="Rows and columns of the board.")
KOMI = GameOption(
    "komi", float, None, -1000, 1000, True, "White's points for moving second; unless given 7, on 19x19 7.5"
)

MOVE_HELP = "Type a column and a row, or pass: D4 (row 1 is at the bottom, there is no column I)"


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
        return int(rules.PASS) if self == PASS else point_at(self.row, self.column)


PASS = GoMove(-1, -1)


def move_with_code(code: int) -> GoMove:
    """The move of that number in compiled code."""
    return PASS if code == rules.PASS else GoMove(*row_and_column(code))


class History(NamedTuple):
    """The boards of a game, last first: a hash and the entry before."""

    board: int
    before: "History | None"


@dataclass(frozen=True, eq=False, repr=False)
class GoPosition:
    """A position, with the boards of the game so far, which the superko rule needs.

    Two positions are equal if the same stones stand on boards of the same komi, the same player is to move, after as
    many passes, with the same ko. Positions made from text have no earlier boards.

    >>> position = Go(size=5).initial().play(GoMove(2, 2))
    >>> str(position), position.score()
    ('...../...../..b../...../..... w - 7', 18.0)
    """

    kernel: GoKernel
    packed: bytes  # stones and single words of a state, see `pack`: a game keeps hundreds of positions
    history: History | None = None
    ply: int = 0
    last_move: GoMove | None = None
    forbidden: frozenset[GoMove] = frozenset()  # by `forbidding`

    def __eq__(self, other: object) -> bool:
        return self._identity == other._identity if isinstance(other, GoPosition) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[Any, ...]:
        words = (rules.TO_MOVE, rules.KO, rules.PASSES, rules.KOMI)
        return (self.size, self.packed[:AREA], *map(self._word, words))

    def _word(self, index: Any) -> int:
        return int(np.frombuffer(self.packed, U64, 1, AREA + 8 * int(index - rules.TO_MOVE))[0])

    @property
    def state(self) -> np.ndarray:
        """A fresh array as compiled code holds positions, see `rules`; nothing is banned in it."""
        return self._state_banning(())

    def _state_banning(self, points: tuple[int, ...]) -> np.ndarray:
        colours = np.frombuffer(self.packed, np.uint8, AREA).astype(U64)
        words = np.frombuffer(self.packed, U64, offset=AREA)
        state: np.ndarray = verbs.canonical_state(self.kernel, colours, words, np.array(points, U64))
        return state

    @property
    def size(self) -> int:
        """Rows and columns."""
        return self.kernel.size

    @property
    def komi(self) -> float:
        """White's points for moving second."""
        return float(np.frombuffer(self.packed, np.float64, 1, AREA + 8 * int(rules.KOMI - rules.TO_MOVE))[0])

    @property
    def to_move(self) -> int:
        """FIRST (black) or SECOND (white)."""
        return self._word(rules.TO_MOVE) - 1

    @property
    def passes(self) -> int:
        """Passes in a row that led here."""
        return self._word(rules.PASSES)

    @property
    def ko(self) -> GoMove | None:
        """The point that the simple ko rule forbids."""
        point = self._word(rules.KO)
        return move_with_code(point) if point != rules.NOWHERE else None

    @property
    def captures(self) -> tuple[int, int]:
        """Stones that black and white have captured."""
        return self._word(rules.TAKEN), self._word(rules.TAKEN_BY_WHITE)

    @property
    def board(self) -> np.ndarray:
        """int8[size, size]: 0 empty, 1 black, 2 white; row 0 at the top."""
        return self._grid(np.frombuffer(self.packed, np.uint8, AREA))

    def _grid(self, words: np.ndarray) -> np.ndarray:
        return np.asarray(words[self.kernel.points], np.int8).reshape(self.size, self.size)

    def area(self) -> np.ndarray:
        """int8[size, size]: whose area each point is, 0 nobody's, 1 black's, 2 white's, all stones being alive."""
        owner = np.zeros(AREA, U64)
        rules.paint_area(self.kernel, self.state, owner)
        grid = self._grid(owner)
        grid[grid == int(rules.BOTH)] = 0
        return grid

    def score(self) -> float:
        """Black's area less white's area and komi, as the board stands."""
        return float(rules.area_score(self.kernel, self.state)) - self.komi

    @property
    def result(self) -> Result | None:
        """By area once two passes in a row were made."""
        return result_of(self.score()) if self.passes >= 2 else None

    def _boards(self) -> np.ndarray:
        """The hashes of all boards so far, this one included: uint64[n]."""
        found, entry = [], self.history
        while entry is not None:
            found.append(entry.board)
            entry = entry.before
        return np.array(found, U64)

    def _points(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Points that may be played, in order, and those that only the superko rule forbids."""
        legal, repeating = np.zeros((2, self.size**2), U64)
        state = self.state
        counts = rules.legal_points(self.kernel, state, state.copy(), self._boards(), legal, repeating)
        return tuple(map(int, legal[: counts[0]])), tuple(map(int, repeating[: counts[1]]))

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
        history = self.history
        if move != PASS:
            history = History(int(rules.board_hash(self.kernel, state)), history)
        return GoPosition(self.kernel, pack(state), history, self.ply + 1, move)

    def _on_this_board(self, move: Any) -> GoMove:
        """The move with Python's integers for numpy's. Raises IllegalMove for what is no point of this board."""
        if not isinstance(move, GoMove) or (move != PASS and not is_on_board(move, self.size)):
            raise IllegalMove(f"{move!r} is no move on this board; take one of legal_moves()")
        return GoMove(int(move.row), int(move.column))

    def _check(self, move: GoMove, state: np.ndarray) -> None:
        if self.passes >= 2:
            raise IllegalMove("the game is over: both players have passed")
        name = format_move(move, self.size)
        if move in self.forbidden:
            raise IllegalMove(f"{name} is forbidden at this move")
        if move == PASS:
            return
        point = U64(move.code)
        if state[point] != rules.EMPTY:
            raise IllegalMove(f"{name} is taken")
        if move == self.ko:
            raise IllegalMove(f"{name} takes a ko back at once")
        if rules.is_suicide(state, point, state[rules.TO_MOVE]):
            raise IllegalMove(f"{name} would be suicide")
        if rules.repeats(self.kernel, state, state.copy(), point, self._boards()):
            raise IllegalMove(f"{name} would repeat an earlier position (superko)")

    def with_to_move(self, player: int) -> "GoPosition":
        """The same board with that player to move, no ko and no passes: open, whatever it was. Raises ValueError."""
        state = self.state
        state[rules.TO_MOVE] = _checked_player(player) + 1
        state[rules.KO], state[rules.PASSES] = rules.NOWHERE, 0
        state[rules.LAST] = rules.NOWHERE  # it may be of the player who is to move now, and is nothing to answer
        return replace(self, packed=pack(state), forbidden=frozenset())

    def with_komi(self, komi: float) -> "GoPosition":
        """The same position with another komi. Raises OptionError for one that cannot be."""
        state = self.state
        write_komi(state, _checked_komi(komi))
        return replace(self, packed=pack(state))

    def forbidding(self, moves: Iterable[GoMove]) -> "GoPosition":
        """The same position, with moves that may not be made in it; one of the legal moves at least has to be left.

        Raises IllegalMove for what is no move on this board, ValueError if nothing would be left.
        """
        position = replace(self, forbidden=frozenset(map(self._on_this_board, moves)))
        if self.passes < 2 and not position.legal_moves():
            raise ValueError("every legal move would be forbidden")
        return position

    def search_state(self) -> np.ndarray:
        """As `state`, with what may not be played here, although the simple rules allow it, banned."""
        banned = {*self._points()[1], *(move.code for move in self.forbidden)}
        return self._state_banning(tuple(sorted(banned)))

    def __str__(self) -> str:
        symbols = ["".join(".bw"[entry] for entry in row) for row in self.board]
        ko = format_move(self.ko, self.size) if self.ko else "-"
        passes = f" {self.passes}" if self.passes else ""
        return f"{'/'.join(symbols)} {'bw'[self.to_move]} {ko} {drawing.format_komi(self.komi)}{passes}"

    def __repr__(self) -> str:
        return f"GoPosition({str(self)!r})"


def result_of(score: float) -> Result:
    """The result for black's points less white's."""
    if score == 0:
        return DRAW
    return Result(FIRST if score > 0 else SECOND, abs(score))


def pack(state: np.ndarray) -> bytes:
    """The colours of a state's points and its single words: all that `verbs.canonical_state` needs to make it again."""
    words = state[int(rules.TO_MOVE) : int(rules.TO_MOVE) + rules.WORDS]
    return state[:AREA].astype(np.uint8).tobytes() + words.tobytes()


def write_komi(state: np.ndarray, komi: float) -> None:
    """Put komi into a state."""
    state.view(np.float64)[rules.KOMI] = komi


def is_on_board(move: GoMove, size: int) -> bool:
    """Whether a move is a point of a board of that size."""
    return all(isinstance(i, int | np.integer) and 0 <= i < size for i in move)


def format_move(move: GoMove, size: int) -> str:
    """`D4` or `pass`, on a board of that size. Raises ValueError for a point beyond it."""
    if move == PASS:
        return "pass"
    if not is_on_board(move, size):
        raise ValueError(f"{move} is not on a board of {size}x{size}")
    return f"{COLUMNS[move.column]}{size - move.row}"


def _checked_komi(komi: float) -> float:
    checked: float = KOMI.check(komi)
    return checked + 0.0  # no -0


def _checked_player(player: int) -> int:
    if player not in (FIRST, SECOND):
        raise ValueError(f"the player to move is {FIRST} (black) or {SECOND} (white), not {player!r}")
    return player


class Go(Game):
    """Go on one size of board with one komi (see `game.Game` for what each member means)."""

    name = "go"
    players = ("b", "w")
    amaf_moves = AREA
    options = (SIZE, KOMI)
    search_defaults: ClassVar = {
        "formula": "rave",
        "c": 0.0,
        "reuse": True,
        "stop": "lead",
        "resign": 0.03,
        "keep_eyes": True,
        "priors": True,
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
        self.size, self.komi = SIZE.check(size), _checked_komi(komi)
        self.kernel = make_kernel(size)
        self.moves_ahead = max(8, size * size // 4)  # own moves still to be expected in the opening
        self.longest_game = 4 * size * size
        words = (rules.TO_MOVE, rules.KO, rules.PASSES, rules.KOMI)
        self.key_places = np.array([*self.kernel.points, *words], np.int64)

    # --- Positions ---

    def initial(self) -> GoPosition:
        """The empty board, black to move."""
        return self.set_up()

    def set_up(self, black: Iterable[GoMove] = (), white: Iterable[GoMove] = (), to_move: int = FIRST) -> GoPosition:
        """A position with these stones and no history. Raises ValueError for stones that cannot stand like this."""
        colours = np.zeros(AREA, U64)
        for stones, colour in ((black, rules.BLACK), (white, rules.WHITE)):
            for move in stones:
                if not is_on_board(move, self.size):
                    raise ValueError(f"{move} is not on a board of {self.size}x{self.size}")
                if colours[move.code] not in (rules.EMPTY, colour):
                    raise ValueError(f"both players have a stone on {format_move(move, self.size)}")
                colours[move.code] = colour
        state = np.zeros(rules.STATE_SIZE, U64)
        if not rules.set_up(self.kernel, state, colours):
            raise ValueError("there are stones without a liberty")
        state[rules.TO_MOVE] = _checked_player(to_move) + 1
        write_komi(state, self.komi)
        return GoPosition(self.kernel, pack(state), History(int(rules.board_hash(self.kernel, state)), None))

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

    def format_move(self, move: GoMove) -> str:
        """`D4` or `pass`. Raises TypeError or ValueError for what is no move on this board."""
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
            if state[rules.KO] != rules.NOWHERE:
                raise NotationError(f"{shortened(words[2])} is no ko point: a pass ends a ko")
            state[rules.PASSES] = int(words[4])
        return replace(position, packed=pack(state))

    def _read_ko(self, text: str, state: np.ndarray) -> None:
        """Write a ko point into the state of a position that is being read."""
        if text == "-":
            return
        try:
            move = self.parse_move(text)
        except NotationError as error:
            raise NotationError(f"{shortened(text)} is no ko point: a point, or '-' for none") from error
        if move == PASS or state[move.code] != rules.EMPTY:
            raise NotationError(f"{shortened(text)} is no ko point: it has to be empty")
        if not _may_be_ko(state, move):
            raise NotationError(
                f"{shortened(text)} is no ko point: a stone of the other player, alone and with this liberty only, "
                "has to stand beside it, and nothing else"
            )
        state[rules.KO] = move.code

    def draw(self, position: GoPosition, colour: bool = False) -> str:
        """The board with coordinates and star points, the last move marked; captures, ko and komi below."""
        return drawing.draw(position, colour)

    def draw_area(self, position: GoPosition, colour: bool = False) -> str:
        """The board with whose area each point is."""
        return drawing.draw_area(position, colour)

    # --- What is likely ---

    def ownership(self, position: GoPosition, playouts: int = 1000, seed: int = 0) -> np.ndarray:
        """float32[size, size]: the mean owner of each point after playouts, from 1 (black) to -1 (white)."""
        return estimate.ownership(position, playouts, seed)

    def statuses(self, position: GoPosition) -> dict[GoMove, str]:
        """Every stone with what is likely to become of it: "alive", "dead" or "seki"."""
        return {move_with_code(point): status for point, status in estimate.statuses(position).items()}

    def final_score(self, position: GoPosition) -> Result:
        """The result by area once the stones that are likely to be dead are taken off."""
        return result_of(estimate.score_without_dead(position) - position.komi)

    # --- For search ---

    def state(self, position: GoPosition) -> np.ndarray:
        """uint64[rules.STATE_SIZE], see `rules`; in the order of the points, however the position came about."""
        return position.search_state()

    def adjudicate(self, position: GoPosition) -> Result:
        """By the count of the board as it stands."""
        return result_of(position.score())

    def settling_move(self, position: GoPosition) -> GoMove | None:
        """A pass, where the count of the board as it stands wins for the player to move."""
        ahead = position.score() if position.to_move == FIRST else -position.score()
        return PASS if ahead > 0 and PASS not in position.forbidden else None

    def owner_grid(self, means: np.ndarray) -> np.ndarray:
        """float32[size, size] from 1 (black) to -1 (white)."""
        return np.asarray(means[self.kernel.points], np.float32).reshape(self.size, self.size)

    def move_of(self, position: GoPosition, word0: int, word1: int) -> GoMove:
        """The move in the lower bits of the payload's first word."""
        return move_with_code(int(word0) & verbs.MOVE_MASK)


def _may_be_ko(state: np.ndarray, move: GoMove) -> bool:
    """Whether the last move can have captured one stone on an empty point so that taking back is a ko.

    Around the point stands only the other player; one of those chains, the stone that captured, has no other liberty.
    """
    point = U64(move.code)
    other = rules.BOTH - state[rules.TO_MOVE]
    beside = [point - rules.STRIDE, point - rules.ONE, point + rules.ONE, point + rules.STRIDE]
    stones = [q for q in beside if state[q] != rules.OFF]
    if any(state[q] != other for q in stones):
        return False
    capturing = {int(state[rules.CHAIN + q]) for q in stones if rules.is_last_liberty(state, point, q)}
    return len(capturing) == 1 and state[rules.SIZE + U64(capturing.pop())] == rules.ONE


def _read_komi(text: str) -> float:
    if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", text, re.IGNORECASE):
        raise NotationError(f"{shortened(text)} is no komi: a number of points")
    try:
        return _checked_komi(float(text))
    except ValueError as error:
        raise NotationError(f"{shortened(text)} is no komi: {error}") from error


def handicap_points(size: int, number: int) -> tuple[GoMove, ...]:
    """See `Go.handicap_points`."""
    if size < 7:
        raise ValueError("boards of less than 7x7 have no places for a handicap")
    most = 4 if size % 2 == 0 or size == 7 else 9
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
