"""Games that a search plays against itself, and the positions that are recorded from them.

A game begins with a few random plies; half of the games take the most even of several such openings. Then every
position is searched with some hundred simulations. For some plies the move is drawn at random, more likely the more
visits it has; after that the best move is played. A game ends when its result is proved. What is recorded:

    roots        half the game's result, half the searched value
    inner nodes  with many visits: the searched value; and some of the proved nodes: the proved value

The searched value is half the mean value of the visits, half the minimax value.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jit import U64, jit, pcg32  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.uct.graph import NODES, is_resolved, mean_of, visits_of
from agents.uct.graph_proofs import minimax_of
from agents.uct.graph_searcher import GraphSearcher
from agents.uct.settings import GraphSettings
from game import WON, Game, Result, load_game, value_of_outcome
from learning.positions import Positions

MOST_RANDOM_PLIES = 7
NEAR_THE_START, MOST_PLIES_NEAR_IT = 0.25, 2  # this share of games has fewer random plies, at most so many
EVEN_OPENINGS = 0.5  # the share of games whose opening is the most even of some
OPENINGS_TRIED, OPENING_SIMULATIONS = 6, 100  # so many openings, each searched with so many simulations
SPREAD = 1 / 3  # simulations a move vary by this share, up and down
TEMPERATURES = (0.3, 1.0)  # a move is drawn by visits ** (1 / temperature); each game takes one of these
VARIED_PLIES = (8, 17)  # for how many plies moves are drawn, at least and at most
RANDOM_MOVES = 0.04  # the share of these moves that are drawn uniformly
RESULT_SHARE = 0.5  # of the result in a root's target

VISITED_OFTEN = 20
INNER_WEIGHT = 0.2  # more than one recorded position in ten is a root, whose target includes the result
PROVED_VISITS, PROVED_SHARE = 3, 0.3  # of proved nodes with at least so many visits, this share is recorded
LOST_SHARE = 0.05  # recorded of the nodes that are seen at once to be lost; nodes won at once teach nothing

NODES_A_SIMULATION = 10  # most simulations make one node, and a refuted position needs edges in the space of ten
LEAST_NODES = 4_000


@dataclass(frozen=True)
class Conditions:
    """How games are played.

    Attributes:
        weights: a file of weights.
        simulations: a move, on average.
    """

    weights: Path
    simulations: int


def searcher_for(game: Game, conditions: Conditions, seed: int) -> GraphSearcher:
    """A searcher of a game under these conditions."""
    settings = GraphSettings.for_game(game)
    settings = replace(settings, switches={**settings.switches, "evaluation": str(conditions.weights)})
    capacity = max(LEAST_NODES, NODES_A_SIMULATION * conditions.simulations)
    return GraphSearcher(game, capacity, seed, settings)


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


def even_position(game: Game, plies: int, rng: np.random.Generator, searcher: GraphSearcher) -> Any:
    """The most even of several positions after random plies, as a short search values them.

    Between strong players most random openings are won already, so a game from them shows little.
    """
    found = [open_position(game, plies, rng) for _ in range(OPENINGS_TRIED)]
    return min(found, key=lambda position: abs(_value_by_search(searcher, position) - 0.5))


def _value_by_search(searcher: GraphSearcher, position: Any) -> float:
    searcher.begin(position)
    searcher.search(simulations=OPENING_SIMULATIONS)
    return float(_searched_value(searcher.graph, searcher.graph.root[0]))


class _Record:
    """What is recorded of a game while it is played."""

    def __init__(self, searcher: GraphSearcher) -> None:
        self._searcher = searcher
        self._inner: list[Positions] = []
        self._states: list[np.ndarray] = []
        self._values: list[float] = []
        self._movers: list[int] = []
        size = len(searcher.graph.nodes)
        self._found_states, self._found_targets = np.zeros((size, 2), np.uint64), np.zeros(size, np.float32)

    def add_search(self) -> None:
        """Record the last search: its root, whose result is not yet known, and inner nodes."""
        graph, position = self._searcher.graph, self._searcher.position
        self._states.append(self._searcher.game.state(position))
        self._values.append(float(_searched_value(graph, graph.root[0])))
        self._movers.append(position.to_move)
        size = _inner_nodes(graph, self._searcher.rng, self._found_states, self._found_targets)
        states, targets = self._found_states[:size].copy(), self._found_targets[:size].copy()
        self._inner.append(
            Positions(states, targets, np.full(size, INNER_WEIGHT, np.float32), np.zeros(size, np.int32))
        )

    def positions(self, result: Result, number: int) -> Positions:
        """Everything recorded, as positions of game `number`, which ended with `result`; needs at least one search."""
        results = [result.value_for(mover) for mover in self._movers]
        targets = RESULT_SHARE * np.array(results) + (1 - RESULT_SHARE) * np.array(self._values)
        ones = np.ones(len(results), np.float32)
        roots = Positions(np.stack(self._states), targets.astype(np.float32), ones, np.zeros(len(results), np.int32))
        found = Positions.joined([roots, *self._inner])
        return found._replace(games=np.full(found.size, number, np.int32))


def play_game(game: Game, conditions: Conditions, seed: tuple[int, ...], number: int) -> Positions:
    """Play one game; returns its positions, marked with this number."""
    rng = np.random.default_rng(seed)
    searcher = searcher_for(game, conditions, int(rng.integers(1 << 63)))
    most = MOST_PLIES_NEAR_IT if rng.random() < NEAR_THE_START else MOST_RANDOM_PLIES
    plies = int(rng.integers(most + 1))
    even = rng.random() < EVEN_OPENINGS
    position = even_position(game, plies, rng, searcher) if even else open_position(game, plies, rng)
    temperature = rng.choice(TEMPERATURES)
    varied_until = position.ply + int(rng.integers(VARIED_PLIES[0], VARIED_PLIES[1] + 1))
    record = _Record(searcher)
    while position.result is None:
        searcher.begin(position)
        searcher.search(simulations=round(conditions.simulations * rng.uniform(1 - SPREAD, 1 + SPREAD)))
        record.add_search()
        if searcher.proven:
            return record.positions(proved_result(searcher), number)
        if position.ply < varied_until:
            position = position.play(_varied_move(searcher, temperature, rng))
        else:
            position = position.play(searcher.best_move())
    return record.positions(position.result, number)


def proved_result(searcher: GraphSearcher) -> Result:
    """The result that is proved for the root."""
    mover = searcher.position.to_move
    return Result({"win": mover, "loss": 1 - mover, "draw": None}[searcher.proven or "draw"])


def _varied_move(searcher: GraphSearcher, temperature: float, rng: np.random.Generator) -> Any:
    """A move drawn by visits, at times uniformly; never a move that is proved to lose."""
    children = [child for child in searcher.children() if child.outcome != "loss"]
    visits = np.array([child.visits for child in children], float)
    if rng.random() < RANDOM_MOVES or not visits.any():
        chosen = int(rng.integers(len(children)))
    else:
        shares = (visits / visits.max()) ** (1 / temperature)
        chosen = int(rng.choice(len(children), p=shares / shares.sum()))
    return searcher.move_to(searcher.position, children[chosen].node)


@jit
def _searched_value(graph, index):
    """The value of a node for the player to move in it."""
    node = graph.nodes[index]
    if is_resolved(node.stats):
        return value_of_outcome(U64(node.stats))
    return np.float32(0.5) * (mean_of(node) + minimax_of(graph, node))


@jit
def _inner_nodes(graph, rng, states, targets):
    """Write the nodes that are worth recording, without the root; returns how many."""
    size = 0
    for index in range(1, graph.used[NODES]):
        node = graph.nodes[index]
        luck = np.float64(pcg32(rng)) / 2**32
        if index == graph.root[0]:
            continue
        if node.tried == 0:
            wanted = is_resolved(node.stats) and U64(node.stats) & WON == U64(0) and luck < LOST_SHARE
        else:
            proved = is_resolved(node.stats) and visits_of(node.stats) >= PROVED_VISITS and luck < PROVED_SHARE
            wanted = proved or visits_of(node.stats) >= VISITED_OFTEN
        if wanted:
            states[size, 0], states[size, 1] = node.payload0, node.payload1
            targets[size] = _searched_value(graph, index)
            size += 1
    return size


def play_games(
    name: str, options: dict[str, Any], conditions: Conditions, seed: tuple[int, ...], first: int, games: int
) -> Positions:
    """The positions of so many games, numbered from `first` on.

    A game with the same number is the same in any process and in any order.
    """
    game = load_game(name, **options)
    return Positions.joined([play_game(game, conditions, (*seed, n), n) for n in range(first, first + games)])
