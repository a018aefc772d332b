"""Finding the next position of the game in the tree of the last search, so that its subtree can be kept."""

from typing import Any, NamedTuple

from jit import jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.uct.tree import ROOT, Tree, children_of, visits_of
from game import Game, IllegalMove

REUSE_PLIES = 4  # how far below the root the next position is looked for: one move each, or a few extra turns
REUSE_NODES = 1000  # nodes looked at for it; each costs some 20 microseconds


@jit
def _write_children(kernel, state, payload0, payload1, stats):
    return game.children(kernel, state, payload0, payload1, stats, 0)


@jit
def _step(kernel, state, word0, word1):
    game.step(kernel, state, word0, word1)


class RootedTree(NamedTuple):
    """A tree, and the position at its root.

    Attributes:
        kernel: the game's, with the switches of the search.
        state: the position as `Game.state` makes it.
    """

    game: Game
    kernel: Any
    tree: Tree
    position: Any
    state: np.ndarray

    def find(self, target: Any) -> int | None:
        """The node whose position is `target`, at most `REUSE_PLIES` below the root, most visited subtrees first."""
        plies = target.ply - self.position.ply
        if not 0 <= plies <= REUSE_PLIES:
            return None
        key = self.game.state_key(self.game.state(target))
        waiting: list[tuple[int, ...]] = [(ROOT,)]
        for _ in range(REUSE_NODES):
            if not waiting:
                break
            path = waiting.pop()
            if len(path) <= plies:
                children = children_of(self.tree, path[-1])
                by_visits = sorted(children, key=lambda child: int(visits_of(self.tree.stats[child])))
                waiting.extend((*path, child) for child in by_visits)
            elif self._key_at(path) == key and self._position_at(path) == target:
                return path[-1]
        return None

    def _key_at(self, path: tuple[int, ...]) -> bytes:
        """The key of the state at the end of a path from the root."""
        state = self.state.copy()
        for child in path[1:]:
            _step(self.kernel, state, self.tree.payload0[child], self.tree.payload1[child])
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

    def move_to(self, position: Any, child: int) -> Any:
        """The move from a position to a child of its node."""
        return self.game.move_of(position, int(self.tree.payload0[child]), int(self.tree.payload1[child]))

    def has_all_children(self, keeps_amaf: bool) -> bool:
        """Whether the root has just the children that it would be given now.

        A root that was a node before need not: the game may forbid moves at this very position that the tree did not
        know of, or no longer forbid those that it did; and of a node that is won, one child only is kept.
        """
        words = [np.zeros(int(game.max_children(self.kernel)), np.uint64) for _ in range(3)]
        count, kept = int(_write_children(self.kernel, self.state, *words)), children_of(self.tree, ROOT)
        payload = 1 if keeps_amaf else 2  # words; the second holds AMAF counts by now, if they are kept
        given = {tuple(int(word[i]) for word in words[:payload]) for i in range(count)}
        found = {tuple(int(word[child]) for word in self.tree[:payload]) for child in kept}
        return count == len(kept) and found == given
