"""The match by which new weights show that they are stronger: pairs of games from random openings, both sides each."""

from typing import Any

import numpy as np

from agents.uct.graph_searcher import GraphSearcher
from game import FIRST, SECOND, Result, load_game
from learning.self_play import Conditions, open_position, proved_result, searcher_for, value_of_result

OPENING_PLIES = (2, 6)  # the least and the most


def play_pairs(
    name: str, options: dict[str, Any], new: Conditions, old: Conditions, seed: tuple[int, ...], first: int, pairs: int
) -> list[int]:
    """How many pairs bring the new weights 0, 0.5, 1, 1.5 and 2 points; the pairs have numbers from `first` on.

    A pair is the same whoever plays it, and in any order.
    """
    game = load_game(name, **options)
    candidate, champion = searcher_for(game, new, seed[0]), searcher_for(game, old, seed[0])
    counts = [0] * 5
    for pair in range(first, first + pairs):
        rng = np.random.default_rng((*seed, pair))
        opening = open_position(game, int(rng.integers(OPENING_PLIES[0], OPENING_PLIES[1] + 1)), rng)
        as_first = _play(opening, (candidate, champion), new.simulations)
        as_second = _play(opening, (champion, candidate), new.simulations)
        counts[round(2 * (value_of_result(as_first, FIRST) + value_of_result(as_second, SECOND)))] += 1
    return counts


def _play(position: Any, searchers: tuple[GraphSearcher, GraphSearcher], simulations: int) -> Result:
    """The result of a game from a position, by the search of FIRST and that of SECOND; it ends when it is proved."""
    while position.result is None:
        searcher = searchers[position.to_move]
        searcher.begin(position)
        searcher.search(simulations=simulations)
        if searcher.proven:
            return proved_result(searcher)
        position = position.play(searcher.best_move())
    found: Result = position.result
    return found
