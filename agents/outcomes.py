"""What the flags of nodes prove: for which player, under which name, and by which children.

A node's flags are for the player to move in it. Where people read them, WON, LOST and DRAWN are called "win", "loss"
and "draw", and OPEN is None.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from game import DRAWN, LOST, OPEN, RESOLVED, SAME_MOVER, WON

OUTCOME_NAMES = {int(WON): "win", int(LOST): "loss", int(DRAWN): "draw"}
OUTCOME_VALUES = {"win": 1.0, "draw": 0.5, "loss": 0.0}


def can_win_at_once(position: Any, tick: Callable[[], None] = lambda: None) -> bool:
    """Whether one move of the player to move wins the game; `tick` is called before each that is tried."""
    for move in position.legal_moves():
        tick()
        result = position.play(move).result
        if result is not None and result.winner == position.to_move:
            return True
    return False


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
    """What two moves prove together if each is LOST, DRAWN or OPEN: OPEN if one of them is, else the better of both."""
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


class Candidate(NamedTuple):
    """What a search knows of a move, for the player who makes it.

    Attributes:
        outcome: what is proved: "win", "loss", "draw" or None.
        value: 0 to 1, if nothing is proved.
        merit: by this, moves are compared if nothing is proved of them; the larger, the better.
        hiding: how well a proof is hidden from the opponent (whether the game goes on, say); by this, moves with the
            same outcome are compared.
    """

    outcome: str | None
    value: float
    merit: Any
    hiding: Any

    @property
    def chance(self) -> float:
        """The winning chance, 0 to 1: exact if proved, else the value."""
        return OUTCOME_VALUES.get(self.outcome or "", self.value)


def best_of(candidates: Sequence[Candidate], draw_value: float = OUTCOME_VALUES["draw"]) -> int:
    """The index of the move to play, the first of equals.

    It is a win if there is one; else the open move with the best merit, or a proved draw if that move's value is at
    most `draw_value`. If all moves lose, it is the best hidden loss.
    """
    alike: dict[str | None, list[int]] = {"win": [], "draw": [], "loss": [], None: []}
    for index, candidate in enumerate(candidates):
        alike[candidate.outcome].append(index)
    if alike["win"]:
        return alike["win"][0]
    best = max(alike[None], key=lambda index: candidates[index].merit, default=None)
    if best is not None and not (alike["draw"] and candidates[best].value <= draw_value):
        return best
    return max(alike["draw"] or alike["loss"], key=lambda index: candidates[index].hiding)
