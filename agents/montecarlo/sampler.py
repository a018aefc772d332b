"""Spreading playouts over the moves of one position, and what they say of each move.

A move that the game knows to win is played; one that it knows to lose gets no playouts.
"""

import math
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

from jit import U64, jit, new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.outcomes import Candidate, best_of, name_by_moves, name_for_chooser
from game import IMPLIED, OPEN, RESOLVED, SAME_MOVER, Game


class Moves(NamedTuple):
    """The distinct moves of a position. n = `game.max_children`.

    Attributes:
        payload0, payload1, flags: uint64[n], what `game.children` wrote.
        visits: float64[n], playouts made after each move.
        scores: float64[n], the sum of their results for the player who makes the move, a draw for one half.
        wins: float64[n], how many of them that player won.
        open: int64[n], the moves that are not resolved; the first `counters[OPEN_MOVES]`.
        counters: int64[5]: MOVES, those of them that are open, PLAYOUTS made; the move PICKED last by its bound, and
            how many playouts are LEFT of those that it was picked for.
    """

    payload0: np.ndarray
    payload1: np.ndarray
    flags: np.ndarray
    visits: np.ndarray
    scores: np.ndarray
    wins: np.ndarray
    open: np.ndarray
    counters: np.ndarray


MOVES, OPEN_MOVES, PLAYOUTS, PICKED, LEFT = range(5)  # places in `Moves.counters`


class Spread(NamedTuple):
    """Who gets the next playout.

    Attributes:
        by_bound: by the bound of UCB1, else in turns.
        x: playouts for each move before any bound is computed.
        y: playouts each time that a move has the largest bound.
        c: the weight of exploration in the bound.
    """

    by_bound: bool
    x: int
    y: int
    c: float


# --- Compiled -------------------------------------------------------------------------------------------------------


@jit
def begin_search(kernel, root, state, moves):
    """List the moves of an open position, with no playouts yet; `state` is scratch like `root`."""
    game.begin(kernel, state, root)
    count = game.children(kernel, state, moves.payload0, moves.payload1, moves.flags, 0)
    found = 0
    for i in range(count):
        moves.visits[i] = moves.scores[i] = moves.wins[i] = 0.0
        if moves.flags[i] & RESOLVED == OPEN:
            moves.open[found] = i
            found += 1
    moves.counters[:] = 0
    moves.counters[MOVES], moves.counters[OPEN_MOVES] = count, found


@jit
def next_by_turns(moves):
    """The open move whose turn it is: all get as many playouts, but for one (MCS_pure)."""
    return moves.open[moves.counters[PLAYOUTS] % moves.counters[OPEN_MOVES]]


@jit
def largest_bound(moves, c):
    """The open move with the largest mean + c sqrt(ln N / n) (Auer et al. 2002), the first of equals."""
    log = math.log(moves.counters[PLAYOUTS])
    best, chosen = -math.inf, moves.open[0]
    for i in range(moves.counters[OPEN_MOVES]):
        move = moves.open[i]
        bound = moves.scores[move] / moves.visits[move] + c * math.sqrt(log / moves.visits[move])
        if bound > best:
            best, chosen = bound, move
    return chosen


@jit
def next_by_bound(moves, spread):
    """MCS_UCB(x, y): x playouts for each open move; then y at a time for the move with the largest bound."""
    if moves.counters[PLAYOUTS] < spread.x * moves.counters[OPEN_MOVES]:
        return next_by_turns(moves)
    if moves.counters[LEFT] == 0:
        moves.counters[PICKED], moves.counters[LEFT] = largest_bound(moves, spread.c), spread.y
    moves.counters[LEFT] -= 1
    return moves.counters[PICKED]


@jit
def sample(kernel, root, state, moves, rng, spread, playouts):
    """Make playouts, each from the position after a move that is open; one at least has to be."""
    for _ in range(playouts):
        move = next_by_bound(moves, spread) if spread.by_bound else next_by_turns(moves)
        game.begin(kernel, state, root)
        game.step(kernel, state, moves.payload0[move], moves.payload1[move])
        value = game.playout(kernel, state, rng)
        if moves.flags[move] & SAME_MOVER == U64(0):
            value = np.float32(1) - value
        moves.visits[move] += 1.0
        moves.scores[move] += value
        moves.wins[move] += value == np.float32(1)
        moves.counters[PLAYOUTS] += 1


class Sampler:
    """Samples the moves of one position at a time by playouts.

    Attributes:
        moves: those of the position.
        outcomes: what is proved of each of them for the player who makes it.
        proven: what these prove of the position: "win", "loss", "draw" or None.
        by_wins: whether `best` goes by the share of wins, else by the mean score.
        seconds: that the last search took.
    """

    def __init__(self, the_game: Game, spread: Spread, by_wins: bool, seed: int) -> None:
        self.game, self.spread, self.by_wins = the_game, spread, by_wins
        size = int(game.max_children(the_game.kernel))
        word0, word1, flags = (np.zeros(size, np.uint64) for _ in range(3))
        visits, scores, wins = (np.zeros(size) for _ in range(3))
        opened, counters = np.zeros(size, np.int64), np.zeros(5, np.int64)
        self.moves = Moves(word0, word1, flags, visits, scores, wins, opened, counters)
        self.outcomes: list[str | None] = []
        self.proven: str | None = None
        self.position: Any = None
        self.seconds = 0.0
        self._rng = new_rng(seed)

    def begin(self, position: Any) -> None:
        """List the moves of an open position."""
        self.position = position
        self._root = self.game.state(position)
        self._state = self._root.copy()
        begin_search(self.game.kernel, self._root, self._state, self.moves)
        self.outcomes = [name_for_chooser(word) for word in self.moves.flags[: self.moves.counters[MOVES]]]
        self.proven = name_by_moves(self.outcomes)

    def sample(self, playouts: int) -> None:
        """Make so many more playouts. At least one move has to be open, unless the number is 0."""
        sample(self.game.kernel, self._root, self._state, self.moves, self._rng, self.spread, playouts)

    def search(self, position: Any, chunks: Iterable[int]) -> None:
        """Sample an open position in chunks of playouts, if they can make a difference."""
        start = time.monotonic()
        self.begin(position)
        if self.proven is None and len(self.outcomes) > self.outcomes.count("loss") + 1:
            for playouts in chunks:
                self.sample(playouts)
        self.seconds = time.monotonic() - start

    @property
    def work(self) -> int:
        """Playouts made since `begin`."""
        return int(self.moves.counters[PLAYOUTS])

    @property
    def figures(self) -> dict[str, int]:
        """The number of playouts."""
        return {"simulations": self.work, "playouts": self.work}

    def candidate(self, move: int) -> Candidate:
        """What is known of a move: its mean score, a draw for one half, its share of wins, and its outcome."""
        visits = self.moves.visits[move]
        score = float(self.moves.scores[move] / visits) if visits else 0.5
        wins = float(self.moves.wins[move] / visits) if visits else 0.0
        merit = (wins, score) if self.by_wins else (score, wins)
        return Candidate(self.outcomes[move], score, merit, bool(self.moves.flags[move] & IMPLIED))

    def best(self) -> int:
        """The move to play: with the largest share of wins, or the best mean score; then the other of the two."""
        return best_of([self.candidate(move) for move in range(len(self.outcomes))])

    @property
    def chance(self) -> float:
        """The value of the move to play, 0 to 1."""
        return self.candidate(self.best()).chance

    def best_move(self) -> Any:
        """The move to play."""
        return self.move_at(self.best())

    def line(self) -> list[Any]:
        """The move to play: nothing is known of what comes then."""
        return [self.best_move()]

    def move_at(self, index: int) -> Any:
        """The move that stands at an index."""
        return self.game.move_of(self.position, int(self.moves.payload0[index]), int(self.moves.payload1[index]))
