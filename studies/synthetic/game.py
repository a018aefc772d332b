"""Synthetic trees as games: `critical_tree` and `p_game`, which `load_game` knows once this module is imported."""

import re
from dataclasses import dataclass, field
from typing import Any, ClassVar

from jit import U64  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from game import DRAW, Game, IllegalMove, NotationError, Result
from options import GameOption
from studies.synthetic import rules
from studies.synthetic.rules import CRITICAL, SUMS, SyntheticKernel, grow, mixed, outcome

START_WORD = {CRITICAL: int(rules.WIN_BIT), SUMS: rules.SUM_ZERO << int(rules.SUM_SHIFT)}


@dataclass(frozen=True)
class SyntheticPosition:
    """A node: the moves that lead there from the root.

    Attributes:
        kernel: the tree.
        words: the state, see `rules`.
        path: the moves.
    """

    kernel: SyntheticKernel = field(compare=False, repr=False)
    words: tuple[int, int]
    path: tuple[int, ...] = ()

    @property
    def ply(self) -> int:
        """Depth of the node."""
        return len(self.path)

    @property
    def to_move(self) -> int:
        """The players take turns."""
        return self.ply & 1

    @property
    def last_move(self) -> int | None:
        """The move that led here."""
        return self.path[-1] if self.path else None

    @property
    def state(self) -> np.ndarray:
        """A fresh array for compiled code."""
        return np.array(self.words, np.uint64)

    @property
    def result(self) -> Result | None:
        """None above the leaves."""
        flag = outcome(self.kernel, self.state)
        if flag in (game.OPEN, game.DRAWN):
            return None if flag == game.OPEN else DRAW
        return Result(self.to_move if flag == game.WON else 1 - self.to_move)

    @property
    def board(self) -> np.ndarray:
        """The moves so far."""
        return np.array(self.path, np.int64)

    def legal_moves(self) -> tuple[int, ...]:
        """Numbers of children."""
        return tuple(range(self.kernel.branching)) if self.ply < self.kernel.depth else ()

    def play(self, move: int) -> "SyntheticPosition":
        """The child of that number. Raises IllegalMove."""
        if move not in self.legal_moves():
            raise IllegalMove(
                f"{move!r} is no child here; there are: {', '.join(map(str, self.legal_moves())) or 'none'}"
            )
        state = self.state
        grow(self.kernel, state, move)
        return SyntheticPosition(self.kernel, (int(state[0]), int(state[1])), (*self.path, move))

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.path)) or '-'} {SyntheticTree.players[self.to_move]}"


class SyntheticTree(Game):
    """A tree as a game; a subclass says of which kind."""

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
        return SyntheticPosition(self.kernel, (int(mixed(U64(self.tree))), START_WORD[self.kind]))

    def parse_move(self, text: str, position: Any = None) -> int:
        """Reads the number of a child."""
        if not re.fullmatch("[0-9]{1,3}", text.strip()):
            raise NotationError(f"{text!r} is no move: write the number of a child, from 0 on")
        return int(text)

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

    def draw(self, position: SyntheticPosition, colour: bool = False) -> str:
        """The path."""
        text = ".".join(map(str, position.path)) or "root"
        return f"\x1b[1m{text}\x1b[0m" if colour else text

    def state(self, position: SyntheticPosition) -> np.ndarray:
        """See `rules`."""
        return position.state

    def move_of(self, position: SyntheticPosition, word0: int, word1: int) -> int:
        """The number of the child, which its state has."""
        return int(word1) >> int(rules.MOVE_SHIFT)


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
