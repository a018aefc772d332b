"""How to search: the settings of a search, and the formulas by name."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from agents.uct.rave import rave
from agents.uct.selection import ucb1
from game import Game

# What to do about an array that fills up long before the time is over.
MEMORY_POLICIES = ("stop", "pace", "recycle")


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
