"""UCT in plain Python as an agent: its time, its memory, keeping the tree between moves, and what it has found."""

import math
import time
from collections.abc import Iterator
from statistics import fmean
from typing import Any, ClassVar

from agents.agent import MoveReport
from agents.agent_options import declare
from agents.baseline import simulations_option
from agents.limits import Clock
from agents.plain.baseline import PlainBaseline
from agents.plain.heap import Heap
from agents.plain.ticker import OutOfTime, Ticker
from agents.plain.uct import OUTCOMES, Node, Search
from agents.uct_agent import UctAgent
from options import DeclaredOption

REPLIES = 2  # the next root is looked for at most so many plies below the root: a move of each player


class Searcher(Search):
    """A search of one position after the other, which says what it has found.

    Attributes:
        position: the position of the last search; None before the first.
        seconds: how long the last search took.
        most_simulations, most_expanded: where a search ends.
        heap: limits the tree's memory; None without a limit.
    """

    tick: Ticker
    position: Any = None
    seconds = 0.0
    most_simulations = most_expanded = math.inf
    heap: Heap | None = None

    def search(self, position: Any, tick: Ticker) -> None:
        """Search an open position until the ticker or one of the limits ends it, or nothing can change the move."""
        start = time.monotonic()
        self.tick = tick
        if self.heap is not None:
            self.heap.begin()
        if self.position is None or not self.keep(position):
            self.begin(position)
        self.position = position
        self.run(self.most_simulations, self.most_expanded)
        self.seconds = time.monotonic() - start

    def on_look(self) -> None:
        """For tickers: once memory is short, this tree and those of later moves grow no larger than now."""
        if self.heap is not None and self.heap.is_full() and self.capacity == math.inf:
            self.capacity = self.nodes
        if self.most_expanded < math.inf and self.nodes >= self.capacity:
            raise OutOfTime  # it would expand nothing any more

    def keep(self, position: Any) -> bool:
        """Make a node at most REPLIES plies below the root the root, and keep its tree.

        Returns False if no such node has this position, or if the node has not all its moves.
        """
        plies = position.ply - self.root.position.ply
        found = [self.root] if 0 <= plies <= REPLIES else []
        for _ in range(plies):
            found = [child for node in found for child in node.children]
        for node in found:
            if node.children and node.position == position and len(node.children) == len(position.legal_moves()):
                self.root, self.nodes = node, sum(1 for _ in with_depths(node))
                return True
        return False

    # --- What it has found --------------------------------------------------------------------------------------

    @property
    def work(self) -> int:
        """The number of moves that the last search has tried."""
        return self.tick.work

    @property
    def proven(self) -> str | None:
        """What is proved for the player to move: "win", "loss", "draw" or None."""
        result = self.root.result
        return None if result is None else OUTCOMES[result.value_for(self.position.to_move)]

    @property
    def chance(self) -> float:
        """The winning chance of the player to move, 0 to 1."""
        return self.candidate(self.best_child(self.root)).chance if self.root.children else 0.5

    def best_move(self) -> Any:
        """The move to play; a random one if there was no time to try every move once."""
        if self.root.children:
            return self.best_child(self.root).move
        moves = self.position.legal_moves()
        return moves[self.rng.below(len(moves))]

    def line(self) -> list[Any]:
        """The moves that the search would play for both players."""
        return [node.move for node in self.best_line(self.root)] or [self.best_move()]

    @property
    def figures(self) -> dict[str, Any]:
        """See `Agent.analysis`."""
        shape = [(depth, len(node.children)) for node, depth in with_depths(self.root)]
        depths = [depth for depth, children in shape if not children]
        return {
            "simulations": self.simulations,
            "playouts": self.playouts,
            "expanded": self.expanded,
            "nodes": self.nodes,
            "depth_max": max(depths),
            "depth_mean": fmean(depths),
            "branching_mean": fmean([children for _, children in shape if children] or [0.0]),
        }

    def reports(self) -> list[MoveReport]:
        """Every move at the root that was visited or is proved, the one to play first, then the most visited."""
        if not self.root.children:
            move = self.best_move()
            return [MoveReport(move, 0, 0.5, 1 / len(self.position.legal_moves()), (move,))]
        best = self.best_child(self.root)
        known = [child for child in self.root.children if child.visits or child.outcome or child is best]
        known.sort(key=lambda child: (child is not best, -child.visits))
        return [self._report(child) for child in known]

    def _report(self, child: Node) -> MoveReport:
        line = tuple(node.move for node in (child, *self.best_line(child)))
        prior = 1 / len(self.root.children)
        return MoveReport(child.move, child.visits, self.candidate(child).chance, prior, line, child.outcome)


def with_depths(root: Node) -> Iterator[tuple[Node, int]]:
    """A node and all nodes below it, each with its depth."""
    waiting = [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        waiting += [(child, depth + 1) for child in node.children]
        yield node, depth


class PlainUctAgent(PlainBaseline):
    """UCT that proves wins and losses, in plain Python: `agents/plain/uct.py`.

    The tree is kept from one move to the next.
    """

    registered_name = UctAgent.registered_name
    compiled_agent = UctAgent
    default_options: ClassVar = declare(
        DeclaredOption("c", float, 0.5, 0, help="The formula's weight of exploration."),
        simulations_option("Simulations"),
        DeclaredOption("nodes", int, 0, 0, help="Positions to expand for a move; 0 for any number."),
        DeclaredOption("capacity", int, 0, 0, help="Nodes of the tree; 0: as many as the memory limit has room for."),
    )

    def _new_searcher(self) -> Searcher:
        searcher = Searcher(self.game, self.seed, float(self.options["c"]))
        searcher.capacity = int(self.options["capacity"]) or math.inf
        searcher.heap = Heap(self.limits.memory_mb * 1_000_000)
        return searcher

    def _search(self, position: Any, clock: Clock) -> None:
        self._searcher.most_simulations = int(self.options["simulations"]) or math.inf
        self._searcher.most_expanded = int(self.options["nodes"]) or math.inf
        super()._search(position, clock)

    def _on_look(self) -> None:
        self._searcher.on_look()

    def study(self, position: Any, seconds: float) -> list[MoveReport]:
        """Search a position for that long; returns each move that was visited or is proved, the one to play first."""
        end = time.monotonic() + seconds
        if self._searcher is None:
            self.setup()
        searcher: Searcher = self._searcher
        searcher.most_simulations = searcher.most_expanded = math.inf
        searcher.search(position, self._ticker(end))
        reports = searcher.reports()
        time.sleep(max(0.0, end - time.monotonic()))  # the search may have ended early
        return reports

    def close(self) -> None:
        """Give the tree back."""
        if self._searcher is not None:
            self._searcher.heap.close()
        super().close()
