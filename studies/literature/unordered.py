"""Alpha-beta on Kalah that takes moves as they come: no table, and no evaluation that says which to try first.

A search to a fixed depth finds the same value as the ordered one, and expands more positions.
"""

from typing import Any

from jit import give_body  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.alphabeta.searcher import Searcher
from game import Game, implement
from mancala import rules, verbs
from mancala.tables import KalahKernel


class UnorderedKalahKernel(KalahKernel):
    """The rules and the evaluation of leaves of Kalah; asked which child is best, it has no opinion."""

    __slots__ = ()


def _no_opinion(kernel, state, scratch, payload0, payload1, stats, first, count, values):
    for i in range(count):
        values[i] = np.float32(0.5)


give_body(rules.is_wide, UnorderedKalahKernel, lambda kernel: False)
implement(UnorderedKalahKernel, **verbs.IN_A_NODE | {"values": _no_opinion})


def unordered_searcher(game: Game, seed: int) -> Searcher:
    """Alpha-beta without move ordering, for Kalah on a board of which a side is one word."""
    assert not rules.is_wide(game.kernel)
    kernel: Any = UnorderedKalahKernel(*game.kernel)
    return Searcher(game, 0, seed, kernel)
