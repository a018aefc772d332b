"""A search of one position: begin, grow, and say what was found."""

import time
from collections.abc import Iterable
from typing import Any

from jit import new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.best_first import tree as nodes
from agents.best_first.search import add_upwards, begin_expansion, begin_search, run
from agents.best_first.tree import DONE, LEAF, NOBODY, ROOT, Tree
from agents.outcomes import OUTCOME_VALUES, name_for_chooser, name_for_mover
from game import IMPLIED, Game, IllegalMove, max_children

UNLIMITED = 1 << 62  # positions expanded


class Searcher:
    """Best-first growth for one position at a time.

    Attributes:
        tree: what it has grown.
        x: trials of each new child.
        seconds: that the last search took.
    """

    def __init__(self, game: Game, capacity: int, x: int, seed: int) -> None:
        self.game, self.x = game, x
        self.tree: Tree = nodes.allocate(max(capacity, 1 + int(max_children(game.kernel))))
        self.position: Any = None
        self.seconds = 0.0
        self._rng = new_rng(seed)
        self._root: np.ndarray = game.state(game.initial())

    def search(self, position: Any, chunks: Iterable[int], expansions: int = UNLIMITED) -> None:
        """Grow a new tree from an open position for chunks of playouts, and at most so many expansions."""
        start, self.position = time.monotonic(), position
        self._root = self.game.state(position)
        leaf_state, state = self._root.copy(), self._root.copy()
        kernel, tree = self.game.kernel, self.tree
        begin_search(tree)
        begin_expansion(kernel, self._root, leaf_state, tree, expansions)
        for playouts in chunks:
            if not run(kernel, self._root, leaf_state, state, tree, self._rng, self.x, expansions, playouts):
                break
        if tree.counters[LEAF] != NOBODY and tree.counters[DONE]:
            add_upwards(tree, tree.counters[LEAF])
        self.seconds = time.monotonic() - start

    @property
    def playouts(self) -> int:
        """Playouts made in the last search."""
        return int(self.tree.counters[nodes.PLAYOUTS])

    @property
    def stored(self) -> int:
        """Nodes of the tree."""
        return int(self.tree.counters[nodes.NODES])

    @property
    def expanded(self) -> int:
        """Positions expanded in the last search."""
        return int(self.tree.counters[nodes.EXPANDED])

    @property
    def proven(self) -> str | None:
        """What is proved for the player to move: "win", "loss", "draw" or None."""
        return name_for_mover(self.tree.flags[ROOT])

    @property
    def capacity(self) -> int:
        """Nodes that the tree has room for."""
        return len(self.tree.flags)

    @property
    def value(self) -> float:
        """The value of the move to play for the player who makes it, 0 to 1."""
        return self.value_of(self.best_child(ROOT))

    def best_move(self) -> Any:
        """The move to play."""
        child = self.best_child(ROOT)
        return self.game.move_of(self.position, int(self.tree.payload0[child]), int(self.tree.payload1[child]))

    def value_of(self, child: int) -> float:
        """The value of a node for the player who moved to it, 0 to 1: its result, else its mean, else even chances."""
        if outcome := name_for_chooser(self.tree.flags[child]):
            return OUTCOME_VALUES[outcome]
        visits = self.tree.visits[child]
        return float(self.tree.scores[child] / visits) if visits else 0.5

    def best_child(self, node: int) -> int:
        """The child to play: a win, else the best value; of lost ones, one that the opponent has to see through."""
        first = int(self.tree.first[node])

        def merit(child: int) -> tuple[bool, float, bool, bool]:
            word = self.tree.flags[child]
            outcome, is_hidden = name_for_chooser(word), bool(word & IMPLIED) or self._is_grown(child)
            return outcome == "win", self.value_of(child), outcome != "loss", is_hidden

        return max(range(first, first + int(self.tree.children[node])), key=merit)

    def _is_grown(self, node: int) -> bool:
        return bool(self.tree.children[node] > 0)

    def line(self) -> list[Any]:
        """The principal variation: the best moves for both, as far as the tree knows them."""
        node, position = ROOT, self.position
        moves: list[Any] = []
        while self.tree.children[node] > 0 and position.result is None:
            node = self.best_child(node)
            word0, word1 = int(self.tree.payload0[node]), int(self.tree.payload1[node])
            move = self.game.move_of(position, word0, word1)
            try:
                position = position.play(move)
            except IllegalMove:  # by a rule that looks at the whole game
                break
            moves.append(move)
        return moves
