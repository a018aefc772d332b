"""Synthetic trees as games: `critical_tree` and `p_game`, which `load_game` knows once this module is imported."""

import re
from typing import Any, ClassVar

from jit import U64  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from game import Game, NotationError, Position
from options import GameOption, shortened
from studies.synthetic import rules
from studies.synthetic.rules import CRITICAL, SUMS, SyntheticKernel, mixed

START_WORD = {CRITICAL: int(rules.WIN_BIT), SUMS: rules.SUM_ZERO << int(rules.SUM_SHIFT)}


class SyntheticTree(Game):
    """A tree as a game; each subclass is a kind of tree."""

    kind: ClassVar[int]
    players = ("first", "second")
    positions_recur = False
    opening_plies = 0

    def __init__(
        self, branching: int = 2, depth: int = 50, rate: float = 1.0, tree: int = 1, noise: float = 0.0
    ) -> None:
        self.branching, self.depth, self.rate, self.tree, self.noise = branching, depth, rate, tree, noise
        self.kernel = SyntheticKernel(self.kind, branching, depth, round(rate * (1 << rules.RATE_BITS)), float(noise))

    def initial(self) -> Position:
        """The root."""
        return Position(self, np.array((mixed(U64(self.tree)), START_WORD[self.kind]), np.uint64))

    def parse_position(self, text: str) -> Position:
        """The node with this state: two words of hexadecimal digits. Raises NotationError."""
        words = text.split()
        if len(words) != 2 or not all(re.fullmatch("[0-9a-f]{1,16}", word) for word in words):
            raise NotationError(f"{shortened(text)} is no position: write the two words of its state in hexadecimal")
        return Position(self, np.array([int(word, 16) for word in words], np.uint64))

    def format_position(self, position: Any) -> str:
        """The state as two words of hexadecimal digits."""
        return "{:x} {:x}".format(*position.words.tolist())


_BRANCHING = GameOption("branching", int, 2, 2, 100, help="Children of every node.")
_DEPTH = GameOption("depth", int, 50, 1, 255, help="Plies from the root to every leaf.")
_TREE = GameOption("tree", int, 1, 0, help="Which of the random trees.")
_NOISE = GameOption("noise", float, 0.0, 0, help="Deviation of the evaluation's error; a true value is worth 1.")


class CriticalTree(SyntheticTree):
    """A critical win-loss tree."""

    name = "critical_tree"
    kind = CRITICAL
    options = (
        _BRANCHING,
        _DEPTH,
        GameOption("rate", float, 1.0, 0, 1, help="How often a move that is not the right one throws a win away."),
        _TREE,
        _NOISE,
    )


class PGame(SyntheticTree):
    """A P-game."""

    name = "p_game"
    kind = SUMS
    options = (_BRANCHING, _DEPTH, _TREE, _NOISE)


game.register_game("critical_tree", "studies.synthetic.game:CriticalTree")
game.register_game("p_game", "studies.synthetic.game:PGame")
