"""Openings that favour neither side, as far as a short search can say.

Random openings differ in worth; a pair of games from one that is all but decided tells little, because each agent wins
the one that its colour wins. So of every few draws the one is taken whose value is nearest to a half.
"""

from collections.abc import Iterator
from itertools import islice

from agents.uct.searcher import Searcher
from game import Game
from simulator.tournament.openings import Opening, random_openings

CANDIDATES = 16  # of which one is taken
CAPACITY = 1 << 20  # nodes of the search; 32 MB


def balanced_openings(game: Game, plies: int, seed: int, simulations: int) -> Iterator[Opening]:
    """Of every `CANDIDATES` random openings the most even one, without end; the first of equals.

    The sequence depends on the arguments only: each candidate is searched by itself, for a fixed number of simulations.
    Raises ValueError as `random_openings` does.
    """
    draws = random_openings(game, plies, seed)
    while True:
        candidates = list(islice(draws, CANDIDATES))
        yield min(candidates, key=lambda opening: abs(value_after(game, opening, simulations) - 0.5))


def value_after(game: Game, opening: Opening, simulations: int) -> float:
    """The value of the position after an opening for the player to move there, 0 to 1, by a search of its own."""
    position = game.initial()
    for text in opening:
        position = position.play(game.parse_move(text, position))
    searcher = Searcher(game, CAPACITY)
    searcher.begin(position)
    searcher.search(simulations=simulations)
    return searcher.value
