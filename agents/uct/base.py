"""What searches on a tree and on a graph have in common: the clock, the end of a search, the move to play.

A search runs in chunks of simulations. Between two chunks plain Python reads the clock, asks whether anything can still
change the move, and makes room in the arrays. With a fixed number of simulations, nothing depends on the clock.
"""

import math
import time
from dataclasses import dataclass
from itertools import repeat
from typing import Any, ClassVar

import numpy as np

from agents.outcomes import OUTCOME_VALUES, name_for_mover
from agents.time_control import SMALLEST_CHUNK, Pacer
from agents.uct.choice import Child, best_of
from agents.uct.memory import Recycler
from agents.uct.settings import Settings
from agents.uct.tree import MAX_VISITS, ROOT, VISIT_MASK
from game import LOST, RESOLVED, SAME_MOVER, WON, Game
from jit import new_rng

LONGEST_PATH = 1024
FIXED_CHUNK = 1024  # simulations, when their number is given: the same chunks on every machine
LEAD_MARGIN = 1.25  # factor on the measured speed, when the simulations still to come are estimated


@dataclass(frozen=True)
class Budget:
    """What a search may spend: time, simulations or expanded nodes. It ends when the first of them is used up.

    Attributes:
        start, end: by `time.monotonic`; `end` is None without a limit of time.
        simulations: None without a limit.
        nodes: None without a limit.
    """

    start: float
    end: float | None
    simulations: int | None
    nodes: int | None = None

    def most_left(self, done: int, speed: float) -> float:
        """How many simulations are still possible at most: if one chunk has stalled, the mean speed counts instead."""
        left = [math.inf] if self.simulations is None else [float(self.simulations - done)]
        if self.end is not None:
            now = time.monotonic()
            left.append((self.end - now) * max(speed, done / max(1e-6, now - self.start)) * LEAD_MARGIN)
        return min(left)


@dataclass(frozen=True)
class Shape:
    """The shape of what was searched.

    Attributes:
        nodes: the number of all nodes.
        leaves: the number of nodes without children.
        depth_mean: mean depth of the leaves; in a graph, of the simulations.
        depth_max: depth of the deepest leaf; in a graph, of the deepest simulation.
        branching_mean: mean number of children of the nodes that have any.
    """

    nodes: int
    leaves: int
    depth_mean: float
    depth_max: int
    branching_mean: float


class BaseSearcher:
    """A search for one side of one game; a subclass owns the arrays.

    `capacity` is the number of positions for which the arrays have room. Without `settings`, those that the game
    recommends. Raises ValueError if the capacity is too small, or if the game lacks what the settings need.

    A child is known by a number, its *place*; the place of the root is ROOT.

    Attributes:
        position: the root's position; None as long as there is no root.
        simulations, playouts, seconds: of the last search. A simulation that reaches a proved outcome or the end of
            the game makes no playout.
        expanded: how many nodes the last search expanded, without the root. A tree expands a leaf when it makes the
            leaf's children. A graph expands a position when the position becomes a node: then all its children are
            made and looked at. Positions that only the solver of a graph looks at are not counted.
        recyclings: how often the last search freed places.
        was_full: whether the last search ended early because the arrays were full.
        end: when the last search had to be over, by `time.monotonic`; None without a limit of time.
    """

    settings_class: ClassVar[type[Settings]]
    recycling_seconds: ClassVar[float]  # a first guess of how long freeing places takes, for each place of the arrays
    playouts_a_simulation = 1  # at most

    def __init__(
        self,
        game: Game,
        capacity: int,
        seed: int = 0,
        settings: Settings | None = None,
        pacer: Pacer | None = None,
    ) -> None:
        self.game = game
        self.settings: Any = settings or self.settings_class.for_game(game)
        self.kernel = game.kernel_with(**self.settings.switches)
        self.rng = new_rng(seed)
        self.pacer = pacer or Pacer()
        self._recycler = Recycler(self.pacer, capacity * self.recycling_seconds)
        self.position: Any = None
        self.simulations, self.playouts, self.expanded, self.seconds, self.recyclings = 0, 0, 0, 0.0, 0
        self.was_full = False
        self.end: float | None = None
        self._free_by: float | None = None  # until when full arrays may be freed; None: however long it takes
        self._allocate(capacity)

    # --- What a subclass implements -----------------------------------------------------------------------------

    def _allocate(self, capacity: int) -> None:
        """Make the arrays."""
        raise NotImplementedError

    def begin(self, position: Any) -> None:
        """Make a position the root, with nothing known below it. Raises ValueError if the game is over there."""
        raise NotImplementedError

    def advance(self, position: Any) -> bool:
        """Make a position the root and keep what is known of it; returns False if nothing was known."""
        raise NotImplementedError

    def children(self, place: int = ROOT) -> list[Child]:
        """The children of the node at a place, seen by the player to move there."""
        raise NotImplementedError

    def move_to(self, position: Any, place: int) -> Any:
        """The move from a position to its child at a place."""
        raise NotImplementedError

    @property
    def capacity(self) -> int:
        """How many positions the arrays hold."""
        raise NotImplementedError

    def shape(self) -> Shape:
        """The shape of what was searched."""
        raise NotImplementedError

    def ownership(self) -> Any:
        """The mean owner of each point over the playouts from this root, see `Go.owner_grid`; None if unknown."""
        return None

    @property
    def _root_word(self) -> int:
        """The flags and visits of the root."""
        raise NotImplementedError

    @property
    def _words(self) -> np.ndarray:
        """The flags and visits of the moves at the root, uint64."""
        raise NotImplementedError

    def _begin_search(self) -> None:
        """Get ready for a search of the root."""

    def _run(self, chunk: int) -> bool:
        """Make at most `chunk` simulations of a search that has to be over at `end`.

        Returns False if the arrays are full and no places can be freed.
        """
        raise NotImplementedError

    @property
    def _can_expand(self) -> bool:
        """Whether another node can be expanded: there is room for its children, or recycling will make room."""
        return True

    def load_rare_code(self) -> None:
        """Load (or compile) the code that not every search calls."""

    # --- Searching ----------------------------------------------------------------------------------------------

    def search(
        self,
        seconds: float | None = None,
        simulations: int | None = None,
        *,
        nodes: int | None = None,
        deadline: float | None = None,
        to_the_end: bool = False,
        for_value: bool = False,
    ) -> None:
        """Search until the seconds, simulations or nodes are used up, or nothing can change the move any more.

        `nodes` is how many nodes may be expanded, see `expanded`; such a search also ends when the arrays are full. A
        `deadline` (by `time.monotonic`) can take the place of `seconds`. With `to_the_end`, a lead in visits does not
        end the search. With `for_value`, only a proof of the root's outcome ends it early, since more search can change
        the value of the last move left, and full arrays are freed even if that takes more time than is left. Raises
        ValueError without any limit.
        """
        start = time.monotonic()
        end = deadline if seconds is None else start + seconds
        if end is None and simulations is None and nodes is None:
            raise ValueError("a search needs seconds, simulations or nodes to know when to end")
        budget = Budget(start, end, simulations, nodes)
        self.simulations, self.playouts, self.expanded, self.recyclings, self.was_full = 0, 0, 0, 0, False
        self.end, self._free_by = end, None if for_value else end
        self._begin_search()
        may_stop = self.settings.stop == "lead" and self.settings.final == "visits" and not (to_the_end or for_value)
        smallest = max(1, SMALLEST_CHUNK // self.playouts_a_simulation)
        for size in repeat(FIXED_CHUNK) if end is None else self.pacer.chunks(end, lambda: self.simulations, smallest):
            if self.proven is not None if for_value else self.is_settled:
                break
            chunk = self._within_bounds(size, budget)
            if chunk <= 0 or (may_stop and self._lead_is_safe(budget)):
                break
            if not self._run(chunk) or (nodes is not None and not self._can_expand):
                self.was_full = end is None or time.monotonic() < end
                break
        self.seconds = time.monotonic() - start

    @property
    def is_settled(self) -> bool:
        """Whether more search cannot change the move: the root is resolved, or all moves but one are proved to lose.

        A lead in visits that cannot be caught up is not enough, since the leading move may still be proved to lose.
        A root with MAX_VISITS visits is settled, too, since it cannot be visited again.
        """
        return self.proven is not None or self._moves_left == 1 or self._root_visits >= MAX_VISITS

    def _lead_is_safe(self, budget: Budget) -> bool:
        """Whether no other move can become the most visited, even if the rest of the search visits nothing else.

        Moves that are proved are left out.
        """
        words = self._words
        visits = np.sort(words[words & RESOLVED == 0] & VISIT_MASK)
        left = budget.most_left(self.simulations, self.pacer.speed)
        return len(visits) > 1 and float(visits[-1] - visits[-2]) > left

    def _within_bounds(self, chunk: int, budget: Budget) -> int:
        """The chunk, cut down to what the budget and the root's visit counter allow."""
        chunk = min(chunk, MAX_VISITS - self._root_visits)  # one visit more would overflow into the flags
        if budget.simulations is not None:
            chunk = min(chunk, budget.simulations - self.simulations)
        # A simulation expands at most one node.
        return chunk if budget.nodes is None else min(chunk, budget.nodes - self.expanded)

    # --- What it has found --------------------------------------------------------------------------------------

    @property
    def proven(self) -> str | None:
        """What is proved for the player to move at the root: "win", "loss", "draw" or None."""
        return name_for_mover(self._root_word)

    @property
    def _root_visits(self) -> int:
        return self._root_word & MAX_VISITS

    @property
    def _moves_left(self) -> int:
        """How many moves at the root are not proved to lose."""
        words = self._words
        is_lost = np.where(words & SAME_MOVER != 0, words & LOST, words & WON)
        return int(np.count_nonzero(is_lost == 0))

    def best_of(self, children: list[Child]) -> Child:
        """The one of these children of a position to play, see `choice.best_of`."""
        return best_of(children, self.settings.final, self.settings.lcb, self.settings.draw_value)

    def best_child(self, place: int = ROOT) -> Child:
        """The child to play from the position at a place."""
        return self.best_of(self.children(place))

    def best_move(self) -> Any:
        """The move to play at the root."""
        return self.move_to(self.position, self.best_child().node)

    @property
    def value(self) -> float:
        """The winning chance of the player to move at the root, 0 to 1: exact if proved, else the best child's."""
        return OUTCOME_VALUES[self.proven] if self.proven else self.best_child().chance

    def value_of_move(self, move: Any, visits: int) -> float:
        """The winning chance, after a legal move, of the player who makes it: 0 to 1.

        If the move has fewer than `visits` visits, it gets a search of its own: `visits` simulations in small arrays.
        """
        child = next((c for c in self.children() if self.move_to(self.position, c.node) == move), None)
        if child is not None and (child.outcome is not None or child.visits >= visits):
            return child.chance
        after = self.position.play(move)
        if after.result is not None:
            return float(after.result.value_for(self.position.to_move))
        other = self._small_searcher(visits)
        other.begin(after)
        other.search(simulations=visits)
        return 1 - other.value if after.to_move != self.position.to_move else other.value

    def _small_searcher(self, visits: int) -> "BaseSearcher":
        """Another searcher of this kind, with small arrays, for a search of so many simulations."""
        raise NotImplementedError
