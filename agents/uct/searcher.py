"""The search on a tree as an object: it owns the arrays and keeps them from move to move. See `base.py`."""

from typing import Any

import numpy as np

from agents.uct import tree as nodes
from agents.uct.base import LONGEST_PATH, BaseSearcher, Shape
from agents.uct.choice import Child, list_children
from agents.uct.rave import Rave
from agents.uct.recycling import FREED_SHARE, compact, visits_that_free
from agents.uct.search import run
from agents.uct.settings import TreeSettings
from agents.uct.tree import EXPANDED, MAX_VISITS, NODES, ROOT
from game import IllegalMove, max_children, offers, step, tally
from jit import new_rng

REUSE_PLIES = 4  # how far below the root the next position is looked for: one move each, or a few extra turns
REUSE_NODES = 1000  # nodes looked at for it; each costs some 20 microseconds


class Searcher(BaseSearcher):
    """UCT on a tree.

    Attributes:
        tree: the arrays.
        formula: what the search is compiled for, see `TreeSettings.make_method`.
        threshold: visits after which a leaf is expanded.

    >>> from game import load_game
    >>> pentago = load_game("pentago")
    >>> searcher = Searcher(pentago, capacity=10_000, seed=1)
    >>> searcher.begin(pentago.parse_position("wwww../bbbb../....../....../....../...... w"))
    >>> searcher.search(simulations=100)
    >>> searcher.proven
    'win'
    """

    settings_class = TreeSettings
    recycling_seconds = 2e-8  # compacting takes 18 ns a node in use

    def _allocate(self, capacity: int) -> None:
        self._most_children = int(max_children(self.kernel))
        if capacity < (least := 1 + self._most_children):
            raise ValueError(
                f"a tree of {capacity:,} nodes has no room for a root and its children: at least {least:,}"
            )
        self.formula = self.settings.make_method(self.game)
        self.threshold = self.settings.expand_at
        self.tree: Any = self._make_tree(capacity)
        self._path = np.zeros(LONGEST_PATH, np.int64)
        self._had_room = True  # when the last chunk began

    def _make_tree(self, capacity: int) -> Any:
        return nodes.allocate(capacity)

    # --- Positions ----------------------------------------------------------------------------------------------

    def begin(self, position: Any) -> None:
        """Make a position the root, with an empty tree below it. Raises ValueError as `Game.check_open`."""
        self.game.check_open(position)
        self._enter(position)
        self.tree.used[NODES] = 0
        self._walk(self.tree, self.rng, 0)

    def advance(self, position: Any) -> bool:
        """Make a position the root and keep the subtree that the tree has under it; returns False if it begins anew.

        Raises ValueError as `Game.check_open`.
        """
        self.game.check_open(position)
        node = self._find(position) if self.settings.reuse and self.position is not None else None
        if node is not None and self.children_of(node):
            compact(self.tree, node, 0)
            self._enter(position)
            if self._has_all_children():
                return True
        self.begin(position)
        return False

    def _enter(self, position: Any) -> None:
        self.position = position
        self._root = self.game.state(position)
        self._state = self._root.copy()
        if isinstance(self._bound, Rave):
            self._bound.owners[:] = self._bound.playouts[:] = 0

    def _find(self, target: Any) -> int | None:
        """The node whose position is `target`, at most `REUSE_PLIES` below the root, or None.

        The most visited subtrees are looked at first.
        """
        plies = target.ply - self.position.ply
        if not 0 <= plies <= REUSE_PLIES:
            return None
        key, stats = self.game.state_key(self.game.state(target)), self.tree.stats
        waiting: list[tuple[int, ...]] = [(ROOT,)]
        for _ in range(REUSE_NODES):
            if not waiting:
                break
            path = waiting.pop()
            if len(path) <= plies:
                by_visits = sorted(self.children_of(path[-1]), key=lambda child: int(stats[child]) & MAX_VISITS)
                waiting.extend((*path, child) for child in by_visits)
            elif self._key_at(path) == key and self._position_at(path) == target:
                return path[-1]
        return None

    def _key_at(self, path: tuple[int, ...]) -> bytes:
        """The key of the state at the end of a path from the root."""
        state = self._root.copy()
        for child in path[1:]:
            step(self.kernel, state, self.tree.payload0[child], self.tree.payload1[child])
        return self.game.state_key(state)

    def _position_at(self, path: tuple[int, ...]) -> Any:
        """The position at the end of a path from the root; None if it breaks a rule that the tree does not know."""
        position = self.position
        for child in path[1:]:
            try:
                position = position.play(self.move_to(position, child))
            except IllegalMove:
                return None
        return position

    def _has_all_children(self) -> bool:
        """Whether the root has exactly the children that it would get if it were made now.

        A root that was an inner node before may have others: at this very position the game may forbid moves that the
        tree allowed, or allow moves that the tree did not have; and a node that is won has kept only one child.
        """
        anew = self._make_tree(1 + self._most_children)
        anew.used[NODES] = 0
        self._walk(anew, new_rng(0), 0)
        return self._payloads_of_moves(anew) == self._payloads_of_moves(self.tree)

    def _payloads_of_moves(self, tree: Any) -> list[tuple[int, ...]]:
        """The payload words of the root's children that tell their moves, sorted."""
        words = 1 if self._has_priors else 2  # with AMAF counts, the second word holds these by now
        return sorted(tuple(int(word[child]) for word in tree[:words]) for child in nodes.children_of(tree, ROOT))

    # --- Searching ----------------------------------------------------------------------------------------------

    def _begin_search(self) -> None:
        self.tree.used[EXPANDED] = 0

    def _run(self, chunk: int) -> bool:
        if self.settings.memory == "recycle" and not self._has_room:
            self.recyclings += self._recycler.recycle(self._free_nodes, self._free_by)
        self._had_room = self._has_room
        done, playouts = self._walk(self.tree, self.rng, chunk)
        self.simulations += done
        self.playouts += playouts
        self.expanded = int(self.tree.used[EXPANDED])
        return True

    def _free_nodes(self) -> None:
        compact(self.tree, ROOT, visits_that_free(self.tree, FREED_SHARE))

    def _walk(self, tree: Any, rng: np.ndarray, simulations: int) -> tuple[int, int]:
        """Make so many simulations, in an empty tree after the root and its children; returns as `search.run`."""
        states = (self._root, self._state)
        done: tuple[int, int] = run(
            self.formula, self.kernel, tree, *states, self._path, rng, self.threshold, simulations
        )
        return done

    def load_rare_code(self) -> None:
        """Load (or compile) the code that finds the next position in the tree, and the code that frees nodes."""
        self._find(self.position.play(self.position.legal_moves()[0]))
        self._has_all_children()
        compact(self.tree, ROOT, 0)

    @property
    def _can_expand(self) -> bool:
        # A full array is recycled before the next chunk, unless recycling before the last chunk made no room.
        return (self.settings.memory == "recycle" and self._had_room) or self._has_room

    @property
    def _has_room(self) -> bool:
        """Whether any node's children would fit into the array, as `search.has_room`."""
        return int(self.tree.used[NODES]) + self._most_children <= self.capacity

    @property
    def _root_word(self) -> int:
        return int(self.tree.stats[ROOT])

    @property
    def _words(self) -> np.ndarray:
        children = self.children_of(ROOT)
        words: np.ndarray = self.tree.stats[children.start : children.stop]
        return words

    # --- What it has found --------------------------------------------------------------------------------------

    @property
    def capacity(self) -> int:
        """How many nodes the array holds."""
        return len(self.tree.stats)

    def children_of(self, node: int) -> range:
        """The indices of a node's children."""
        return nodes.children_of(self.tree, node)

    def children(self, place: int = ROOT) -> list[Child]:
        """A node's children, as the player to move in it sees them; a place is an index of the tree."""
        return list_children(self.tree, place, self.settings.even if self._has_priors else None, self._values(place))

    def _values(self, place: int) -> np.ndarray | None:
        """The values of a node's children; None if they are the means of their visits."""
        return None

    def move_to(self, position: Any, place: int) -> Any:
        """The move from a position to a child of its node."""
        return self.game.move_of(position, int(self.tree.payload0[place]), int(self.tree.payload1[place]))

    def shape(self) -> Shape:
        """The shape of the tree."""
        leaves, depths, deepest, inner, links = map(int, nodes.shape_of(self.tree))
        return Shape(leaves + inner, leaves, depths / max(1, leaves), deepest, links / max(1, inner))

    def ownership(self) -> Any:
        """The mean owner of each point over the playouts from this root, see `Go.owner_grid`; None if unknown."""
        if not isinstance(self._bound, Rave) or not offers(self.kernel, tally) or not self._bound.playouts[0]:
            return None
        game: Any = self.game
        return game.owner_grid(self._bound.owners / self._bound.playouts[0])

    def _small_searcher(self, visits: int) -> "Searcher":
        return type(self)(self.game, 1 + min(visits + 1, 100) * self._most_children, 0, self.settings)

    @property
    def _bound(self) -> Any:
        """The formula of selection."""
        return self.formula

    @property
    def _has_priors(self) -> bool:
        """Whether a node keeps AMAF counts and the game's prior of its move."""
        return isinstance(self.formula, Rave)
