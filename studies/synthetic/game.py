"""Synthetic trees as games: `critical_tree` and `p_game`, which `load_game` knows once this module is imported."""

import re
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from jit import U64  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from game import Game, IllegalMove, NotationError, Position
from options import GameOption
from studies.synthetic import rules
from studies.synthetic.rules import CRITICAL, SUMS, SyntheticKernel, mixed

START_WORD = {CRITICAL: int(rules.WIN_BIT), SUMS: rules.SUM_ZERO << int(rules.SUM_SHIFT)}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SyntheticPosition(Position):
    """A node of a tree.

    Attributes:
        path: the moves that lead there from the root.
    """

    path: tuple[int, ...] = ()

    @property
    def board(self) -> np.ndarray:
        """The moves so far."""
        return np.array(self.path, np.int64)

    def legal_moves(self) -> tuple[int, ...]:
        """The numbers of the children; a leaf has none."""
        return tuple(range(self.game.kernel.branching)) if self.ply < self.game.kernel.depth else ()

    def play(self, move: int) -> Self:
        """The child of that number. Raises IllegalMove."""
        after = Position.play(self, move)
        return replace(after, path=(*self.path, after.last_move))


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

    def initial(self) -> SyntheticPosition:
        """The root."""
        return SyntheticPosition(self, np.array((mixed(U64(self.tree)), START_WORD[self.kind]), np.uint64))

    def parse_position(self, text: str) -> SyntheticPosition:
        """Reads the moves from the root and the player to move, as in `0.1.1 second`; the root is `- first`."""
        match = re.fullmatch(r"(-|[0-9]{1,3}(?:\.[0-9]{1,3})*) (first|second)", text.strip())
        if match is None:
            raise NotationError(f"{text!r} is no position: write moves and the player to move, as in 0.1.1 second")
        position = self.initial()
        try:
            for move in match[1].split(".") if match[1] != "-" else ():
                position = position.play(int(move))
        except IllegalMove as error:
            raise NotationError(f"{text!r} is no position: {error}") from error
        if match[2] != self.players[position.to_move]:
            raise NotationError(f"{text!r} is no position: after {position.ply} moves it is the other player's turn")
        return position

    def format_position(self, position: Any) -> str:
        """The path and the player to move."""
        return f"{'.'.join(map(str, position.path)) or '-'} {self.players[position.to_move]}"


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
