"""Positions of Kalah for people."""

from dataclasses import dataclass, field

from jit import U64  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from game import DRAW, FIRST, SECOND, IllegalMove, Result
from mancala import rules
from mancala.tables import WORD_BITS, KalahKernel

NAMES = ("South", "North")  # of the players, FIRST's first
SIDES = "bw"


@dataclass(frozen=True, slots=True, repr=False)
class KalahPosition:
    """A position: the stones of South, who is FIRST, and of North.

    Attributes:
        pits: of South and of North, each in sowing order.
        stores: of South and of North.
        to_move: FIRST or SECOND, who need not alternate.
        ply: moves played since the start.
        last_move: the pit that was sown last, from 1; None at the start.
        last_player: who sowed it.
        kernel: the board's.

    >>> from mancala.tables import make_kernel
    >>> start = KalahPosition.start(make_kernel(6, 4))
    >>> str(start.play(3)), start.play(3).to_move == FIRST  # the last stone falls into the store: South moves again
    ('4 4 0 5 5 5 1 4 4 4 4 4 4 0 b', True)
    """

    pits: tuple[tuple[int, ...], tuple[int, ...]]
    stores: tuple[int, int]
    to_move: int
    kernel: KalahKernel = field(compare=False)
    ply: int = field(default=0, compare=False)
    last_move: int | None = field(default=None, compare=False)
    last_player: int | None = field(default=None, compare=False)

    @classmethod
    def start(cls, kernel: KalahKernel) -> "KalahPosition":
        """All stones in the pits, South to move."""
        pits = (int(kernel.half) // kernel.pits,) * kernel.pits
        return cls((pits, pits), (0, 0), FIRST, kernel)

    @property
    def totals(self) -> tuple[int, int]:
        """The stones in the store and in the pits of South and of North."""
        return (self.stores[0] + sum(self.pits[0]), self.stores[1] + sum(self.pits[1]))

    @property
    def is_over(self) -> bool:
        """Whether a player has no stones in the pits."""
        return not (any(self.pits[0]) and any(self.pits[1]))

    @property
    def result(self) -> Result | None:
        """None while both have stones in their pits; then all stones on a side count for its player."""
        if not self.is_over:
            return None
        south, north = self.totals
        if south == north:
            return DRAW
        return Result(FIRST if south > north else SECOND, abs(south - north))

    @property
    def board(self) -> np.ndarray:
        """int16[2, pits + 1]: South's pits in sowing order and its store, then North's."""
        return np.array([[*pits, store] for pits, store in zip(self.pits, self.stores, strict=True)], np.int16)

    def legal_moves(self) -> tuple[int, ...]:
        """The pits of the player to move that have stones, from 1; none once the game is over."""
        if self.is_over:
            return ()
        return tuple(pit for pit, stones in enumerate(self.pits[self.to_move], 1) if stones)

    def play(self, move: int) -> "KalahPosition":
        """The position after a pit was sown. Raises IllegalMove."""
        if self.is_over:
            raise IllegalMove("the game is over")
        if not isinstance(move, int | np.integer) or isinstance(move, bool) or not 1 <= move <= self.kernel.pits:
            raise IllegalMove(f"{move!r} is no Kalah move: take a pit from 1 to {self.kernel.pits}")
        if not self.pits[self.to_move][move - 1]:
            raise IllegalMove(f"pit {move} of {NAMES[self.to_move]} is empty")
        state = self.state()
        rules.sow_state(self.kernel, state, U64(move - 1))
        return _unpacked(self.kernel, state, self.ply + 1, int(move), self.to_move)

    def state(self) -> np.ndarray:
        """The position as compiled code has it, see `rules`."""
        sides = []
        for player, last in ((self.to_move, self.stores[self.to_move]), (1 - self.to_move, self.to_move)):
            width = int(self.kernel.width)
            side = sum(stones << width * i for i, stones in enumerate((*self.pits[player], last)))
            sides.append((side % (1 << WORD_BITS), side >> WORD_BITS))
        (own, own_high), (other, other_high) = sides
        words = (own, other, own_high, other_high) if rules.is_wide(self.kernel) else (own, other)
        return np.array(words, U64)

    def __str__(self) -> str:
        south, north = ((*pits, store) for pits, store in zip(self.pits, self.stores, strict=True))
        return " ".join(map(str, (*south, *north, SIDES[self.to_move])))

    def __repr__(self) -> str:
        return f"KalahPosition({str(self)!r})"


def _unpacked(kernel: KalahKernel, state: np.ndarray, ply: int, move: int, mover: int) -> KalahPosition:
    """The position of a state after a move."""
    words = [int(word) for word in state] + [0, 0]
    width, field_mask = int(kernel.width), int(kernel.field)

    def fields(side: int) -> tuple[int, ...]:
        return tuple(side >> width * i & field_mask for i in range(kernel.pits + 1))

    *own, store = fields(words[0] | words[2] << WORD_BITS)
    *other, to_move = fields(words[1] | words[3] << WORD_BITS)
    other_store = int(kernel.all_stones) - sum(own) - store - sum(other)
    if to_move == FIRST:
        pits, stores = (tuple(own), tuple(other)), (store, other_store)
    else:
        pits, stores = (tuple(other), tuple(own)), (other_store, store)
    return KalahPosition(pits, stores, to_move, kernel, ply, move, mover)
