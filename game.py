"""The contract of a game: what a game offers to people, what it offers to a search, and where games are found.

The rules of a game are stated once, as compiled *verbs* on an array, its state: `moves`, `apply` and `outcome` are a
whole game. *For people*, a `Position` is immutable and asks the verbs; a `Game` makes, draws, reads and writes
positions and moves, and says which options it has. *For search*, `children`, `step` and `playout` follow from these
three verbs, unless a game has faster ones. A search is written once against the verbs; each game gives them their
bodies with `implement`, chosen by the *type* of the game's kernel, a `NamedTuple` of its tables. So numba compiles the
search specially for each game and looks nothing up at run time. CONTRIBUTING.md has a whole game, `pentago/rules.py`
ends with an example of a fast one.
Begin reading at `Position` and `Game`; then `children`, the one verb with a contract that needs thought.
"""

import html
import math
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

from jit import U64, dispatched, give_body, jit, random_below  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from board_view import PAGE_STYLE, BoardView, Scene
from options import Failure, GameOption, InputError, UnknownOption, WithOptions, shortened

# --- For people -----------------------------------------------------------------------------------------------------

FIRST, SECOND = 0, 1  # the players, in the order in which they move at the start


class IllegalMove(ValueError):
    """A move that the rules forbid in this position; the message says why."""


class NotationError(InputError):
    """A text that is no move or position of this game; the message says what was expected."""


class UnknownGame(InputError, LookupError):
    """No game has this name; the message lists those that there are."""


class GameFileError(InputError):
    """A game's file cannot be had, or holds no game; the message has the file's own traceback, or what it lacks."""


class RulesError(Failure):
    """The rules of a game's file fail, or return what they may not; the message has the file's own traceback."""


class Result(NamedTuple):
    """How a game ended: `winner` is FIRST, SECOND or None for a draw; `margin` in points where the game has points."""

    winner: int | None
    margin: float | None = None

    def value_for(self, player: int) -> float:
        """1 if that player has won, 0.5 for a draw, 0 for a loss."""
        return 0.5 if self.winner is None else float(self.winner == player)


DRAW = Result(None)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Position:
    """An immutable position: a state of compiled code, whose rules it asks.

    A game whose moves are no numbers, or whose board has a shape, has a subclass. Two positions are equal if
    `Game.state_key` says so; `str()` is the one line of text that `Game.parse_position` reads.

    Attributes:
        game: whose rules and text it has.
        words: the state; nobody may write into it.
        ply: moves played since the start of the game.
        last_move: the move that led here, or None at the start and for positions read from text.
        last_player: who made it.
    """

    game: Any
    words: np.ndarray
    ply: int = 0
    last_move: Any = None
    last_player: int | None = None

    @property
    def to_move(self) -> int:
        """FIRST or SECOND, who need not alternate; meaningless once the game is over."""
        return int(to_move(self.game.kernel, self.words))

    @property
    def result(self) -> Result | None:
        """None while the game is open."""
        return result_of(outcome(self.game.kernel, self.words), self.to_move)

    @property
    def board(self) -> np.ndarray:
        """A fresh array for people who write agents; each game says what its entries mean."""
        return self.words[:-1].copy()

    def legal_moves(self) -> tuple[Any, ...]:
        """Every legal move, in a fixed order; empty once the game is over."""
        if self.result is not None:
            return ()
        found = np.empty(int(max_children(self.game.kernel)), np.int64)
        return tuple(found[: int(moves(self.game.kernel, self.words, found))].tolist())

    def play(self, move: Any) -> Self:
        """The position after a move. Raises IllegalMove."""
        if self.result is not None:
            raise IllegalMove("the game is over")
        move, number = self._checked(move)
        words = self.words.copy()
        apply(self.game.kernel, words, number)
        return type(self)(self.game, words, self.ply + 1, move, self.to_move)

    def _checked(self, move: Any) -> tuple[Any, int]:
        """A legal move of an open position as it is listed, and its number in compiled code. Raises IllegalMove."""
        legal = self.legal_moves()
        if move not in legal:
            raise IllegalMove(f"{move!r} is no legal move here; take one of legal_moves()")
        found = legal[legal.index(move)]
        return found, found

    def move_numbered(self, number: int) -> Any:
        """The legal move that compiled code knows by this number."""
        return next(move for move in self.legal_moves() if self._checked(move)[1] == number)

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> Hashable:
        key: bytes = self.game.state_key(self.words)
        return key

    def __str__(self) -> str:
        return str(self.game.format_position(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def _repr_html_(self) -> str:
        """The board, for a notebook."""
        return PAGE_STYLE + str(self.game.board_html(self))

    def __init_subclass__(cls) -> None:
        if "__setattr__" in vars(cls):  # a dataclass's own
            cls.__setattr__ = _refuse_change  # type: ignore[method-assign, assignment]


def _refuse_change(position: Position, name: str, _value: object) -> None:
    """Say so in words: what frozen dataclasses with slots raise names neither field nor reason (cpython #105936)."""
    raise AttributeError(f"{name} of a position cannot be changed: `play` returns the next position")


Position.__setattr__ = _refuse_change  # type: ignore[method-assign, assignment]


class Game(WithOptions):
    """The base class of games; an object is a game with its options settled, a Go of one size and komi, say.

    A subclass has `name`, `players`, `kernel`, `initial`, and its options; the rest of it may be better than here.

    Attributes:
        name: the registered name, or for a game in a file its path and hash (see `game_files/load.py`): what goes over
            wires and into records, and what `load_game` reads.
        title: what people call the game.
        files: the file or folder that its rules are in, where that is not the project's.
        players: what the two players are called on the wire, FIRST's first, e.g. ("w", "b").
        player_names: what people call them, if not White (`w`) and Black (`b`).
        kernel: a NamedTuple of the tables that compiled code needs; its type selects the bodies of the verbs. Fields
            that are plain numbers and truth values may be switches, which a search sets as it likes. None of a game in
            plain Python, whose positions agents ask instead.
        search_defaults: what a tree search of this game uses unless told otherwise, by name: settings of
            `agents.uct.settings`, other options of `uct_agent`, and switches of the kernel.
        amaf_moves: how many numbers of moves there are, where a search may keep AMAF counts (see below); else 0.
        opening_plies: random moves before each pair of games of a match, unless told otherwise.
        size_option: the option that GTP's `boardsize` sets, if the game has it.
        longest_game: plies after which a referee stops the game and asks `adjudicate`.
        moves_ahead: own moves to be expected at the start, for dividing time; Pentago's longest games have 18.
        positions_recur: whether a position may come again in the same game: then there is no search on a graph.
        evaluations: the names of the evaluations that `kernel_with` knows; empty if the kernel has the only one.
        feature_count: how many features a learned evaluation of this game has to choose from (see `features`); 0 where
            none is learned.
        active_features: how many of them a position has; every position has as many.
        feature_buckets: how many kinds of position there are for it.
        book: the file of its opening book, see `agents.book`, which may be missing; None if it can have none.
        key_places: the indices of the words of a state that say which position it is (see `state_key`), int64; None
            for all of them.

    Go and its positions have more, which those who use it ask for by name: `ownership`, `owner_grid` (which goes with
    `tally`), `handicap_points`, `set_up`, `with_to_move`, `forbidding` and others.
    """

    players: ClassVar[tuple[str, str]]
    player_names: ClassVar[tuple[str, str] | None] = None
    files: ClassVar[tuple[Path, ...]] = ()
    size_option: ClassVar[str] = "size"
    search_defaults: Mapping[str, Any] = {}
    amaf_moves: ClassVar[int] = 0
    positions_recur: ClassVar[bool] = True  # a game that does not say otherwise is on the safe side
    evaluations: ClassVar[tuple[str, ...]] = ()
    opening_plies: ClassVar[int] = 2  # thousands of starts in Pentago, no line near completion
    feature_count: ClassVar[int] = 0
    active_features: ClassVar[int] = 0
    feature_buckets: ClassVar[int] = 0
    book: ClassVar[Path | None] = None
    kernel: Any
    longest_game: float = math.inf
    moves_ahead: int = 20
    key_places: np.ndarray | None = None

    def __init_subclass__(cls) -> None:
        if "name" in vars(cls):
            cls.title = game_title(cls.name)

    def kernel_with(self, **switches: Any) -> Any:
        """The kernel with other values for its switches. Raises ValueError for an unknown evaluation."""
        return self.kernel._replace(**switches)

    def initial(self) -> Any:
        """The `Position` at the start."""
        raise NotImplementedError

    def parse_move(self, text: str, position: Any) -> Any:
        """The move that a text means in a position. Raises NotationError; legality is checked by `play`."""
        if not re.fullmatch("[0-9]{1,9}", text.strip()):
            raise NotationError(f"{shortened(text)} is no move: write its number")
        return int(text)

    def read_typed_move(self, text: str, position: Any) -> Any:
        """The move that a person means who types it: as `parse_move`, and in other usual spellings.

        Raises NotationError, which says what exactly is wrong in this position; legality is checked by `play`.
        """
        return self.parse_move(text, position)

    def format_move(self, move: Any) -> str:
        """The canonical text of a move."""
        return str(move)

    def parse_position(self, text: str) -> Any:
        """The `Position` that a line of text means. Raises NotationError."""
        start = self.initial()
        *numbers, side = text.split() or [""]
        wanted = len(start.words) - 1
        if len(numbers) != wanted or not all(re.fullmatch("[0-9]{1,9}", number) for number in numbers):
            raise NotationError(f"{shortened(text)} is no position: write {wanted} numbers and the player to move")
        if side not in self.players:
            raise NotationError(f"{shortened(text)} does not end with the player to move, {' or '.join(self.players)}")
        try:
            words = np.array([*map(int, numbers), self.players.index(side)], start.words.dtype)
        except OverflowError as error:
            raise NotationError(f"{shortened(text)} is no position: {error}") from error
        return replace(start, words=words)

    def format_position(self, position: Any) -> str:
        """The position as one line of text, which `parse_position` reads: its state and the player to move."""
        return " ".join(map(str, (*position.words[:-1], self.players[position.to_move])))

    def draw(self, position: Any, colour: bool = False) -> str:
        """A picture for a terminal, several lines; with `colour`, ANSI escapes, the last move highlighted."""
        return f"\x1b[1m{position.board}\x1b[0m" if colour else str(position.board)

    def board_html(self, position: Any) -> str:
        """The board for a page that has `board_view.PAGE_STYLE`: as its view draws it, else as `draw` does."""
        view = self.board_view()
        if view is None:
            return f'<pre class="unforced-board">{html.escape(self.draw(position))}</pre>'
        return view.picture(Scene(position, 0, 0)).html()  # the smallest, whose stones are round

    def winning_cells(self, position: Any) -> Sequence[tuple[int, int]]:
        """The rows and columns in `Position.board` of the stones that ended the game by standing in a line, if any."""
        return ()

    def board_view(self) -> BoardView | None:
        """How a front end with pictures shows the board, and what may be clicked; None: it shows `draw`'s."""
        return None

    def solver(self) -> Any:
        """What `forced_win` works with, a NamedTuple whose class selects the body; or NO_SOLVER."""
        return NO_SOLVER

    def adjudicate(self, position: Any) -> Result:
        """The result of an open position where the game was stopped after `longest_game` plies."""
        return DRAW

    def settling_move(self, position: Any) -> Any:
        """A move that wins for the player to move if the other agrees to end the game as it stands, or None."""
        return None

    def state(self, position: Any) -> np.ndarray:
        """The position as compiled code holds it: a fresh array of one dimension that `begin` can copy."""
        state: np.ndarray = position.words.copy()
        return state

    def state_key(self, state: np.ndarray) -> bytes:
        """What two states have in common exactly if they are the same position: a state may say it in many ways."""
        return (state if self.key_places is None else state[self.key_places]).tobytes()

    def move_of(self, position: Any, word0: int, word1: int) -> Any:
        """The move from `position` to the child that has this payload."""
        return int(word0) & int(_MOVE_MASK)


def result_of(flags: Any, to_move: int) -> Result | None:
    """The result that an `outcome` for the player to move means, None for OPEN."""
    if flags == OPEN:
        return None
    return DRAW if flags == DRAWN else Result(to_move if flags == WON else 1 - to_move)


def format_result(game: Game, result: Result | None) -> str:
    """`none`, `0`, `W+`, `B+` or, with a margin, `B+3.5`."""
    if result is None:
        return "none"
    if result.winner is None:
        return "0"
    return f"{game.players[result.winner].upper()}+" + ("" if result.margin is None else f"{result.margin:g}")


def play_moves(game: Game, texts: Iterable[str], start: Any = None) -> list[Any]:
    """Every position of a game from `start` (by default the initial one) through these moves.

    Raises NotationError, which names the first move that cannot be played.
    """
    positions: list[Any] = [game.initial() if start is None else start]
    for number, text in enumerate(texts, 1):
        try:
            positions.append(positions[-1].play(game.parse_move(text, positions[-1])))
        except (NotationError, IllegalMove) as error:
            raise NotationError(f"move {number}, {text}: {error}") from error
    return positions


def perft(position: Position, plies: int) -> int:
    """The number of legal move sequences of that length from a position; a finished game has none."""
    moves = position.legal_moves()
    if plies <= 1:
        return len(moves) if plies == 1 else 1
    return sum(perft(position.play(move), plies - 1) for move in moves)


# --- The registry ---------------------------------------------------------------------------------------------------

_GAMES = {  # name: module and class
    "go": "go.game:Go",
    "kalah": "mancala.game:Kalah",
    "pentago": "pentago.game:Pentago",
}


def game_names() -> list[str]:
    """The names that `load_game` knows, sorted."""
    return sorted(_GAMES)


def register_game(name: str, place: str) -> None:
    """Make a game known to `load_game`; `place` is `module:Class`, imported when the game is first wanted."""
    if _GAMES.get(name, place) != place:
        raise ValueError(f"the name {name!r} is taken by {_GAMES[name]}")
    _GAMES[name] = place


def game_class(name: str) -> type[Game]:
    """The class of a game, which says its options, by its registered name or the path of its file.

    Raises UnknownGame, and GameFileError for a file without a game.
    """
    if name in _GAMES:
        module, _, attribute = _GAMES[name].partition(":")
        found: type[Game] | None = getattr(import_module(module), attribute)
    else:
        found = import_module("game_files.load").class_of(name)
    if found is None:
        there_are = ", ".join(game_names())
        raise UnknownGame(
            f"no game is called {name!r}; there are: {there_are}, and any file with rules (docs/games.md)"
        )
    return found


def game_title(name: str) -> str:
    """What people call the game of that name: of a file its name without folder and ending.

    >>> game_title("/home/ann/othello.py#0123456789ab"), game_title("pentago")
    ('othello', 'pentago')
    """
    path, is_file, _ = name.partition("#")
    return Path(path).stem if is_file else name


def options_by_name(*more: str) -> dict[str, dict[str, GameOption]]:
    """Every option of some games and of every registered one: by its name, then by the game's title."""
    found: dict[str, dict[str, GameOption]] = {}
    for game in map(game_class, dict.fromkeys([*more, *game_names()])):
        for option in game.options:
            found.setdefault(option.name, {})[game.title] = option
    return found


def load_game(name: str, /, **options: Any) -> Game:
    """The game of that name, see `game_class`. Raises UnknownGame, GameFileError, OptionError."""
    return game_class(name)(**{option: _option(name, option).check(value) for option, value in options.items()})


def read_options(name: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """Options of a game from texts, each read as the game declares it. Raises UnknownGame, OptionError."""
    return {option: _option(name, option).read(text) for option, text in texts.items()}


def _option(name: str, option: str) -> GameOption:
    try:
        return game_class(name).option(option)
    except UnknownOption as error:
        owners = " and ".join(options_by_name().get(option, {}))  # not before: other games need not be imported
        raise UnknownOption(option, error.reason + (f", but of {owners}" if owners else "")) from None


# --- For search: a node's flags -------------------------------------------------------------------------------------
# The low half of a node's statistics word; a game writes these for each child that `children` creates.

VISIT_BITS = 27
WON = U64(1 << 27)  # the player to move here wins
LOST = U64(1 << 28)  # the player to move here loses
DRAWN = U64(1 << 29)
IMPLIED = U64(1 << 30)  # beside one of the three: proved by looking ahead, not by the game being over
SAME_MOVER = U64(1 << 31)  # the player to move here also made the move that led here (Kalah's extra turn)
RESOLVED = WON | LOST | DRAWN
OPEN = U64(0)

# --- For search: the payload of a game with AMAF ---------------------------------------------------------------------
# AMAF: "all moves as first", Bruegmann 1993, see `agents/uct/rave.py`. A game that offers it says in `Game.amaf_moves`
# how many numbers of moves it has, and traces its playouts. Where the payload is the position (`payload_is_position`),
# `move_number` says which move led to it. The others keep in a payload: in the lowest AMAF_MOVE_BITS of word 0 the
# number of the move; above it its first opinion of the move in the form of simulations, their number in PRIOR_BITS and
# above that their score (in sixteenths, for the player who makes the move); word 1 is left to the search, and begins as
# zero.

AMAF_MOVE_BITS = 16
PRIOR_BITS = 16

# --- For search: the verbs ------------------------------------------------------------------------------------------
# `state` and `root` are what `Game.state` makes. A payload is two uint64 that belong to the game: the position itself
# where 128 bits can hold it, else the move and whatever else the game keeps there.


@dispatched
def begin(kernel, state, root):
    """Make `state` a copy of `root`."""


@dispatched
def to_move(kernel, state):
    """The player to move, FIRST or SECOND: by default the last word of the state."""


@dispatched
def moves(kernel, state, found):
    """Write the numbers of all legal moves of an open state into int64[max_children], and return how many there are."""


@dispatched
def apply(kernel, state, move):
    """Change `state` by the legal move of that number."""


@dispatched
def payload_is_position(kernel):
    """A compile-time bool: whether `step` needs the payload only, so that a search may jump to any node at once."""


@dispatched
def max_children(kernel):
    """An upper bound of what `children` writes from any position, at most 4095."""


@dispatched
def step(kernel, state, word0, word1):
    """Change `state` to the child whose payload this is."""


@dispatched
def outcome(kernel, state):
    """WON, LOST or DRAWN for the player to move in `state` if the game is over, else OPEN."""


@dispatched
def children(kernel, state, payload0, payload1, stats, first):
    """Write the distinct successors of `state` side by side from index `first` on, and return how many there are.

    Two moves that lead to the same position are one successor. For each: both words of its payload, and its
    statistics word, which holds flags only: SAME_MOVER if the turn does not pass, and WON, LOST or DRAWN (for the
    player to move *there*) if the game is over there. A game that can see cheaply how an open successor ends may set
    its flag together with IMPLIED. A switch of the kernel may leave out moves that are as good as never right.
    `state` is open and is left as it was; there is room for `max_children`.
    """


@dispatched
def child_move(kernel, state, i, word0, word1):
    """The number, as `apply` knows it, of a move to the i-th child that `children` writes, which has this payload.

    A search on a graph wants it, and numbers below 2048. `state` is left as it was.
    """


@dispatched
def implied_plies(kernel):
    """How many plies after a child the result comes that `children` has marked as IMPLIED.

    1 where a game looks one ply ahead; 0 where the result is certain at the child although play could go on.
    """


@dispatched
def values(kernel, state, scratch, payload0, payload1, stats, first, count, values):
    """Estimate the values of all children of `state` for the player who chooses among them, from 0 to 1.

    The children are those that `children` has just written, with nothing changed. `values` is a float32 array: the
    child at `first + i` gets its value at i, an exact one if it is resolved. `state` is left as it was; `scratch` is
    another state, working space.
    """


@dispatched
def playout(kernel, state, rng):
    """Play random moves from `state`, which is open, to the end of the game, and spoil `state`.

    They are uniformly random, or less so by rules of the game that switches of the kernel turn on. `rng` is a PCG32
    state (see `jit.new_rng`), which is advanced. Returns a float32: 1 if the player to move at the call wins, 0.5 for a
    draw, 0 for a loss.
    """


@dispatched
def traced_playout(kernel, state, rng, trace):
    """As `playout`, and write for each move that is made, by its number, who made it first; for games with AMAF.

    `trace` is uint8[Game.amaf_moves]: 0 for nobody, 1 for the player to move at the call, 2 for the other. Entries that
    are not 0 at the call stay as they are. A game leaves out moves that say nothing of their worth earlier on (a pass
    at the end of a game of Go).
    """


@dispatched
def move_number(kernel, word0, word1):
    """The number, below `Game.amaf_moves`, of the move to the child with this payload; for games with AMAF."""


@dispatched
def tally(kernel, state, owners):
    """Add to int64[Game.amaf_moves] who owns each point that a playout has left: 1 for FIRST, -1 for SECOND.

    For games with AMAF whose players own points; `state` is as the playout has left it.
    """


@dispatched
def evaluate(kernel, state):
    """A cheap static estimate of the value for the player to move in `state`, a float32 from 0 (lost) to 1 (won)."""


@dispatched
def features(kernel, state, active):
    """Write the features that `state` has, as the player to move sees them, and return its bucket; for learning.

    `active` is int32[Game.active_features], each below `Game.feature_count`; a bucket, below `Game.feature_buckets`,
    says which kind of position it is: how full the board is, say. It selects the last weights of an evaluation.
    """


@dispatched
def mirror(kernel, state):
    """Change `state` to another position that is worth the same by a symmetry of the game, if it has one."""


@dispatched
def forced_win(solver, kernel, state, plies, positions):
    """Whether the player to move in `state`, which is open, wins within an odd number of plies against any defence.

    For an even number: whether the other player does. The answer is exact if it is yes; it is no as well where the
    solver would have to look at more than so many positions. The class of the solver selects the body, as that of the
    kernel does for other verbs.
    """


@dispatched
def begin_forced_win(solver, kernel, state, plies, positions):
    """Begin to ask as by `forced_win`, without looking yet; what was begun before is given up."""


@dispatched
def go_on_with_forced_win(solver, kernel, left):
    """Look at positions, `left[0]` more at most but for a few; they are subtracted from it (an int64[1]).

    Returns 1 or 0, the answer of `forced_win`, or -1 if that is not known yet. However often the search is interrupted,
    the answer is the same.
    """


class NoSolver(NamedTuple):
    """Finds nothing. Attributes: nothing: 0, since compiled code wants a field."""

    nothing: int


NO_SOLVER = NoSolver(0)
give_body(forced_win, NoSolver, lambda solver, kernel, state, plies, positions: False)
give_body(begin_forced_win, NoSolver, lambda solver, kernel, state, plies, positions: None)
give_body(go_on_with_forced_win, NoSolver, lambda solver, kernel, left: 0)


def _copy(kernel, state, root):
    for i in range(len(root)):
        state[i] = root[i]


@jit(inline="always")
def value_of_outcome(flags):
    """The value of a resolved position for the player to move in it, or of an outcome for the player whose it is."""
    value = np.float32(1) if flags & WON != U64(0) else np.float32(0)
    return np.float32(0.5) if flags & DRAWN != U64(0) else value


@jit(inline="always")
def value_for_chooser(flags, value):
    """A child's value for the player who chooses it, from its flags and its value for the player to move there.

    Values are float32 from 0 to 1; of a resolved child the value is exact, whatever was given.
    """
    if flags & RESOLVED != U64(0):
        value = value_of_outcome(flags)
    return value if flags & SAME_MOVER != U64(0) else np.float32(1) - value


def _values_one_by_one(kernel, state, scratch, payload0, payload1, stats, first, count, values):
    for i in range(count):
        begin(kernel, scratch, state)
        step(kernel, scratch, payload0[first + i], payload1[first + i])
        values[i] = value_for_chooser(stats[first + i], evaluate(kernel, scratch))


@jit(allocates=True)
def _distinct_successors(kernel, state, payload0, payload1, stats, first):
    """`children` by `moves`, `apply` and `outcome`: the payload is the move; equal states are one successor."""
    found = np.empty(max_children(kernel), np.int64)
    after = np.empty((len(found), len(state)), state.dtype)
    player, n = to_move(kernel, state), 0
    for i in range(moves(kernel, state, found)):
        begin(kernel, after[n], state)
        apply(kernel, after[n], found[i])
        if _is_new(after, n):
            flags = outcome(kernel, after[n])
            payload0[first + n], payload1[first + n] = U64(found[i]), U64(0)
            stats[first + n] = flags | SAME_MOVER if to_move(kernel, after[n]) == player else flags
            n += 1
    return n


@jit
def _is_new(states, n):
    """Whether none of the first n states is the one behind them."""
    for i in range(n):
        k = 0
        while k < states.shape[1] and states[i, k] == states[n, k]:
            k += 1
        if k == states.shape[1]:
            return False
    return True


@jit(allocates=True)
def _random_playout(kernel, state, rng, trace):
    """`playout` by `moves`, `apply` and `outcome`; `trace` is that of `traced_playout`, or None."""
    found = np.empty(max_children(kernel), np.int64)
    player, flags = to_move(kernel, state), OPEN
    while flags == OPEN:
        move = found[random_below(rng, moves(kernel, state, found))]
        if trace is not None and trace[move] == 0:
            trace[move] = 1 if to_move(kernel, state) == player else 2
        apply(kernel, state, move)
        flags = outcome(kernel, state)
    value = value_of_outcome(flags)
    return value if to_move(kernel, state) == player else np.float32(1) - value


_MOVE_MASK = U64((1 << AMAF_MOVE_BITS) - 1)
_NEEDED = (max_children, moves, apply, outcome)
_DEFAULTS: dict[Callable[..., Any], Callable[..., Any]] = {
    children: _distinct_successors,
    step: lambda kernel, state, word0, word1: apply(kernel, state, np.int64(word0 & _MOVE_MASK)),
    playout: lambda kernel, state, rng: _random_playout(kernel, state, rng, None),
    traced_playout: _random_playout,
    begin: _copy,
    to_move: lambda kernel, state: state[len(state) - 1],
    payload_is_position: lambda kernel: False,
    child_move: lambda kernel, state, i, word0, word1: move_number(kernel, word0, word1),
    implied_plies: lambda kernel: 1,
    evaluate: lambda kernel, state: np.float32(0.5),
    values: _values_one_by_one,
    mirror: lambda kernel, state: None,
    move_number: lambda kernel, word0, word1: word0 & _MOVE_MASK,
    tally: lambda kernel, state, owners: None,
}
_VERBS = {verb.__name__: verb for verb in (*_NEEDED, *_DEFAULTS, features)}
_own_bodies: set[tuple[Callable[..., Any], type]] = set()  # verbs and classes of kernels, but for what `implement` adds


def offers(kernel: Any, *verbs: Callable[..., Any]) -> bool:
    """Whether the game of a kernel has a body of its own for one of these verbs."""
    return any((verb, type(kernel)) in _own_bodies for verb in verbs)


def implement(kernel: type, **bodies: Callable[..., Any]) -> None:
    """Give the verbs their bodies for games whose kernel is of that class: compiled functions, or short plain ones.

    `max_children`, `moves`, `apply` and `outcome` are a game; the others follow from them, the slower, and a search
    replays moves from the root. Who has `children` and `playout` needs no `moves`. Unless told otherwise
    `begin` copies the array, `to_move` is its last word, `payload_is_position` is false, `implied_plies` is 1,
    `evaluate` has no opinion, `values` asks `evaluate` for each child, `mirror` leaves the state as it is,
    `move_number` is the lowest bits of word 0, `child_move` asks it, and `tally` adds nothing. Raises TypeError for a
    missing or unknown verb, and for other parameters than a verb's.
    """
    for name in sorted(set(bodies) - set(_VERBS)):
        raise TypeError(f"{kernel.__name__}: there is no verb {name}")
    own = {_VERBS[name]: body for name, body in bodies.items()}
    for verb in _NEEDED:
        if verb not in own and not (verb is moves and {children, playout} <= set(own)):
            raise TypeError(f"{kernel.__name__}: {verb.__name__} lacks its body")
    _own_bodies.update((verb, kernel) for verb in own)
    for verb, body in (_DEFAULTS | own).items():
        give_body(verb, kernel, body)
