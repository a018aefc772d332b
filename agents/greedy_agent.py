"""The second baseline: one move of its own, one of the opponent, and a static evaluation.

It takes a win if there is one. It avoids moves that lose at once, and next moves after which the opponent can win at
once. Of the other moves it plays the one after which `game.evaluate` is best.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
# (the compiled functions below are typed by numba, once for each game)

from typing import Any

from jit import U64, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.agent import Agent, register_agent
from agents.evaluations import evaluation_option, kernel_with_evaluation
from agents.limits import Clock
from agents.outcomes import outcome_for_chooser, outcome_of_children
from game import DRAWN, IMPLIED, OPEN, RESOLVED, SAME_MOVER, WON, Game, max_children
from options import DeclaredOption

# A move's score is its tier plus the value, from 0 to 1, of the position after it; so the tier decides first.
WINS, WINS_NEXT, QUIET, OPPONENT_WINS_NEXT, LOSES = 8.0, 6.0, 4.0, 2.0, 0.0


@jit
def can_win_at_once(kernel, state, payload0, payload1, stats, first):
    """Whether the player to move in an open state has a move that wins; writes the children from `first` on."""
    count = game.children(kernel, state, payload0, payload1, stats, first)
    return outcome_of_children(stats, first, count) == WON


@jit
def score_child(kernel, state, word, payload0, payload1, stats, first):
    """The score of the move that leads to `state`, by its statistics word; the arrays are scratch from `first` on."""
    result = word & RESOLVED
    if result == DRAWN:
        return QUIET + 0.5
    if result != OPEN and word & IMPLIED == U64(0):
        return WINS if outcome_for_chooser(word) == WON else LOSES
    moves_again = word & SAME_MOVER != U64(0)
    value = game.evaluate(kernel, state)
    if not moves_again:
        value = np.float32(1) - value
    if can_win_at_once(kernel, state, payload0, payload1, stats, first):
        return (WINS_NEXT if moves_again else OPPONENT_WINS_NEXT) + value
    return QUIET + value


@jit
def score_children(kernel, root, state, payload0, payload1, stats, scores):
    """Score every child of an open root for the player to move there, and return how many there are.

    `state` is working space of the same shape as `root`; the four arrays have room for twice `game.max_children`.
    """
    game.begin(kernel, state, root)
    count = game.children(kernel, state, payload0, payload1, stats, 0)
    for i in range(count):
        game.begin(kernel, state, root)
        game.step(kernel, state, payload0[i], payload1[i])
        scores[i] = score_child(kernel, state, stats[i], payload0, payload1, stats, count)
    return count


class MoveScores:
    """The scores of the distinct moves of one position at a time, see `score_children`."""

    def __init__(self, game: Game, kernel: Any) -> None:
        self._game, self._kernel = game, kernel
        size = 2 * int(max_children(kernel))  # room for the children of a position and of one of its children
        self._words = tuple(np.empty(size, np.uint64) for _ in range(3))
        self._scores = np.empty(size, np.float32)
        self.of(game.initial())  # so that it is compiled, or loaded from the cache

    def of(self, position: Any, clock: Clock | None = None) -> np.ndarray:
        """The scores for the player to move in an open position."""
        self._position, root = position, self._game.state(position)
        count = score_children(self._kernel, root, np.empty_like(root), *self._words, self._scores)
        return self._scores[:count]

    def move_at(self, index: int) -> Any:
        """The move that has the score at an index."""
        return self._game.move_of(self._position, int(self._words[0][index]), int(self._words[1][index]))


@register_agent("greedy_agent")
class GreedyAgent(Agent):
    """Takes a win, avoids an immediate loss, else plays for the best static evaluation; ties are broken at random."""

    needs_compiled_rules = True
    _best_score = QUIET + 0.5

    @classmethod
    def option_defaults(cls, game: Game) -> dict[str, DeclaredOption]:
        """The option `evaluation`, if the game has more than one."""
        return evaluation_option(game)

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._kernel = kernel_with_evaluation(self.game, self.options)

    def setup(self) -> None:
        """Allocate the scratch arrays and compile, or load from the cache."""
        self._scores: Any = MoveScores(self.game, self._kernel)

    def step(self, position: Any, clock: Clock) -> Any:
        """A move with the best score, drawn at random from equals. Raises ValueError as `Game.check_open`."""
        self.game.check_open(position)
        scores = self._scores.of(position, clock)
        self._best_score = float(scores.max())
        return self._scores.move_at(self.rng.choice(np.flatnonzero(scores == scores.max()).tolist()))

    def analysis(self) -> dict[str, Any]:
        """`value`, as the evaluation has it, and `proven`, if the game is decided within two moves."""
        if self._best_score >= WINS_NEXT:
            return {"value": 1.0, "proven": "win"}
        if self._best_score < QUIET:
            return {"value": 0.0, "proven": "loss"}
        return {"value": self._best_score - QUIET, "proven": None}
