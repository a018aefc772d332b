"""How to search: the settings of a search, and the formulas by name."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

import game as verbs
from agents.uct import backups, leaves
from agents.uct.bounds import DAILEY, tuned
from agents.uct.graph import require_graph
from agents.uct.graph_policy import Policy
from agents.uct.method import Method
from agents.uct.phases import constant_at, read_phases, with_constant
from agents.uct.presets import PRESETS
from agents.uct.rave import rave
from agents.uct.selection import ucb1, valkyria
from agents.uct.tree import node_bytes
from game import Game

__all__ = ["FORMULAS", "PRESETS", "Settings"]

# What to do about an array that fills up long before the time is over.
MEMORY_POLICIES = ("stop", "pace", "recycle")
LEAVES = ("auto", "playout", "evaluation", "mixture")
BACKUPS = ("mean", "minimax", "mean_to_minimax", "implicit")

# The smallest values that make sense: whole numbers, and numbers that may be as large as they like.
_LEAST_WHOLE = {"expand_at": 1, "stored": 1, "solve": 0, "playouts": 1, "trust": 0, "prune_visits": 0}
_FROM_0_ON = {
    "c": "the exploration constant is ",
    "puct": "the exploration constant is ",
    "uctk": "the exploration constant is ",
    "c1": "",
    "c2": "",
    "effort": "",
    "lcb": "",
    "mean_weight": "",
}
_SHARES = ("minimax", "mixture", "prune", "draw_value")
# What a graph refuses to have changed.
_OF_A_FORMULA = ("formula", "c", "c_by_phase", "uctk", "c1", "c2", "equivalence", "even")
_OF_A_TREE = (*_OF_A_FORMULA, "playouts", "backup", "mean_weight", "trust", "prune", "prune_visits", "proofs")
_BOUNDS_ONLY = ("dailey", "ucb1_tuned")  # formulas that are no methods alone


@dataclass(frozen=True)
class Settings:
    """How to search.

    Attributes:
        search: on a `tree`, or on a `graph` of positions with implicit minimax backup; the settings below are of both
            but for those that say so.
        formula: of a tree: how children are selected, a name of FORMULAS (`selection.py`, `rave.py` and `bounds.py`
            have formulas and sources); `rave` is for games that say what their moves are.
        c: of a tree: the formula's weight of exploration.
        c_by_phase: of a tree: three values of c, for the thirds of the game, as in `0.3/0.5/0.7`; the root's ply and
            what the game says of its length (`Game.moves_ahead`) tell the third. Empty for c throughout.
        uctk: of `valkyria`, in place of c.
        c1, c2: of `ucb1_tuned`.
        equivalence, even: of `rave`, see there.
        expand_at: visits after which a leaf is expanded.
        trust: of a tree: a child's own score counts only after so many visits; one with fewer is tried before all
            others.
        prune: of a tree: the value, 0 to 1, below which a child is not selected any more, once it has `prune_visits`
            visits and unless all are like that.
        prune_visits: of a tree: 0 to prune nothing.
        memory: when the array is full, `stop` goes on without expansion (on a graph: ends the search) and `recycle`
            drops the half of the nodes that matters least; `pace` expands later, after more visits, so that the array
            lasts to the end (on a graph: as `recycle`).
        leaf: what a new position is worth: its `evaluation`, a `playout`, or a `mixture` of both; `auto` is a playout
            on a tree and the evaluation on a graph, which works with playouts as well.
        playouts: of a tree: how many are made of a leaf; it is visited once, and their mean is the visit's value.
            Called MCTS(x) where a leaf is expanded after a number of visits.
        mixture: the weight of the playouts in a mixture, 0 to 1.
        backup: of a tree: what a node is worth by those below it, see `backups.py`: their `mean` (Kocsis & Szepesvari
            2006), the `minimax` of its children (Ramanujan & Selman 2011), `mean_to_minimax` (Bouzy 2004; Coulom 2006),
            or `implicit` minimax of evaluations beside the mean (Lanctot et al. 2014), as a graph has it.
        proofs: of a tree: whether nodes that are won, lost or drawn for certain are resolved (`resolution.py`); if not,
            the end of a game counts as any other result, as in the first papers, and what a game sees ahead of its end
            for nothing. Not with `rave`.
        minimax: of a graph, and of a tree with `implicit`: the weight of minimax values against means, 0 to 1.
        mean_weight: of `mean_to_minimax`: the visits of a node at which its mean and its best child weigh the same.
        puct: of a graph: the weight of exploration.
        temperature: of a graph: of the priors; the higher, the more alike they are.
        stored: of a graph: the most children of a position that are stored before those are refuted.
        solve: of a graph: visits after which the game's solver is asked for a forced win; 0 for never.
        effort: of a graph: the positions that the solver may look at for each visit.
        transpositions: of a graph: whether positions that are reached again are searched once.
        final: the move is the child with most `visits`, with the best `value`, or with the largest lower confidence
            bound `lcb`, value - lcb sqrt(ln N / n); proofs come before all of these.
        lcb: of `final=lcb`.
        draw_value: what a proved draw counts when the move is chosen, 0 to 1: it is played unless an open move is worth
            more, which may lose; with 1 every proved draw is taken.
        reuse: keep the subtree under the next position.
        stop: end when nothing can change the move any more: `proof`, by what is proved; `lead`, also when no other move
            can be visited as often as the first in what is left of the time (with `final=visits`).
        switches: values for fields of the game's kernel, which turn parts of its children and playouts on and off.
    """

    search: str = "tree"
    formula: str = "ucb1"
    c: float = 0.5
    c_by_phase: str = ""
    uctk: float = 1.0
    c1: float = math.sqrt(2)
    c2: float = 0.25
    equivalence: float = 3500.0
    even: float = 10.0
    expand_at: int = 1
    trust: int = 0
    prune: float = 0.1
    prune_visits: int = 0
    memory: str = "recycle"
    leaf: str = "auto"
    playouts: int = 1
    mixture: float = 0.5
    backup: str = "mean"
    proofs: bool = True
    minimax: float = 0.8
    mean_weight: float = 100.0
    puct: float = 0.3
    temperature: float = 1.0
    stored: int = 32
    solve: int = 0
    effort: float = 0.25
    transpositions: bool = True
    final: str = "visits"
    lcb: float = 1.0
    draw_value: float = 0.5
    reuse: bool = False
    stop: str = "proof"
    switches: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, known in (
            ("search", ("tree", "graph")),
            ("formula", tuple(FORMULAS)),
            ("leaf", LEAVES),
            ("backup", BACKUPS),
            ("stop", ("proof", "lead")),
            ("memory", MEMORY_POLICIES),
            ("final", ("visits", "value", "lcb")),
        ):
            if getattr(self, name) not in known:
                raise ValueError(f"{name}={getattr(self, name)}: there is {', '.join(known)}")
        for name, least in _LEAST_WHOLE.items():
            if getattr(self, name) < least:
                raise ValueError(f"{name}={getattr(self, name)}: a number from {least} on")
        for name in _SHARES:
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name}={getattr(self, name)}: a share from 0 to 1")
        for name, what in _FROM_0_ON.items():
            if not (math.isfinite(getattr(self, name)) and getattr(self, name) >= 0):
                raise ValueError(f"{name}={getattr(self, name)}: {what}a number from 0 on")
        if not (math.isfinite(self.temperature) and self.temperature > 0):
            raise ValueError(f"temperature={self.temperature}: a number above 0")
        self._check_what_goes_together()

    def _check_what_goes_together(self) -> None:
        """Raises ValueError for settings that a search on a graph, or the formula, does not have."""
        if self.search == "graph":
            usual = {name: self.__dataclass_fields__[name].default for name in _OF_A_TREE}
            if wrong := [name for name, value in usual.items() if getattr(self, name) != value]:
                value = {True: "yes", False: "no"}.get(getattr(self, wrong[0]), getattr(self, wrong[0]))
                raise ValueError(f"{wrong[0]}={value} is for search=tree, not for search=graph: add search=tree")
        if self.c_by_phase and self.formula in ("valkyria", "dailey"):
            raise ValueError(f"c_by_phase={self.c_by_phase}: formula={self.formula} has no c")
        if self.formula == "rave" and self.search == "tree" and self.playout_share == 0:
            raise ValueError("formula=rave counts moves of playouts: leaf=evaluation has none")
        if self.formula == "rave" and self.search == "tree" and not self.proofs:
            raise ValueError("proofs=no is not for formula=rave: add formula=ucb1")
        read_phases(self.c_by_phase)

    @classmethod
    def for_game(cls, game: Game, **chosen: Any) -> Self:
        """What a game recommends (`Game.search_defaults`), but for what is chosen: settings and the game's switches.

        Raises TypeError for names that are neither, ValueError for values that make no sense.
        """
        known = {*cls.__dataclass_fields__, *game.kernel._fields}
        recommended = {name: value for name, value in game.search_defaults.items() if name in known}
        values = recommended | chosen
        if values.get("search") == "graph":
            require_graph(game)  # first: what else does not fit would mislead
        switches = {name: value for name, value in values.items() if name in {*recommended} & {*game.kernel._fields}}
        if wrong := [name for name, value in switches.items() if not isinstance(value, str) and not value >= 0]:
            raise ValueError(f"{wrong[0]}={switches[wrong[0]]}: a number from 0 on")
        return cls(**{name: value for name, value in values.items() if name not in switches}, switches=switches)

    @property
    def playout_share(self) -> float:
        """The weight of playouts in the value of a leaf, 0 to 1."""
        if self.leaf == "auto":
            return 0.0 if self.search == "graph" else 1.0
        return self.mixture if self.leaf == "mixture" else float(self.leaf == "playout")

    def make_policy(self) -> Policy:
        """The numbers that a search on a graph wants."""
        return Policy(
            c=np.float32(self.puct),
            minimax=np.float32(self.minimax),
            sharpness=np.float32(1 / self.temperature),
            playouts=np.float32(self.playout_share),
            expand_at=self.expand_at,
            stored=self.stored,
            solve_at=self.solve,
            effort=np.float32(self.effort),
            transpositions=self.transpositions,
        )

    def make_formula(self, game: Game) -> Any:
        """The formula with its parameters, for a search of a game. Raises ValueError."""
        return FORMULAS[self.formula](self, game)

    def make_method(self, game: Game) -> Any:
        """What a search on a tree of a game is compiled for: the formula alone, or a `Method`. Raises ValueError.

        A formula alone is for one playout a leaf and means; nothing of the other settings is compiled into that.
        """
        self.check_for(game)
        formula = self.make_formula(game)
        if self.extras(game) is None:
            return formula
        state = game.state(game.initial())
        return Method(
            bound=formula,
            leaf=leaves.Leaf(self.playouts, np.float32(self.playout_share), state.copy()),
            backup=self._make_backup(state),
            trust=self.trust,
            prune=np.float32(self.prune),
            prune_visits=self.prune_visits,
            proofs=self.proofs,
        )

    def _make_backup(self, state: np.ndarray) -> Any:
        if self.backup == "mean_to_minimax":
            return backups.MeanToMinimax(np.float32(self.mean_weight))
        if self.backup == "implicit":
            return backups.Implicit(np.float32(self.minimax), state)
        if self.backup == "minimax":
            # Where no playout is needed, a child has a value as soon as its parent is expanded, as in minimax search.
            return backups.Implicit(np.float32(1), state) if self.playout_share == 0 else backups.Minimax(0)
        return backups.Mean(0)

    def check_for(self, game: Game) -> None:
        """Raises ValueError if a game lacks what a search on a tree by these settings asks of it."""
        if self.playout_share < 1 and not verbs.offers(game.kernel, verbs.evaluate):
            raise ValueError(f"leaf={self.leaf}: {game.name} has no evaluation; there is leaf=playout")
        if self.backup == "implicit" and not verbs.offers(game.kernel, verbs.evaluate, verbs.values):
            raise ValueError(f"backup=implicit: {game.name} has no evaluation; there is backup=mean_to_minimax")

    def extras(self, game: Game) -> tuple[str, ...] | None:
        """The extra arrays of a tree for a search of a game; None where the formula alone is the method."""
        keeps_amaf = self.formula == "rave" and bool(verbs.payload_is_position(game.kernel))
        is_plain = self.playouts == 1 and self.playout_share == 1
        wanted = {
            "rest": not is_plain,
            "values": self.backup != "mean",
            "squares": self.formula == "ucb1_tuned",
            "amaf": keeps_amaf,
        }
        extras = tuple(name for name, is_wanted in wanted.items() if is_wanted)
        is_formula_alone = (
            self.proofs and self.formula not in _BOUNDS_ONLY and self.trust == 0 and self.prune_visits == 0
        )
        return None if is_formula_alone and not extras else extras

    def node_bytes(self, game: Game) -> int:
        """What a node of a tree takes in a search of a game."""
        return node_bytes(self.extras(game))

    def at(self, method: Any, game: Game, position: Any) -> Any:
        """A method with the c of the phase that a position is in."""
        if not self.c_by_phase:
            return method
        return with_constant(method, constant_at(self.c_by_phase, game, position))


# By name, each made from the settings and the game.
FORMULAS: dict[str, Callable[[Settings, Game], Any]] = {
    "ucb1": lambda settings, game: ucb1(settings.c),
    "valkyria": lambda settings, game: valkyria(settings.uctk),
    "dailey": lambda settings, game: DAILEY,
    "ucb1_tuned": lambda settings, game: tuned(settings.c, settings.c1, settings.c2),
    "rave": lambda settings, game: rave(settings.c, settings.equivalence, settings.even, game.amaf_moves),
}
