"""The slow, obvious twin of the search on a graph: positions in a dictionary, moves as objects that know their child.

It asks the game's own compiled verbs for children, values and playouts, with the same random numbers in the same order.
Values are float32, or kept in 65,535ths, in the order of the fast code, so that its graph must equal the
fast one's move by move. It has no limit of memory.
"""

from dataclasses import dataclass, field
from typing import Any, Optional

import numpy as np

from agents.uct.graph_policy import odds_table
from agents.uct.settings import GraphSettings
from game import IMPLIED, SAME_MOVER, child_move
from tests import contract
from tests.slow.proofs import F32, FLAG_OF, VALUE_OF, outcome_for_chooser, outcome_of, proof

MEAN_ONE = float(2**32 - 1)


def as_average(value: float) -> int:
    return int(min(max(value, 0.0), 1.0) * MEAN_ONE + 0.5)


def in_65535ths(value: np.float32) -> int:
    return int(min(max(value, F32(0)), F32(1)) * F32(65535) + F32(0.5))


@dataclass(eq=False)
class Edge:
    """A move. Values are for the player who makes it, in 65,535ths; flags are those of the position it leads to."""

    payload: tuple[int, int]
    number: int
    flags: int
    prior: np.float32
    mean: int
    minimax: int
    visits: int = 0
    child: Optional["Node"] = None

    @property
    def outcome(self) -> str:
        return outcome_for_chooser(self.flags)

    @property
    def rank(self) -> tuple[int, int, int]:
        """The untried move with the highest rank is the best."""
        return self.minimax, self.flags, self.number


@dataclass(eq=False)
class Node:
    """A position. Values are for the player to move; the first `tried` edges were chosen or are resolved."""

    state: tuple[int, int]
    flags: int
    average: int  # the mean value of its visits, in parts of MEAN_ONE
    visits: int = 1
    edges: list[Edge] = field(default_factory=list)
    tried: int = 0
    expanded: bool = False
    truncated: bool = False

    @property
    def outcome(self) -> str:
        return outcome_of(self.flags)

    @property
    def resolved(self) -> bool:
        return self.outcome != "open"

    @property
    def looked_at(self) -> list[Edge]:
        """The tried edges and the first untried one, which is the best of the untried."""
        return self.edges[: self.tried + 1]

    @property
    def mean(self) -> np.float32:
        return VALUE_OF[self.outcome] if self.resolved else F32(self.average * (1 / MEAN_ONE))

    @property
    def minimax(self) -> np.float32:
        if self.resolved:
            return VALUE_OF[self.outcome]
        if not self.expanded:
            return self.mean
        return F32(max((edge.minimax for edge in self.looked_at), default=0)) * F32(1 / 65535)

    def count_visit(self, change: float) -> None:
        total = self.average * (1 / MEAN_ONE) * self.visits + change
        self.visits += 1
        self.average = as_average(total / self.visits)

    def resolve(self, outcome: str) -> None:
        if outcome != "open":
            self.flags |= FLAG_OF[outcome] | int(IMPLIED)

    def resolve_by_edges(self) -> None:
        self.resolve(proof([edge.outcome for edge in self.edges] + ["open"] * self.truncated))

    def bring_best_forward(self) -> None:
        """Move the best untried edge to the front of the untried ones; a resolved edge counts as tried."""
        edges = self.edges
        while self.tried < len(edges):
            best = max(range(self.tried, len(edges)), key=lambda i: edges[i].rank)
            self.exchange(self.tried, best)
            if edges[self.tried].outcome == "open":
                return
            self.tried += 1

    def exchange(self, i: int, j: int) -> None:
        self.edges[i], self.edges[j] = self.edges[j], self.edges[i]


class Look:
    """All children of a position: payloads, flags, and values for the chooser, exact if the position is proved."""

    def __init__(self, kernel: Any, state: np.ndarray) -> None:
        self.words, self.values = contract.children_and_values(kernel, state)
        self.flags = [int(flags) for flags in self.words[2]]
        self.proof = proof([outcome_for_chooser(flags) for flags in set(self.flags)])
        if self.proof != "open":
            self.values = np.array([VALUE_OF.get(outcome_for_chooser(flags), F32(0.5)) for flags in self.flags])

        self.numbers = [
            int(child_move(kernel, state, i, *words[:2])) for i, words in enumerate(zip(*self.words, strict=True))
        ]

    def payload(self, i: int) -> tuple[int, int]:
        return int(self.words[0][i]), int(self.words[1][i])


class SlowGraph:
    """One graph, grown by `simulate` from the position that `plant` has made its root.

    Attributes:
        positions: the nodes, by their states.
        made: how many nodes were made.
    """

    def __init__(self, game: Any, settings: GraphSettings, rng: np.ndarray) -> None:
        self.game, self.settings, self.rng = game, settings, rng
        self.kernel = game.kernel_with(**settings.switches)
        self.positions: dict[tuple[int, int], Node] = {}
        self.made = 0
        self.root: Node
        self._looks: dict[tuple[int, int], Look] = {}

    # --- Positions ----------------------------------------------------------------------------------------------

    def plant(self, position: Any) -> None:
        """Make a position the root, with edges for all moves; known edges are kept, and only edges prove the root."""
        words = self.game.state(position)
        state = int(words[0]), int(words[1])
        root = self.positions.get(state) or self._make_node(state)
        self.root = self.positions[state] = root
        self._store_all(root, lost_ones_too=True)
        i = 0
        while i < len(root.edges):
            edge, tried = root.edges[i], root.tried
            child = edge.child
            if child is None and self.settings.transpositions and edge.outcome == "open":
                child = self.positions.get(self._after(root, edge))
            if child is not None and child.resolved:
                if i >= tried:
                    root.exchange(i, tried)
                    root.tried += 1
                edge.child, edge.flags = child, edge.flags | child.flags
                edge.mean = edge.minimax = in_65535ths(VALUE_OF[edge.outcome])
                root.bring_best_forward()
            i = root.tried if root.tried > tried else i + 1
        root.flags = 0
        root.resolve_by_edges()

    def _after(self, node: Node, edge: Edge) -> tuple[int, int]:
        state = np.array(node.state, np.uint64)
        contract.step(self.kernel, state, *map(np.uint64, edge.payload))
        return int(state[0]), int(state[1])

    def _look(self, state: tuple[int, int]) -> Look:
        if state not in self._looks:
            self._looks[state] = Look(self.kernel, np.array(state, np.uint64))
        return self._looks[state]

    def _judge(self, state: tuple[int, int]) -> tuple[str, np.float32]:
        """The outcome that a look at a position's children proves, and the position's value for the player to move.

        An open position has the value of its best child, mixed with the result of a playout by `playout_share`.
        """
        look, share = self._look(state), F32(self.settings.playout_share)
        if look.proof != "open":
            return look.proof, VALUE_OF[look.proof]
        value = look.values.max()
        if share > 0:
            result = F32(contract.playout(self.kernel, np.array(state, np.uint64), self.rng))
            value = value + share * (result - value)
        return "open", value

    def _make_node(self, state: tuple[int, int]) -> Node:
        outcome, value = self._judge(state)
        node = Node(state, 0, as_average(float(value)))
        node.resolve(outcome)
        if outcome == "open" and self.settings.expand_at == 1 and self.settings.playout_share == 0:
            self._expand(node)
        self.made += 1
        if self.settings.transpositions:
            self.positions[state] = node
        return node

    # --- Edges --------------------------------------------------------------------------------------------------

    def _edges(self, look: Look, chosen: list[int]) -> list[Edge]:
        values, table = [in_65535ths(value) for value in look.values], odds_table(self.settings.temperature)
        odds = [
            table[value] if outcome_for_chooser(flags) != "loss" else F32(0)
            for value, flags in zip(values, look.flags, strict=True)
        ]
        total = F32(0)
        for odd in odds:
            total += odd
        scale = F32(1) / total if total > 0 else F32(0)
        return [
            Edge(look.payload(i), look.numbers[i], look.flags[i], odds[i] * scale, values[i], values[i]) for i in chosen
        ]

    def _expand(self, node: Node) -> None:
        """Store the most promising moves of an open node, but none that loses at once."""
        look = self._look(node.state)
        chosen = [i for i, flags in enumerate(look.flags) if outcome_for_chooser(flags) != "loss"]
        edges = self._edges(look, chosen)
        node.truncated = len(edges) > self.settings.stored
        best = sorted(edges, key=lambda edge: edge.rank)[-self.settings.stored :]
        node.edges, node.expanded = [edge for edge in edges if edge in best], True
        node.bring_best_forward()

    def _store_all(self, node: Node, lost_ones_too: bool) -> None:
        """Store all moves; the edges that were tried stay as they are."""
        look, known = self._look(node.state), node.edges[: node.tried]
        chosen = [i for i, flags in enumerate(look.flags) if lost_ones_too or outcome_for_chooser(flags) != "loss"]
        node.edges, node.expanded, node.truncated = self._edges(look, chosen), True, False
        for i, old in enumerate(known):
            node.exchange(i, next(j for j, edge in enumerate(node.edges) if edge.payload == old.payload))
            node.edges[i] = old
        node.bring_best_forward()

    # --- Simulations --------------------------------------------------------------------------------------------

    def simulate(self) -> None:
        """Walk from the root to a position that is new, resolved or not yet to be expanded; then back its value up."""
        node, path, is_new = self.root, [], False
        while not is_new and self._has_edges(node) and (edge := self._next_edge(node)):
            path.append((node, edge))
            node, is_new = self._enter(node, edge)
        if not is_new and not node.resolved and not node.expanded:
            node.count_visit(float(self._judge(node.state)[1]))
        for parent, edge in reversed(path):
            assert edge.child is not None
            self._update(parent, edge, edge.child)
            if edge.outcome != "open" and not parent.resolved:
                parent.resolve_by_edges()

    def _has_edges(self, node: Node) -> bool:
        if node.resolved or (not node.expanded and node.visits < self.settings.expand_at):
            return False
        if not node.expanded:
            self._expand(node)
        return not node.resolved

    def _next_edge(self, node: Node) -> Edge | None:
        edge = self._choose(node)
        if edge is None and node.truncated:
            self._store_all(node, lost_ones_too=False)
            edge = self._choose(node)
        if edge is None:
            node.resolve_by_edges()
        elif self.is_first_untried(node, edge):
            node.tried += 1
            node.bring_best_forward()
        return edge

    @staticmethod
    def is_first_untried(node: Node, edge: Edge) -> bool:
        return node.tried < len(node.edges) and node.edges[node.tried] is edge

    def _choose(self, node: Node) -> Edge | None:
        exploration, share = F32(self.settings.puct) * np.sqrt(F32(node.visits)), F32(self.settings.minimax)

        def bound(edge: Edge) -> np.float32:
            mean, minimax = F32(edge.mean) * F32(1 / 65535), F32(edge.minimax) * F32(1 / 65535)
            value = minimax if self.is_first_untried(node, edge) else mean * (F32(1) - share) + minimax * share
            return value + exploration * edge.prior / F32(edge.visits + 1)

        return max((edge for edge in node.looked_at if edge.outcome == "open"), key=bound, default=None)

    def _enter(self, node: Node, edge: Edge) -> tuple[Node, bool]:
        if edge.child is not None:
            return edge.child, False
        state = self._after(node, edge)
        known = self.positions.get(state) if self.settings.transpositions else None
        edge.child = known or self._make_node(state)
        return edge.child, known is None

    @staticmethod
    def _update(node: Node, edge: Edge, child: Node) -> None:
        """Count a visit; the node's sum of values has each edge's mean as often as the edge was visited."""
        before = edge.visits * edge.mean
        mean, minimax = child.mean, child.minimax
        if not edge.flags & int(SAME_MOVER):
            mean, minimax = F32(1) - mean, F32(1) - minimax
        edge.mean, edge.minimax = in_65535ths(mean), in_65535ths(minimax)
        edge.visits += 1
        edge.flags |= child.flags
        node.count_visit((edge.visits * edge.mean - before) / 65535)
