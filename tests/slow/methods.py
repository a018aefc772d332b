"""The slow twin of searches by a `Method` of `studies/literature`: formulas, leaves and backups as papers write them.

The tree is that of `agents/plain/uct.py`, whose proofs and order of children hold for every method. Sums are kept as
the papers keep them, but in float32 where the fast code has float32 and in its order, so that trees are equal.
"""

import math
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import game as verbs
from game import AMAF_MOVE_BITS, IMPLIED, SAME_MOVER
from studies.literature import LiteratureSettings
from tests import contract
from tests.slow.proofs import F32, VALUE_OF, power
from tests.slow.uct import Counts, Known, Node, SlowSearch, credit, is_same_mover, traced


@dataclass
class Sums:
    """What is known of a node's simulations, for the player who chose it.

    Attributes:
        score: the sum of the values in whole sixteenths.
        rest: what remains of that sum, as a fraction of a sixteenth.
        squares: the sum of the squares of the values.
        value: the node's value by a backup other than the mean.
    """

    score: int = 0
    rest: np.float32 = field(default_factory=F32)
    squares: float = 0.0
    value: np.float32 = field(default_factory=F32)


class SlowMethods(SlowSearch):
    """A search on a tree by settings of any method but MC-RAVE."""

    def __init__(self, game: Any, position: Any, settings: LiteratureSettings, rng: np.ndarray, capacity: int) -> None:
        self.settings = settings
        self.sums: dict[Node, Sums] = defaultdict(Sums)
        self.amaf: Counts = defaultdict(lambda: [0, 0])
        self._traced: list[tuple[dict[int, int], int]] = []  # playouts not yet counted, and their scores
        # Whether children have values before their first visit.
        self.values_all = settings.backup == "implicit" or (settings.backup, settings.leaf) == ("minimax", "evaluation")
        kernel = game.kernel_with(**settings.switches)
        mask = -1 if settings.proofs else int(SAME_MOVER)
        super().__init__(game, position, settings.c, rng, capacity, settings.expand_at, kernel, mask)

    # --- Values -------------------------------------------------------------------------------------------------

    def mean(self, node: Node) -> np.float32:
        return (F32(self.sums[node].score) + self.sums[node].rest) * F32(1 / 16) / F32(max(node.visits, 1))

    def value(self, node: Node) -> np.float32:
        share = F32(self.settings.minimax)
        if self.settings.backup == "mean":
            return self.mean(node)
        if self.settings.backup == "implicit":
            return (F32(1) - share) * self.mean(node) + share * self.sums[node].value
        return self.sums[node].value

    # --- Selection ----------------------------------------------------------------------------------------------

    def select(self, node: Node) -> Node:
        candidates = [child for child in node.children if child.result is None]
        fewest = min(child.visits for child in candidates)
        if fewest < self.settings.trust:
            return next(child for child in candidates if child.visits == fewest)
        if self.settings.formula == "epsilon_greedy":
            return self._best_or_random(candidates)
        least = max((self.value(child) - self._margin(child) for child in candidates if child.visits), default=F32(0))
        allowed = [child for child in candidates if not self._is_pruned(child, least)] or candidates
        if self.settings.formula in ("dailey", "rave"):
            return max(allowed, key=lambda child: self.bound(child, node.visits))  # the first of equals
        untried = [child for child in allowed if not child.visits]
        return untried[0] if untried else max(reversed(allowed), key=lambda child: self.bound(child, node.visits))

    def _is_pruned(self, child: Node, least: np.float32) -> bool:
        enough = 0 < self.settings.prune_visits <= child.visits
        least = least if self.settings.prune_margin else F32(self.settings.prune)
        return enough and bool(self.value(child) + self._margin(child) < least)

    def _margin(self, child: Node) -> np.float32:
        return F32(self.settings.prune_margin) / np.sqrt(F32(child.visits))

    def _best_or_random(self, children: list[Node]) -> Node:
        is_random = self._share() < self.settings.epsilon
        known = {child: self.value(child) if child.visits else F32(-1) for child in children}
        return max(children, key=lambda child: self._share() if is_random else known[child])

    def _share(self) -> float:
        return self.rng.below(1 << 24) / (1 << 24)

    def bound(self, child: Node, parent_visits: int) -> np.float32:
        """The formula's bound of a child."""
        settings, n = self.settings, F32(child.visits)
        if settings.formula == "dailey":
            credit = F32(6) + F32(power(float(parent_visits), float(F32(0.2))))
            return (n * (F32(2) * self.value(child) - F32(1)) + credit) / (n + credit)
        if child.visits == 0:
            return F32(math.inf)
        ratio = F32(math.log(parent_visits)) / n
        if settings.formula == "ucb1_tuned":
            variance = F32(self.sums[child].squares) / n - self.mean(child) * self.mean(child)
            spread = max(variance, F32(0)) + F32(settings.c1) * np.sqrt(ratio)
            return self.value(child) + F32(settings.c) * np.sqrt(ratio * min(spread, F32(settings.c2)))
        c = settings.uctk / math.sqrt(5) if settings.formula == "valkyria" else settings.c
        return self.value(child) + F32(c) * np.sqrt(ratio)

    # --- Leaves -------------------------------------------------------------------------------------------------

    def playout(self, position: Known) -> Any:
        """The value of a leaf for the player to move there."""
        state = position.state
        if not self._is_open(position):
            return F32(verbs.value_of_outcome(contract.outcome(self.kernel, state)))
        share, value = F32(self.settings.playout_share), F32(0)
        if share < 1:
            value = (F32(1) - share) * F32(contract.evaluate(self.kernel, state))
        if share > 0:
            total = F32(0)
            for _ in range(self.settings.playouts):
                total += self.value_of_playout(state)
            value += share * (total / F32(self.settings.playouts))
        return value

    def value_of_playout(self, state: np.ndarray) -> np.float32:
        return F32(contract.playout(self.kernel, state.copy(), self.rng.state))

    def _is_open(self, position: Known) -> bool:
        return self.settings.proofs or not contract.outcome(self.kernel, position.state)

    def is_ripe(self, leaf: Node) -> bool:
        return super().is_ripe(leaf) and self._is_open(leaf.position)

    def expand(self, node: Node) -> None:
        super().expand(node)
        if self.values_all:
            forgets = int(IMPLIED) if not self.settings.proofs else 0
            words, values = contract.children_and_values(self.kernel, node.position.state, forgets)
            known = {(int(a), int(b)): F32(value) for a, b, value in zip(*words[:2], values, strict=True)}
            for child in node.children:
                self.sums[child].value = known[child.move]

    # --- Backup -------------------------------------------------------------------------------------------------

    def back_up(self, path: list[Node], result: Any) -> None:
        """Count a leaf's value, or a proved leaf's result, then compute the values of all nodes on its path anew."""
        value = F32(result.value_for(path[-1].position.to_move)) if isinstance(result, verbs.Result) else result
        leaf_value = value
        for node in reversed(path):
            value = value if is_same_mover(node) else F32(1) - value
            self._count(node, value)
        for node in reversed(path) if self.settings.backup != "mean" else ():
            self._renew_value(node, leaf_value)

    def _count(self, node: Node, value: np.float32) -> None:
        sums, score = self.sums[node], value * F32(16)
        node.visits += 1
        if self.settings.leaf not in ("auto", "playout") or self.settings.playouts > 1:
            score += sums.rest
            sums.rest = score - F32(int(score))
            sums.score += int(score)
        else:
            sums.score += int(score + F32(0.5))
        sums.squares += float(value) ** 2

    def _renew_value(self, node: Node, leaf_value: np.float32) -> None:
        sums = self.sums[node]
        if node.result is not None:
            sums.value = VALUE_OF[node.outcome]
            return
        known = [
            VALUE_OF[child.outcome] if child.outcome else self.sums[child].value
            for child in node.children
            if child.outcome or child.visits or self.values_all
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
        return value if is_same_mover(node) else F32(1) - value


class SlowRaveMethods(SlowMethods):
    """The same with MC-RAVE, for a game whose payload is the position, so that a move has no prior."""

    def bound(self, child: Node, parent_visits: int) -> np.float32:
        """(1 - b) Q + b AMAF, and what exploration adds, with Q by the backup."""
        even, n = F32(self.settings.even), F32(child.visits) + F32(self.settings.even)
        score = F32(child.visits) * self.value(child) * F32(16) + even * F32(8)
        m = F32(self.amaf[child][0])
        mean = score / n if n > 0 else F32(16)
        amaf = F32(self.amaf[child][1]) / m if m > 0 else F32(0)
        b = m / (m + n + m * n * F32(1 / self.settings.equivalence)) if m > 0 else F32(0)
        exploration = F32(self.settings.c) * np.sqrt(F32(math.log(max(1, parent_visits))) / (n + F32(1)))
        return (b * amaf + (F32(1) - b) * mean) * F32(1 / 16) + exploration

    def value_of_playout(self, state: np.ndarray) -> np.float32:
        value, first = traced(self.kernel, state, self.rng.state, self.game.amaf_moves)
        self._traced.append((first, int(value * 16 + 0.5)))
        return F32(value)

    def back_up(self, path: list[Node], result: Any) -> None:
        for first, score in self._traced:
            credit(path, first, score, self.amaf, self._number)
        self._traced.clear()
        super().back_up(path, result)

    def _number(self, node: Node) -> int:
        number = int(contract.move_number(self.kernel, *map(np.uint64, node.move)))
        assert 0 <= number < 1 << AMAF_MOVE_BITS
        return number
