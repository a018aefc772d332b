"""The numbers of the players, and the flags that say how a position ends, for all compiled code."""

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

FIRST, SECOND = 0, 1  # the players, in the order in which they move at the start

# The low half of a node's statistics word: VISIT_BITS of visits, then flags, which `children` writes for each child.
VISIT_BITS = 27
WON = U64(1 << 27)  # the player to move here wins
LOST = U64(1 << 28)  # the player to move here loses
DRAWN = U64(1 << 29)
IMPLIED = U64(1 << 30)  # beside one of these three: the game is not over there, but looking ahead proved its result
SAME_MOVER = U64(1 << 31)  # the player to move here also made the move that led here (Kalah's extra turn)
RESOLVED = WON | LOST | DRAWN
OPEN = U64(0)


@jit(inline="always")
def value_of_outcome(flags):
    """The value of a resolved position for the player to move, or of an outcome for the player of whom it is told."""
    value = np.float32(1) if flags & WON != U64(0) else np.float32(0)
    return np.float32(0.5) if flags & DRAWN != U64(0) else value


@jit(inline="always")
def value_for_chooser(flags, value):
    """A child's value for the player who chooses it, from its flags and its value for the player to move there.

    Values are float32 from 0 to 1. A resolved child has its exact value, whatever value is given.
    """
    if flags & RESOLVED != U64(0):
        value = value_of_outcome(flags)
    return value if flags & SAME_MOVER != U64(0) else np.float32(1) - value
