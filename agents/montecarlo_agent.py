"""A baseline without a tree: random playouts from the positions after each move, and nothing below them.

Flat Monte Carlo gives every move as many playouts as the others; flat UCB gives the next one to the move with the
largest bound of UCB1 (Browne et al., "A Survey of Monte Carlo Tree Search Methods", 2012). MCS_UCB(x, y) is
`montecarlo_agent:policy=ucb,simulations=x,c=y`.

A move that the game knows to win is played; one that it knows to lose gets no playouts.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# (the compiled functions below are typed by numba, once for each game)

import math
import time
from collections.abc import Iterable
from typing import Any, ClassVar, NamedTuple

from jit import U64, jit, new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.agent import Agent, AgentError, Option, register_agent
from agents.limits import Clock
from agents.time_control import Pacer
from game import DRAWN, IMPLIED, OPEN, RESOLVED, SAME_MOVER, WON, Game

LOST_SCORE, DRAW_SCORE, WON_SCORE = 0.0, 0.5, 1.0
POLICIES = ("uniform", "ucb")


class Moves(NamedTuple):
    """The distinct moves of a position. n = `game.max_children`.

    Attributes:
        payload0, payload1, flags: uint64[n], what `game.children` wrote.
        visits: float64[n], playouts made after each move.
        scores: float64[n], their sum for the player who makes the move.
        open: int64[n], the moves that are not resolved; the first `counters[OPEN_MOVES]`.
        counters: int64[3]: MOVES, those of them that are open, and PLAYOUTS made.
    """

    payload0: np.ndarray
    payload1: np.ndarray
    flags: np.ndarray
    visits: np.ndarray
    scores: np.ndarray
    open: np.ndarray
    counters: np.ndarray


MOVES, OPEN_MOVES, PLAYOUTS = 0, 1, 2  # places in `Moves.counters`


# --- Compiled -------------------------------------------------------------------------------------------------------


@jit
def most_moves(kernel):
    """How many moves the arrays have room for."""
    return game.max_children(kernel)


@jit
def begin_search(kernel, root, state, moves):
    """List the moves of an open position, with no playouts yet; `state` is scratch like `root`."""
    game.begin(kernel, state, root)
    count = game.children(kernel, state, moves.payload0, moves.payload1, moves.flags, 0)
    found = 0
    for i in range(count):
        moves.visits[i] = moves.scores[i] = 0.0
        if moves.flags[i] & RESOLVED == OPEN:
            moves.open[found] = i
            found += 1
    moves.counters[MOVES], moves.counters[OPEN_MOVES], moves.counters[PLAYOUTS] = count, found, 0


@jit
def next_by_turns(moves):
    """The open move whose turn it is: all get as many playouts, but for one."""
    return moves.open[moves.counters[PLAYOUTS] % moves.counters[OPEN_MOVES]]


@jit
def next_by_bound(moves, c):
    """The open move with the largest mean + c sqrt(ln N / n), each once before that (Auer et al. 2002)."""
    playouts, count = moves.counters[PLAYOUTS], moves.counters[OPEN_MOVES]
    if playouts < count:
        return moves.open[playouts]
    log = math.log(playouts)
    best, chosen = -math.inf, moves.open[0]
    for i in range(count):
        move = moves.open[i]
        bound = moves.scores[move] / moves.visits[move] + c * math.sqrt(log / moves.visits[move])
        if bound > best:
            best, chosen = bound, move
    return chosen


@jit
def sample(kernel, root, state, moves, rng, by_bound, c, playouts):
    """Make playouts, each from the position after a move that is open; one at least has to be."""
    for _ in range(playouts):
        move = next_by_bound(moves, c) if by_bound else next_by_turns(moves)
        game.begin(kernel, state, root)
        game.step(kernel, state, moves.payload0[move], moves.payload1[move])
        value = game.playout(kernel, state, rng)
        moves.visits[move] += 1.0
        moves.scores[move] += value if moves.flags[move] & SAME_MOVER != U64(0) else 1.0 - value
        moves.counters[PLAYOUTS] += 1


def score_of_result(word: int) -> float:
    """The score of a resolved move for the player who makes it, from its statistics word."""
    result = word & int(RESOLVED)
    if result == DRAWN:
        return DRAW_SCORE
    return WON_SCORE if (result == WON) == bool(word & int(SAME_MOVER)) else LOST_SCORE


class Sampler:
    """Samples the moves of one position at a time by playouts.

    Attributes:
        moves: those of the position.
        known: the scores of the resolved moves for the player who makes them, by their indices.
    """

    def __init__(self, the_game: Game, by_bound: bool, c: float, seed: int) -> None:
        self.game, self.by_bound, self.c = the_game, by_bound, c
        size = int(most_moves(the_game.kernel))
        word0, word1, flags = (np.zeros(size, np.uint64) for _ in range(3))
        self.moves = Moves(
            word0, word1, flags, np.zeros(size), np.zeros(size), np.zeros(size, np.int64), np.zeros(3, np.int64)
        )
        self.known: dict[int, float] = {}
        self._rng = new_rng(seed)
        self.begin(the_game.initial())

    def begin(self, position: Any) -> None:
        """List the moves of an open position."""
        self._position = position
        self._root = self.game.state(position)
        self._state = self._root.copy()
        begin_search(self.game.kernel, self._root, self._state, self.moves)
        words = self.moves.flags[: self.moves.counters[MOVES]]
        self.known = {i: score_of_result(int(word)) for i, word in enumerate(words) if word & RESOLVED != OPEN}

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
        root, state, rng = self._root, self._state, self._rng
        sample(self.game.kernel, root, state, self.moves, rng, self.by_bound, self.c, playouts)

    def score(self, move: int) -> float:
        """The mean score of a move for the player who makes it, 0 to 1; without any playouts, that of a draw."""
        if move in self.known:
            return self.known[move]
        visits = self.moves.visits[move]
        return float(self.moves.scores[move] / visits) if visits else DRAW_SCORE

    def best(self) -> int:
        """The move to play: of the open ones the first by visits or by score, then by score among it and the known.

        Of moves that are known to lose, one after which the opponent still has to find the win.
        """
        found = self.open_moves
        if found and self.by_bound:
            found = [max(found, key=lambda move: self.moves.visits[move])]
        return max([*self.known, *found], key=lambda move: (self.score(move), bool(self.moves.flags[move] & IMPLIED)))

    def move_at(self, index: int) -> Any:
        """The move that stands at an index."""
        return self.game.move_of(self._position, int(self.moves.payload0[index]), int(self.moves.payload1[index]))

    @property
    def proven(self) -> str | None:
        """What the moves that are resolved prove of the position: "win", "loss", "draw" or None."""
        known = set(self.known.values())
        if WON_SCORE in known:
            return "win"
        if self.open_moves:
            return None
        return "draw" if DRAW_SCORE in known else "loss"


# --- The agent ------------------------------------------------------------------------------------------------------


@register_agent("montecarlo_agent")
class MonteCarloAgent(Agent):
    """Random playouts after each move.

    Options:
        policy: `uniform` tries all moves in turn and plays the one with the best mean; `ucb` tries the one with the
            largest bound of UCB1 and plays the one tried most often.
        simulations: playouts for a move, whatever the clock says; 0 makes as many as the time allows.
        c: the weight of exploration with `policy=ucb`.
    """

    default_options: ClassVar[dict[str, Option]] = {"policy": "ucb", "simulations": 0, "c": 0.5}

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        if self.options["policy"] not in POLICIES:
            raise AgentError(f"montecarlo_agent: policy={self.options['policy']}: there is {', '.join(POLICIES)}")
        for name in ("simulations", "c"):
            if not 0 <= float(self.options[name]) < math.inf:
                raise AgentError(f"montecarlo_agent: {name}={self.options[name]}: a number from 0 on")
        self._pacer = Pacer()
        self._sampler: Sampler | None = None
        self._seconds: float | None = None

    def setup(self) -> None:
        """Allocate the arrays and compile, or load from the cache."""
        self._sampler = Sampler(self.game, self.options["policy"] == "ucb", float(self.options["c"]), self.seed)
        self._sampler.sample(0)

    def step(self, position: Any, clock: Clock) -> Any:
        """A move that wins, or the best by playouts until their number or the time is over."""
        if self._sampler is None:
            self.setup()
        start, sampler = time.monotonic(), self._sampler
        assert sampler is not None
        sampler.begin(position)
        if sampler.is_undecided:
            for playouts in self._chunks(sampler, clock):
                sampler.sample(playouts)
        self._seconds = time.monotonic() - start
        move = sampler.move_at(sampler.best())
        self._pacer.answered()
        return move

    def _chunks(self, sampler: Sampler, clock: Clock) -> Iterable[int]:
        """How many playouts to make between two looks at the clock."""
        if simulations := int(self.options["simulations"]):
            return (simulations,)
        return self._pacer.chunks(self._pacer.deadline(clock, self.limits), lambda: sampler.playouts)

    def analysis(self) -> dict[str, Any]:
        """See `Agent.analysis`; `proven` as far as the game tells it of the moves themselves."""
        sampler = self._sampler
        if sampler is None or self._seconds is None:
            return {}
        best = sampler.best()
        return {
            "simulations": sampler.playouts,
            "playouts": sampler.playouts,
            "seconds": self._seconds,
            "value": sampler.score(best),
            "proven": sampler.proven,
            "pv": [self.game.format_move(sampler.move_at(best))],
            "depth_pv": 1,
        }

    def close(self) -> None:
        """Give the arrays back."""
        self._sampler = None
