"""`agents/plain/uct.py` as the slow twin of compiled searches: its tree must equal theirs node by node.

It plays on the positions of a game's compiled verbs, which leave moves out and look ahead. These verbs also make its
playouts, with the same random numbers in the same order. Bounds are computed in float32, in the order of the fast code.
`SlowSearch` chooses by UCB1, `SlowRave` by MC-RAVE.
"""

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from agents.plain.uct import Node, Search
from agents.uct.rave import MixedRave, Rave
from game import AMAF_MOVE_BITS, DRAW, IMPLIED, PRIOR_BITS, RESOLVED, SAME_MOVER, Result, result_of
from jit import random_below
from tests import contract
from tests.slow.proofs import F32, FLAG_OF

Counts = dict[Node, list[int]]


class Known:
    """A position as compiled code knows it: a move is the payload of a child, and the result is what its flags say.

    Attributes:
        flags: the flags that the game gave it, without masked ones; the root's are OPEN.
    """

    ply = 0

    def __init__(self, kernel: Any, root: np.ndarray, to_move: int, mask: int = -1) -> None:
        self.kernel, self.to_move, self.flags, self._mask = kernel, to_move, 0, mask
        self._find = root.copy

    @cached_property
    def state(self) -> np.ndarray:
        return self._find()

    @cached_property
    def _flags_of_children(self) -> dict[tuple[int, int], int]:
        return {(int(a), int(b)): int(flags) for a, b, flags in contract.children_at(self.kernel, self.state)}

    def legal_moves(self) -> list[tuple[int, int]]:
        return list(self._flags_of_children)

    def play(self, payload: tuple[int, int]) -> "Known":
        def state() -> np.ndarray:
            after = self.state.copy()
            contract.step(self.kernel, after, *map(np.uint64, payload))
            return after

        flags = self._flags_of_children[payload]
        child = Known(
            self.kernel, self.state, self.to_move if flags & int(SAME_MOVER) else 1 - self.to_move, self._mask
        )
        child.flags, child._find = flags & self._mask, state
        return child

    @property
    def result(self) -> Result | None:
        return result_of(np.uint64(self.flags) & RESOLVED, self.to_move)


def is_same_mover(node: Node) -> bool:
    """Whether the player who moved to a node moves again."""
    return bool(node.position.to_move == node.chooser)


def flags_of(node: Node) -> int:
    """The flags that compiled code keeps for a node: the game's own, and what was proved since."""
    flags: int = node.position.flags
    if node.result is not None and not flags & int(RESOLVED):
        for_mover = {1.0: "win", 0.5: "draw", 0.0: "loss"}[node.result.value_for(node.position.to_move)]
        flags |= FLAG_OF[for_mover] | int(IMPLIED)
    return flags


class Float32Search(Search):
    """The search with its bounds as compiled code computes them."""

    def bound(self, child: Node, parent_visits: int) -> Any:
        r = F32(1) / np.sqrt(F32(child.visits))
        return r * (F32(child.score) * r + F32(self.c) * F32(math.sqrt(math.log(parent_visits))))


class Shared:
    """Random numbers from the state from which compiled playouts take theirs too."""

    def __init__(self, state: np.ndarray) -> None:
        self.state = state

    def below(self, n: int) -> int:
        return int(random_below(self.state, n))


class SlowSearch(Float32Search):
    """One tree, grown by `simulate`; a leaf is expanded after `threshold` visits."""

    rng: Any

    def __init__(
        self,
        game: Any,
        position: Any,
        c: float,
        rng: np.ndarray,
        capacity: int,
        threshold: int = 1,
        kernel: Any = None,
        mask: int = -1,
    ) -> None:
        self.kernel, self.threshold = game.kernel if kernel is None else kernel, threshold
        super().__init__(game, c=c, capacity=capacity - int(contract.max_children(self.kernel)) + 1)
        self.rng = Shared(rng)
        self.begin(Known(self.kernel, game.state(position), position.to_move, mask))
        self.run(0)  # the root's children are there from the start

    def is_ripe(self, leaf: Node) -> bool:
        return leaf.visits >= self.threshold and self.nodes < self.capacity

    def playout(self, position: Known) -> Any:
        value = float(contract.playout(self.kernel, position.state.copy(), self.rng.state))
        return DRAW if value == 0.5 else Result(position.to_move if value == 1 else 1 - position.to_move)


@dataclass(frozen=True)
class Worth:
    """Replaces a result where a leaf's value lies between loss and win. Attributes: value, as `mover` sees it."""

    value: float
    mover: int

    def value_for(self, player: int) -> float:
        return self.value if player == self.mover else 1 - self.value


class SlowRave(SlowSearch):
    """The same with MC-RAVE, for a game that keeps AMAF counts; `kernel` has the switches of children and playouts.

    A child's AMAF counts are the simulations through its parent in which the player to move there made the child's move
    then or later, but before the other player did, and their score in sixteenths for that player.
    """

    def __init__(self, game: Any, kernel: Any, position: Any, formula: Rave, rng: np.ndarray, capacity: int) -> None:
        self.formula, self.moves = formula, game.amaf_moves
        self.amaf: Counts = defaultdict(lambda: [0, 0])
        self._traced: dict[int, int] | None = None  # of the last playout, until it is counted
        super().__init__(game, position, float(formula.c), rng, capacity, kernel=kernel)

    def value(self, child: Node, exploration: np.float32) -> np.float32:
        """(1 - b) Q + b AMAF, and what exploration adds."""
        even, (amaf_visits, amaf_score) = self.formula.even, self.amaf[child]
        prior = child.move[0] >> AMAF_MOVE_BITS
        n = F32(child.visits) + F32(prior % (1 << PRIOR_BITS)) + even
        m = F32(amaf_visits)
        score = F32(child.score * 16) + F32(prior >> PRIOR_BITS) + even * F32(8)
        mean = score / n if n > 0 else F32(16)  # nothing is known: as good as won
        amaf = F32(amaf_score) / m if m > 0 else F32(0)
        b = m / (m + n + m * n * self.formula.bias) if m > 0 else F32(0)
        likely = F32(prior >> PRIOR_BITS)
        return (b * amaf + (F32(1) - b) * mean) * F32(1 / 16) + exploration * likely / (n + F32(1))

    def select(self, node: Node) -> Node:
        exploration = F32(self.c) * F32(math.sqrt(node.visits)) * F32(1 / 16)
        return max((child for child in node.children if child.result is None), key=lambda c: self.value(c, exploration))

    def playout(self, position: Known) -> Any:
        opinion = F32(contract.evaluate(self.kernel, position.state))
        value, self._traced = traced(self.kernel, position.state, self.rng.state, self.moves)
        if isinstance(self.formula, MixedRave):
            mean = opinion + self.formula.mixture * (F32(value) - opinion)
            return Worth(math.floor(16 * mean + F32(self.rng.below(1 << 16) / (1 << 16))) / 16, position.to_move)
        return DRAW if value == 0.5 else Result(position.to_move if value == 1 else 1 - position.to_move)

    def back_up(self, path: list[Node], result: Result) -> None:
        if self._traced is not None:
            score = int(16 * result.value_for(path[-1].position.to_move))
            credit(path, self._traced, score, self.amaf, lambda node: node.move[0] % (1 << AMAF_MOVE_BITS))
            self._traced = None
        super().back_up(path, result)


def traced(kernel: Any, state: np.ndarray, rng: np.ndarray, moves: int) -> tuple[float, dict[int, int]]:
    """A playout's value for the player to move, and who made each move first: 1 is that player, 2 the other."""
    trace = np.zeros(moves, np.uint8)
    value = float(contract.traced_playout(kernel, state.copy(), rng, trace))
    return value, {int(move): int(trace[move]) for move in np.flatnonzero(trace)}


def credit(path: list[Node], first: dict[int, int], score: int, amaf: Counts, number: Callable[[Node], int]) -> None:
    """Count a playout for the children of all nodes above the leaf; `number` numbers the move that leads to a node.

    `first` says who made each move first: 1 is the player to move in the leaf, whose score is `score`.
    """
    player = 1
    for parent, node in zip(path[-2::-1], path[:0:-1], strict=True):
        player = player if is_same_mover(node) else 3 - player
        first = first | {number(node): player}  # made before all that was made below
        for sibling in parent.children:
            if first.get(number(sibling)) == player:
                amaf[sibling][0] += 1
                amaf[sibling][1] += score if player == 1 else 16 - score
