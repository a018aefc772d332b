"""What is recorded of a game that a search plays against itself:

    roots        half the game's result, half the searched value
    inner nodes  with many visits: the searched value; on a graph also some of the proved nodes: the proved value

On a graph the searched value is half the mean value of the visits, half the minimax value. On a tree it is the mean.
"""

from typing import Any

from jit import U64, jit, pcg32  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.uct import tree as nodes
from agents.uct.graph import NODES, is_resolved, mean_of, visits_of
from agents.uct.graph_proofs import minimax_of
from agents.uct.tree import ROOT, VISIT_MASK, parent_of, value_of
from game import RESOLVED, WON, Result, step, value_of_outcome
from learning.positions import Positions, are_features, no_positions, words_of

RESULT_SHARE = 0.5  # of the result in a root's target
VISITED_OFTEN = 20
INNER_WEIGHT = 0.2  # more than one recorded position in ten is a root, whose target includes the result
PROVED_VISITS, PROVED_SHARE = 3, 0.3  # of proved nodes with at least so many visits, this share is recorded
LOST_SHARE = 0.05  # recorded of the nodes that are seen at once to be lost; nodes won at once teach nothing
MOST_OF_TREE = 5  # nodes of a search: its tree keeps nothing for the next one, which visits many of them again


def searched_value(searcher: Any) -> float:
    """The value of the last search, for the player to move."""
    if are_features(searcher.game):
        return float(searcher.value)
    return float(_searched_value(searcher.graph, searcher.graph.root[0]))


class Record:
    """What is recorded of a game while it is played."""

    def __init__(self, searcher: Any) -> None:
        self._searcher, self._game = searcher, searcher.game
        self._inner = [no_positions(self._game)]
        self._states: list[np.ndarray] = []
        self._values: list[float] = []
        self._movers: list[int] = []
        self._of_tree = are_features(self._game)
        if not self._of_tree:
            size = len(searcher.graph.nodes)
            self._found_states, self._found_targets = np.zeros((size, 2), np.uint64), np.zeros(size, np.float32)

    def add_search(self) -> None:
        """Record the last search: its root, whose result is not yet known, and inner nodes."""
        position = self._searcher.position
        words = words_of(self._game, self._game.state(position))
        if words is not None:
            self._states.append(words)
            self._values.append(searched_value(self._searcher))
            self._movers.append(position.to_move)
        states, targets = self._nodes_of_tree() if self._of_tree else self._nodes_of_graph()
        weights, games = np.full(len(targets), INNER_WEIGHT, np.float32), np.zeros(len(targets), np.int32)
        self._inner.append(Positions(states, targets, weights, games))

    def positions(self, result: Result, number: int) -> Positions:
        """Everything recorded, as positions of game `number`, which ended with `result`."""
        results = [result.value_for(mover) for mover in self._movers]
        targets = RESULT_SHARE * np.array(results) + (1 - RESULT_SHARE) * np.array(self._values)
        ones = np.ones(len(results), np.float32)
        empty = self._inner[0].states
        states = np.array(self._states, empty.dtype).reshape(-1, empty.shape[1])
        roots = Positions(states, targets.astype(np.float32), ones, np.zeros(len(results), np.int32))
        found = Positions.joined([roots, *self._inner])
        return found._replace(games=np.full(found.size, number, np.int32))

    def _nodes_of_graph(self) -> tuple[np.ndarray, np.ndarray]:
        """The states and targets of inner nodes."""
        found = self._found_states, self._found_targets
        size = _inner_nodes(self._searcher.graph, self._searcher.rng, *found)
        return found[0][:size].copy(), found[1][:size].copy()

    def _nodes_of_tree(self) -> tuple[np.ndarray, np.ndarray]:
        """The features and targets of inner nodes: of those that are visited often, a few that are far apart."""
        tree, root = self._searcher.tree, self._game.state(self._searcher.position)
        stats = tree.stats[: tree.used[nodes.NODES]]
        often = 1 + np.flatnonzero((stats[1:] & VISIT_MASK >= VISITED_OFTEN) & (stats[1:] & RESOLVED == 0))
        empty = self._inner[0]
        states, targets = [empty.states], [empty.targets]
        for node in often[:: len(often) // MOST_OF_TREE + 1].tolist():
            words = words_of(self._game, self._state_at(node, root))
            if words is not None:
                states.append(words[None])
                targets.append(np.array([1 - value_of(stats[node])], np.float32))  # each move passes the turn
        return np.concatenate(states), np.concatenate(targets)

    def _state_at(self, node: int, root: np.ndarray) -> np.ndarray:
        """The state of a node of the tree."""
        tree, path, state = self._searcher.tree, list[int](), root.copy()
        while node != ROOT:
            path.append(node)
            node = int(parent_of(tree.links[node]))
        for child in reversed(path):
            step(self._searcher.kernel, state, tree.payload0[child], tree.payload1[child])
        return state


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
