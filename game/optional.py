"""What only some games have: a game that has several of these is of several base classes."""

from pathlib import Path
from typing import Any, ClassVar

from game.contract import Game
from game.verbs.solver import NO_SOLVER


class AmafGame(Game):
    """A game whose searches may keep AMAF counts, see `verbs/amaf.py`.

    Attributes:
        amaf_moves: how many numbers of moves there are.
    """

    amaf_moves: ClassVar[int]


class LearnedGame(Game):
    """A game for which an evaluation can be learned, see `verbs/learning.py`.

    Attributes:
        feature_count: how many features an evaluation has to choose from (see `features`).
        active_features: how many of them a position has; every position has as many.
        feature_buckets: how many kinds of position there are for it.
    """

    feature_count: ClassVar[int]
    active_features: ClassVar[int]
    feature_buckets: ClassVar[int]


class SolvedGame(Game):
    """A game with a solver, see `verbs/solver.py`."""

    def solver(self) -> Any:
        """What `forced_win` works with, a NamedTuple whose class selects the body."""
        raise NotImplementedError


class BookGame(Game):
    """A game that may have an opening book.

    Attributes:
        book: its file, see `agents.book`, which may be missing.
    """

    book: ClassVar[Path]


def solver_of(game: Game) -> Any:
    """The solver of a game, or NO_SOLVER."""
    return game.solver() if isinstance(game, SolvedGame) else NO_SOLVER
