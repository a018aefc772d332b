"""A search as an object: it owns the tree, keeps it from move to move, and watches the clock.

A search runs in chunks of simulations. Between two chunks plain Python reads the clock, asks whether anything can still
change the move, and makes room in the tree. With a fixed number of simulations, nothing depends on the clock.
"""

import time
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any

from jit import new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.time_control import Pacer
from agents.uct import tree as nodes
from agents.uct.choice import OUTCOME_NAMES, OUTCOME_VALUES, Child, best_of, list_children
from agents.uct.memory import NodeSupply
from agents.uct.rave import Rave
from agents.uct.recycling import compact
from agents.uct.resolution import count_not_lost
from agents.uct.reuse import RootedTree
from agents.uct.search import most_children, plant, run
from agents.uct.settings import Settings
from agents.uct.tree import ROOT, Tree, visits_of
from game import RESOLVED, Game

__all__ = ["Searcher", "Settings", "warm_up"]

LONGEST_PATH = 1024
FIXED_CHUNK = 1024  # simulations, when their number is given: the same chunks on every machine
LEAD_MARGIN = 1.25  # on the speed at which a lead might be caught up
WARM_UP_SIMULATIONS = 2 * FIXED_CHUNK + 1  # so that a tree as small as this one is full and recycled
WARM_UP_CAPACITY = 2_000


@dataclass(frozen=True)
class Budget:
    """What a search may spend: time, simulations, or both, whichever is over first.

    Attributes:
        start, end: by `time.monotonic`; without an `end`, time does not count.
        simulations: None if they do not count.
    """

    start: float
    end: float | None
    simulations: int | None

    def progress(self, done: int) -> float:
        """The share of the search that is over after so many simulations, 0 to 1."""
        if self.simulations is not None:
            return done / max(1, self.simulations)
        assert self.end is not None
        return (time.monotonic() - self.start) / max(1e-9, self.end - self.start)

    def most_left(self, done: int, speed: float) -> float:
        """How many simulations there may still be, counted generously: one stalled chunk is no new speed."""
        left = [] if self.simulations is None else [float(self.simulations - done)]
        if self.end is not None:
            now = time.monotonic()
            left.append((self.end - now) * max(speed, done / max(1e-6, now - self.start)) * LEAD_MARGIN)
        return min(left)


class Searcher:
    """UCT for one side of one game.

    Attributes:
        position: the root's; None before the first.
        tree: the arrays.
        simulations, playouts, seconds: of the last search; simulations that end in a proved outcome need no playout.

    >>> from game import load_game
    >>> pentago = load_game("pentago")
    >>> searcher = Searcher(pentago, capacity=10_000, seed=1)
    >>> searcher.begin(pentago.parse_position("wwww../bbbb../....../....../....../...... w"))
    >>> searcher.search(simulations=100)
    >>> searcher.proven
    'win'
    """

    def __init__(
        self,
        game: Game,
        capacity: int,
        seed: int = 0,
        settings: Settings | None = None,
        pacer: Pacer | None = None,
    ) -> None:
        self.game = game
        self.settings = settings or Settings.for_game(game)
        self.kernel = game.kernel._replace(**self.settings.switches)
        if capacity < (least := 1 + int(most_children(self.kernel))):
            raise ValueError(
                f"a tree of {capacity:,} nodes has no room for a root and its children: at least {least:,}"
            )
        self.tree: Tree = nodes.allocate(capacity)
        self.formula = self.settings.make_formula(game)
        self.rng = new_rng(seed)
        self.pacer = pacer or Pacer()
        self.position: Any = None
        self.simulations, self.playouts, self.seconds = 0, 0, 0.0
        self._supply = NodeSupply(self.settings, self.pacer)
        self._path = np.zeros(LONGEST_PATH, np.int64)

    # --- Positions ----------------------------------------------------------------------------------------------

    def begin(self, position: Any) -> None:
        """Make a position the root, with an empty tree below it. Raises ValueError if the game is over there."""
        if position.result is not None:
            raise ValueError("the game is over in this position: there is nothing to search")
        self._enter(position)
        plant(self.kernel, self.tree, self._root.state, self._state, self.rng)

    def advance(self, position: Any) -> bool:
        """Make a position the root, keeping the subtree that the tree has under it; False if it begins anew."""
        node = self._root.find(position) if self.settings.reuse and self.position is not None else None
        if node is not None and self.children_of(node):
            compact(self.tree, node, 0)
            self._enter(position)
            if self._root.has_all_children(self._keeps_amaf):
                return True
        self.begin(position)
        return False

    def _enter(self, position: Any) -> None:
        self.position = position
        self._root = RootedTree(self.game, self.kernel, self.tree, position, self.game.state(position))
        self._state = self._root.state.copy()
        if self._keeps_amaf:
            self.formula.owners[:] = self.formula.playouts[:] = 0

    # --- Searching ----------------------------------------------------------------------------------------------

    def search(
        self,
        seconds: float | None = None,
        simulations: int | None = None,
        *,
        deadline: float | None = None,
        to_the_end: bool = False,
    ) -> None:
        """Search until the seconds or the simulations are over, or nothing can change the move any more.

        A `deadline` (by `time.monotonic`) is another way to give the seconds. With `to_the_end`, a lead in visits is
        not enough to stop.
        """
        start = time.monotonic()
        end = deadline if seconds is None else start + seconds
        if end is None and simulations is None:
            raise ValueError("a search needs seconds or simulations to know when to end")
        budget = Budget(start, end, simulations)
        self.simulations = self.playouts = 0
        self._supply.begin_search(self.tree)
        may_stop = self.settings.stop == "lead" and self.settings.final == "visits" and not to_the_end
        for size in repeat(FIXED_CHUNK) if end is None else self.pacer.chunks(end, lambda: self.simulations):
            if self.is_settled:
                break
            chunk = self._within_bounds(size, simulations)
            if chunk <= 0 or (may_stop and self._lead_is_safe(budget)):
                break
            self._supply.replenish(self.kernel, self.tree, budget.progress(self.simulations), end)
            self._run(chunk)
        self.seconds = time.monotonic() - start

    @property
    def is_settled(self) -> bool:
        """Whether more search cannot change the move: the root is resolved, or all moves but one are proved to lose.

        A lead in visits that cannot be caught up does not settle it, since the leader may still be proved to lose.
        """
        if self.proven:
            return True
        return bool(count_not_lost(self.tree, ROOT) == 1) or self._root_visits >= nodes.MAX_VISITS

    def _lead_is_safe(self, budget: Budget) -> bool:
        """Whether the rest of the search, all spent on one other move, could not make it the most visited.

        Moves that are proved are not in the race.
        """
        children = self.children_of(ROOT)
        words = self.tree.stats[children.start : children.stop]
        visits = np.sort(words[words & RESOLVED == 0] & nodes.VISIT_MASK)
        left = budget.most_left(self.simulations, self.pacer.speed)
        return len(visits) > 1 and float(visits[-1] - visits[-2]) > left

    def _within_bounds(self, chunk: int, simulations: int | None) -> int:
        """As many of a chunk's simulations as the root's visits and the number asked for have room for."""
        chunk = min(chunk, nodes.MAX_VISITS - self._root_visits)  # a visit more would run into the flags
        return chunk if simulations is None else min(chunk, simulations - self.simulations)

    def _run(self, chunk: int) -> None:
        done, playouts = run(
            self.kernel,
            self.formula,
            self.tree,
            self._root.state,
            self._state,
            self._path,
            self.rng,
            int(self._supply.threshold),
            chunk,
        )
        self.simulations += done
        self.playouts += playouts

    # --- What it has found --------------------------------------------------------------------------------------

    @property
    def capacity(self) -> int:
        """How many nodes the array holds."""
        return len(self.tree.stats)

    @property
    def recyclings(self) -> int:
        """How often nodes were freed in the last search."""
        return self._supply.recyclings

    @property
    def proven(self) -> str | None:
        """What is proved for the player to move at the root: "win", "loss", "draw" or None."""
        return OUTCOME_NAMES.get(int(self.tree.stats[ROOT]) & int(RESOLVED))

    def children_of(self, node: int) -> range:
        """The indices of a node's children."""
        return nodes.children_of(self.tree, node)

    def children(self, node: int = ROOT) -> list[Child]:
        """A node's children, as the player to move in it sees them."""
        return list_children(self.tree, node, self.settings.even if self._keeps_amaf else None)

    def best_child(self, node: int = ROOT) -> Child:
        """The child to play, see `choice.best_of`."""
        return best_of(self.children(node), self.settings.final == "value")

    def best_move(self) -> Any:
        """The move to play at the root."""
        return self.move_to(self.position, self.best_child().node)

    def move_to(self, position: Any, child: int) -> Any:
        """The move from a position to a child of its node."""
        return self._root.move_to(position, child)

    @property
    def value(self) -> float:
        """The winning chance of the player to move at the root, 0 to 1: exact if proved, else the best child's."""
        return OUTCOME_VALUES[self.proven] if self.proven else self.best_child().chance

    def value_of_move(self, move: Any, visits: int) -> float:
        """The winning chance after a legal move for the player who makes it.

        A move that was visited less often than that is searched with as many simulations, in a small tree of its own.
        """
        child = next((c for c in self.children() if self.move_to(self.position, c.node) == move), None)
        if child is not None and (child.outcome is not None or child.visits >= visits):
            return child.chance
        after = self.position.play(move)
        if after.result is not None:
            return 0.5 if after.result.winner is None else float(after.result.winner == self.position.to_move)
        most = int(most_children(self.kernel))
        other = Searcher(self.game, 1 + min(visits + 1, 100) * most, 0, self.settings)
        other.begin(after)
        other.search(simulations=visits)
        return 1 - other.value if after.to_move != self.position.to_move else other.value

    def ownership(self) -> Any:
        """The mean owner of each point over the playouts from this root, see `Game.owner_grid`; None if unknown."""
        if not self._keeps_amaf or not self.formula.playouts[0]:
            return None
        return self.game.owner_grid(self.formula.owners / self.formula.playouts[0])

    @property
    def _keeps_amaf(self) -> bool:
        return isinstance(self.formula, Rave)

    @property
    def _root_visits(self) -> int:
        return int(visits_of(self.tree.stats[ROOT]))


def warm_up(game: Game, position: Any, settings: Settings) -> Searcher:
    """Load all that a search needs of compiled code, or compile it, by a small search of an open position.

    Afterwards nothing compiles in the middle of a move, and the process holds what it will hold. Returns the searcher.
    """
    searcher = Searcher(game, WARM_UP_CAPACITY, settings=replace(settings, memory="recycle", reuse=True))
    searcher.begin(position)
    searcher.search(simulations=WARM_UP_SIMULATIONS)
    if searcher.best_child().outcome is None:
        searcher.advance(position.play(searcher.best_move()))
    return searcher
