"""The slow twin of searches by a `Method` of `studies/literature`: formulas, leaves and backups as papers write them.

The tree is that of `tests/slow/uct.py`, whose proofs and order of children hold for every method. Sums are kept as the
papers keep them, but in float32 where the fast code has float32 and in its order, so that trees are equal node by node.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import game as verbs
from game import AMAF_MOVE_BITS, IMPLIED, SAME_MOVER
from studies.literature import LiteratureSettings
from tests import contract
from tests.slow.proofs import F32, VALUE_OF, power
from tests.slow.uct import Node, SlowRave, SlowSearch


@dataclass
class Sums:
    """What is known of a node's simulations, for the player who chose it.

    Attributes:
        rest: what the score in sixteenths is more than the node's whole ones.
        squares: of the values.
        value: what a backup other than the mean makes of them.
    """

    rest: np.float32 = field(default_factory=F32)
    squares: float = 0.0
    value: np.float32 = field(default_factory=F32)


class SlowMethods(SlowSearch):
    """A search with these settings on a tree, but for MC-RAVE."""

    def __init__(self, game: Any, position: Any, settings: LiteratureSettings, rng: np.ndarray, capacity: int) -> None:
        self.settings, self.game = settings, game
        self.sums: dict[int, Sums] = {}
        self._last: tuple[Node | None, np.float32] = (None, F32(0))  # the last leaf, and its value there
        self.expanded = -1  # the root does not count
        # Whether children have values before their first visit.
        self.values_all = settings.backup == "implicit" or (settings.backup, settings.leaf) == ("minimax", "evaluation")
        kernel = game.kernel_with(**settings.switches)
        super().__init__(game, position, settings.c, rng, capacity, settings.expand_at, kernel)

    # --- Values -------------------------------------------------------------------------------------------------

    def of(self, node: Node) -> Sums:
        return self.sums.setdefault(id(node), Sums())

    def mean(self, node: Node) -> np.float32:
        return (F32(node.score) + self.of(node).rest) * F32(1 / 16) / F32(max(node.visits, 1))

    def value(self, node: Node) -> np.float32:
        share = F32(self.settings.minimax)
        if self.settings.backup == "mean":
            return self.mean(node)
        if self.settings.backup == "implicit":
            return (F32(1) - share) * self.mean(node) + share * self.of(node).value
        return self.of(node).value

    # --- Selection ----------------------------------------------------------------------------------------------

    def _choose(self, node: Node, visits: int) -> Node:
        candidates = [child for child in node.children if not child.resolved]
        fewest = min(child.visits for child in candidates)
        if fewest < self.settings.trust:
            return next(child for child in candidates if child.visits == fewest)
        allowed = [child for child in candidates if not self._is_pruned(child)] or candidates
        if self.settings.formula in ("dailey", "rave"):
            return max(allowed, key=lambda child: self.bound(child, visits))  # the first of equals
        untried = [child for child in allowed if not child.visits]
        return untried[0] if untried else max(reversed(allowed), key=lambda child: self.bound(child, visits))

    def _is_pruned(self, child: Node) -> bool:
        enough = 0 < self.settings.prune_visits <= child.visits
        return enough and bool(self.value(child) < F32(self.settings.prune))

    def bound(self, child: Node, visits: int) -> np.float32:
        """The formula's bound of a child of a node with that many visits."""
        settings, n = self.settings, F32(child.visits)
        if settings.formula == "dailey":
            credit = F32(6) + F32(power(float(visits), float(F32(0.2))))
            return (n * (F32(2) * self.value(child) - F32(1)) + credit) / (n + credit)
        if child.visits == 0:
            return F32(math.inf)
        ratio = F32(math.log(visits)) / n
        if settings.formula == "ucb1_tuned":
            variance = F32(self.of(child).squares) / n - self.mean(child) * self.mean(child)
            spread = max(variance, F32(0)) + F32(settings.c1) * np.sqrt(ratio)
            return self.value(child) + F32(settings.c) * np.sqrt(ratio * min(spread, F32(settings.c2)))
        c = settings.uctk / math.sqrt(5) if settings.formula == "valkyria" else settings.c
        return self.value(child) + F32(c) * np.sqrt(ratio)

    # --- Leaves -------------------------------------------------------------------------------------------------

    def _score_playout(self, node: Node, state: np.ndarray) -> Any:
        """The value of a leaf, whose state is given, for the player to move there."""
        if not self._is_open(state):
            return F32(verbs.value_of_outcome(contract.outcome(self.kernel, state)))
        share, value = F32(self.settings.playout_share), F32(0)
        if share < 1:
            value = (F32(1) - share) * F32(contract.evaluate(self.kernel, state))
        if share > 0:
            total = F32(0)
            for _ in range(self.settings.playouts):
                total += self._playout(node, state.copy())
            value += share * (total / F32(self.settings.playouts))
        return value

    def _playout(self, node: Node, state: np.ndarray) -> np.float32:
        return F32(contract.playout(self.kernel, state, self.rng))

    def _is_open(self, state: np.ndarray) -> bool:
        return self.settings.proofs or not contract.outcome(self.kernel, state)

    def _flags_at_birth(self, flags: int) -> int:
        return flags if self.settings.proofs else flags & int(SAME_MOVER)

    def _expand(self, node: Node, state: np.ndarray) -> None:
        self.expanded += 1
        super()._expand(node, state)
        if self.values_all:
            forgets = int(IMPLIED) if not self.settings.proofs else 0
            words, values = contract.children_and_values(self.kernel, state, forgets)
            known = {(int(a), int(b)): F32(value) for a, b, value in zip(*words[:2], values, strict=True)}
            for child in node.children:
                self.of(child).value = known[child.payload]

    # --- Backup -------------------------------------------------------------------------------------------------

    def _backup(self, node: Node | None, score: Any) -> None:
        """Count a leaf's value; that of a proved leaf comes in sixteenths."""
        value = F32(score) / F32(16) if isinstance(score, int) else score
        self._last = (node, value)
        while node is not None:
            value = value if node.same_mover else F32(1) - value
            self._count(node, value)
            node = node.parent

    def _count(self, node: Node, value: np.float32) -> None:
        sums, score = self.of(node), value * F32(16)
        node.visits += 1
        if self.settings.leaf not in ("auto", "playout") or self.settings.playouts > 1:
            score += sums.rest
            sums.rest = score - F32(int(score))
            node.score += int(score)
        else:
            node.score += int(score + F32(0.5))
        sums.squares += float(value) ** 2

    def simulate(self) -> None:
        """As in the plain search; then the values of the last leaf and of all above it, their proofs being known."""
        super().simulate()
        node, leaf_value = self._last
        while node is not None and self.settings.backup != "mean":
            self._renew_value(node, leaf_value)
            node = node.parent

    def _renew_value(self, node: Node, leaf_value: np.float32) -> None:
        sums = self.of(node)
        if node.resolved:
            sums.value = VALUE_OF[node.outcome]
            return
        known = [
            VALUE_OF[child.outcome] if child.resolved else self.of(child).value
            for child in node.children
            if child.resolved or child.visits or self.values_all
        ]
        if known:
            best = self._for_chooser(node, max(known))
            weight, n = F32(self.settings.mean_weight), F32(node.visits)
            is_mixed = self.settings.backup == "mean_to_minimax"
            sums.value = (weight * self.mean(node) + n * best) / (weight + n) if is_mixed else best
        elif not self.values_all:
            sums.value += (self._for_chooser(node, leaf_value) - sums.value) / F32(node.visits)

    @staticmethod
    def _for_chooser(node: Node, value: np.float32) -> np.float32:
        return value if node.flags & int(SAME_MOVER) else F32(1) - value


class SlowRaveMethods(SlowMethods):
    """The same with MC-RAVE, for a game whose payload is the position, so that a move has no prior."""

    def bound(self, child: Node, visits: int) -> np.float32:
        """(1 - b) Q + b AMAF, and what exploration adds, with Q by the backup."""
        even, n = F32(self.settings.even), F32(child.visits) + F32(self.settings.even)
        score = F32(child.visits) * self.value(child) * F32(16) + even * F32(8)
        m = F32(child.amaf_visits)
        mean = score / n if n > 0 else F32(16)
        amaf = F32(child.amaf_score) / m if m > 0 else F32(0)
        b = m / (m + n + m * n * F32(1 / self.settings.equivalence)) if m > 0 else F32(0)
        exploration = F32(self.settings.c) * F32(math.sqrt(math.log(max(1, visits))))
        return (b * amaf + (F32(1) - b) * mean) * F32(1 / 16) + exploration / np.sqrt(n + F32(1))

    def _playout(self, node: Node, state: np.ndarray) -> np.float32:
        trace = np.zeros(self.game.amaf_moves, np.uint8)
        value = F32(contract.traced_playout(self.kernel, state, self.rng, trace))
        first = {int(move): int(trace[move]) for move in np.flatnonzero(trace)}
        SlowRave._credit(node, first, int(value * 16 + 0.5), self._number)
        return value

    def _number(self, node: Node) -> int:
        number = int(contract.move_number(self.kernel, *map(np.uint64, node.payload)))
        assert 0 <= number < 1 << AMAF_MOVE_BITS
        return number
