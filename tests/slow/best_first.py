"""The slow, obvious twin of `agents/best_first`: nodes are objects, and the line is walked on positions for people."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from game import DRAWN, LOST, OPEN, RESOLVED, SAME_MOVER, WON, Game
from jit import new_rng
from tests import contract

WORTH = {WON: 1.0, LOST: 0.0, DRAWN: 0.5}


@dataclass
class Node:
    """A node: results for the player who moved to it; `result` is WON, LOST, DRAWN or OPEN for that player."""

    state: np.ndarray
    passes: bool = True
    result: np.uint64 = OPEN
    parent: "Node | None" = None
    children: list["Node"] = field(default_factory=list)
    results: list[float] = field(default_factory=list)

    def mean(self) -> float:
        """The mean of the results; minus infinity if there are none."""
        return sum(self.results) / len(self.results) if self.results else -math.inf


def for_other(result: np.uint64) -> np.uint64:
    """A result as the other player sees it."""
    return {WON: LOST, LOST: WON}.get(result, result)


class BestFirst:
    """Grows a tree from a position until so many playouts were made, or so many positions expanded."""

    def __init__(self, game: Game, position: Any, x: int, seed: int, playouts: int, expansions: int = 1 << 60) -> None:
        self.game, self.rng = game, new_rng(seed)
        self.playouts = self.expanded = 0
        self.root = Node(game.state(position))
        while self.playouts < playouts and self.expanded < expansions and self.root.result == OPEN:
            leaf = self.leaf()
            self.expand(leaf)
            self.prove(leaf)
            for child in leaf.children * x if leaf.result == OPEN else ():
                if self.playouts == playouts:
                    break
                child.results.append(self.trial(child))
            self.add(leaf)

    def leaf(self) -> Node:
        """The leaf at the end of the line of best means."""
        node = self.root
        while node.children:
            node = max((child for child in node.children if child.result == OPEN), key=Node.mean)
        return node

    def expand(self, leaf: Node) -> None:
        """Give a leaf its children."""
        self.expanded += 1
        for word0, word1, flags in contract.children_at(self.game.kernel, leaf.state):
            state = contract.copied(self.game, leaf.state)
            contract.step(self.game.kernel, state, word0, word1)
            passes = not flags & SAME_MOVER
            result = flags & RESOLVED
            leaf.children.append(Node(state, passes, for_other(result) if passes else result, leaf))

    def prove(self, node: Node | None) -> None:
        """Take over what the children of a node prove, from there upwards."""
        while node is not None:
            results = {child.result for child in node.children}
            proved = WON if WON in results else OPEN if OPEN in results else DRAWN if DRAWN in results else LOST
            if proved == OPEN:
                return
            node.result = for_other(proved) if node.passes else proved
            node = node.parent

    def trial(self, child: Node) -> float:
        """The result of a playout for the player who moved to a node."""
        if child.result != OPEN:
            return WORTH[child.result]
        self.playouts += 1
        value = float(contract.playout(self.game.kernel, contract.copied(self.game, child.state), self.rng))
        return 1 - value if child.passes else value

    def add(self, leaf: Node) -> None:
        """Add the children's results to the leaf and all nodes above it."""
        results = [result for child in leaf.children for result in child.results]
        node: Node | None = leaf
        while node is not None:
            results = [1 - result for result in results] if node.passes else results
            node.results += results
            node = node.parent
