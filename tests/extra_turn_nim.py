"""Nim with an extra turn: a tiny game in which the players do not always alternate.

There is one heap. A move takes 1, 2 or 3 stones; whoever takes exactly 2 moves again. A player who has to move and
cannot has lost, so that taking the last two stones loses; in the misere game, that player has won. A state is
uint64[2]: the stones left, the player to move. The payload is the position, with the move in the upper bits:

    word 0: bits 0-31 stones left, bits 32-33 stones taken by the last move; word 1: the player to move
"""

from typing import NamedTuple

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from game import Game, Position
from options import GameOption

MOST = 3  # stones that one move may take
AGAIN = 2  # taking so many gives another turn
START = 21
TAKEN_SHIFT = U64(32)
HEAP = U64((1 << 32) - 1)


class NimKernel(NamedTuple):
    """The tables of compiled code. Attributes: end: uint64[1], the flag of an empty heap for the player to move."""

    end: np.ndarray


@jit
def legal_numbers(kernel, state, found):
    """`game.moves`."""
    for i in range(MOST):
        found[i] = i + 1
    return min(MOST, np.int64(state[0]))


@jit
def take(kernel, state, move):
    """`game.apply`."""
    state[0] -= U64(move)
    if move != AGAIN:
        state[1] ^= U64(1)


@jit
def successors(kernel, state, payload0, payload1, stats, first):
    """`game.children`, with the position as the payload."""
    count = min(MOST, np.int64(state[0]))
    for i in range(count):
        left, stones = state[0] - U64(i + 1), i + 1
        payload0[first + i] = left | U64(stones) << TAKEN_SHIFT
        payload1[first + i] = state[1] if stones == AGAIN else state[1] ^ U64(1)
        flags = kernel.end[0] if left == U64(0) else game.OPEN
        stats[first + i] = flags | game.SAME_MOVER if stones == AGAIN else flags
    return count


def _step(kernel, state, word0, word1):
    state[0] = word0 & HEAP
    state[1] = word1


game.implement(
    NimKernel,
    payload_is_position=lambda kernel: True,
    max_children=lambda kernel: MOST,
    moves=legal_numbers,
    apply=take,
    outcome=lambda kernel, state: game.OPEN if state[0] > U64(0) else kernel.end[0],
    children=successors,
    move_number=lambda kernel, word0, word1: word0 >> TAKEN_SHIFT,
    step=_step,
)


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
        self.kernel = NimKernel(np.array([game.WON if misere else game.LOST], np.uint64))

    def initial(self) -> Position:
        """The whole heap."""
        return Position(self, np.array([self.heap, game.FIRST], np.uint64))


def mover_wins(heap: int, misere: bool = False) -> bool:
    """Whether the player to move wins under perfect play, worked out from the rules alone."""
    won = [misere]
    for stones in range(1, heap + 1):
        takes = range(1, min(MOST, stones) + 1)
        won.append(any(won[stones - take] == (take == AGAIN) for take in takes))
    return won[heap]
