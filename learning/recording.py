"""What is recorded of a game that a search plays against itself:

    roots        half the game's result, half the searched value
    inner nodes  with many visits: the searched value; on a graph also some of the proved nodes: the proved value

On a graph the searched value is half the mean value of the visits, half the minimax value. On a tree it is the mean
value of the visits, at the root of those of the best move.
"""

from collections.abc import Iterator
from typing import Any

from jit import U64, jit, pcg32  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.uct.graph import NODES, is_resolved, mean_of, visits_of
from agents.uct.graph_proofs import minimax_of
from agents.uct.tree import MAX_VISITS, ROOT, value_of
from game import RESOLVED, WON, Result, step, value_of_outcome
from learning.positions import Positions, no_positions, records_features, words_of

RESULT_SHARE = 0.5  # of the result in a root's target
VISITED_OFTEN = 20
INNER_WEIGHT = 0.2  # more than one recorded position in ten is a root, whose target includes the result
PROVED_VISITS, PROVED_SHARE = 3, 0.3  # of proved nodes with at least so many visits, this share is recorded
LOST_SHARE = 0.05  # recorded of the nodes that are seen at once to be lost; nodes won at once teach nothing
MOST_OF_TREE = 5  # nodes of a search: its tree keeps nothing for the next one, which visits many of them again


def searched_value(searcher: Any) -> float:
    """The value of the last search, for the player to move."""
    if records_features(searcher.game):
        return float(searcher.value)
    return float(_searched_value(searcher.graph, searcher.graph.root[0]))


class Record:
    """What is recorded of a game while it is played."""

    def __init__(self, searcher: Any) -> None:
        self._searcher, self._game = searcher, searcher.game
        self._parts: list[Positions] = [no_positions(self._game)]  # of inner nodes
        self._states: list[np.ndarray] = []
        self._values: list[float] = []
        self._movers: list[int] = []
        self._nodes = self._nodes_of_tree
        if not records_features(self._game):
            size, self._nodes = len(searcher.graph.nodes), self._nodes_of_graph
            self._found_states, self._found_targets = np.zeros((size, 2), np.uint64), np.zeros(size, np.float32)

    def add_search(self) -> None:
        """Record the last search: its root, whose result is not yet known, and inner nodes."""
        position = self._searcher.position
        state = self._game.state(position)
        words = words_of(self._game, state)
        if words is not None:
            self._states.append(words)
            self._values.append(searched_value(self._searcher))
            self._movers.append(position.to_move)
        self._add(*self._nodes(state), INNER_WEIGHT)

    def _add(self, states: Any, targets: Any, weight: float) -> None:
        """Add positions of this weight, in arrays or lists."""
        empty, size = self._parts[0].states, len(targets)
        states = np.asarray(states, empty.dtype).reshape(size, empty.shape[1])
        weights = np.full(size, weight, np.float32)
        self._parts.append(Positions(states, np.asarray(targets, np.float32), weights, np.zeros(size, np.int32)))

    def positions(self, result: Result, number: int) -> Positions:
        """Everything recorded, as positions of game `number`, which ended with `result`: first the roots."""
        results = [result.value_for(mover) for mover in self._movers]
        self._add(self._states, RESULT_SHARE * np.array(results) + (1 - RESULT_SHARE) * np.array(self._values), 1)
        found = Positions.joined([self._parts[-1], *self._parts[:-1]])
        return found._replace(games=np.full(found.size, number, np.int32))

    def _nodes_of_graph(self, state: np.ndarray) -> tuple[Any, Any]:
        """The states and targets of inner nodes."""
        found = self._found_states, self._found_targets
        size = _inner_nodes(self._searcher.graph, self._searcher.rng, *found)
        return found[0][:size].copy(), found[1][:size].copy()

    def _nodes_of_tree(self, state: np.ndarray) -> tuple[Any, Any]:
        """The features and targets of a few inner nodes, far apart; `state` is the root's."""
        found = list(_visited_often(self._searcher, state, ROOT))
        chosen = found[:: len(found) // MOST_OF_TREE + 1]
        return [words for words, _ in chosen], [target for _, target in chosen]


def _visited_often(searcher: Any, state: np.ndarray, place: int) -> Iterator[tuple[np.ndarray, float]]:
    """The features and values of the open nodes of a tree below a place, with this state, that were visited often."""
    tree = searcher.tree
    for child in searcher.children_of(place):
        word = int(tree.stats[child])
        if word & MAX_VISITS >= VISITED_OFTEN and not word & int(RESOLVED):
            after = state.copy()
            step(searcher.kernel, after, tree.payload0[child], tree.payload1[child])
            if (words := words_of(searcher.game, after)) is not None:
                yield words, 1 - value_of(word)
            yield from _visited_often(searcher, after, child)


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
