"""A search as an object: it owns the tree, keeps it from move to move, and watches the clock and the memory.

A search runs in chunks of simulations. Between two chunks plain Python reads the clock, asks whether anything can still
change the move, and makes room in the tree. With a fixed number of simulations, nothing depends on the clock.
"""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import Any, Self

from jit import jit, new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.time_control import Pacer
from agents.uct import tree as nodes
from agents.uct.rave import Rave, rave
from agents.uct.recycling import compact, visits_that_free
from agents.uct.resolution import count_not_lost, outcome_for_chooser
from agents.uct.search import has_room, plant, run
from agents.uct.selection import ucb1
from agents.uct.tree import ROOT, Tree, child_count_of, first_child_of, value_of, visits_of
from game import AMAF_MOVE_BITS, DRAWN, IMPLIED, LOST, PRIOR_BITS, RESOLVED, WON, Game, IllegalMove

LONGEST_PATH = 1024
FIXED_CHUNK = 1024  # simulations, when their number is given: the same chunks on every machine
LEAD_MARGIN = 1.25  # on the speed at which a lead might be caught up
FREED_SHARE = 0.5  # of the nodes, when the array is full and recycled
# The time left has to be so many times what the last recycling took: three processes on one core take three times as
# long as one alone, and an array that is full for a moment costs nothing that shows in matches.
RECYCLING_FACTOR = 4
REUSE_PLIES = 4  # how far below the root the next position is looked for: one move each, or a few extra turns
REUSE_NODES = 1000  # nodes looked at for it; each costs some 20 microseconds
HIGHEST_THRESHOLD = 1 << 20
THRESHOLD_STEP = 1.1  # by which `pace` changes the threshold from one chunk to the next

# What to do about an array that fills up long before the time is over.
MEMORY_POLICIES = ("stop", "pace", "recycle")


VALUES = {"win": 1.0, "draw": 0.5, "loss": 0.0}

OUTCOME_NAMES = {int(WON): "win", int(LOST): "loss", int(DRAWN): "draw"}


@jit
def _max_children(kernel):
    return game.max_children(kernel)


@jit
def _write_children(kernel, state, payload0, payload1, stats):
    return game.children(kernel, state, payload0, payload1, stats, 0)


@jit
def _step(kernel, state, word0, word1):
    game.step(kernel, state, word0, word1)


@dataclass(frozen=True)
class Settings:
    """How to search.

    Attributes:
        formula: how children are selected, a name of FORMULAS; `rave` is for games that keep AMAF counts.
        c: the formula's weight of exploration.
        equivalence, even: of `rave`, see there.
        expand_at: visits after which a leaf is expanded.
        memory: when the array is full, `stop` goes on without expansion and `recycle` drops the half of the nodes that
            matters least; `pace` expands later, after more visits, so that the array lasts to the end.
        final: the move is the child with most `visits` or with the best mean `value`.
        reuse: keep the subtree under the next position.
        stop: end when nothing can change the move any more: `proof`, by what is proved; `lead`, also when no other move
            can be visited as often as the first in what is left of the time (with `final=visits`).
        switches: values for fields of the game's kernel, which turn parts of its children and playouts on and off.
    """

    formula: str = "ucb1"
    c: float = 0.5
    equivalence: float = 3500.0
    even: float = 10.0
    expand_at: int = 1
    memory: str = "recycle"
    final: str = "visits"
    reuse: bool = False
    stop: str = "proof"
    switches: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not (math.isfinite(self.c) and self.c >= 0):
            raise ValueError(f"c={self.c}: the exploration constant is a number from 0 on")
        for name, value, known in (
            ("formula", self.formula, tuple(FORMULAS)),
            ("stop", self.stop, ("proof", "lead")),
            ("memory", self.memory, MEMORY_POLICIES),
            ("final", self.final, ("visits", "value")),
        ):
            if value not in known:
                raise ValueError(f"{name}={value}: there is {', '.join(known)}")
        if self.expand_at < 1:
            raise ValueError(f"expand_at={self.expand_at}: a number of visits from 1 on")

    @classmethod
    def for_game(cls, game: Game, **chosen: Any) -> Self:
        """What a game recommends (`Game.search_defaults`), but for what is chosen: settings and the game's switches.

        Raises TypeError for names that are neither, ValueError for values that make no sense.
        """
        known = {*cls.__dataclass_fields__, *game.kernel._fields}
        recommended = {name: value for name, value in game.search_defaults.items() if name in known}
        values = recommended | chosen
        switches = {name: value for name, value in values.items() if name in {*recommended} & {*game.kernel._fields}}
        if wrong := [name for name, value in switches.items() if not value >= 0]:
            raise ValueError(f"{wrong[0]}={switches[wrong[0]]}: a number from 0 on")
        return cls(**{name: value for name, value in values.items() if name not in switches}, switches=switches)

    def make_formula(self, game: Game) -> Any:
        """The formula with its parameters, for a search of a game. Raises ValueError."""
        return FORMULAS[self.formula](self, game)


# By name, each made from the settings and the game.
FORMULAS: dict[str, Callable[[Settings, Game], Any]] = {
    "ucb1": lambda settings, game: ucb1(settings.c),
    "rave": lambda settings, game: rave(settings.c, settings.equivalence, settings.even, game.amaf_moves),
}


WARM_UP_SIMULATIONS = 2 * FIXED_CHUNK + 1  # so that a tree as small as this one is full and recycled
WARM_UP_CAPACITY = 2_000


@dataclass(frozen=True)
class Child:
    """A child of the root, for the player who moves at the root."""

    node: int
    visits: int
    value: float
    outcome: str | None  # "win", "loss", "draw" or None


class Searcher:
    """UCT for one side of one game.

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
        if capacity < (least := 1 + int(_max_children(self.kernel))):
            raise ValueError(
                f"a tree of {capacity:,} nodes has no room for a root and its children: at least {least:,}"
            )
        self.tree: Tree = nodes.allocate(capacity)
        self.formula = self.settings.make_formula(game)
        self.rng = new_rng(seed)
        self.position: Any = None
        self.simulations = 0  # of the last search
        self.playouts = 0  # of the last search; proved outcomes need none
        self.seconds = 0.0  # of the last search
        self.recyclings = 0  # in the last search
        self.pacer = pacer or Pacer()
        self._path = np.zeros(LONGEST_PATH, np.int64)
        self._recycling_seconds = 0.05  # a first guess, replaced by the last measured
        self._threshold = float(self.settings.expand_at)
        self._used_at_start = 1

    # --- Positions ----------------------------------------------------------------------------------------------

    def begin(self, position: Any) -> None:
        """Make a position the root, with an empty tree below it. Raises ValueError if the game is over there."""
        if position.result is not None:
            raise ValueError("the game is over in this position: there is nothing to search")
        self._enter(position)
        plant(self.kernel, self.tree, self._root, self._state, self.rng)

    def advance(self, position: Any) -> bool:
        """Make a position the root, keeping the subtree that the tree has under it; False if it begins anew."""
        node = self._find(position) if self.settings.reuse and self.position is not None else None
        if node is None or child_count_of(self.tree.links[node]) == 0:
            self.begin(position)
            return False
        compact(self.tree, node, 0)
        self._enter(position)
        if not self._has_all_children():
            self.begin(position)
            return False
        return True

    def _has_all_children(self) -> bool:
        """Whether the kept root has just the children that it would be given now.

        It need not: the game may forbid moves at this very position that the tree did not know of, or no longer forbid
        those that it did; and of a node that is won, one child only is kept.
        """
        words = [np.zeros(int(_max_children(self.kernel)), np.uint64) for _ in range(3)]
        count = int(_write_children(self.kernel, self._root, *words))
        kept = self.children_of(ROOT)
        if count != len(kept):
            return False
        # The second word may hold AMAF counts by now.
        both = 1 if self._keeps_amaf else 2
        tree = (self.tree.payload0, self.tree.payload1)
        found = {tuple(int(word[child]) for word in tree[:both]) for child in kept}
        return found == {tuple(int(word[i]) for word in words[:both]) for i in range(count)}

    def _enter(self, position: Any) -> None:
        self.position = position
        self._root = self.game.state(position)
        self._state = self._root.copy()
        if self._keeps_amaf:
            self.formula.owners[:] = self.formula.playouts[:] = 0

    def _find(self, target: Any) -> int | None:
        """The node whose position is `target`, at most `REUSE_PLIES` below the root, most visited subtrees first."""
        plies = target.ply - self.position.ply
        if not 0 <= plies <= REUSE_PLIES:
            return None
        key = self.game.state_key(self.game.state(target))
        waiting: list[tuple[int, ...]] = [(ROOT,)]
        for _ in range(REUSE_NODES):
            if not waiting:
                break
            path = waiting.pop()
            if len(path) <= plies:
                children = sorted(self.children_of(path[-1]), key=self._visits)
                waiting.extend((*path, child) for child in children)
            elif self._key_at(path) == key and self._position_at(path) == target:
                return int(path[-1])
        return None

    def _key_at(self, path: tuple[int, ...]) -> bytes:
        """The key of the state at the end of a path from the root."""
        state = self._root.copy()
        for child in path[1:]:
            _step(self.kernel, state, self.tree.payload0[child], self.tree.payload1[child])
        return self.game.state_key(state)

    def _position_at(self, path: tuple[int, ...]) -> Any:
        """The position at the end of a path from the root; None if it breaks a rule that the tree does not know."""
        position = self.position
        for child in path[1:]:
            try:
                position = position.play(self.move_to(position, child))
            except IllegalMove:
                return None
        return position

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
        self.simulations = self.playouts = self.recyclings = 0
        self._threshold = float(self.settings.expand_at)
        self._used_at_start = int(self.tree.used[0])
        may_stop = self.settings.stop == "lead" and self.settings.final == "visits" and not to_the_end
        for size in repeat(FIXED_CHUNK) if end is None else self.pacer.chunks(end, lambda: self.simulations):
            if self.is_settled:
                break
            chunk = self._within_bounds(size, simulations)
            if chunk <= 0 or (may_stop and self._lead_is_safe(start, end, simulations)):
                break
            self._make_room(end, self._progress(start, end, simulations))
            self._run(chunk)
        self.seconds = time.monotonic() - start

    @property
    def is_settled(self) -> bool:
        """Whether more search cannot change the move: the root is resolved, or all moves but one are proved to lose.

        A lead in visits that cannot be caught up does not settle it, since the leader may still be proved to lose.
        """
        if int(self.tree.stats[ROOT]) & int(RESOLVED):
            return True
        return bool(count_not_lost(self.tree, ROOT) == 1) or self._visits(ROOT) >= nodes.MAX_VISITS

    def _lead_is_safe(self, start: float, end: float | None, simulations: int | None) -> bool:
        """Whether the rest of the search, all spent on one other move, could not make it the most visited.

        Moves that are proved are not in the race. The rest is counted generously: one stalled chunk is no new speed.
        """
        left = [] if simulations is None else [float(simulations - self.simulations)]
        if end is not None:
            now = time.monotonic()
            speed = max(self.pacer.speed, self.simulations / max(1e-6, now - start))
            left.append((end - now) * speed * LEAD_MARGIN)
        children = self.children_of(ROOT)
        words = self.tree.stats[children.start : children.stop]
        visits = np.sort(words[words & RESOLVED == 0] & nodes.VISIT_MASK)
        return len(visits) > 1 and float(visits[-1] - visits[-2]) > min(left)

    def _within_bounds(self, chunk: int, simulations: int | None) -> int:
        """As many of a chunk's simulations as the root's visits and the number asked for have room for."""
        chunk = min(chunk, nodes.MAX_VISITS - self._visits(ROOT))  # a visit more would run into the flags
        return chunk if simulations is None else min(chunk, simulations - self.simulations)

    def _run(self, chunk: int) -> None:
        done, playouts = run(
            self.kernel,
            self.formula,
            self.tree,
            self._root,
            self._state,
            self._path,
            self.rng,
            int(self._threshold),
            chunk,
        )
        self.simulations += done
        self.playouts += playouts

    def _progress(self, start: float, end: float | None, simulations: int | None) -> float:
        """The share of the search that is over, 0 to 1."""
        if simulations is not None:
            return self.simulations / max(1, simulations)
        assert end is not None
        return (time.monotonic() - start) / max(1e-9, end - start)

    def _make_room(self, end: float | None, progress: float) -> None:
        """Keep the array from being full, as the policy says."""
        if self.settings.memory == "pace":
            planned = self._used_at_start + (self.capacity - self._used_at_start) * progress
            factor = THRESHOLD_STEP if int(self.tree.used[0]) > planned else 1 / THRESHOLD_STEP
            self._threshold = min(HIGHEST_THRESHOLD, max(float(self.settings.expand_at), self._threshold * factor))
        elif self.settings.memory == "recycle" and not has_room(self.kernel, self.tree):
            self._recycle(end)

    def _recycle(self, end: float | None) -> None:
        """Free half of the nodes, unless the time left does not pay for it."""
        start = time.monotonic()
        if end is not None and end - start < RECYCLING_FACTOR * self._recycling_seconds:
            return
        compact(self.tree, ROOT, visits_that_free(self.tree, FREED_SHARE))
        self.recyclings += 1
        self._recycling_seconds = time.monotonic() - start
        self.pacer.skip()

    # --- Looking at the tree ------------------------------------------------------------------------------------

    @property
    def capacity(self) -> int:
        """How many nodes the array holds."""
        return len(self.tree.stats)

    @property
    def proven(self) -> str | None:
        """What is proved for the player to move at the root: "win", "loss", "draw" or None."""
        return OUTCOME_NAMES.get(int(self.tree.stats[ROOT]) & int(RESOLVED))

    def children_of(self, node: int) -> range:
        """The indices of a node's children."""
        links = self.tree.links[node]
        first = int(first_child_of(links))
        return range(first, first + int(child_count_of(links)))

    def children(self, node: int = ROOT) -> list[Child]:
        """A node's children, as the player to move in it sees them."""
        found = []
        for child in self.children_of(node):
            word = self.tree.stats[child]
            outcome = OUTCOME_NAMES.get(int(outcome_for_chooser(word)))
            found.append(Child(child, self._visits(child), value_of(word), outcome))
        return found

    def best_child(self, node: int = ROOT) -> Child:
        """The child to play.

        One that wins; never one that loses unless all do, and then the most visited of those that do not end the game
        themselves, so that the opponent has to find the win; otherwise the most visited (or, by the settings, the best
        mean value) of the open ones, unless a draw is proved and that one's value is no better.
        """
        children = self.children(node)
        for child in children:
            if child.outcome == "win":
                return child
        unresolved = [child for child in children if child.outcome is None]
        draws = [child for child in children if child.outcome == "draw"]
        if not unresolved and not draws:
            return max(children, key=lambda child: (self._is_implied(child), child.visits))
        if not unresolved:
            return draws[0]
        by_value = self.settings.final == "value"
        best = max(
            unresolved,
            key=lambda child: (
                child.value if by_value and child.visits else 0.0,
                child.visits,
                0.0 if child.visits else self.prior_of(child.node),  # when there was no time to search
            ),
        )
        return draws[0] if draws and best.value <= 0.5 else best

    def best_move(self) -> Any:
        """The move to play at the root."""
        return self.move_to(self.position, self.best_child().node)

    @property
    def value(self) -> float:
        """The winning chance of the player to move at the root, 0 to 1: exact if proved, else the best child's mean."""
        best = self.best_child()
        return VALUES[self.proven] if self.proven else VALUES[best.outcome] if best.outcome else best.value

    def value_of_move(self, move: Any, visits: int) -> float:
        """The winning chance after a legal move for the player who makes it.

        A move that was visited less often than that is searched with as many simulations, in a small tree of its own.
        """
        child = next((c for c in self.children() if self.move_to(self.position, c.node) == move), None)
        if child is not None and (child.outcome is not None or child.visits >= visits):
            return VALUES[child.outcome] if child.outcome else child.value
        after = self.position.play(move)
        if after.result is not None:
            return 0.5 if after.result.winner is None else float(after.result.winner == self.position.to_move)
        most = int(_max_children(self.kernel))
        other = Searcher(self.game, 1 + min(visits + 1, 100) * most, 0, self.settings)
        other.begin(after)
        other.search(simulations=visits)
        return 1 - other.value if after.to_move != self.position.to_move else other.value

    def prior_of(self, node: int) -> float:
        """The first opinion that a search with MC-RAVE has of a node, for the player who chose it; 0.5 without one."""
        if not self._keeps_amaf:
            return 0.5
        word, even = int(self.tree.payload0[node]) >> AMAF_MOVE_BITS, self.settings.even
        visits, score = word & (1 << PRIOR_BITS) - 1, word >> PRIOR_BITS
        return (score / nodes.SCORE_OF_WIN + even / 2) / (visits + even) if visits + even > 0 else 0.5

    def ownership(self) -> Any:
        """The mean owner of each point over the playouts from this root, see `Game.owner_grid`; None if unknown."""
        if not self._keeps_amaf or not self.formula.playouts[0]:
            return None
        return self.game.owner_grid(self.formula.owners / self.formula.playouts[0])

    @property
    def _keeps_amaf(self) -> bool:
        return isinstance(self.formula, Rave)

    def is_at(self, position: Any) -> bool:
        """Whether this very position is the root, so that a search goes on."""
        return self.position is position

    def move_to(self, position: Any, child: int) -> Any:
        """The move from a position to a child of its node."""
        return self.game.move_of(position, int(self.tree.payload0[child]), int(self.tree.payload1[child]))

    def _is_implied(self, child: Child) -> bool:
        return bool(self.tree.stats[child.node] & IMPLIED)

    def _visits(self, node: int) -> int:
        return int(visits_of(self.tree.stats[node]))


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
