"""Spreading playouts over the moves of one position, and what they say of each move.

A move that the game knows to win is played; one that it knows to lose gets no playouts.
"""

import math
from typing import Any, NamedTuple

from jit import U64, jit, new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.outcomes import OUTCOME_VALUES, name_by_moves, name_for_chooser
from game import IMPLIED, OPEN, RESOLVED, SAME_MOVER, Game

LOST_SCORE, DRAW_SCORE, WON_SCORE = (OUTCOME_VALUES[name] for name in ("loss", "draw", "win"))


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
        known: the scores of the resolved moves for the player who makes them, by their indices.
        proven: what the moves that are resolved prove of the position: "win", "loss", "draw" or None.
        by_wins: whether `best` goes by the share of wins, else by the mean score.
    """

    def __init__(self, the_game: Game, spread: Spread, by_wins: bool, seed: int) -> None:
        self.game, self.spread, self.by_wins = the_game, spread, by_wins
        size = int(game.max_children(the_game.kernel))
        word0, word1, flags = (np.zeros(size, np.uint64) for _ in range(3))
        visits, scores, wins = (np.zeros(size) for _ in range(3))
        opened, counters = np.zeros(size, np.int64), np.zeros(5, np.int64)
        self.moves = Moves(word0, word1, flags, visits, scores, wins, opened, counters)
        self.known: dict[int, float] = {}
        self.proven: str | None = None
        self._rng = new_rng(seed)
        self.begin(the_game.initial())

    def begin(self, position: Any) -> None:
        """List the moves of an open position."""
        self._position = position
        self._root = self.game.state(position)
        self._state = self._root.copy()
        begin_search(self.game.kernel, self._root, self._state, self.moves)
        words = self.moves.flags[: self.moves.counters[MOVES]]
        named = {i: name_for_chooser(word) for i, word in enumerate(words)}
        self.known = {i: OUTCOME_VALUES[name] for i, name in named.items() if name}
        self.proven = name_by_moves(named.values())

    @property
    def playouts(self) -> int:
        """Playouts made since `begin`."""
        return int(self.moves.counters[PLAYOUTS])

    @property
    def open_moves(self) -> list[int]:
        """The moves that are not resolved."""
        return [int(move) for move in self.moves.open[: self.moves.counters[OPEN_MOVES]]]

    @property
    def is_undecided(self) -> bool:
        """Whether playouts can make a difference: no move is known to win, and there is a choice."""
        known, found = set(self.known.values()), len(self.open_moves)
        return WON_SCORE not in known and found > 0 and (found > 1 or DRAW_SCORE in known)

    def sample(self, playouts: int) -> None:
        """Make so many more playouts. At least one move has to be open, unless the number is 0."""
        sample(self.game.kernel, self._root, self._state, self.moves, self._rng, self.spread, playouts)

    def score(self, move: int) -> float:
        """The mean score of a move for the player who makes it, 0 to 1; without any playouts, that of a draw."""
        if move in self.known:
            return self.known[move]
        visits = self.moves.visits[move]
        return float(self.moves.scores[move] / visits) if visits else DRAW_SCORE

    def share_of_wins(self, move: int) -> float:
        """How many of a move's playouts were won by the player who makes it, 0 to 1; draws are no wins."""
        if move in self.known:
            return float(self.known[move] == WON_SCORE)
        visits = self.moves.visits[move]
        return float(self.moves.wins[move] / visits) if visits else 0.0

    def best(self) -> int:
        """The move to play: with the largest share of wins, or the best mean score; then the other of the two.

        Of moves that are known to lose, one after which the opponent still has to find the win.
        """

        def merit(move: int) -> tuple[float, float, bool, bool]:
            score, wins = self.score(move), self.share_of_wins(move)
            first, second = (wins, score) if self.by_wins else (score, wins)
            may_be_saved = self.known.get(move) != LOST_SCORE
            return first, second, may_be_saved, bool(self.moves.flags[move] & IMPLIED)

        best = max([*self.known, *self.open_moves], key=merit)
        draws = [move for move, score in self.known.items() if score == DRAW_SCORE]
        return draws[0] if draws and self.score(best) < DRAW_SCORE else best  # a certain draw beats a likely loss

    def move_at(self, index: int) -> Any:
        """The move that stands at an index."""
        return self.game.move_of(self._position, int(self.moves.payload0[index]), int(self.moves.payload1[index]))
