"""The contract of a game: what a game offers to people, what it offers to a search, and where games are found.

A game has two faces.

*For people* (plain Python): a `Position` is immutable and knows its legal moves; a `Game` makes, draws, reads and
writes positions and moves.

*For search* (compiled): the verbs at the end of this module. A search is written once against them. Each game gives
them a body with `numba.extending.overload`, chosen by the *type* of the game's kernel, a `NamedTuple` of its tables; so
numba compiles the search specially for each game and looks nothing up at run time. `pentago/rules.py` ends with an
example, `tests/tictactoe.py` is a whole game in one file.

Begin reading at `Position` and `Game`; then `children`, the one verb with a contract that needs thought.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol, Self

from jit import U64  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

# --- For people -----------------------------------------------------------------------------------------------------

FIRST, SECOND = 0, 1  # the players, in the order in which they move at the start


class IllegalMove(ValueError):
    """A move that the rules forbid in this position; the message says why."""


class NotationError(ValueError):
    """A text that is no move or position of this game; the message says what was expected."""


class Result(NamedTuple):
    """How a game ended: `winner` is FIRST, SECOND or None for a draw; `margin` in points where the game has points."""

    winner: int | None
    margin: float | None = None


DRAW = Result(None)

Move = Hashable


class Position(Protocol):
    """An immutable position. `str()` of it is the one line of text that `Game.parse_position` reads."""

    @property
    def to_move(self) -> int:
        """FIRST or SECOND; meaningless once the game is over."""

    @property
    def ply(self) -> int:
        """Moves played since the start of the game."""

    @property
    def last_move(self) -> Move | None:
        """The move that led here, or None at the start and for positions read from text."""

    @property
    def result(self) -> Result | None:
        """None while the game is open."""

    @property
    def board(self) -> np.ndarray:
        """A fresh array for people who write agents; each game says what its entries mean."""

    def legal_moves(self) -> Sequence[Any]:
        """Every legal move, in a fixed order; empty once the game is over."""

    def play(self, move: Any) -> Self:
        """The position after a move. Raises IllegalMove."""


class Game(Protocol):
    """A game with its options settled (a Go of one size and komi, say).

    Attributes:
        name: the registered name.
        players: what the two players are called on the wire, FIRST's first, e.g. ("w", "b").
        kernel: a NamedTuple of the tables that compiled code needs; its type selects the bodies of the verbs. Fields
            that are plain numbers and truth values may be switches, which a search sets as it likes.
        amaf_moves: how many numbers of moves there are, where a search may keep AMAF counts (see below); else 0.

    Members that not every game has, each asked for by name where it is used:
        size, komi: of a board, in GTP; options of `load_game` of the same names.
        opening_plies: random moves before each pair of games of a match, if nobody says otherwise.
        longest_game: plies, after which a referee counts the game by `Position.score()`: FIRST's points less SECOND's.
        moves_ahead: own moves that are still to be expected, for dividing a game's time.
        key_places: the indices of the words of a state that say which position it is (see `state_key`), int64; where
            it is missing, all do.
        ownership, statuses, final_score, draw_area, handicap_points, set_up: see `go.game.Go`.
    And of positions:
        with_to_move, with_komi, forbidding: see `go.game.GoPosition`.
    """

    name: str
    players: tuple[str, str]
    kernel: Any
    amaf_moves: int

    @property
    def search_defaults(self) -> Mapping[str, Any]:
        """What a tree search of this game uses unless told otherwise, by name.

        Settings of `agents.uct.searcher.Settings`, other options of `uct_agent`, and switches of the kernel.
        """

    def initial(self) -> Position:
        """The position at the start."""

    def parse_move(self, text: str, position: Position) -> Any:
        """The move that a text means in a position. Raises NotationError; legality is checked by `play`."""

    def format_move(self, move: Any) -> str:
        """The canonical text of a move."""

    def parse_position(self, text: str) -> Position:
        """The position that a line of text means. Raises NotationError."""

    def format_position(self, position: Any) -> str:
        """The position as one line of text."""

    def draw(self, position: Any, colour: bool = False) -> str:
        """A picture for a terminal, several lines; with `colour`, ANSI escapes, the last move highlighted."""

    def state(self, position: Any) -> np.ndarray:
        """The position as compiled code holds it: a fresh array that `begin` can copy."""

    def state_key(self, state: np.ndarray) -> bytes:
        """What two states have in common exactly if they are the same position: a state may say it in many ways."""

    def settling_move(self, position: Any) -> Any:
        """A move that wins for the player to move if the other agrees to end the game as it stands, or None."""

    def owner_grid(self, means: np.ndarray) -> np.ndarray:
        """Means of what `tally` adds up, in the shape of `Position.board`; for games with AMAF."""

    def move_of(self, position: Any, word0: int, word1: int) -> Any:
        """The move from `position` to the child that has this payload."""


def format_result(game: Game, result: Result | None) -> str:
    """`none`, `0`, `W+`, `B+` or, with a margin, `B+3.5`.

    >>> class Names: players = ("w", "b")
    >>> format_result(Names, Result(SECOND)), format_result(Names, DRAW), format_result(Names, Result(FIRST, 3.5))
    ('B+', '0', 'W+3.5')
    """
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

_MODULES = {"go": "go.game", "pentago": "pentago.game"}  # a module that makes its game with `create(**options)`


def game_names() -> list[str]:
    """The names that `load_game` knows, sorted."""
    return sorted(_MODULES)


def register_game(name: str, module: str) -> None:
    """Make a game known to `load_game`; `module` is imported when the game is first wanted."""
    if _MODULES.get(name, module) != module:
        raise ValueError(f"the name {name!r} is taken by {_MODULES[name]}")
    _MODULES[name] = module


def load_game(name: str, **options: Any) -> Game:
    """The game of that name. Raises LookupError for an unknown one, TypeError or ValueError for unknown options."""
    if name not in _MODULES:
        raise LookupError(f"no game is called {name!r}; there are: {', '.join(game_names())}")
    game: Game = import_module(_MODULES[name]).create(**options)
    return game


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
# how many numbers of moves it has, and keeps in a payload: in the lowest AMAF_MOVE_BITS of word 0 the number of the
# move; above it its first opinion of the move in the form of simulations, their number in PRIOR_BITS and above that
# their score (in sixteenths, for the player who makes the move); word 1 is left to the search, and begins as zero.

AMAF_MOVE_BITS = 16
PRIOR_BITS = 16

# --- For search: the verbs ------------------------------------------------------------------------------------------
# Called from compiled code only. `state` and `root` are what `Game.state` makes. A payload is two uint64 that belong
# to the game: the position itself where 128 bits can hold it, else the move and whatever else the game keeps there.


def begin(kernel, state, root):
    """Make `state` a copy of `root`."""
    raise NotImplementedError


def payload_is_position(kernel):
    """A compile-time bool: whether `step` needs the payload only, so that a search may jump to any node at once."""
    raise NotImplementedError


def max_children(kernel):
    """An upper bound of what `children` writes from any position, at most 4095."""
    raise NotImplementedError


def step(kernel, state, word0, word1):
    """Change `state` to the child whose payload this is."""
    raise NotImplementedError


def outcome(kernel, state):
    """WON, LOST or DRAWN for the player to move in `state` if the game is over, else OPEN."""
    raise NotImplementedError


def children(kernel, state, payload0, payload1, stats, first):
    """Write the distinct successors of `state` side by side from index `first` on, and return how many there are.

    Two moves that lead to the same position are one successor. For each: both words of its payload, and its
    statistics word, which holds flags only: SAME_MOVER if the turn does not pass, and WON, LOST or DRAWN (for the
    player to move *there*) if the game is over there. A game that can see cheaply how an open successor ends may set
    its flag together with IMPLIED. A switch of the kernel may leave out moves that are as good as never right.
    `state` is open and is left as it was; there is room for `max_children`.
    """
    raise NotImplementedError


def playout(kernel, state, rng):
    """Play random moves from `state`, which is open, to the end of the game, and spoil `state`.

    They are uniformly random, or less than that by rules of the game that switches of the kernel turn on.

    Returns a float32: 1 if the player to move in `state` at the call wins, 0.5 for a draw, 0 for a loss. `rng` is a
    PCG32 state (see `jit.new_rng`), which is advanced.
    """
    raise NotImplementedError


def traced_playout(kernel, state, rng, trace):
    """As `playout`, and write for each move that is made, by its number, who made it first; for games with AMAF.

    A game leaves out moves that say nothing of their worth earlier on (a pass at the end of a game of Go).

    `trace` is uint8[Game.amaf_moves]: 0 for nobody, 1 for the player to move at the call, 2 for the other. Entries that
    are not 0 at the call stay as they are.
    """
    raise NotImplementedError


def tally(kernel, state, owners):
    """Add who owns each point of a state that a playout has left: 1 for FIRST, -1 for SECOND; int64[Game.amaf_moves].

    For games with AMAF; in the others there need not be any points.
    """
    raise NotImplementedError


def evaluate(kernel, state):
    """A cheap static estimate of the value for the player to move in `state`, a float32 from 0 (lost) to 1 (won)."""
    raise NotImplementedError
