"""Positions for people: immutable objects that ask the compiled rules of their game."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from board_view import PAGE_STYLE
from game.errors import IllegalMove
from game.verbs.flags import DRAWN, OPEN, WON
from game.verbs.search import apply, max_children, moves, outcome, to_move


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
    """An immutable position: it holds a state of compiled code, and asks the compiled rules about it.

    A game has a subclass if its moves are not the numbers that compiled code uses, or if its board has a shape. Two
    positions are equal if `Game.state_key` says so; `str()` is the line of text that `Game.parse_position` reads.

    Attributes:
        game: the game whose rules and notation it follows.
        words: the state; nobody may write into it.
        ply: moves played since the start of the game.
        last_move: the move that led here, or None at the start and for positions read from text.
        last_player: the player who made that move, or None.
    """

    game: Any
    words: np.ndarray
    ply: int = 0
    last_move: Any = None
    last_player: int | None = None

    @property
    def to_move(self) -> int:
        """The player to move, FIRST or SECOND; players need not alternate. Meaningless once the game is over."""
        return int(to_move(self.game.kernel, self.words))

    @property
    def result(self) -> Result | None:
        """The result; None while the game is open."""
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
        """A move as `legal_moves` lists it, and its number in compiled code; the game is open. Raises IllegalMove."""
        legal = self.legal_moves()
        if move not in legal:
            raise IllegalMove(f"{move!r} is no legal move here; take one of legal_moves()")
        found = legal[legal.index(move)]
        return found, found

    def move_numbered(self, number: int) -> Any:
        """The legal move that compiled code knows by this number."""
        return number

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
    """Raise an error that says what is wrong: that of frozen dataclasses with slots does not (cpython #105936)."""
    raise AttributeError(f"{name} of a position cannot be changed: `play` returns the next position")


Position.__setattr__ = _refuse_change  # type: ignore[method-assign, assignment]


def result_of(flags: Any, to_move: int) -> Result | None:
    """The result that an `outcome` for the player to move means, None for OPEN."""
    if flags == OPEN:
        return None
    return DRAW if flags == DRAWN else Result(to_move if flags == WON else 1 - to_move)
