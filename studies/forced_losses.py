"""Search traps: moves after which the opponent has a forced win within a few plies.

Ramanujan, Sabharwal & Selman, "On Adversarial Search Spaces and Sampling-Based Planning", 2010: a level-k trap is a
move after which the opponent can win in k plies; minimax to depth k + 1 sees it, UCT may not.
"""

import math
import time
from collections.abc import Iterator
from typing import Any

from agents.alphabeta.searcher import UNLIMITED, Searcher
from agents.alphabeta.table import clear
from agents.alphabeta.values import PROVEN, WIN

# Only whether a win is proved matters: an empty window there treats all other values alike.
_MOVER_WINS = PROVEN - 1, PROVEN
_MOVER_LOSES = -PROVEN, 1 - PROVEN


def trap_level(
    searcher: Searcher,
    position: Any,
    level: int,
    chunks: Iterator[int] | None = None,
    deadline: float = math.inf,
    expansions: int = UNLIMITED,
) -> int | None:
    """The level of the shallowest trap among the moves of an open position, up to `level`; None if there is none.

    Levels are odd if turns alternate. A search that is stopped by the deadline (of `time.monotonic`) or by the number
    of expanded positions finds nothing more; moves that lead to the same position count once.
    """
    most = searcher.expanded_in_all + expansions
    successors = dict.fromkeys(position.play(move) for move in position.legal_moves())
    for depth in range(1, level + 1):
        for after in successors:
            left = most - searcher.expanded_in_all
            if left <= 0 or time.monotonic() >= deadline:
                return None
            if after.result is None:
                plies = plies_to_loss(searcher, after, after.to_move == position.to_move, depth, chunks, left)
                if plies is not None:
                    return plies
    return None


def plies_to_loss(
    searcher: Searcher,
    after: Any,
    moves_again: bool,
    level: int,
    chunks: Iterator[int] | None = None,
    expansions: int = UNLIMITED,
) -> int | None:
    """In how many plies, at most `level`, the player who moved to a position loses; None if no loss is proved.

    The table is emptied first: entries of other positions could prove a longer win before the shortest.
    """
    clear(searcher.table)
    searcher.search(after, level, chunks, expansions, window=_MOVER_LOSES if moves_again else _MOVER_WINS)
    value = -searcher.value if moves_again else searcher.value
    plies = WIN - value
    return plies if value >= PROVEN and plies <= level else None
