"""How to search: the settings of every search, those of one on a tree, and those of one on a graph.

A setting is declared where it stands: its default, what it may be, and what it means. The options of `uct_agent` are
these declarations.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Self

import numpy as np

import game as verbs
from agents.uct.graph import BYTES_A_NODE, require_graph
from agents.uct.graph_policy import Policy
from agents.uct.rave import MixedRave, rave
from agents.uct.selection import EvaluatedUCB1, ucb1
from agents.uct.tree import NODE_BYTES
from game import AmafGame, Game
from options import DeclaredOption, OptionError, option_text

LEAST = 1e-6  # the least value of a setting that has to be above 0

# For each name, the function that makes the formula from the settings and the game.
FORMULAS: dict[str, Callable[[Any, Any], Any]] = {
    "ucb1": lambda settings, game: ucb1(settings.c),
    "rave": lambda settings, game: rave(
        settings.c, settings.equivalence, settings.even, game.amaf_moves, settings.mixture
    ),
}


def setting(default: Any, meaning: str, least: float | None = None, most: float | None = None, *choices: str) -> Any:
    """A field of settings, with its default, its meaning, and its range or choices."""
    declared = DeclaredOption("", type(default), default, least, most, help=meaning, choices=choices)
    return field(default=default, metadata={"declared": declared})


def choice(meaning: str, *choices: str) -> Any:
    """A field of settings that is one of these names; the first is the default."""
    return setting(choices[0], meaning, None, None, *choices)


@dataclass(frozen=True)
class Settings:
    """How to search: the settings that a tree and a graph have in common.

    Attributes: switches: values for fields of the game's kernel, which turn parts of its children and playouts on and
    off. The other fields are declared with their meaning.
    """

    search: ClassVar[str] = ""  # its name

    expand_at: int = setting(1, "Visits after which a leaf is expanded.", 1)
    memory: str = choice(
        "When the array is full, `recycle` drops the half of the nodes that matters least, and `stop` goes on without "
        "expansion (on a graph: ends the search).",
        "recycle",
        "stop",
    )
    final: str = choice(
        "The move is the child with most `visits`, with the best `value`, or with the largest lower confidence bound "
        "`lcb`, value - lcb sqrt(ln N / n); proofs come before all of these.",
        "visits",
        "value",
        "lcb",
    )
    lcb: float = setting(1.0, "With final=lcb: the weight of what is subtracted from the value.", 0)
    draw_value: float = setting(
        0.5,
        "What a proved draw counts when the move is chosen: it is played unless an open move is worth more, which may "
        "lose; with 1 every proved draw is taken.",
        0,
        1,
    )
    reuse: bool = setting(False, "Keep what is known of the next position.")
    stop: str = choice(
        "End when nothing can change the move any more: `proof`, by what is proved; `lead`, also when no other move "
        "can be visited as often as the first in the time that is left (with final=visits).",
        "proof",
        "lead",
    )
    switches: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, declared in self.declared().items():
            try:
                declared.check(getattr(self, name))
            except OptionError as error:
                raise ValueError(f"search={self.search}: {error}") from error

    @classmethod
    def declared(cls) -> dict[str, DeclaredOption]:
        """What may be set, by name."""
        return {f.name: replace(f.metadata["declared"], name=f.name) for f in fields(cls) if "declared" in f.metadata}

    @classmethod
    def for_game(cls, game: Game, **chosen: Any) -> Self:
        """The settings and switches that are chosen, and for the others what the game recommends (`search_defaults`).

        The `c` that a game recommends counts only with the formula that it recommends. Called on `Settings` itself,
        `search` may be chosen, too: "tree" or "graph". Raises TypeError for a name that no search has; ValueError for a
        value that makes no sense, for a setting of another search, and if the game lacks what the search needs.
        """
        recommended = game.search_defaults
        if not cls.search:
            name = chosen.pop("search", recommended.get("search", TreeSettings.search))
            if name not in SEARCHES:
                raise ValueError(f"search={name}: there is {', '.join(SEARCHES)}")
            return SEARCHES[name].for_game(game, **chosen)  # type: ignore[return-value]
        known, of_kernel = cls.declared(), {*recommended} & {*game.kernel._fields}
        for name in sorted(chosen.keys() - known.keys() - of_kernel):
            cls._refuse(name, chosen[name])
        if "formula" in chosen and chosen["formula"] != recommended.get("formula", known["formula"].default):
            recommended = {name: value for name, value in recommended.items() if name != "c"}
        values = {name: value for name, value in {**recommended, **chosen}.items() if name in known}
        switches = {name: value for name, value in {**recommended, **chosen}.items() if name in of_kernel}
        for name, value in switches.items():
            if not isinstance(value, str) and not value >= 0:
                raise ValueError(f"{name}={value}: a number from 0 on")
        settings = cls(**values, switches=switches)
        settings.check_for(game)
        return settings

    @classmethod
    def _refuse(cls, name: str, value: Any) -> None:
        """Raises ValueError for a setting of another search, TypeError for a name that no search has."""
        for other in SEARCHES.values():
            if name in other.declared():
                text = option_text(value)
                raise ValueError(f"{name}={text} is for search={other.search}, not for search={cls.search}")
        raise TypeError(f"no search has a setting {name!r}")

    def check_for(self, game: Game) -> None:
        """Raises ValueError if a game lacks what the search needs."""
        raise NotImplementedError

    def node_bytes(self, game: Game) -> int:
        """The memory in bytes that a search of a game takes for each position of its capacity."""
        raise NotImplementedError


@dataclass(frozen=True)
class TreeSettings(Settings):
    """How to search on a tree, with playouts. The formulas and their sources: `selection.py`, `rave.py`."""

    search: ClassVar[str] = "tree"

    formula: str = choice("How children are selected; `rave` is for Go.", *FORMULAS)
    c: float = setting(0.5, "The formula's weight of exploration.", 0)
    equivalence: float = setting(
        3500.0, "With formula=rave: simulations that outweigh any number of AMAF counts.", LEAST
    )
    even: float = setting(10.0, "With formula=rave: simulations of value 1/2 that every child is given.", 0)
    leaf: str = choice(
        "What a new position is worth: a `playout`, or its `evaluation`.", "auto", "playout", "evaluation"
    )
    mixture: float = setting(
        1.0,
        "With formula=rave and leaf=auto: the weight of the playout in what a new position is worth; the rest is its "
        "evaluation's.",
        0,
        1,
    )

    def make_method(self, game: Game) -> Any:
        """The formula and its parameters, for which the search is compiled. Raises ValueError as `check_for`."""
        self.check_for(game)
        formula = FORMULAS[self.formula](self, game)
        if self.leaf == "evaluation":
            return EvaluatedUCB1(*formula)
        return MixedRave(*formula) if self._mixes else formula

    @property
    def _mixes(self) -> bool:
        return self.formula == "rave" and self.leaf == "auto" and self.mixture < 1

    def check_for(self, game: Game) -> None:
        """Raises ValueError if a game lacks the evaluation or the AMAF counts needed, or if settings do not agree."""
        if (self.leaf == "evaluation" or self._mixes) and not verbs.offers(game.kernel, verbs.evaluate):
            asked = f"mixture={self.mixture:g}" if self._mixes else f"leaf={self.leaf}"
            raise ValueError(f"{asked}: {game.title} has no evaluation; there is leaf=playout")
        if self.leaf == "evaluation" and self.formula != "ucb1":
            raise ValueError(f"leaf=evaluation is not for formula={self.formula}: add formula=ucb1")
        if self.formula == "rave" and not isinstance(game, AmafGame):
            raise ValueError(f"formula=rave: {game.title} keeps no AMAF counts")
        if self.formula == "rave" and verbs.payload_is_position(game.kernel):
            raise ValueError(f"formula=rave: the nodes of {game.title} have no room for AMAF counts")

    def node_bytes(self, game: Game) -> int:
        """The bytes of a node, in every game."""
        return NODE_BYTES


@dataclass(frozen=True)
class GraphSettings(Settings):
    """How to search on a graph of positions, with implicit minimax backup. See `graph_search.py` for the formula."""

    search: ClassVar[str] = "graph"

    puct: float = setting(0.3, "The weight of exploration.", 0)
    minimax: float = setting(0.8, "The weight of minimax values against means.", 0, 1)
    temperature: float = setting(1.0, "Of the priors: the higher, the more alike they are.", LEAST)
    leaf: str = choice(
        "What a new position is worth: its `evaluation`, a `playout`, or a `mixture` of both.",
        "auto",
        "evaluation",
        "playout",
        "mixture",
    )
    mixture: float = setting(0.5, "The weight of the playout in a mixture.", 0, 1)
    stored: int = setting(32, "The most children of a position that are stored before those are refuted.", 1)
    solve: int = setting(0, "Visits after which the game's solver is asked for a forced win; 0 for never.", 0)
    effort: float = setting(0.25, "The positions that the solver may look at for each visit.", 0)
    transpositions: bool = setting(True, "Whether positions that are reached again are searched once.")

    @property
    def playout_share(self) -> float:
        """The weight of playouts in the value of a leaf, 0 to 1."""
        return self.mixture if self.leaf == "mixture" else float(self.leaf == "playout")

    def make_policy(self) -> Policy:
        """The settings as the numbers that compiled code reads."""
        return Policy(
            c=np.float32(self.puct),
            minimax=np.float32(self.minimax),
            playouts=np.float32(self.playout_share),
            expand_at=self.expand_at,
            stored=self.stored,
            solve_at=self.solve,
            effort=np.float32(self.effort),
            transpositions=self.transpositions,
        )

    def check_for(self, game: Game) -> None:
        """Raises ValueError if the positions of a game cannot be nodes."""
        require_graph(game)

    def node_bytes(self, game: Game) -> int:
        """The bytes of a position with its moves, in every game."""
        return BYTES_A_NODE


SEARCHES: dict[str, type[Settings]] = {kind.search: kind for kind in (TreeSettings, GraphSettings)}
