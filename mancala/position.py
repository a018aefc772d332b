"""Positions of Kalah for people."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from jit import U64  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from game import FIRST, IllegalMove, Position, Result, outcome, result_of
from mancala import rules, verbs  # noqa: F401  (the verbs get their bodies)
from mancala.tables import WORD_BITS, KalahKernel

NAMES = ("South", "North")  # of the players, FIRST's first


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class KalahPosition(Position):
    """A position: the stones of South, who is FIRST, and of North. A move is the number of a pit, from 1.

    Sides, player to move and result are read from the state once, when the position is made.

    Attributes:
        sides: the stones of South and of North: the pits in sowing order, then the store.
        to_move: FIRST or SECOND, who need not alternate.
        result: None while both players have stones in their pits; then all stones on a side count for its player.

    >>> from mancala.game import Kalah
    >>> after = Kalah().initial().play(3)
    >>> str(after), after.to_move == FIRST  # the last stone falls into the store: South moves again
    ('4 4 0 5 5 5 1 4 4 4 4 4 4 0 b', True)
    """

    sides: tuple[list[int], list[int]] = field(init=False)
    to_move: int = field(init=False)
    result: Result | None = field(init=False)

    def __post_init__(self) -> None:
        kernel = self.game.kernel
        own, other = _fields(kernel, self.words[::2]), _fields(kernel, self.words[1::2])
        to_move, other[-1] = other[-1], int(kernel.all_stones) - sum(own) - sum(other[:-1])
        result = result_of(outcome(kernel, self.words), to_move)
        if result is not None and result.winner is not None:
            result = Result(result.winner, abs(sum(own) - sum(other)))
        object.__setattr__(self, "sides", (own, other) if to_move == FIRST else (other, own))
        object.__setattr__(self, "to_move", to_move)
        object.__setattr__(self, "result", result)

    @property
    def pits(self) -> tuple[list[int], list[int]]:
        """The pits of South and of North, each in sowing order."""
        south, north = self.sides
        return south[:-1], north[:-1]

    @property
    def stores(self) -> tuple[int, int]:
        """The stores of South and of North."""
        south, north = self.sides
        return south[-1], north[-1]

    @property
    def totals(self) -> tuple[int, int]:
        """The stones in the store and in the pits of South and of North."""
        south, north = self.sides
        return sum(south), sum(north)

    @property
    def board(self) -> np.ndarray:
        """int16[2, pits + 1]: South's pits in sowing order and its store, then North's."""
        return np.array(self.sides, np.int16)

    def legal_moves(self) -> tuple[int, ...]:
        """The pits of the player to move that have stones, from 1; none once the game is over."""
        if self.result is not None:
            return ()
        *pits, _ = self.sides[self.to_move]
        return tuple(pit for pit, stones in enumerate(pits, 1) if stones)

    def _checked(self, move: Any) -> tuple[int, int]:
        pits = self.game.kernel.pits
        if not isinstance(move, int | np.integer) or isinstance(move, bool) or not 1 <= move <= pits:
            raise IllegalMove(f"{move!r} is no Kalah move: take a pit from 1 to {pits}")
        if not self.sides[self.to_move][move - 1]:
            raise IllegalMove(f"pit {move} of {NAMES[self.to_move]} is empty")
        return int(move), int(move) - 1

    def move_numbered(self, number: int) -> int:
        """The pit of that number in compiled code; for people pits are counted from 1."""
        return number + 1


def _fields(kernel: KalahKernel, words: np.ndarray) -> list[int]:
    """The fields in the words of a side: the pits, then the store or what is in its place."""
    width, mask = int(kernel.width), int(kernel.field)
    whole = sum(word << WORD_BITS * i for i, word in enumerate(words.tolist()))
    return [whole >> width * i & mask for i in range(kernel.pits + 1)]


def state_of(kernel: KalahKernel, sides: Sequence[Sequence[int]], to_move: int) -> np.ndarray:
    """The state with these stones of South and of North, pits and store, see `rules`."""
    own, other = sides[to_move], [*sides[1 - to_move][:-1], to_move]
    words = []
    for side in (own, other):
        whole = sum(stones << int(kernel.width) * i for i, stones in enumerate(side))
        words.append((whole % (1 << WORD_BITS), whole >> WORD_BITS))
    (own_low, own_high), (other_low, other_high) = words
    return np.array((own_low, other_low, own_high, other_high)[: 4 if rules.is_wide(kernel) else 2], U64)
