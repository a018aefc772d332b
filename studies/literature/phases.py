"""The weight of exploration by phase of the game: one value each for the opening, the middle and the end."""

import math
from typing import Any

import numpy as np

from game import Game
from studies.literature.method import Method

PHASES = 3


def read_phases(text: str) -> tuple[float, ...]:
    """The values in a text like `0.3/0.5/0.7`; () for an empty text. Raises ValueError for any other text.

    >>> read_phases("0.3/0.5/0.7")
    (0.3, 0.5, 0.7)
    """
    if not text:
        return ()
    try:
        values = tuple(float(part) for part in text.split("/"))
    except ValueError:
        values = ()
    if len(values) != PHASES or not all(math.isfinite(value) and value >= 0 for value in values):
        raise ValueError(f"c_by_phase={text}: three numbers from 0 on with slashes between them, as in 0.3/0.5/0.7")
    return values


def phase_of(game: Game, position: Any) -> int:
    """The third of the game that a position is in, 0 to 2, if each player makes `Game.moves_ahead` moves."""
    return min(PHASES - 1, PHASES * int(position.ply) // (2 * game.moves_ahead))


def with_constant(method: Any, c: float) -> Any:
    """A method, or a formula alone, with another weight of exploration."""
    if isinstance(method, Method):
        return method._replace(bound=with_constant(method.bound, c))
    return method._replace(c=np.float32(c))
