"""Values of positions: whole numbers for the player to move there.

    -WIN ... -PROVEN     lost: -(WIN - n) is lost n plies from the root
    -HIGHEST ... HIGHEST the static evaluation; 0 stands for even chances, and for a draw
    PROVEN ... WIN       won: WIN - n is won n plies from the root

So a sooner win is better than a later one, and a later loss is better than a sooner one.
"""

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from game import DRAWN, IMPLIED, RESOLVED, SAME_MOVER, WON

HIGHEST = 1_000_000
WIN = 1 << 20
PROVEN = HIGHEST + 1
INFINITY = 1 << 21
DRAW = 0


@jit(inline="always")
def value_of_evaluation(evaluation):
    """The value that stands for a static evaluation from 0 to 1 (`game.evaluate`), int64."""
    return np.int64((2.0 * np.float64(evaluation) - 1.0) * HIGHEST)


def chance_of(value: int) -> float:
    """The winning chance, 0 to 1, that a value stands for.

    >>> chance_of(DRAW), chance_of(WIN - 5), chance_of(HIGHEST // 2)
    (0.5, 1.0, 0.75)
    """
    return (min(HIGHEST, max(-HIGHEST, value)) / HIGHEST + 1) / 2


def outcome_name(value: int) -> str | None:
    """ "win" or "loss" if the value proves it, else None."""
    if abs(value) < PROVEN:
        return None
    return "win" if value > 0 else "loss"


@jit(inline="always")
def for_chooser(word, value):
    """A child's value for the player who chose it, from its value for the player to move there."""
    return value if word & SAME_MOVER != U64(0) else -value


@jit(inline="always")
def value_of_result(kernel, word, ply):
    """The value of a resolved child at a ply for the player who chose it, from its statistics word."""
    result = word & RESOLVED
    if result == DRAWN:
        return np.int64(DRAW)
    end = ply + game.implied_plies(kernel) if word & IMPLIED != U64(0) else ply
    return for_chooser(word, np.int64(WIN - end if result == WON else end - WIN))


@jit(inline="always")
def value_to_table(value, ply):
    """A value as the table keeps it: the plies of a proof are counted from the position, not from the root."""
    if value >= PROVEN:
        return value + ply
    return value - ply if value <= -PROVEN else value


@jit(inline="always")
def value_from_table(value, ply):
    """The inverse of `value_to_table`."""
    if value >= PROVEN:
        return value - ply
    return value + ply if value <= -PROVEN else value
