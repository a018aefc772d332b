"""Alpha-beta on Kalah that takes moves as they come: no table, and no evaluation that says which to try first.

A search to a fixed depth finds the same value as the ordered one, and expands more positions.
"""

from typing import Any

from jit import give_body  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game as verbs
from agents.alphabeta.searcher import Searcher
from game import Game
from mancala import rules
from mancala.tables import KalahKernel


class UnorderedKalahKernel(KalahKernel):
    """The rules and the evaluation of leaves of Kalah; asked which child is best, it has no opinion."""

    __slots__ = ()


def _no_opinion(kernel, state, scratch, payload0, payload1, stats, first, count, values):
    for i in range(count):
        values[i] = np.float32(0.5)


def _step(kernel, state, word0, word1):
    state[0] = word0
    state[1] = word1


give_body(rules.is_wide, UnorderedKalahKernel, lambda kernel: False)
verbs.implement(
    UnorderedKalahKernel,
    payload_is_position=lambda kernel: True,
    max_children=lambda kernel: kernel.pits,
    apply=rules.sow_state,
    step=_step,
    outcome=rules.outcome,
    to_move=rules.player_of,
    children=rules.successors,
    implied_plies=lambda kernel: 0,
    playout=rules.random_playout,
    values=_no_opinion,
    evaluate=rules.evaluation,
)


def unordered_searcher(game: Game, seed: int) -> Searcher:
    """Alpha-beta without move ordering, for Kalah on a board of which a side is one word."""
    assert not rules.is_wide(game.kernel)
    kernel: Any = UnorderedKalahKernel(*game.kernel)
    return Searcher(game, 0, seed, kernel)
