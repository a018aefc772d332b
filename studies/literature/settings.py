"""The settings of a search of the literature: those of a search on a tree, and more for formulas, leaves, backups."""

import math
from dataclasses import dataclass
from typing import Any

from jit import new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game as verbs
from agents.uct.settings import FORMULAS, LEAST, TreeSettings, choice, setting
from game import AmafGame, Game
from studies.literature.backups import Implicit, Mean, MeanToMinimax, Minimax
from studies.literature.bounds import DAILEY, EpsilonGreedy, tuned, valkyria
from studies.literature.leaves import Leaf
from studies.literature.method import Method
from studies.literature.phases import phase_of, read_phases, with_constant
from studies.literature.wide_tree import EXTRAS

_BOUNDS = {
    "ucb1": FORMULAS["ucb1"],
    "valkyria": lambda settings, game: valkyria(settings.uctk),
    "dailey": lambda settings, game: DAILEY,
    "epsilon_greedy": lambda settings, game: EpsilonGreedy(np.float32(settings.epsilon), new_rng(0)),
    "ucb1_tuned": lambda settings, game: tuned(settings.c, settings.c1, settings.c2),
    "rave": FORMULAS["rave"],
}
_BOUNDS_ONLY = ("dailey", "epsilon_greedy", "ucb1_tuned")  # formulas that need a `Method`


@dataclass(frozen=True)
class LiteratureSettings(TreeSettings):
    """How to search on a tree by the methods of the literature."""

    formula: str = choice("How children are selected; `rave` is for games that say what their moves are.", *_BOUNDS)
    leaf: str = choice(
        "What a new position is worth: a `playout`, its `evaluation`, or a `mixture` of both.",
        "auto",
        "playout",
        "evaluation",
        "mixture",
    )
    backup: str = choice(
        "What a node is worth by those below it: their `mean` (Kocsis & Szepesvari 2006), the `minimax` of its "
        "children (Ramanujan & Selman 2011), `mean_to_minimax` (Bouzy 2004; Coulom 2006), or `implicit` minimax of "
        "evaluations beside the mean (Lanctot et al. 2014).",
        "mean",
        "minimax",
        "mean_to_minimax",
        "implicit",
    )
    c_by_phase: str = setting(
        "",
        "Three values of c, one for each third of the game, as in 0.3/0.5/0.7; the third follows from the root's ply "
        "and the usual length of the game (`Game.moves_ahead`). Empty: c throughout.",
    )
    uctk: float = setting(1.0, "Weight of exploration of formula=valkyria, in place of c: c = uctk / sqrt(5).", 0)
    c1: float = setting(math.sqrt(2), "Weight of what formula=ucb1_tuned adds to the variance.", 0)
    c2: float = setting(0.25, "Largest variance that formula=ucb1_tuned counts.", 0)
    epsilon: float = setting(0.5, "How often formula=epsilon_greedy selects a random child.", 0, 1)
    trust: int = setting(
        0, "A child's own score counts only after so many visits; children with fewer are tried before all others.", 0
    )
    prune: float = setting(
        0.1,
        "A child with a value below this is not selected any more once it has `prune_visits` visits, unless all "
        "children are like that.",
        0,
        1,
    )
    prune_visits: int = setting(0, "The visits from which on `prune` applies; 0: nothing is pruned.", 0)
    prune_margin: float = setting(
        0.0,
        "Above 0, `prune_visits` applies to another rule in place of `prune`: a child is not selected while its value "
        "+ prune_margin / sqrt(n) is below another's value - prune_margin / sqrt(n), n being the visits of each.",
        0,
    )
    plies: int = setting(0, "The depth of the tree; 0 for no limit.", 0)
    lcb_above: float = setting(
        1.0,
        "If the move that `final` chooses has a value above this, the one with the largest lower confidence bound is "
        "played instead.",
        0,
        1,
    )
    playouts: int = setting(
        1,
        "How many playouts begin at a leaf; they count as one visit, and their mean is its value. Called MCTS(x) where "
        "a leaf is expanded after a number of visits.",
        1,
    )
    mixture: float = setting(0.5, "The weight of the playouts in a mixture.", 0, 1)
    minimax: float = setting(0.8, "With backup=implicit: the weight of minimax values against means.", 0, 1)
    mean_weight: float = setting(
        100.0,
        "With backup=mean_to_minimax: the visits of a node at which its mean and its best child weigh the same.",
        LEAST,
    )
    proofs: bool = setting(
        True,
        "Whether nodes that are won, lost or drawn for certain are resolved. If not, the end of a game counts like any "
        "other result, as in the first papers, and what a game sees ahead of its end does not count. Not with rave.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.c_by_phase and self.formula in ("valkyria", "dailey", "epsilon_greedy"):
            raise ValueError(f"c_by_phase={self.c_by_phase}: formula={self.formula} has no c")
        if self.formula == "rave" and self.playout_share == 0:
            raise ValueError("formula=rave counts moves of playouts: leaf=evaluation has none")
        if self.formula == "rave" and not self.proofs:
            raise ValueError("proofs=no is not for formula=rave: add formula=ucb1")
        read_phases(self.c_by_phase)

    @property
    def playout_share(self) -> float:
        """The weight of playouts in the value of a leaf, 0 to 1."""
        return self.mixture if self.leaf == "mixture" else float(self.leaf != "evaluation")

    def make_method(self, game: Game) -> Any:
        """What a search of a game is compiled for: a formula alone, which is faster, or a `Method`.

        A formula alone does if `extras` is None, as for one playout a leaf and means. Raises ValueError as `check_for`.
        """
        self.check_for(game)
        formula, state = _BOUNDS[self.formula](self, game), game.state(game.initial())
        if self.extras(game) is None:
            return formula
        return Method(
            bound=formula,
            leaf=Leaf(self.playouts, np.float32(self.playout_share), state.copy()),
            backup=self._make_backup(state),
            trust=self.trust,
            prune=np.float32(self.prune),
            prune_visits=self.prune_visits,
            prune_margin=np.float32(self.prune_margin),
            proofs=self.proofs,
        )

    def _make_backup(self, state: np.ndarray) -> Any:
        if self.backup == "mean_to_minimax":
            return MeanToMinimax(np.float32(self.mean_weight))
        if self.backup == "implicit":
            return Implicit(np.float32(self.minimax), state)
        if self.backup == "minimax":
            # Where no playout is needed, a child has a value as soon as its parent is expanded, as in minimax search.
            return Implicit(np.float32(1), state) if self.playout_share == 0 else Minimax(0)
        return Mean(0)

    def check_for(self, game: Game) -> None:
        """Raises ValueError if a game lacks what a search with these settings needs."""
        if self.playout_share < 1 and not verbs.offers(game.kernel, verbs.evaluate):
            raise ValueError(f"leaf={self.leaf}: {game.name} has no evaluation; there is leaf=playout")
        if self.backup == "implicit" and not verbs.offers(game.kernel, verbs.evaluate, verbs.values):
            raise ValueError(f"backup=implicit: {game.name} has no evaluation; there is backup=mean_to_minimax")
        if self.formula == "rave" and not isinstance(game, AmafGame):
            raise ValueError(f"formula=rave: {game.name} keeps no AMAF counts")

    def extras(self, game: Game) -> tuple[str, ...] | None:
        """The extra arrays of a tree for a search of a game, see `wide_tree.py`; None if a formula alone is enough."""
        wanted = {
            "rest": self.playouts > 1 or self.playout_share < 1,
            "values": self.backup != "mean",
            "squares": self.formula == "ucb1_tuned",
            "amaf": self.formula == "rave" and bool(verbs.payload_is_position(game.kernel)),
        }
        extras = tuple(name for name, is_wanted in wanted.items() if is_wanted)
        is_plain = self.proofs and self.formula not in _BOUNDS_ONLY and self.trust == 0 and self.prune_visits == 0
        return None if is_plain and not extras else extras

    def node_bytes(self, game: Game) -> int:
        """The memory that a node takes, in bytes."""
        return super().node_bytes(game) + sum(np.dtype(EXTRAS[name]).itemsize for name in self.extras(game) or ())

    def at(self, method: Any, game: Game, position: Any) -> Any:
        """The method with the c for a position's phase of the game."""
        phases = read_phases(self.c_by_phase)
        return with_constant(method, phases[phase_of(game, position)]) if phases else method
