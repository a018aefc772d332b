"""Monte Carlo search without a tree below the root: playouts after each of its moves, spread evenly or by UCB1.

Of a best-first tree, only the root is expanded. A move that the game itself proves to win is played; a move that it
proves to lose gets no playouts.
"""

import math
from typing import Any, NamedTuple

from jit import jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.best_first.search import mean_of, try_child
from agents.best_first.searcher import Searcher
from agents.best_first.tree import DONE, PLAYOUTS, ROOT
from agents.outcomes import Candidate
from game import OPEN, RESOLVED, Game, max_children

PICKED, LEFT = range(2)  # places in `Spread.picked`


class Spread(NamedTuple):
    """Which move gets the next playout.

    Attributes:
        by_bound: whether by the bound of UCB1; else in turns.
        x: playouts for each move before any bound is computed.
        y: playouts each time that a move has the largest bound.
        c: the weight of exploration in the bound.
        picked: int64[2]: at PICKED the move that was last picked by its bound, at LEFT how many of its y playouts are
            still to be made.
        wins: float64[most moves], for each move, how many of its playouts the player who made it has won.
    """

    by_bound: bool
    x: int
    y: int
    c: float
    picked: np.ndarray
    wins: np.ndarray


@jit
def next_by_turns(tree):
    """The move whose turn it is: the numbers of playouts of two open moves differ by at most one (MCS_pure)."""
    tree.counters[DONE] += 1
    return tree.first[ROOT] + (tree.counters[DONE] - 1) % tree.children[ROOT]


@jit
def largest_bound(tree, c):
    """The open move with the largest mean + c sqrt(ln N / n) (Auer et al. 2002), the first of equals."""
    log, first = math.log(tree.counters[PLAYOUTS]), tree.first[ROOT]
    best, chosen = -math.inf, first
    for move in range(first, first + tree.children[ROOT]):
        if tree.flags[move] & RESOLVED == OPEN:
            bound = mean_of(tree, move) + c * math.sqrt(log / tree.visits[move])
            if bound > best:
                best, chosen = bound, move
    return chosen


@jit
def next_by_bound(tree, spread):
    """MCS_UCB(x, y): x playouts for each open move; then y at a time for the move with the largest bound."""
    if tree.counters[DONE] < spread.x * tree.children[ROOT]:
        return next_by_turns(tree)
    picked = spread.picked
    if picked[LEFT] == 0:
        picked[PICKED], picked[LEFT] = largest_bound(tree, spread.c), spread.y
    picked[LEFT] -= 1
    return picked[PICKED]


@jit
def sample(kernel, root, state, tree, rng, spread, playouts):
    """Make playouts, each from the position after an open move of the root; at least one move is open (not checked)."""
    limit = tree.counters[PLAYOUTS] + playouts
    while tree.counters[PLAYOUTS] < limit:
        move = next_by_bound(tree, spread) if spread.by_bound else next_by_turns(tree)
        value = try_child(kernel, root, state, tree, rng, move)
        spread.wins[move - tree.first[ROOT]] += value == np.float32(1)


class FlatSearcher(Searcher):
    """Samples the moves of one position at a time by playouts.

    Attributes:
        spread: how playouts are spread, and how many each move has won.
        by_wins: whether the move to play has the largest share of wins, and among equals the best mean score; else the
            other way round.
    """

    def __init__(self, game: Game, by_bound: bool, x: int, y: int, c: float, by_wins: bool, seed: int) -> None:
        super().__init__(game, 0, x, seed)
        wins = np.zeros(int(max_children(game.kernel)))
        self.spread, self.by_wins = Spread(by_bound, x, y, c, np.zeros(2, np.int64), wins), by_wins

    def begin(self, position: Any, expansions: int = 1) -> None:
        """Make an open position the root, list its moves, and forget all playouts."""
        super().begin(position, expansions)
        self.spread.picked[:], self.spread.wins[:] = 0, 0.0

    def run(self, playouts: Any) -> bool:
        """Make so many more playouts, unless they cannot change the move; returns whether any were made."""
        candidates = [self.candidate(move) for move in self.children_of(ROOT)]
        is_open = self.proven is None and sum(found.outcome != "loss" for found in candidates) > 1
        tree, playouts = self.tree, playouts if is_open else 0
        sample(self.kernel, self._root, self._state, tree, self._rng, self.spread, playouts)
        return is_open

    @property
    def figures(self) -> dict[str, int]:
        """The number of playouts."""
        return {"simulations": self.work, "playouts": self.work}

    def candidate(self, child: int) -> Candidate:
        """What is known of a move, by its mean score (a draw counts one half) and its share of wins."""
        found, visits = super().candidate(child), self.tree.visits[child]
        wins = float(self.spread.wins[child - self.tree.first[ROOT]] / visits) if visits else 0.0
        return found._replace(merit=(wins, found.value) if self.by_wins else (found.value, wins))
