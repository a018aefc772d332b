"""The slow, obvious twin of `agents/uct`: UCT with nodes as objects, written as the method's papers write it.

It asks the game's own compiled verbs for children and playouts, and uses the same random numbers in the same order, so
that its tree must equal the fast one's node by node. Bounds are computed in float32, in the order of the fast code.
`SlowSearch` chooses by UCB1, `SlowRave` by MC-RAVE.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Optional

import numpy as np

from agents.uct.rave import Rave
from game import AMAF_MOVE_BITS, IMPLIED, PRIOR_BITS, RESOLVED, SAME_MOVER
from jit import random_below
from tests import contract
from tests.slow.proofs import F32, FLAG_OF, outcome_for_chooser, proof


@dataclass
class Node:
    """A node as a person would draw it.

    AMAF counts are the simulations through the parent in which the player to move there made this node's move later on,
    before the other player did, and their score in sixteenths for that player.
    """

    payload: tuple[int, int]
    flags: int
    parent: Optional["Node"]
    visits: int = 0
    score: int = 0
    amaf_visits: int = 0
    amaf_score: int = 0
    children: list["Node"] = field(default_factory=list)

    @property
    def resolved(self) -> int:
        return self.flags & int(RESOLVED)

    @property
    def outcome(self) -> str:
        """For the player who chose it."""
        return outcome_for_chooser(self.flags)

    @property
    def proved(self) -> str:
        """What the children prove for the player to move."""
        return proof({child.outcome for child in self.children})

    @property
    def same_mover(self) -> bool:
        return bool(self.flags & int(SAME_MOVER))

    @property
    def move(self) -> int:
        return self.payload[0] % (1 << AMAF_MOVE_BITS)

    @property
    def prior_visits(self) -> int:
        return (self.payload[0] >> AMAF_MOVE_BITS) % (1 << PRIOR_BITS)

    @property
    def prior_score(self) -> int:
        return self.payload[0] >> AMAF_MOVE_BITS + PRIOR_BITS


SCORE_OF = {"win": 16, "draw": 8, "loss": 0}


class SlowSearch:
    """One tree, grown by `simulate`."""

    def __init__(
        self, game: Any, position: Any, c: float, rng: np.ndarray, capacity: int, threshold: int = 1, kernel: Any = None
    ) -> None:
        self.kernel = game.kernel if kernel is None else kernel
        self.c, self.rng, self.threshold = F32(c), rng, threshold
        self.root_state = game.state(position)
        self.capacity, self.used = capacity, 1
        self.most = int(contract.max_children(self.kernel))
        self.root = Node((0, 0), 0, None)
        self._expand(self.root, self.root_state.copy())
        self._prove(self.root)

    def simulate(self) -> None:
        node = self.root
        while node.children:
            node = self._choose(node, node.visits)
        state = self._state_of(node)
        if node.visits >= self.threshold and self.used + self.most <= self.capacity and self._is_open(state):
            self._expand(node, state)
            if self._prove(node):
                self._backup(node, SCORE_OF[node.proved])
                while node.parent and self._prove(node.parent):
                    node = node.parent
                return
            node = self._choose(node, 1)
            state = self._state_of(node)
        self._backup(node, self._score_playout(node, state))

    def _score_playout(self, node: Node, state: np.ndarray) -> int:
        """A playout from a leaf, whose state is given: its score in sixteenths for the player to move there."""
        return int(contract.playout(self.kernel, state, self.rng) * 16 + 0.5)

    def _is_open(self, state: np.ndarray) -> bool:
        """Whether the game goes on in a leaf; that of a proved one is never asked for."""
        return True

    def _flags_at_birth(self, flags: int) -> int:
        """What a new child keeps of the flags that the game gives it."""
        return flags

    def _prove(self, node: Node) -> bool:
        result = node.proved
        if result != "open" and not node.resolved:
            node.flags |= FLAG_OF[result] | int(IMPLIED)
        return result != "open"

    def _state_of(self, node: Node) -> np.ndarray:
        if node.parent is None:
            return self.root_state.copy()
        state = self._state_of(node.parent)
        contract.step(self.kernel, state, *map(np.uint64, node.payload))
        return state

    def _choose(self, node: Node, visits: int) -> Node:
        candidates = [child for child in node.children if not child.resolved]
        for child in candidates:
            if child.visits == 0:
                return child
        exploration = self.c * F32(math.sqrt(math.log(visits)))
        bounds = []
        for child in candidates:
            r = F32(1) / np.sqrt(F32(child.visits))
            bounds.append(r * (F32(child.score) * F32(1 / 16) * r + exploration))
        best = max(bounds)
        return [child for child, bound in zip(candidates, bounds, strict=True) if bound == best][-1]

    def _expand(self, node: Node, state: np.ndarray) -> None:
        words = [np.zeros(self.most, np.uint64) for _ in range(3)]
        count = int(contract.children(self.kernel, state, *words, 0))
        written = list(zip(*words, strict=True))[:count]
        made = [Node((int(a), int(b)), self._flags_at_birth(int(s)), node) for a, b, s in written]
        node.children = made
        node.children = self._arranged(made, node.proved, node is self.root)
        self.used += len(node.children)

    def _arranged(self, made: list[Node], result: str, is_root: bool) -> list[Node]:
        if result == "win" and not is_root:
            return [next(child for child in made if child.outcome == "win")]
        if result != "open":
            return made
        done = 0
        for i, child in enumerate(made):
            if child.resolved:
                made[i], made[done] = made[done], child
                done += 1
        for i in range(len(made) - 1, done, -1):
            j = done + int(random_below(self.rng, i - done + 1))
            made[i], made[j] = made[j], made[i]
        return made

    @staticmethod
    def _backup(node: Node | None, score: int) -> None:
        while node is not None:
            if not node.same_mover:
                score = 16 - score
            node.visits += 1
            node.score += score
            node = node.parent


class SlowRave(SlowSearch):
    """The same with MC-RAVE, for a game that keeps AMAF counts; `kernel` has the switches of children and playouts."""

    def __init__(self, game: Any, kernel: Any, position: Any, formula: Rave, rng: np.ndarray, capacity: int) -> None:
        self.formula, self.moves = formula, game.amaf_moves
        super().__init__(game, position, float(formula.c), rng, capacity, kernel=kernel)

    def value(self, child: Node, exploration: np.float32) -> np.float32:
        """(1 - b) Q + b AMAF, and what exploration adds."""
        even = self.formula.even
        n = F32(child.visits) + F32(child.prior_visits) + even
        m = F32(child.amaf_visits)
        score = F32(child.score) + F32(child.prior_score) + even * F32(8)
        mean = score / n if n > 0 else F32(16)  # nothing is known: as good as won
        amaf = F32(child.amaf_score) / m if m > 0 else F32(0)
        b = m / (m + n + m * n * self.formula.bias) if m > 0 else F32(0)
        return (b * amaf + (F32(1) - b) * mean) * F32(1 / 16) + exploration / np.sqrt(n + F32(1))

    def _choose(self, node: Node, visits: int) -> Node:
        exploration = self.c * F32(math.sqrt(math.log(max(1, visits))))
        return max((child for child in node.children if not child.resolved), key=lambda c: self.value(c, exploration))

    def _score_playout(self, node: Node, state: np.ndarray) -> int:
        trace = np.zeros(self.moves, np.uint8)
        score = int(contract.traced_playout(self.kernel, state, self.rng, trace) * 16 + 0.5)
        self._credit(node, {int(move): int(trace[move]) for move in np.flatnonzero(trace)}, score)
        return score

    @staticmethod
    def _credit(
        leaf: Node, first: dict[int, int], score: int, number: Callable[[Node], int] = lambda node: node.move
    ) -> None:
        """Count a playout for the children of all nodes above the leaf; `number` is that of the move to a node.

        `first` says who made each move first, 1 being the player to move in the leaf, and `score` is that player's.
        """
        node, player = leaf, 1
        while node.parent is not None:
            player = player if node.same_mover else 3 - player
            first = first | {number(node): player}  # made before all that was made below
            for sibling in node.parent.children:
                if first.get(number(sibling)) == player:
                    sibling.amaf_visits += 1
                    sibling.amaf_score += score if player == 1 else 16 - score
            node = node.parent
