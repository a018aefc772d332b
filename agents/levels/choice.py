"""Which moves a weaker player would still avoid: moves that lose at once, or leave out a win."""

from typing import Any

import numpy as np

from agents.greedy_agent import QUIET, WINS_NEXT, MoveScores
from agents.limits import Clock, Limits
from agents.plain.greedy import PlainMoveScores
from game import Game


class Glance:
    """Looks one move ahead, and at the answers: what wins, what loses at once.

    A move loses at once if it ends the game with a loss, or if the other player can win with the next move. Without
    compiled rules it looks at as many as half of the time allows.
    """

    def __init__(self, game: Game, limits: Limits) -> None:
        is_plain = game.kernel is None
        self._scores = PlainMoveScores(limits, share=0.5) if is_plain else MoveScores(game, game.kernel)

    def moves(self, position: Any, clock: Clock) -> tuple[list[Any], bool]:
        """Every distinct move that is sensible at a glance, and whether these are wins: moves that win if there are
        any, else moves that do not lose at once, else all.
        """
        scores = self._scores.of(position, clock)
        wins = np.flatnonzero(scores >= WINS_NEXT)
        quiet = np.flatnonzero(scores >= QUIET)
        chosen = next((found for found in (wins, quiet) if len(found)), np.arange(len(scores)))
        return [self._scores.move_at(int(index)) for index in chosen], len(wins) > 0
