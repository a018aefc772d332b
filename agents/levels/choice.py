"""Which moves a weaker player would not make: moves that lose at once, or leave a win that is there."""

# mypy: allow-untyped-defs, allow-untyped-calls
# (it calls compiled functions, which numba types once for each game)

from typing import Any

import numpy as np

from agents.greedy_agent import QUIET, WINS_NEXT, score_children, scratch_size
from game import Game


class Glance:
    """Looks one move ahead, and at the answers: what wins, what loses at once.

    A move loses at once if it ends the game with a loss, or if the other player can win with the next move.
    """

    def __init__(self, game: Game) -> None:
        self._game, self._kernel = game, game.kernel
        size = scratch_size(self._kernel)
        self._words = tuple(np.empty(size, np.uint64) for _ in range(3))
        self._scores = np.empty(size, np.float32)

    def moves(self, position: Any) -> tuple[list[Any], bool]:
        """Every distinct move that is sensible at a glance, and whether these are wins: moves that win if there are
        any, else moves that do not lose at once, else all.
        """
        root = self._game.state(position)
        count = score_children(self._kernel, root, np.empty_like(root), *self._words, self._scores)
        scores = self._scores[:count]
        wins = np.flatnonzero(scores >= WINS_NEXT)
        quiet = np.flatnonzero(scores >= QUIET)
        chosen = next((found for found in (wins, quiet) if len(found)), np.arange(count))
        return [self._move(position, int(i)) for i in chosen], len(wins) > 0

    def _move(self, position: Any, index: int) -> Any:
        return self._game.move_of(position, int(self._words[0][index]), int(self._words[1][index]))
