"""What is proved of positions, by the flags of their nodes: for whom, by which name, and what children prove together.

A node's flags are for the player to move in it. WON, LOST and DRAWN are called "win", "loss" and "draw" where people
read them, and None is said of what is not proved.
"""

from collections.abc import Collection

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from game import DRAWN, LOST, OPEN, RESOLVED, SAME_MOVER, WON

OUTCOME_NAMES = {int(WON): "win", int(LOST): "loss", int(DRAWN): "draw"}
OUTCOME_VALUES = {"win": 1.0, "draw": 0.5, "loss": 0.0}


@jit(inline="always")
def outcome_for_chooser(word):
    """WON, LOST, DRAWN or OPEN of a node, seen by the player who chose it."""
    result = word & RESOLVED
    if result == DRAWN or word & SAME_MOVER != U64(0):
        return result
    if result == WON:
        return LOST
    return WON if result == LOST else OPEN


@jit(inline="always")
def least_known(best, result):
    """What two moves prove together, each proving LOST, DRAWN or nothing: OPEN, else the better of both."""
    if result == OPEN:
        return OPEN
    return DRAWN if result == DRAWN and best == LOST else best


@jit
def outcome_of_children(stats, first, count):
    """What the children prove of their parent: WON, LOST, DRAWN, or OPEN if they do not prove anything yet."""
    best = LOST
    for i in range(first, first + count):
        result = outcome_for_chooser(stats[i])
        if result == WON:
            return WON
        best = least_known(best, result)
    return best


def name_for_mover(word: int) -> str | None:
    """What is proved of a node for the player to move in it, from its statistics word."""
    return OUTCOME_NAMES.get(int(word) & int(RESOLVED))


def name_for_chooser(word: int) -> str | None:
    """What is proved of a node for the player who chose it, from its statistics word."""
    return OUTCOME_NAMES.get(int(outcome_for_chooser(np.uint64(word))))


def name_by_moves(outcomes: Collection[str | None]) -> str | None:
    """What all moves of a position prove of it, from what is proved of each for the player who makes it."""
    if "win" in outcomes:
        return "win"
    if None in outcomes:
        return None
    return "draw" if "draw" in outcomes else "loss"
