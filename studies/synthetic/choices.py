"""Synthetic trees whose first move matters, and the moves that UCT chooses there."""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import studies.synthetic.game  # noqa: F401 (which registers the trees)
from game import Game, load_game
from studies.literature import LiteratureSearcher, LiteratureSettings
from studies.synthetic.minimax import exact_values
from studies.synthetic.rules import CRITICAL as CRITICAL_KIND
from studies.uct_values import search_in_steps


def decisive_trees(name: str, options: dict[str, Any], first: int) -> Iterator[tuple[int, Game, list[float]]]:
    """Trees in which some moves at the root win and others do not: seed, game, and the values of these moves.

    Those whose seeds are 1000 * `first` or above, without end; another `first` gives other trees.
    """
    for seed in count(1000 * first):
        tree = load_game(name, **options, tree=seed)
        values = exact_values(tree)
        if max(values) == 1 and min(values) < 1:
            yield seed, tree, values


def moves_of_uct(tree: Game, c: float, checkpoints: Sequence[int], seed: int) -> list[int]:
    """The move with the best mean after each of these numbers of simulations of one search without proofs."""
    leaf = "evaluation" if tree.kernel.kind == CRITICAL_KIND else "playout"
    settings = LiteratureSettings(c=c, memory="stop", final="value", leaf=leaf, proofs=False)
    searcher = LiteratureSearcher(tree, 2 + tree.kernel.branching * (checkpoints[-1] + 2), seed, settings)
    return [found.best_move() for found in search_in_steps(searcher, tree.initial(), checkpoints)]
