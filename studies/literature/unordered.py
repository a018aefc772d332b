"""Alpha-beta on Kalah without move ordering: no evaluation says which move to try first; the table has 2 entries.

A search to a fixed depth finds the same value as with move ordering, and expands more positions.
"""

from typing import Any

from jit import give_body  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.alphabeta.searcher import Searcher
from game import Game, implement
from mancala import rules, verbs
from mancala.tables import KalahKernel


class UnorderedKalahKernel(KalahKernel):
    """Kalah's rules and evaluation of leaves; `values`, by which moves are ordered, gives all children 0.5."""

    __slots__ = ()


def _no_opinion(kernel, state, scratch, payload0, payload1, stats, first, count, values):
    for i in range(count):
        values[i] = np.float32(0.5)


give_body(rules.is_wide, UnorderedKalahKernel, lambda kernel: False)
implement(UnorderedKalahKernel, **verbs.IN_A_NODE | {"values": _no_opinion})


def unordered_searcher(game: Game, seed: int) -> Searcher:
    """Alpha-beta without move ordering, for Kalah on a board whose side fits into one word."""
    assert not rules.is_wide(game.kernel)
    kernel: Any = UnorderedKalahKernel(*game.kernel)
    return Searcher(game, 0, seed, kernel)
