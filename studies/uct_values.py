"""How plain UCT values the moves of a position of Pentago or Kalah: playouts, no proofs, c = 0.4."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from game import Game
from studies.literature import LiteratureSearcher, LiteratureSettings

C = 0.4  # as in the chess searches of Ramanujan, Sabharwal & Selman 2010
NODES_A_SIMULATION = {"pentago": 100, "kalah": 6}  # the capacity of the tree
# Without proofs the search does not use what the game's foresight finds out about the next move, which takes time.
SWITCHES: dict[str, dict[str, Any]] = {"pentago": {"foresight": False}, "kalah": {}}


def values_of_moves(game: Game, position: Any, counts: Sequence[int], seed: int) -> list[dict[Any, float]]:
    """For each number of simulations of one search: the means of the moves tried, by the position after the move."""
    found = []
    for searcher in _searches(game, position, counts, seed):
        tried = [child for child in searcher.children() if child.visits]
        found.append({position.play(searcher.move_to(position, child.node)): child.value for child in tried})
    return found


def moves_of(game: Game, position: Any, counts: Sequence[int], seed: int) -> list[Any]:
    """The move that UCT plays after each of these numbers of simulations of one search."""
    return [searcher.best_move() for searcher in _searches(game, position, counts, seed)]


def _searches(game: Game, position: Any, counts: Sequence[int], seed: int) -> Iterator[Any]:
    settings = LiteratureSettings(c=C, memory="stop", proofs=False, switches=SWITCHES[game.name])
    searcher = LiteratureSearcher(game, NODES_A_SIMULATION[game.name] * counts[-1], seed, settings)
    return search_in_steps(searcher, position, counts)


def search_in_steps(searcher: Any, position: Any, counts: Sequence[int], **how: Any) -> Iterator[Any]:
    """Search a position; yields the searcher after each of these numbers of simulations of one search."""
    searcher.begin(position)
    for before, count in pairwise((0, *counts)):
        searcher.search(simulations=count - before, **how)
        yield searcher
