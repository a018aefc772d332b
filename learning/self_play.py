"""Games that a search plays against itself, and the positions that are recorded from them (`recording.py`).

A game begins with a few random plies; half of the games take the most even of several such openings. Then every
position is searched with some hundred simulations. For some plies the move is drawn at random, more likely the more
visits it has; after that the best move is played. A game ends when its result is proved, or clear, see `Ending`.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from agents.uct.searchers import make_searcher
from agents.uct.settings import GraphSettings, Settings, TreeSettings
from game import Game, LearnedGame, Result, max_children
from learning.network import load_learned
from learning.positions import Positions, records_features
from learning.recording import Record, searched_value

MOST_RANDOM_PLIES = 7
NEAR_THE_START, MOST_PLIES_NEAR_IT = 0.25, 2  # this share of games has fewer random plies, at most so many
EVEN_OPENINGS = 0.5  # the share of games whose opening is the most even of some
OPENINGS_TRIED, OPENING_SIMULATIONS = 6, 100  # so many openings, each searched with so many simulations
SPREAD = 1 / 3  # simulations a move vary by this share, up and down
TEMPERATURES = (0.3, 1.0)  # a move is drawn by visits ** (1 / temperature); each game takes one of these
VARIED_PLIES = (8, 17)  # for how many plies moves are drawn, at least and at most
RANDOM_MOVES = 0.04  # the share of these moves that are drawn uniformly
CLEAR_SEARCHES = 4  # a game is clear when so many in a row find that the same side should resign
PLAYED_OUT = 0.25  # this share of games is played on when it is clear

NODES_A_SIMULATION = 10  # most simulations make one node, and a refuted position needs edges in the space of ten
LEAST_NODES = 4_000


@dataclass(frozen=True)
class Conditions:
    """How games are played.

    Attributes:
        weights: a file of weights; None for games with playouts alone.
        simulations: a move, on average.
    """

    weights: Path | None
    simulations: int


def searcher_for(game: LearnedGame, conditions: Conditions, seed: int) -> Any:
    """A searcher of a game under these conditions."""
    settings: Any = (TreeSettings if records_features(game) else GraphSettings).for_game(game)
    if conditions.weights:
        settings = replace(settings, switches={**settings.switches, "evaluation": str(conditions.weights)})
    else:
        settings = replace(settings, leaf="playout")
    return make_searcher(game, max(LEAST_NODES, most_nodes(game, settings) * conditions.simulations), seed, settings)


def most_nodes(game: Game, settings: Settings) -> int:
    """How many positions a simulation adds to a search on average, at most."""
    return NODES_A_SIMULATION if isinstance(settings, GraphSettings) else 2 * int(max_children(game.kernel))


def open_position(game: Game, plies: int, rng: np.random.Generator) -> Any:
    """A position after so many random plies, or after fewer if the next one would end the game."""
    position = game.initial()
    for _ in range(plies):
        moves = position.legal_moves()
        after = position.play(moves[int(rng.integers(len(moves)))])
        if after.result is not None:
            break
        position = after
    return position


def even_position(game: Game, plies: int, rng: np.random.Generator, searcher: Any) -> Any:
    """The most even of several positions after random plies, as a short search values them.

    Between strong players most random openings are won already, so a game from them shows little.
    """
    found = [open_position(game, plies, rng) for _ in range(OPENINGS_TRIED)]
    return min(found, key=lambda position: abs(_value_by_search(searcher, position) - 0.5))


def _value_by_search(searcher: Any, position: Any) -> float:
    searcher.begin(position)
    searcher.search(simulations=OPENING_SIMULATIONS)
    return searched_value(searcher)


class Ending:
    """Sees when a game need not be played on: when the search has proved its result, or clearly sees the winner.

    The latter counts where agents resign, unless the game is to be played out.
    """

    def __init__(self, game: Game) -> None:
        self.resign_at: float = game.search_defaults.get("resign", 0.0)
        self._game = game
        self._winners: list[int | None] = []  # as the last searches saw it; None where it was not clear

    def result(self, searcher: Any) -> Result | None:
        """The result of the game as the last search of the position sees it; None if the game goes on."""
        position = searcher.position
        mover = position.to_move
        if searcher.proven:
            return Result({"win": mover, "loss": 1 - mover, "draw": None}[searcher.proven])
        if position.ply >= self._game.longest_game:
            return self._game.adjudicate(position)
        if not self.resign_at:
            return None
        is_clear = not self.resign_at < searcher.value < 1 - self.resign_at
        winner = (mover if searcher.value > 0.5 else 1 - mover) if is_clear else None
        self._winners = [*self._winners, winner][-CLEAR_SEARCHES:]
        return None if winner is None or self._winners != [winner] * CLEAR_SEARCHES else Result(winner)


def play_game(game: LearnedGame, conditions: Conditions, seed: tuple[int, ...], number: int) -> Positions:
    """Play one game; returns its positions, marked with this number."""
    rng = np.random.default_rng(seed)
    searcher = searcher_for(game, conditions, int(rng.integers(1 << 63)))
    most = MOST_PLIES_NEAR_IT if rng.random() < NEAR_THE_START else MOST_RANDOM_PLIES
    plies = int(rng.integers(most + 1))
    even = rng.random() < EVEN_OPENINGS
    position = even_position(game, plies, rng, searcher) if even else open_position(game, plies, rng)
    temperature = rng.choice(TEMPERATURES)
    varied_until = position.ply + int(rng.integers(VARIED_PLIES[0], VARIED_PLIES[1] + 1))
    record, ending = Record(searcher), Ending(game)
    if ending.resign_at and rng.random() < PLAYED_OUT:
        ending.resign_at = 0.0
    while position.result is None:
        searcher.begin(position)
        searcher.search(simulations=round(conditions.simulations * rng.uniform(1 - SPREAD, 1 + SPREAD)))
        record.add_search()
        if result := ending.result(searcher):
            return record.positions(result, number)
        if position.ply < varied_until:
            position = position.play(_varied_move(searcher, temperature, rng))
        else:
            position = position.play(searcher.best_move())
    return record.positions(position.result, number)


def _varied_move(searcher: Any, temperature: float, rng: np.random.Generator) -> Any:
    """A move drawn by visits, at times uniformly; never a move that is proved to lose."""
    children = [child for child in searcher.children() if child.outcome != "loss"]
    visits = np.array([child.visits for child in children], float)
    if rng.random() < RANDOM_MOVES or not visits.any():
        chosen = int(rng.integers(len(children)))
    else:
        shares = (visits / visits.max()) ** (1 / temperature)
        chosen = int(rng.choice(len(children), p=shares / shares.sum()))
    return searcher.move_to(searcher.position, children[chosen].node)


def play_games(
    name: str, options: dict[str, Any], conditions: Conditions, seed: tuple[int, ...], first: int, games: int
) -> Positions:
    """The positions of so many games, numbered from `first` on.

    A game with the same number is the same in any process and in any order.
    """
    game = load_learned(name, options)
    return Positions.joined([play_game(game, conditions, (*seed, n), n) for n in range(first, first + games)])
