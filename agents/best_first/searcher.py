"""A search of one position: begins it, lets the tree grow, and reports what was found."""

import time
from collections.abc import Iterable
from typing import Any

from agents.best_first import tree as nodes
from agents.best_first.search import add_upwards, begin_expansion, begin_search, run
from agents.best_first.tree import DONE, LEAF, NOBODY, ROOT, Tree
from agents.outcomes import Candidate, best_of, name_for_chooser, name_for_mover
from game import IMPLIED, Game, IllegalMove, max_children
from jit import new_rng  # first: it decides where compiled code is kept

UNLIMITED = 1 << 62  # positions expanded


class Searcher:
    """Best-first growth for one position at a time, with the game's own kernel or another.

    Attributes:
        tree: what it has grown.
        x: trials of each new child.
        seconds: that the last search took.
    """

    def __init__(self, game: Game, capacity: int, x: int, seed: int, kernel: Any = None) -> None:
        self.game, self.x = game, x
        self.kernel = game.kernel if kernel is None else kernel
        self.tree: Tree = nodes.allocate(max(capacity, 1 + int(max_children(self.kernel))))
        self.position: Any = None
        self.seconds = 0.0
        self._rng = new_rng(seed)

    def search(self, position: Any, chunks: Iterable[Any], expansions: int = UNLIMITED) -> None:
        """Grow a new tree from an open position, for chunks of work (see `run`) and at most so many expansions."""
        start = time.monotonic()
        self.begin(position, expansions)
        for chunk in chunks:
            if not self.run(chunk):
                break
        if self.tree.counters[LEAF] != NOBODY and self.tree.counters[DONE]:
            add_upwards(self.tree, self.tree.counters[LEAF])
        self.seconds = time.monotonic() - start

    def begin(self, position: Any, expansions: int = UNLIMITED) -> None:
        """Make an open position the root of a new tree."""
        self.position, self._expansions = position, expansions
        self._root = self.game.state(position)
        self._leaf_state, self._state = self._root.copy(), self._root.copy()
        begin_search(self.tree)
        begin_expansion(self.kernel, self._root, self._leaf_state, self.tree, expansions)

    def run(self, playouts: Any) -> bool:
        """Make so many more playouts; returns False when the tree can grow no more."""
        states = self._root, self._leaf_state, self._state
        return bool(run(self.kernel, *states, self.tree, self._rng, self.x, self._expansions, playouts))

    @property
    def work(self) -> int:
        """Playouts made in the last search."""
        return int(self.tree.counters[nodes.PLAYOUTS])

    @property
    def proven(self) -> str | None:
        """What is proved for the player to move: "win", "loss", "draw" or None."""
        return name_for_mover(self.tree.flags[ROOT])

    @property
    def chance(self) -> float:
        """The value of the move to play for the player who makes it, 0 to 1."""
        return self.candidate(self.best_child(ROOT)).chance

    @property
    def figures(self) -> dict[str, int]:
        """Playouts, nodes stored, positions expanded, and the room of the tree."""
        stored, expanded = (int(self.tree.counters[place]) for place in (nodes.NODES, nodes.EXPANDED))
        figures = {"simulations": self.work, "playouts": self.work, "nodes": stored, "expanded": expanded}
        return figures | {"capacity": len(self.tree.flags), "node_bytes": nodes.NODE_BYTES}

    def best_move(self) -> Any:
        """The move to play."""
        return self.move_to(self.best_child(ROOT), self.position)

    def move_to(self, child: int, position: Any) -> Any:
        """The move from a position to a child of its node."""
        return self.game.move_of(position, int(self.tree.payload0[child]), int(self.tree.payload1[child]))

    def candidate(self, child: int) -> Candidate:
        """What is known of a node: its proved outcome, and its mean, or 0.5 without playouts."""
        word, visits = self.tree.flags[child], self.tree.visits[child]
        value = float(self.tree.scores[child] / visits) if visits else 0.5
        is_grown = bool(self.tree.children[child] > 0)
        return Candidate(name_for_chooser(word), value, (value, is_grown), bool(word & IMPLIED) or is_grown)

    def children_of(self, node: int) -> range:
        """The indices of a node's children."""
        first = int(self.tree.first[node])
        return range(first, first + int(self.tree.children[node]))

    def best_child(self, node: int) -> int:
        """The child to play."""
        children = self.children_of(node)
        return children[best_of([self.candidate(child) for child in children])]

    def line(self) -> list[Any]:
        """The principal variation: the best moves for both, as far as the tree knows them."""
        node, position = ROOT, self.position
        moves: list[Any] = []
        while self.tree.children[node] > 0 and position.result is None:
            node = self.best_child(node)
            move = self.move_to(node, position)
            try:
                position = position.play(move)
            except IllegalMove:  # by a rule about the whole game
                break
            moves.append(move)
        return moves
