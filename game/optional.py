"""Base classes of games that have more than every game has; a game may derive from several of them."""

from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from game.contract import Game
from game.verbs.solver import NO_SOLVER


class AmafGame(Game):
    """A game whose searches may keep AMAF counts, see `verbs/amaf.py`.

    Attributes:
        amaf_moves: how many numbers of moves there are; each is below it.
    """

    amaf_moves: ClassVar[int]


class LearnedGame(Game):
    """A game for which an evaluation can be learned, see `verbs/learning.py`.

    Attributes:
        feature_count: how many features there are (see `features`).
        active_features: how many features each position has; always the same number.
        feature_buckets: how many buckets, kinds of position, there are.
        windows, channels: of a network with a convolution, see `learning/network.py`; leave them out without one.
    """

    feature_count: ClassVar[int]
    active_features: ClassVar[int]
    feature_buckets: ClassVar[int]
    windows: ClassVar[np.ndarray] = np.zeros((0, 0), np.int32)
    channels: ClassVar[int] = 0


class SolvedGame(Game):
    """A game with a solver, see `verbs/solver.py`."""

    def solver(self) -> Any:
        """The solver, a NamedTuple whose class selects the body of `forced_win`."""
        raise NotImplementedError


class BookGame(Game):
    """A game that may have an opening book.

    Attributes:
        book: the file of the book (see `agents.book`), which need not exist.

    It may have a method `images(position)`, which takes the place of `agents.book.images`.
    """

    book: ClassVar[Path]


def solver_of(game: Game) -> Any:
    """The solver of a game, or NO_SOLVER."""
    return game.solver() if isinstance(game, SolvedGame) else NO_SOLVER
