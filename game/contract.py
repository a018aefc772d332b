"""The contract of a game for people: what every game offers, most of it derived from its rules."""

import html
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from board_view import BoardView, Scene
from game.errors import NotationError
from game.position import DRAW, Result
from game.verbs.amaf import move_number
from options import WithOptions, shortened

HASH_DIGITS = 12  # of the hash in the name of a game in a file
_NAME_OF_FILE = re.compile(rf"(.+)#([0-9a-f]{{{HASH_DIGITS}}})", re.DOTALL)


def file_and_hash(name: str) -> tuple[str, str]:
    """The path and the hash in the name of a game in a file; any other name is returned whole, with an empty hash.

    >>> file_and_hash("/home/c#/othello.py#0123456789ab"), file_and_hash("c#/othello.py")
    (('/home/c#/othello.py', '0123456789ab'), ('c#/othello.py', ''))
    """
    found = _NAME_OF_FILE.fullmatch(name)
    return (found[1], found[2]) if found else (name, "")


def game_title(name: str) -> str:
    """What people call the game of that name: for a game in a file, the file's name without folder and ending.

    >>> game_title("/home/ann/othello.py#0123456789ab"), game_title("pentago")
    ('othello', 'pentago')
    """
    path, digest = file_and_hash(name)
    return Path(path).stem if digest else name


class Game(WithOptions):
    """The base class of games; an object is a game with a value for each option: Go of one size and komi, for example.

    A subclass defines `name`, `players`, `kernel`, `initial` and its options. The rest follows from these and the
    verbs; a subclass may replace it by something better.

    Attributes:
        name: the registered name, or for a game in a file its path and hash (see `game_files/load.py`). It is sent over
            wires and stored in records, and `load_game` reads it.
        title: what people call the game.
        files: the file or folder of its rules, if that is outside the project.
        players: what the two players are called on the wire, FIRST's first, e.g. ("w", "b").
        player_names: what people call them, if not White (`w`) and Black (`b`).
        kernel: a NamedTuple of the tables that compiled code needs; its type selects the bodies of the verbs. Fields
            that are plain numbers or truth values may be switches, which a search may set. None for a game in plain
            Python: agents ask its positions instead.
        search_defaults: what a tree search of this game uses unless told otherwise, by name: settings of
            `agents.uct.settings` (`c` only for the recommended formula), other options of `uct_agent`, and switches of
            the kernel.
        opening_plies: random moves before each pair of games of a match, unless told otherwise.
        size_option: the option that GTP's `boardsize` sets, if the game has it.
        longest_game: plies after which a referee stops the game and asks `adjudicate`.
        moves_ahead: how many moves a player should expect to make from the start, for dividing its time; Pentago's
            longest games have 18.
        positions_recur: whether a position may occur twice in a game; if so, there is no search on a graph.
        evaluations: the names of the evaluations that `kernel_with` knows; empty if the kernel has the only one.
        key_places: the indices, int64, of those words of a state that identify the position (see `state_key`); None for
            all words.

    What several games offer to a search or for learning is in `optional.py`. Go and its positions have more, which code
    that uses it looks up by name: `ownership`, `owner_grid` (which goes with `tally`), `handicap_points`, `set_up`,
    `with_to_move`, `forbidding` and others.
    """

    players: ClassVar[tuple[str, str]]
    player_names: ClassVar[tuple[str, str] | None] = None
    files: ClassVar[tuple[Path, ...]] = ()
    size_option: ClassVar[str] = "size"
    search_defaults: Mapping[str, Any] = {}
    positions_recur: ClassVar[bool] = True  # the safe value for a game that does not say
    evaluations: ClassVar[tuple[str, ...]] = ()
    opening_plies: ClassVar[int] = 2  # in Pentago thousands of openings, none with a line near completion
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
        """The move that a person has typed: reads what `parse_move` reads, and other usual spellings.

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
        """A picture for a terminal, several lines; with `colour` it has ANSI escapes, which may mark the last move."""
        return f"\x1b[1m{position.board}\x1b[0m" if colour else str(position.board)

    def board_html(self, position: Any) -> str:
        """HTML of the board for a page with `board_view.PAGE_STYLE`: a picture if the game has a view, else text."""
        view = self.board_view()
        if view is None:
            return f'<pre class="unforced-board">{html.escape(self.draw(position))}</pre>'
        return view.picture(Scene(position, 0, 0)).html()  # the smallest picture, where stones are round

    def winning_cells(self, position: Any) -> Sequence[tuple[int, int]]:
        """The stones of the lines that ended the game, as rows and columns in `Position.board`; empty if none did."""
        return ()

    def board_view(self) -> BoardView | None:
        """How a front end shows the board and what clicks on it mean; None if it has to show the text of `draw`."""
        return None

    def adjudicate(self, position: Any) -> Result:
        """The result of a game that was stopped in this open position, after `longest_game` plies."""
        return DRAW

    def settling_move(self, position: Any) -> Any:
        """A move with which the player to move wins if the other then agrees to end the game as it stands, or None."""
        return None

    def check_open(self, position: Any) -> None:
        """Raise ValueError if nothing can be searched: the position is of another game or board, or is finished."""
        other = position.game
        if other is not self and (other.name, other.board_options) != (self.name, self.board_options):
            names = (f"{game.title} {game.board_options or ''}".strip() for game in (other, self))
            raise ValueError("this is a position of {}, not of {}".format(*names))
        if position.result is not None:
            raise ValueError("the game is over in this position: there is nothing to search")

    def state(self, position: Any) -> np.ndarray:
        """The position as compiled code holds it: a fresh array of one dimension that `begin` can copy."""
        state: np.ndarray = position.words.copy()
        return state

    def state_key(self, state: np.ndarray) -> bytes:
        """A key that two states share exactly if they are the same position; several states can mean the same one."""
        return (state if self.key_places is None else state[self.key_places]).tobytes()

    def move_of(self, position: Any, word0: int, word1: int) -> Any:
        """The move from `position` to the child that has this payload."""
        return position.move_numbered(int(move_number(self.kernel, word0, word1)))
