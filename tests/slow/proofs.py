"""What flags prove, in words, for the slow twins of the searches."""

import math
from collections.abc import Collection

import numpy as np

from game import DRAWN, LOST, RESOLVED, SAME_MOVER, WON
from jit import jit

F32 = np.float32
OUTCOMES = {int(WON): "win", int(LOST): "loss", int(DRAWN): "draw"}
FLAG_OF = {outcome: flag for flag, outcome in OUTCOMES.items()}
VALUE_OF = {"win": F32(1), "draw": F32(0.5), "loss": F32(0)}
OPPOSITE = {"win": "loss", "loss": "win", "draw": "draw", "open": "open"}


@jit
def power(base, exponent):
    """`base ** exponent` as compiled code computes it."""
    return math.pow(base, exponent)


def outcome_of(flags: int) -> str:
    """The outcome for the player to move in a position with these flags."""
    return OUTCOMES.get(flags & int(RESOLVED), "open")


def outcome_for_chooser(flags: int) -> str:
    """The outcome for the player who makes a move, from the flags of the position after the move."""
    return outcome_of(flags) if flags & int(SAME_MOVER) else OPPOSITE[outcome_of(flags)]


def proof(outcomes: Collection[str]) -> str:
    """The outcome for a player whose moves have these outcomes; `open` if they prove nothing."""
    if "win" in outcomes:
        return "win"
    if "open" in outcomes:
        return "open"
    return "draw" if "draw" in outcomes else "loss"
