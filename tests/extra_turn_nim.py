"""Nim with an extra turn: a tiny game in which the players do not always alternate.

One heap. A move takes 1, 2 or 3 stones, and whoever takes exactly 2 moves again. A player who has to move and cannot
has lost; so taking the last two stones loses. In the misere game such a player has won. A state is uint64[2]: the
stones left, the player to move. The payload is the position, with the move in the upper bits:

    word 0: bits 0-31 stones left, bits 32-33 stones taken by the last move; word 1: the player to move
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from jit import U64, jit, random_below  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from game import FIRST, Game, IllegalMove, NotationError, Result
from options import GameOption

MOST = 3  # stones that one move may take
AGAIN = 2  # taking so many gives another turn
START = 21
TAKEN_SHIFT = U64(32)
HEAP = U64((1 << 32) - 1)


class NimKernel(NamedTuple):
    """The tables of compiled code.

    Attributes:
        passes: uint64[4]; 1 where taking so many stones passes the turn.
        end: uint64[1]; the flag of an empty heap for the player to move.
    """

    passes: np.ndarray
    end: np.ndarray


def _make_kernel(end: np.uint64) -> NimKernel:
    return NimKernel(np.array([0, 1, 0, 1], np.uint64), np.array([end], np.uint64))


NORMAL, MISERE = _make_kernel(game.LOST), _make_kernel(game.WON)


# --- For people -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NimPosition:
    """A heap, the player to move, and the stones taken by the last move.

    >>> print(NimPosition(5).play(3)), print(NimPosition(5).play(2))
    2 second
    3 first
    (None, None)
    """

    heap: int = START
    to_move: int = FIRST
    ply: int = 0
    last_move: int | None = None
    misere: bool = False

    def __eq__(self, other: object) -> bool:
        return (self.heap, self.to_move) == (other.heap, other.to_move) if isinstance(other, NimPosition) else False

    def __hash__(self) -> int:
        return hash((self.heap, self.to_move))

    @property
    def result(self) -> Result | None:
        """None while there are stones; then the player to move has lost, or won if misere."""
        if self.heap > 0:
            return None
        return Result(self.to_move if self.misere else 1 - self.to_move)

    @property
    def board(self) -> np.ndarray:
        """int8[1]: the heap."""
        return np.array([self.heap], np.int8)

    def legal_moves(self) -> tuple[int, ...]:
        """How many stones may be taken."""
        return tuple(range(1, min(MOST, self.heap) + 1))

    def play(self, move: int) -> "NimPosition":
        """The position with so many stones less. Raises IllegalMove."""
        if self.heap == 0:
            raise IllegalMove("the game is over")
        if move not in self.legal_moves():
            raise IllegalMove(f"{move!r} stones cannot be taken from {self.heap}: take 1, 2 or 3")
        to_move = self.to_move if move == AGAIN else 1 - self.to_move
        return NimPosition(self.heap - move, to_move, self.ply + 1, move, self.misere)

    def __str__(self) -> str:
        return f"{self.heap} {ExtraTurnNim.players[self.to_move]}"


class ExtraTurnNim(Game):
    """Nim with an extra turn (see `game.Game` for what each member means)."""

    name = "extra_turn_nim"
    players = ("first", "second")
    positions_recur = False
    options = (
        GameOption("heap", int, START, 0, 999, help="Stones at the start."),
        GameOption("misere", bool, False, help="Whether the player who cannot move has won."),
    )

    def __init__(self, heap: int = START, misere: bool = False) -> None:
        self.heap, self.misere = heap, misere
        self.kernel = MISERE if misere else NORMAL

    def initial(self) -> NimPosition:
        """The whole heap."""
        return NimPosition(self.heap, misere=self.misere)

    def parse_move(self, text: str, position: NimPosition | None = None) -> int:
        """Reads the number of stones to take."""
        if text.strip() not in ("1", "2", "3"):
            raise NotationError(f"{text!r} is no move: take 1, 2 or 3")
        return int(text)

    def format_move(self, move: int) -> str:
        """`2`."""
        return str(move)

    def parse_position(self, text: str) -> NimPosition:
        """Reads the stones left and the side to move."""
        if not (match := re.fullmatch("([0-9]{1,3}) (first|second)", text.strip())):
            raise NotationError(f"{text!r} is no position: write the stones left and the side, as in: 5 first")
        return NimPosition(int(match[1]), self.players.index(match[2]), misere=self.misere)

    def draw(self, position: NimPosition, colour: bool = False) -> str:
        """The stones in a row."""
        return ("\x1b[1m{}\x1b[0m" if colour else "{}").format("o" * position.heap or "(empty)")

    def state(self, position: NimPosition) -> np.ndarray:
        """uint64[2], see the module."""
        return np.array((position.heap, position.to_move), np.uint64)

    def move_of(self, position: NimPosition, word0: int, word1: int) -> int:
        """The move in the upper bits of the first word."""
        return int(word0) >> int(TAKEN_SHIFT)


def mover_wins(heap: int, misere: bool = False) -> bool:
    """Whether the player to move wins under perfect play, worked out from the rules alone.

    >>> [mover_wins(heap) for heap in range(6)]
    [False, True, False, True, False, True]
    """
    won = [misere]
    for stones in range(1, heap + 1):
        takes = range(1, min(MOST, stones) + 1)
        won.append(any(won[stones - take] == (take == AGAIN) for take in takes))
    return won[heap]


# --- For search -----------------------------------------------------------------------------------------------------


@jit
def _successors(kernel, state, payload0, payload1, stats, first):
    heap, player = state[0], state[1]
    count = np.int64(min(U64(MOST), heap))
    for i in range(count):
        taken = U64(i + 1)
        passes = kernel.passes[taken]
        payload0[first + i] = heap - taken | taken << TAKEN_SHIFT
        payload1[first + i] = player ^ passes
        flags = kernel.end[0] if taken == heap else game.OPEN
        stats[first + i] = flags if passes == U64(1) else flags | game.SAME_MOVER
    return count


@jit
def _random_playout(kernel, state, rng):
    heap, player = state[0], state[1]
    to_move = player
    while heap > U64(0):
        taken = random_below(rng, min(U64(MOST), heap)) + U64(1)
        heap -= taken
        to_move ^= kernel.passes[taken]
    return np.float32(1) if (to_move == player) == (kernel.end[0] == game.WON) else np.float32(0)


def _step(kernel, state, word0, word1):
    state[0] = word0 & HEAP
    state[1] = word1


game.implement(
    NimKernel,
    payload_is_position=lambda kernel: True,
    max_children=lambda kernel: MOST,
    step=_step,
    outcome=lambda kernel, state: game.OPEN if state[0] > U64(0) else kernel.end[0],
    children=_successors,
    playout=_random_playout,
)
