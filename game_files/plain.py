"""A game whose rules are plain Python functions of a module; `kernel` is None, since no compiled code knows it.

A file has `initial`, `legal_moves`, `play` and `result`; the rest follows from these, unless it has more: `to_move`,
`to_text` with `from_text`, `move_text`, `draw`. What a file's function must return is checked when it is asked.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from game import (
    DRAW,
    FIRST,
    SECOND,
    Game,
    IllegalMove,
    NotationError,
    Position,
    Result,
    RulesError,
    file_and_hash,
    load_game,
)
from game_files import grid, texts
from jit import NotKept
from options import OptionError, option_text, shortened
from python_file import own_traceback

NEEDED = ("initial", "legal_moves", "play", "result")
_EXAMPLES = 8  # the most moves that an error lists
_NUMPY, _SEQUENCE = (np.generic, np.ndarray), (tuple, list)  # faster to ask for than a union


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PlainPosition(Position):
    """A position of a game in plain Python; `words` is the state of its rules, whatever that is.

    The rules are asked only once for the player to move, the result and the legal moves.
    """

    words: Any
    _known: dict[str, Any] = field(default_factory=dict, init=False)

    def _once(self, name: str) -> Any:
        if name not in self._known:
            self._known[name] = getattr(self.game, f"{name}_of")(self.words)
        return self._known[name]

    @property
    def to_move(self) -> int:
        """FIRST or SECOND, who need not alternate; meaningless once the game is over."""
        return int(self._once("player"))

    @property
    def result(self) -> Result | None:
        """The result; None while the game is open."""
        found: Result | None = self._once("result")
        return found

    @property
    def board(self) -> np.ndarray:
        """A copy: the first array in the state; if the state has none, its one entry is the state."""
        shown = self.game.shown(self.words)
        parts = shown if isinstance(shown, tuple) else (shown,)
        found = next((part for part in parts if isinstance(part, np.ndarray)), None)
        if found is not None:
            return found.copy()
        holder = np.empty(1, object)
        holder[0] = shown
        return holder

    def legal_moves(self) -> tuple[Any, ...]:
        """Every legal move, as the rules list them; empty once the game is over."""
        moves: tuple[Any, ...] = () if self.result is not None else self._once("moves")
        return moves

    def play(self, move: Any) -> "PlainPosition":
        """The position after a move. Raises IllegalMove."""
        if self.result is not None:
            raise IllegalMove("the game is over")
        move = settled(move)
        if move not in self.legal_moves():
            raise IllegalMove(f"{self.game.name_of_any(move)} is no legal move here")
        return PlainPosition(self.game, self.game.after(self.words, move), self.ply + 1, move, self.to_move)


class PlainGame(Game):
    """A game in plain Python (see `game.Game` for what each member means).

    Attributes:
        rules: the file's module, or an object with the same functions.
        contract: what its functions return.
    """

    rules: ClassVar[Any]
    contract: ClassVar[dict[str, str]] = {
        "initial": "the state at the start, such as a pair of a board and the player to move",
        "to_move": "the player to move, 0 or 1",
        "legal_moves": "a list of the moves of the player to move, numbers, texts and tuples, at least one while the"
        " game is open: [None] where the player must pass",
        "play": "the next state, which is a new one: the given state must not be changed; a move that is an array or a"
        " named tuple is given to it as a tuple",
        "result": 'None while the game is open, then the winner, 0 or 1, or "draw"',
        "to_text": "the state as one line of words with single blanks between, without #",
        "from_text": "the state for a text of to_text",
        "move_text": "the move as one word without #, but not the word resign",
        "draw": "the board as one text, with line breaks",
    }
    kernel = None

    def __init__(self, /, **options: Any) -> None:
        self._options = {option.name: option.check(options.get(option.name, option.default)) for option in self.options}
        try:
            self._start = self._state("initial", **self._options)
        except RulesError as error:
            if not options or not isinstance(error.__cause__, ValueError):
                raise
            values = " and ".join(option_text(value) for value in options.values())
            raise OptionError(" and ".join(options), f"cannot be {values}: {error.__cause__}") from error

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(load_game, self.name, **self._options), ()

    @property
    def settled_options(self) -> dict[str, Any]:
        """The value of every option; they are no attributes, since other attributes may have the same names."""
        return dict(self._options)

    def ask(self, function: str, /, *arguments: Any, **keywords: Any) -> Any:
        """What a function of the file returns. Raises RulesError with the file's own traceback."""
        try:
            found = getattr(self.rules, function)(*arguments, **keywords)
            return list(found) if isinstance(found, Iterator) else found
        except NotKept:  # an agent waits until the function is compiled
            raise
        except (Exception, SystemExit) as error:
            path = Path(file_and_hash(self.name)[0])
            raise self._wrong(function, f"fails:\n{failure(error, path)}") from error

    def _wrong(self, function: str, what: str) -> RulesError:
        return RulesError(f"{self.title}: {function} {what.rstrip()}\n{function} returns {self.contract[function]}")

    def _has(self, function: str) -> bool:
        return hasattr(self.rules, function)

    # --- Positions ---

    def initial(self) -> PlainPosition:
        """The position at the start."""
        return PlainPosition(self, self._start)

    def player_of(self, state: Any) -> int:
        """The player to move: by the file's `to_move`, else the second part of a state that is a pair."""
        if self._has("to_move"):
            player = self.ask("to_move", state)
        elif isinstance(state, tuple) and len(state) == 2:
            player = state[1]
        else:
            kind = type(state).__name__
            raise self._wrong("to_move", f"is needed, because the state is no pair (board, player) but a {kind}")
        return self._player("to_move", player)

    def _player(self, function: str, found: Any) -> int:
        """A player that a function returns."""
        if not isinstance(found, int | np.integer) or isinstance(found, bool) or found not in (0, 1):
            raise self._wrong(function, f"is {found!r}")
        return int(found)

    def result_of(self, state: Any) -> Result | None:
        """The result; None while the game is open."""
        found = self.ask("result", state)
        if found is None:
            return None
        if isinstance(found, str) and found == "draw":
            return DRAW
        return Result(self._player("result", found))

    def moves_of(self, state: Any) -> tuple[Any, ...]:
        """The legal moves of an open state."""
        found = self.ask("legal_moves", state)
        if isinstance(found, set | frozenset):
            raise self._wrong("legal_moves", f"is a set, whose order differs from process to process: {found}")
        try:
            moves = tuple(map(settled, found))
            hash(moves)
        except TypeError as error:
            raise self._wrong("legal_moves", f"is no list of moves: {error}") from error
        if not moves:
            raise self._wrong("legal_moves", "is empty while result says that the game is open")
        return moves

    def after(self, state: Any, move: Any) -> Any:
        """The state after a legal move."""
        return self._state("play", state, move)

    def _state(self, function: str, /, *arguments: Any, **keywords: Any) -> Any:
        state = self.ask(function, *arguments, **keywords)
        if state is None:
            raise self._wrong(function, "returns None")
        return read_only(state)

    def state_key(self, state: Any) -> Hashable:  # type: ignore[override]
        """The state with something hashable in the place of each array and list."""
        return hashable(state)

    # --- Text ---

    def shown(self, state: Any) -> Any:
        """What texts and pictures of a state are made from; here the state itself."""
        return state

    def meant(self, shown: Any) -> Any:
        """The state for which `shown` returns this."""
        return shown

    def parse_move(self, text: str, position: Any) -> Any:
        """The legal move with that text, or the illegal one that it means by its form. Raises NotationError."""
        word, moves = text.strip(), position.legal_moves()
        names = {self.format_move(move): move for move in moves}
        folded = {name.lower(): move for name, move in names.items()}
        if word in names or word.lower() in folded:
            return names.get(word, folded.get(word.lower()))
        move = None if self._has("move_text") else texts.read_move(word.lower(), moves)
        if move is None:
            more = len(names) - _EXAMPLES
            examples = ", ".join(islice(names, _EXAMPLES)) + (f" and {more} more" if more > 0 else "")
            raise NotationError(f"{shortened(text)} is no move of {self.title}. Moves here are {examples or 'none'}")
        return move

    def format_move(self, move: Any) -> str:
        """The file's `move_text`, or what `texts.move_text` makes of it."""
        move = settled(move)
        text = self.ask("move_text", move) if self._has("move_text") else texts.move_text(move)
        if not texts.is_line(text) or " " in text or text.lower() == "resign":
            lacks = "" if self._has("move_text") else "is needed: without it the text "
            raise self._wrong("move_text", f"{lacks}of {move!r} is {text!r}")
        return str(text)

    def name_of_any(self, move: Any) -> str:
        """A text for anything that was given as a move."""
        try:
            return self.format_move(move)
        except RulesError:
            return repr(move)

    def parse_position(self, text: str) -> PlainPosition:
        """Reads what `format_position` writes; the file's functions have to understand the position."""
        try:
            if self._has("from_text"):
                state = self.rules.from_text(text)
            else:
                state = self.meant(texts.read_state(text, self.shown(self._start), self.players))
            position = replace(self.initial(), words=read_only(state))
            if position.result is None and position.to_move in (FIRST, SECOND):
                position.legal_moves()
        except Exception as error:
            example, why = shortened(self.format_position(self.initial())), str(error).partition("\n")[0].rstrip(":")
            raise NotationError(f"{shortened(text)} is no position: {why}; the start is {example}") from error
        return position

    def format_position(self, position: Any) -> str:
        """The file's `to_text`, or what `texts.state_text` makes of the state."""
        if not self._has("to_text"):
            return texts.state_text(self.shown(position.words), self.players)
        text = self.ask("to_text", position.words)
        if not texts.is_line(text):
            raise self._wrong("to_text", f"is {text!r}")
        return str(text)

    def draw(self, position: Any, colour: bool = False) -> str:
        """The file's `draw`, or the board with its coordinates."""
        if self._has("draw"):
            text = self.ask("draw", position.words)
            if not isinstance(text, str):
                raise self._wrong("draw", f"is {text!r}")
            return text
        view = self.board_view()
        return str(position) if view is None else view.text(position, colour)

    def board_view(self) -> grid.GridView | None:
        """A view of rows and columns if the state has a board of whole numbers, else None; see `grid.GridView`."""
        board = self.initial().board
        return grid.GridView(self) if texts.is_board(board) else None


def failure(error: BaseException, path: Path) -> str:
    """The own traceback of a game's file or folder, and what to do if another file is missing, for agents or at all."""
    hint = ""
    if isinstance(error.__context__, RulesError):  # an earlier failure, which was being reported
        error.__context__ = None
    if path.suffix == ".py" and isinstance(error, FileNotFoundError | ModuleNotFoundError):
        hint = " (a game that imports or reads other files is a folder: docs/games.md, Several files)"
    elif isinstance(error, ModuleNotFoundError) and (path / f"{error.name}.py").is_file():
        hint = f" (a file of the same folder is imported by: from . import {error.name})"
    return own_traceback(error, path).rstrip() + hint


def read_only(state: Any) -> Any:
    """The state with its arrays made read-only, so that rules and agents that change one fail."""
    for part in state if isinstance(state, tuple | list) else (state,):
        if isinstance(part, np.ndarray):
            part.flags.writeable = False
    return state


def settled(move: Any) -> Any:
    """A move that can be compared and hashed: numbers of numpy and lists become Python's numbers and tuples."""
    kind = type(move)
    if kind is int or kind is str:  # every part of every move comes here: the other questions take three times as long
        return move
    if kind is not tuple and isinstance(move, _NUMPY):
        move = move.tolist()
    return tuple([settled(part) for part in move]) if isinstance(move, _SEQUENCE) else move


def hashable(value: Any) -> Hashable:
    """A hashable form of a value; those of two values of the same form are equal exactly if the values are."""
    if isinstance(value, np.ndarray):
        return (value.shape, value.tobytes() if value.dtype != object else hashable(value.tolist()))
    if isinstance(value, tuple | list):
        return tuple(map(hashable, value))
    if isinstance(value, dict):
        return frozenset((key, hashable(entry)) for key, entry in value.items())
    found: Hashable = frozenset(value) if isinstance(value, set) else value
    return found
