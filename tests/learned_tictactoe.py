"""Tic-tac-toe with positions that fit into the nodes of a graph, and a learned evaluation.

A state is uint64[2]: the cells of the player to move and those of the other player. A payload is a state with the cell
of the last move above the nine bits of its first word. Each of the eight lines is in one of 27 states: the features.
"""

from pathlib import Path
from typing import NamedTuple

from jit import U64, jit, popcount  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from game import LearnedGame, Position
from game.network import add_up, logit_of, sigmoid
from learning.network import Network, zeros
from tests.tictactoe import CELLS, LINES, TicTacToe

FULL = U64((1 << CELLS) - 1)
MASKS = np.array([sum(1 << cell for cell in line) for line in LINES], np.uint64)
LINE_CELLS = np.array(LINES, np.uint64)


class Evaluation(NamedTuple):
    """A network with its working space."""

    network: Network
    active: np.ndarray
    hidden: np.ndarray


class LearnedKernel(NamedTuple):
    """The tables of compiled code. Attributes: masks: uint64[8], the cells of each line; evaluation."""

    masks: np.ndarray
    evaluation: Evaluation


class LearnedPosition(Position):
    """A position whose state does not say who is to move."""

    __slots__ = ()

    @property
    def board(self) -> np.ndarray:
        crosses, noughts = self.words[:: -1 if self.to_move else 1].tolist()
        entries = [(crosses >> cell & 1) + 2 * (noughts >> cell & 1) for cell in range(CELLS)]
        return np.array(entries, np.int8).reshape(3, 3)


class LearnedTicTacToe(TicTacToe, LearnedGame):
    """Noughts and crosses, learned (see `game.Game` for what each member means)."""

    name = "learned_tictactoe"
    feature_count, active_features, feature_buckets = 27 * len(LINES), len(LINES), 3
    evaluations = ("nothing",)

    def __init__(self) -> None:
        self.kernel = self.kernel_with()

    def kernel_with(self, **switches):
        name = switches.get("evaluation", "nothing")
        from learning.weights import load_weights  # here: in a sandbox, compiled code imports this module alone

        network = zeros(self, 1) if name == "nothing" else load_weights(Path(name), self)[0]
        scratch = np.zeros(self.active_features, np.int32), np.zeros(network.width, np.float32)
        return LearnedKernel(MASKS, Evaluation(network, *scratch))

    def initial(self) -> Position:
        return LearnedPosition(self, np.zeros(2, np.uint64))

    def parse_position(self, text: str) -> Position:
        read = super().parse_position(text)
        stones = [sum(1 << int(cell) for cell in np.flatnonzero(read.board == owner)) for owner in (1, 2)]
        mover_first = np.array(stones[:: -1 if read.ply % 2 else 1], np.uint64)  # `read` has words of tic-tac-toe
        return LearnedPosition(self, mover_first, read.ply)


@jit
def _outcome(kernel, state):
    for mask in kernel.masks:
        if state[1] & mask == mask:
            return game.LOST
    return game.DRAWN if state[0] | state[1] == FULL else game.OPEN


@jit
def _step(kernel, state, word0, word1):
    state[0], state[1] = word0 & FULL, word1


@jit
def _to_move(kernel, state):
    return np.int64(popcount(state[0] | state[1])) & 1


@jit
def _moves(kernel, state, found):
    n = 0
    for cell in range(CELLS):
        if (state[0] | state[1]) >> U64(cell) & U64(1) == U64(0):
            found[n] = cell
            n += 1
    return n


@jit
def _apply(kernel, state, move):
    state[0], state[1] = state[1], state[0] | U64(1) << U64(move)


@jit
def _children(kernel, state, payload0, payload1, stats, first):
    n = first
    mine, theirs = state[0], state[1]
    for cell in range(CELLS):
        if (mine | theirs) >> U64(cell) & U64(1) == U64(0):
            _apply(kernel, state, cell)
            payload0[n], payload1[n], stats[n] = theirs | U64(cell) << U64(CELLS), state[1], _outcome(kernel, state)
            state[0], state[1] = mine, theirs
            n += 1
    return n - first


@jit
def _features(kernel, state, active):
    for line in range(len(LINES)):
        place, digit = 27 * line, 1
        for k in range(3):
            cell = LINE_CELLS[line, k]
            place += digit * np.int64((state[0] >> cell & U64(1)) + U64(2) * (state[1] >> cell & U64(1)))
            digit *= 3
        active[line] = place
    return np.int64(popcount(state[0] | state[1])) // 4


@jit
def _evaluate(kernel, state):
    network, active, hidden = kernel.evaluation
    bucket = _features(kernel, state, active)
    add_up(network, active, bucket, hidden)
    return sigmoid(logit_of(network, bucket, hidden))


@jit
def _mirror(kernel, state):
    """Exchange left and right."""
    for player in range(2):
        cells = state[player]
        column = U64(0b001001001)
        state[player] = (cells & column) << U64(2) | cells & column << U64(1) | cells >> U64(2) & column


game.implement(
    LearnedKernel,
    payload_is_position=lambda kernel: True,
    max_children=lambda kernel: CELLS,
    to_move=_to_move,
    moves=_moves,
    apply=_apply,
    step=_step,
    outcome=_outcome,
    children=_children,
    evaluate=_evaluate,
    features=_features,
    mirror=_mirror,
    move_number=lambda kernel, word0, word1: word0 >> U64(CELLS),
)
