"""How to search: the settings of a search, and the formulas by name."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from agents.uct.graph_policy import Policy
from agents.uct.rave import rave
from agents.uct.selection import ucb1
from game import Game

# What to do about an array that fills up long before the time is over.
_PLAYOUT_SHARES = {"evaluation": 0.0, "playout": 1.0, "mixture": 0.5}
MEMORY_POLICIES = ("stop", "pace", "recycle")

# Settings that belong together, by name; `recommended` leaves all as the game recommends it.
PRESETS: dict[str, dict[str, Any]] = {
    "recommended": {},
    "playouts": {"search": "tree", "formula": "ucb1", "c": 0.5, "memory": "recycle", "reuse": False, "book": False},
}


@dataclass(frozen=True)
class Settings:
    """How to search.

    Attributes:
        search: on a `tree` with playouts, or on a `graph` of positions with an evaluation; the settings below are of
            both but for those that say so.
        formula: how children are selected, a name of FORMULAS; `rave` is for games that keep AMAF counts.
        c: the formula's weight of exploration.
        equivalence, even: of `rave`, see there.
        expand_at: visits after which a leaf is expanded.
        memory: when the array is full, `stop` goes on without expansion (on a graph: ends the search) and `recycle`
            drops the half of the nodes that matters least; `pace` expands later, after more visits, so that the array
            lasts to the end (on a graph: as `recycle`).
        puct: of a graph: the weight of exploration.
        minimax: of a graph: the weight of minimax values against means, 0 to 1.
        temperature: of a graph: of the priors; the higher, the more alike they are.
        leaf: of a graph: what a new position is worth: its `evaluation`, one `playout`, or a `mixture` of both.
        mixture: the weight of the playout in a mixture, 0 to 1.
        stored: of a graph: the most children of a position that are stored before those are refuted.
        sweep: of a graph: visits after which all moves of a position are looked at one ply deeper; 0 for never.
        solve: of a graph: visits after which the game's solver is asked for a forced win; 0 for never.
        effort: of a graph: the positions that the solver may look at for each visit.
        transpositions: of a graph: whether positions that are reached again are searched once.
        final: the move is the child with most `visits` or with the best mean `value`.
        reuse: keep the subtree under the next position.
        stop: end when nothing can change the move any more: `proof`, by what is proved; `lead`, also when no other move
            can be visited as often as the first in what is left of the time (with `final=visits`).
        switches: values for fields of the game's kernel, which turn parts of its children and playouts on and off.
    """

    search: str = "tree"
    formula: str = "ucb1"
    c: float = 0.5
    equivalence: float = 3500.0
    even: float = 10.0
    expand_at: int = 1
    memory: str = "recycle"
    puct: float = 0.3
    minimax: float = 0.8
    temperature: float = 1.0
    leaf: str = "evaluation"
    mixture: float = 0.5
    stored: int = 32
    sweep: int = 100
    solve: int = 0
    effort: float = 0.25
    transpositions: bool = True
    final: str = "visits"
    reuse: bool = False
    stop: str = "proof"
    switches: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not (math.isfinite(self.c) and self.c >= 0):
            raise ValueError(f"c={self.c}: the exploration constant is a number from 0 on")
        for name, value, known in (
            ("search", self.search, ("tree", "graph")),
            ("formula", self.formula, tuple(FORMULAS)),
            ("leaf", self.leaf, tuple(_PLAYOUT_SHARES)),
            ("stop", self.stop, ("proof", "lead")),
            ("memory", self.memory, MEMORY_POLICIES),
            ("final", self.final, ("visits", "value")),
        ):
            if value not in known:
                raise ValueError(f"{name}={value}: there is {', '.join(known)}")
        for name, least in (("expand_at", 1), ("stored", 1), ("sweep", 0), ("solve", 0)):
            if getattr(self, name) < least:
                raise ValueError(f"{name}={getattr(self, name)}: a number from {least} on")
        for name in ("minimax", "mixture"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name}={getattr(self, name)}: a share from 0 to 1")
        if not (math.isfinite(self.effort) and self.effort >= 0):
            raise ValueError(f"effort={self.effort}: a number from 0 on")
        if not (math.isfinite(self.puct) and self.puct >= 0):
            raise ValueError(f"puct={self.puct}: the exploration constant is a number from 0 on")
        if not (math.isfinite(self.temperature) and self.temperature > 0):
            raise ValueError(f"temperature={self.temperature}: a number above 0")

    @classmethod
    def for_game(cls, game: Game, **chosen: Any) -> Self:
        """What a game recommends (`Game.search_defaults`), but for what is chosen: settings and the game's switches.

        Raises TypeError for names that are neither, ValueError for values that make no sense.
        """
        known = {*cls.__dataclass_fields__, *game.kernel._fields}
        recommended = {name: value for name, value in game.search_defaults.items() if name in known}
        values = recommended | chosen
        switches = {name: value for name, value in values.items() if name in {*recommended} & {*game.kernel._fields}}
        if wrong := [name for name, value in switches.items() if not isinstance(value, str) and not value >= 0]:
            raise ValueError(f"{wrong[0]}={switches[wrong[0]]}: a number from 0 on")
        return cls(**{name: value for name, value in values.items() if name not in switches}, switches=switches)

    @property
    def playouts(self) -> float:
        """The weight of a playout in the value of a graph's leaf, 0 to 1."""
        return _PLAYOUT_SHARES[self.leaf] if self.leaf != "mixture" else self.mixture

    def make_policy(self) -> Policy:
        """The numbers that a search on a graph wants."""
        return Policy(
            c=np.float32(self.puct),
            minimax=np.float32(self.minimax),
            sharpness=np.float32(1 / self.temperature),
            playouts=np.float32(self.playouts),
            expand_at=self.expand_at,
            stored=self.stored,
            sweep=self.sweep,
            solve_at=self.solve,
            effort=np.float32(self.effort),
            transpositions=self.transpositions,
        )

    def make_formula(self, game: Game) -> Any:
        """The formula with its parameters, for a search of a game. Raises ValueError."""
        return FORMULAS[self.formula](self, game)


# By name, each made from the settings and the game.
FORMULAS: dict[str, Callable[[Settings, Game], Any]] = {
    "ucb1": lambda settings, game: ucb1(settings.c),
    "rave": lambda settings, game: rave(settings.c, settings.equivalence, settings.even, game.amaf_moves),
}
