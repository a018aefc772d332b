"""Bitboards of Pentago in compiled code: quadrants, turns, complete lines; see the package for the bits."""

from jit import U64, jit  # first: it sets the compile cache
from pentago.tables import LINES

QUADRANT = U64(511)
FULL = U64((1 << 36) - 1)
MOVE_SHIFT = U64(36)  # of the move in a payload, see `rules.py`


@jit(inline="always")
def pattern_of(stones, quadrant):
    """The nine bits of a player's stones in a quadrant."""
    return stones >> U64(9 * quadrant) & QUADRANT


@jit(inline="always")
def turned(turns, stones, quadrant, turn):
    """A player's stones after turn 0 or 1 of a quadrant."""
    shift = U64(9) * U64(quadrant)
    return (stones & ~(QUADRANT << shift)) | (U64(turns[turn, stones >> shift & QUADRANT]) << shift)


@jit(inline="always")
def complete_lines(stones):
    """The lines that a player's stones complete, a bit a line."""
    return (
        LINES[0, stones & QUADRANT]
        & LINES[1, stones >> U64(9) & QUADRANT]
        & LINES[2, stones >> U64(18) & QUADRANT]
        & LINES[3, stones >> U64(27) & QUADRANT]
    )
