"""The numbers that guide a search on a graph, and its working space."""

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from agents.uct.graph import ONE

_LEAST, _MOST = 1e-4, 1 - 1e-4  # evaluations are clipped to these: a move with a prior of 0 would never be tried
_MOST_ODDS = 1e30  # odds are clipped to this and its inverse, since their sums and products are float32


class Policy(NamedTuple):
    """How to search, in plain numbers, so that one compilation serves all settings.

    Attributes:
        c: float32, the weight of exploration.
        minimax: float32 from 0 to 1, the weight of minimax values against means.
        playouts: float32 from 0 to 1, the weight of a playout in the value of a leaf; 0 makes none.
        expand_at: visits after which a position's children are stored.
        stored: the most children that are stored at first.
        solve_at: visits after which the game's solver is asked for a win within 3 plies; 0 for never.
        effort: float32, the positions that the solver may look at for each visit.
        transpositions: whether a position that is reached again is the same node.
    """

    c: np.float32
    minimax: np.float32
    playouts: np.float32
    expand_at: int
    stored: int
    solve_at: int
    effort: np.float32
    transpositions: bool


class Workspace(NamedTuple):
    """Working space of a search; n is the game's largest number of children.

    Attributes:
        payload0, payload1, stats: uint64[2n], what `game.children` writes, for a position and one of its children.
        values: float32[n], what `game.values` writes.
        odds: float32[65536], as `odds_table` makes it.
        words: uint32[n], moves as a graph keeps them.
        state, scratch: as `Game.state` makes them.
        nodes: int64[longest path], the nodes of a simulation; edges: int64[longest path], the edges between them.
        solver: as `SolvedGame.solver` makes it, or NO_SOLVER.
        asking: int64[4], what the solver is asked, see `graph_proofs.py`.
        left: int64[1], the positions that the solver may look at before `run` returns.
    """

    payload0: np.ndarray
    payload1: np.ndarray
    stats: np.ndarray
    values: np.ndarray
    odds: np.ndarray
    words: np.ndarray
    state: np.ndarray
    scratch: np.ndarray
    nodes: np.ndarray
    edges: np.ndarray
    solver: Any
    asking: np.ndarray
    left: np.ndarray


@lru_cache(maxsize=4)
def odds_table(temperature: float) -> np.ndarray:
    """For each value in 65,535ths, its odds to the power of 1 / temperature: divided by their sum, they are priors."""
    values = np.clip(np.arange(int(ONE) + 1) / float(ONE), _LEAST, _MOST)
    logs = np.log(values / (1 - values)) / temperature
    return np.exp(np.clip(logs, -math.log(_MOST_ODDS), math.log(_MOST_ODDS))).astype(np.float32)
