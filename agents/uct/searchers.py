"""Making the searcher for given settings."""

from dataclasses import replace
from typing import Any

from agents.time_control import Pacer
from agents.uct.base import FIXED_CHUNK, BaseSearcher
from agents.uct.graph_searcher import GraphSearcher
from agents.uct.searcher import Searcher
from agents.uct.settings import Settings
from game import Game, max_children

WARM_UP_SIMULATIONS = 2 * FIXED_CHUNK + 1  # so many that the small arrays of a warm-up are full and recycled
WARM_UP_CAPACITY = 2_000  # at least; more if a game has more than half as many moves

# For each class of settings, the searcher.
SEARCHERS: dict[type[Settings], type[BaseSearcher]] = {kind.settings_class: kind for kind in (Searcher, GraphSearcher)}


def make_searcher(
    game: Game, capacity: int, seed: int = 0, settings: Settings | None = None, pacer: Pacer | None = None
) -> BaseSearcher:
    """A searcher for a game, on a tree or a graph as the settings say (without any: as the game recommends).

    `capacity` is the number of positions. Raises ValueError if it is too small, or if the game lacks what the settings
    need.
    """
    settings = settings or Settings.for_game(game)
    return SEARCHERS[type(settings)](game, capacity, seed, settings, pacer)


def warm_up(game: Game, position: Any, settings: Settings) -> BaseSearcher:
    """Load or compile all the code that a search needs, by a small search of an open position.

    Afterwards nothing compiles in the middle of a move, and the process already holds the memory that the code takes.
    Returns the searcher.
    """
    capacity = max(WARM_UP_CAPACITY, 2 * int(max_children(game.kernel)))
    searcher = make_searcher(game, capacity, settings=replace(settings, memory="recycle", reuse=True))
    searcher.begin(position)
    searcher.load_rare_code()
    searcher.search(simulations=WARM_UP_SIMULATIONS)
    after = position.play(searcher.best_move())
    if searcher.best_child().outcome is None and after.result is None:
        searcher.advance(after)
    return searcher
