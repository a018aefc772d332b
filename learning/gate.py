"""The match of new weights against the champion: pairs of games from even openings, each from both sides."""

from typing import Any

import numpy as np

from game import FIRST, SECOND, LearnedGame, Result
from learning.network import load_learned
from learning.self_play import Conditions, Ending, even_position, searcher_for

OPENING_PLIES = (2, 6)  # the fewest and the most


def play_pairs(
    name: str, options: dict[str, Any], new: Conditions, old: Conditions, seed: tuple[int, ...], first: int, pairs: int
) -> list[int]:
    """How many pairs bring the new weights 0, 0.5, 1, 1.5 and 2 points; the pairs are numbered from `first` on.

    A pair with the same number is the same in any process and in any order.
    """
    game = load_learned(name, options)
    counts = [0] * 5
    for pair in range(first, first + pairs):
        rng = np.random.default_rng((*seed, pair))
        plies = int(rng.integers(OPENING_PLIES[0], OPENING_PLIES[1] + 1))
        opening = even_position(game, plies, rng, searcher_for(game, old, int(rng.integers(1 << 63))))
        points = 0.0
        for player, sides in ((FIRST, (new, old)), (SECOND, (old, new))):
            points += _play(game, opening, sides, int(rng.integers(1 << 63))).value_for(player)
        counts[round(2 * points)] += 1
    return counts


def _play(game: LearnedGame, position: Any, sides: tuple[Conditions, Conditions], seed: int) -> Result:
    """Play a game from a position between FIRST and SECOND; returns its result as soon as it is proved or clear."""
    searchers, ending = [searcher_for(game, side, seed) for side in sides], Ending(game)
    while position.result is None:
        searcher = searchers[position.to_move]
        searcher.begin(position)
        searcher.search(simulations=sides[position.to_move].simulations)
        if result := ending.result(searcher):
            return result
        position = position.play(searcher.best_move())
    found: Result = position.result
    return found
