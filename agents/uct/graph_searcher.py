"""The search on a graph as an object: it owns the arrays and keeps them from move to move. See `base.py`."""

import time
from dataclasses import replace
from typing import Any

import numpy as np

from agents.outcomes import name_for_chooser
from agents.uct import graph as arrays
from agents.uct.base import LONGEST_PATH, BaseSearcher, Shape
from agents.uct.choice import Child
from agents.uct.graph import EDGES, NODES, Graph
from agents.uct.graph_policy import Workspace, odds_table
from agents.uct.graph_proofs import DEPTH, LONGEST_RESISTANCE, MISSED, NO_DEPTH, NOTHING, STAGE, WAITS
from agents.uct.graph_recycling import visits_that_free
from agents.uct.graph_search import COMPACT, PLANT, RESISTANCE, RUN, SEEK_WIN, SHOW_PROOF, operate
from agents.uct.recycling import FREED_SHARE
from agents.uct.settings import GraphSettings
from agents.uct.tree import MAX_VISITS, ROOT
from game import IMPLIED, NO_SOLVER, max_children, solver_of

HOPELESS = 0.1  # a winning chance: the last move that is not proved to lose, if worth less, is as good as lost
SOLVER_POSITIONS = 200  # that the solver may look at before the clock is read: 2 ms
UNTIMED_POSITIONS = 4_000  # that it may look at for a sooner win if there is no limit of time: 40 ms
SOON = (3, 5, 7)  # plies: a win that soon is preferred to any other proved win
NO_LIMIT = 1 << 62
# Places beside those of the root's children: nobody, the root, and two that `graph_moves.has_room` asks for.
NODES_BESIDE_CHILDREN = 4


class GraphSearcher(BaseSearcher):
    """UCT with an evaluation and implicit minimax backup, on a graph of positions.

    Attributes:
        graph: the arrays.
    """

    settings_class = GraphSettings
    recycling_seconds = 2.5e-7  # compacting takes 110 to 210 ns a node in full graphs of 20,000 to 700,000 nodes

    def _allocate(self, capacity: int) -> None:
        game = self.game
        state = game.state(game.initial())
        arrays.require_graph(game)
        most = int(max_children(self.kernel))
        if capacity < (least := most + NODES_BESIDE_CHILDREN):
            raise ValueError(
                f"a graph of {capacity:,} nodes has no room for a root and its children: at least {least:,}"
            )
        self.graph: Graph = arrays.allocate(capacity)
        self._capacity = capacity
        self.policy = self.settings.make_policy()
        self._work = Workspace(
            payload0=np.zeros(2 * most, np.uint64),
            payload1=np.zeros(2 * most, np.uint64),
            stats=np.zeros(2 * most, np.uint64),
            values=np.zeros(most, np.float32),
            odds=odds_table(self.settings.temperature),
            words=np.zeros(most, np.uint32),
            state=state.copy(),
            scratch=state.copy(),
            nodes=np.zeros(LONGEST_PATH, np.int64),
            edges=np.zeros(LONGEST_PATH, np.int64),
            solver=NO_SOLVER,  # until a position is planted
            asking=np.array([NOTHING, NO_DEPTH, 0, 0], np.int64),
            left=np.zeros(1, np.int64),
        )

    # --- Positions ----------------------------------------------------------------------------------------------

    def begin(self, position: Any) -> None:
        """Make a position the root of an empty graph; the solver forgets what it knew.

        Raises ValueError as `Game.check_open`.
        """
        self._plant(position, keeps=False)

    def advance(self, position: Any) -> bool:
        """Make a position the root and keep what the graph knows of it; returns False if that is nothing."""
        self._plant(position, keeps=self.settings.reuse and self.position is not None)
        return self._root_visits > 1

    def _plant(self, position: Any, keeps: bool) -> None:
        self.game.check_open(position)
        self.position, state = position, self.game.state(position)
        self._resistances: dict[int, int] = {}  # of the moves of a lost root, by their places
        self._soonest: int | None = None  # the number of a move that wins a won root soon, or MISSED; None: not asked
        if keeps:
            self._finish_simulation()
        else:
            self._work.asking[:] = NOTHING, NO_DEPTH, 0, 0
            self._work = self._work._replace(solver=solver_of(self.game) if self.settings.solve else NO_SOLVER)
        self._work.state[:] = state
        self._operate(PLANT, int(keeps and self.settings.transpositions))

    def _operate(self, operation: int, number: int = 0) -> int:
        return int(operate(operation, self.kernel, self.policy, self.graph, self._work, self.rng, number))

    def _finish_simulation(self) -> None:
        """End a simulation that waits for the solver, as if the solver had found nothing."""
        self._work.left[0] = 0
        while self._work.asking[DEPTH] != NO_DEPTH:
            self._work.asking[STAGE] = NOTHING
            self._operate(RUN, 1)

    # --- Searching ----------------------------------------------------------------------------------------------

    def _begin_search(self) -> None:
        self.graph.depths[:] = 0

    def _run(self, chunk: int) -> bool:
        before = int(self.graph.used[NODES])
        self._work.left[0] = NO_LIMIT if self.end is None else SOLVER_POSITIONS
        done = self._operate(RUN, chunk)
        self.simulations += done
        self.expanded += int(self.graph.used[NODES]) - before
        self.playouts += done if self.settings.playout_share > 0 else 0
        if done == chunk or self.proven or self._work.asking[DEPTH] != NO_DEPTH:
            return True
        used = int(self.graph.used[EDGES])
        if self.settings.memory == "stop" or not self._recycler.recycle(self._free_places, self._free_by):
            return False
        has_freed = int(self.graph.used[EDGES]) < used
        self.recyclings += has_freed
        return has_freed

    def _free_places(self) -> None:
        self._operate(COMPACT, visits_that_free(self.graph, FREED_SHARE))

    @property
    def is_settled(self) -> bool:
        """As in every search, except that a last move which is as good as lost does not end the search.

        If that move is proved to lose, too, the one that lasts longest is played.
        """
        if self.proven is None and self._moves_left == 1 and self.best_child().value < HOPELESS:
            return self._root_visits >= MAX_VISITS
        return super().is_settled

    # --- What it has found --------------------------------------------------------------------------------------

    @property
    def capacity(self) -> int:
        """How many positions the graph holds."""
        return self._capacity

    @property
    def _root_word(self) -> int:
        return int(self.graph.nodes[self.graph.root[0]]["stats"])

    @property
    def _words(self) -> np.ndarray:
        return self._moves_of(int(self.graph.root[0]))[1]["stats"].astype(np.uint64)

    def children(self, place: int = ROOT) -> list[Child]:
        """The stored moves of a node, seen by the player to move in it; its place is that of the move leading there."""
        if place != ROOT:
            self._finish_simulation()  # it holds places of edges, which SHOW_PROOF may move
            self._operate(SHOW_PROOF, place)
        node = int(self.graph.root[0]) if place == ROOT else self._end_of(place)
        if place != ROOT and (node == arrays.NOBODY or self.graph.nodes[node]["tried"] == 0):
            return []
        numbers, edges = self._moves_of(node)
        share = self.settings.minimax
        values = ((1 - share) * edges["mean"] + share * edges["minimax"]) / float(arrays.ONE)
        words = edges["stats"].tolist()
        outcomes = {flags: name_for_chooser(flags) for flags in {word & ~MAX_VISITS for word in words}}
        return [
            Child(
                node=node << arrays.NUMBER_BITS | number,
                visits=word & MAX_VISITS,
                value=value,
                outcome=outcomes[word & ~MAX_VISITS],
                is_implied=bool(word & int(IMPLIED)),
                prior=prior,
            )
            for number, word, value, prior in zip(
                numbers.tolist(), words, values.tolist(), edges["prior"].tolist(), strict=True
            )
        ]

    def _moves_of(self, node: int) -> tuple[np.ndarray, np.ndarray]:
        """The numbers of the moves that a node has stored, and an edge for each, also for those that were not tried."""
        return arrays.moves_of(self.graph, self._work.odds, node)

    def _end_of(self, place: int) -> int:
        """The node that a move leads to, or NOBODY."""
        numbers, edges = self._moves_of(place >> arrays.NUMBER_BITS)
        return int(edges["child"][numbers == place & arrays.NUMBERS][0])

    def best_child(self, place: int = ROOT) -> Child:
        """The child to play. At the root it is the soonest win that is found, or the loss that lasts longest.

        How long a loss lasts is found out by looking three plies ahead.
        """
        children = self.children(place)
        if place == ROOT and self.proven == "win" and (number := self._soonest_win(children)) != MISSED:
            return next(child for child in children if child.node & arrays.NUMBERS == number)
        if place == ROOT and self.proven == "loss":
            children = self._with_resistances(children)
        return self.best_of(children)

    def _soonest_win(self, children: list[Child]) -> int:
        """The number of a move that wins a won root as soon as can be, since people wonder why a win is put off.

        MISSED if a move wins at once, or if no such move was found in the time of the search.
        """
        if self._soonest is None:
            begun, self._soonest = time.monotonic(), MISSED
            wins_at_once = any(child.outcome == "win" and not child.is_implied for child in children)
            for plies in () if wins_at_once or not self.settings.solve else SOON:
                if self._soonest == MISSED:
                    self._soonest = self._win_within(plies)
            self.pacer.skip(time.monotonic() - begun)
        return self._soonest

    def _win_within(self, plies: int) -> int:
        """The number of a move that wins within so many plies; MISSED if none was found in the time of the search."""
        self._work.left[0] = UNTIMED_POSITIONS if self.end is None else SOLVER_POSITIONS
        found = self._operate(SEEK_WIN, plies)
        while found == WAITS and self.end is not None and time.monotonic() < self.end:
            self._work.left[0] = SOLVER_POSITIONS
            found = self._operate(SEEK_WIN, plies)
        self._work.asking[STAGE] = NOTHING
        return MISSED if found == WAITS else found

    def _with_resistances(self, children: list[Child]) -> list[Child]:
        """Children that all lose, the most visited first, with their resistances, until one is LONGEST_RESISTANCE.

        Looking at all of them would take up to 0.1 s, after the time for the search is over.
        """
        found, most = [], 0
        for child in sorted(children, key=lambda child: -child.visits):
            found.append(child if most == LONGEST_RESISTANCE else replace(child, resistance=self._resistance(child)))
            most = max(most, found[-1].resistance)
        return found

    def _resistance(self, child: Child) -> int:
        if child.node not in self._resistances:
            node = self._end_of(child.node)
            self._resistances[child.node] = self._operate(RESISTANCE, node) if node != arrays.NOBODY else 1
        return self._resistances[child.node]

    def move_to(self, position: Any, place: int) -> Any:
        """The move that a place stands for; `position` is that of the node before it."""
        return position.move_numbered(place & arrays.NUMBERS)

    def shape(self) -> Shape:
        """The shape of the graph, and how deep the simulations of the last search went."""
        nodes = self.graph.nodes[1 : self.graph.used[NODES]]
        inner = nodes[nodes["tried"] > 0]
        simulations, depths, deepest = map(int, self.graph.depths)
        branching = int((inner["count"] & arrays.COUNT_MASK).sum()) / max(1, len(inner))
        return Shape(len(nodes), len(nodes) - len(inner), depths / max(1, simulations), deepest, branching)

    def _small_searcher(self, visits: int) -> "GraphSearcher":
        capacity = visits + int(max_children(self.kernel)) + NODES_BESIDE_CHILDREN
        return GraphSearcher(self.game, capacity, 0, replace(self.settings, memory="stop"))
