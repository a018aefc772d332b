"""UCT that proves wins and losses: the agent that the others have to beat. The search itself is in `agents/uct/`."""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

from agents.agent import RESIGN, Agent, AgentError, MoveReport, register_agent
from agents.agent_options import Option, declare
from agents.book import Book, BookEntry, move_to
from agents.limits import Clock
from agents.process_memory import peak_bytes
from agents.time_control import Pacer
from agents.uct.analysis import move_reports, principal_variation
from agents.uct.base import BaseSearcher
from agents.uct.compiling import Compiling, Unsearched
from agents.uct.memory import capacity_within, repeatable_capacity
from agents.uct.searchers import make_searcher, warm_up
from agents.uct.settings import SEARCHES, Settings, TreeSettings
from game import BookGame, Game, IllegalMove
from jit import NotKept, kept_code_only
from options import DeclaredOption, option_text

RESIGN_AFTER = 3  # own moves in a row that look lost: one may be a search that was cut short
MOST_REPLIES = 4  # of the opponent, with extra turns, between two own moves in a row
SETTLED = 0.95  # above this winning chance, a game may be ended as it stands
SETTLING_SECONDS = 0.3  # what a search of the move that ends it may take, on the largest board
SETTLING_VISITS = 500  # that the move which ends it must have; if it has fewer, it gets a search of its own


class Preset(NamedTuple):
    """Options that belong together, under one name.

    Attributes:
        meaning: a sentence, with the source.
        options: values of settings of the search, and of other options of the agent.
    """

    meaning: str
    options: Mapping[str, Any]


PRESETS = {
    "recommended": Preset("what the game recommends", {}),
    "playouts": Preset(
        "UCT with playouts on a tree, c = 0.5, with what the game recommends for children and playouts",
        {"search": "tree", "memory": "recycle", "reuse": False, "book": False}
        | {"formula": "ucb1", "c": 0.5, "leaf": "playout"},
    ),
}

# The options of the agent itself, not of its search.
_OWN = declare(
    DeclaredOption("simulations", int, 0, 0, help="Simulations for a move; 0: as many as the time allows."),
    DeclaredOption(
        "nodes",
        int,
        0,
        0,
        help="Nodes to expand for a move; 0: any number. With `simulations` as well, the first limit reached counts.",
    ),
    DeclaredOption(
        "capacity",
        int,
        0,
        0,
        help="How many positions fit; 0: as many as the memory that is left has room for, or, with `simulations` or "
        "`nodes`, a tenth of the limit.",
    ),
    DeclaredOption(
        "resign",
        float,
        0.0,
        0,
        help=f"Resign after {RESIGN_AFTER} own moves in a row with a winning chance below this; 0: never.",
    ),
    DeclaredOption(
        "settle", bool, True, help="End a game that is won as it stands, if the rules have a move for that (a pass)."
    ),
    DeclaredOption(
        "first",
        float,
        5.0,
        1,
        help="How many times a later move's time the first move may take, but at most half of what its clock has left.",
    ),
    DeclaredOption("book", bool, False, help="Play by the opening book, but not with simulations or nodes."),
)


def declared_options(
    searches: Mapping[str, type[Settings]], presets: Mapping[str, Preset]
) -> dict[str, Option | DeclaredOption]:
    """The options of an agent with these searches and presets."""
    kinds, known = tuple(searches), tuple(presets)
    names = declare(
        DeclaredOption(
            "preset", str, "recommended", help="Settings by name; what is given beside it counts.", choices=known
        ),
        DeclaredOption("search", str, kinds[0], help="What the search is on, see the options of each.", choices=kinds),
    )
    of_searches = {
        name: replace(option, choices=option.choices and _all_choices(searches, name))
        for kind in searches.values()
        for name, option in kind.declared().items()
    }
    return {**names, **of_searches, **_OWN}


def _all_choices(searches: Mapping[str, type[Settings]], name: str) -> tuple[str, ...]:
    """What an option may be in one search or another."""
    declared = (kind.declared().get(name) for kind in searches.values())
    return tuple(dict.fromkeys(choice for option in declared if option for choice in option.choices))


@register_agent("uct_agent")
class UctAgent(Agent):
    """UCT that proves wins and losses, on a tree with playouts or on a graph of positions with an evaluation.

    The switches of the game's kernel are options, too. If the game recommends a value, that is the default.
    """

    needs_compiled_rules = True
    searches: ClassVar[Mapping[str, type[Settings]]] = SEARCHES
    preset_options: ClassVar[Mapping[str, Preset]] = PRESETS
    default_options = declared_options(SEARCHES, PRESETS)
    presets: ClassVar[Mapping[str, str]] = {name: preset.meaning for name, preset in PRESETS.items()}

    @classmethod
    def option_defaults(cls, game: Game) -> dict[str, Option | DeclaredOption]:
        """The options for a game: with its own switches, and with the values that it recommends as defaults.

        Of an option that several searches have, default and meaning are those of the search that the game recommends.
        """
        found: dict[str, Option | DeclaredOption] = dict(cls.default_options)
        kind = game.search_defaults.get("search", TreeSettings.search)
        if kind in cls.searches:
            found |= {
                name: replace(recommended, choices=recommended.choices and _all_choices(cls.searches, name))
                for name, recommended in cls.searches[kind].declared().items()
            }
        for name, value in {"book": isinstance(game, BookGame), **game.search_defaults}.items():
            declared = found.get(name)
            if isinstance(declared, DeclaredOption):
                found[name] = replace(
                    declared, default=value if value in (declared.choices or (value,)) else declared.default
                )
            elif name in game.kernel._fields:
                found[name] = value
        return found

    @classmethod
    def option_documents(cls, game: Game) -> tuple[type, ...]:
        """The kernel's class, whose docstring explains the game's switches; the other options are declared."""
        return (type(game.kernel),)

    @classmethod
    def _meant(cls, game: Game, options: dict[str, str]) -> dict[str, str]:
        preset = cls.preset_options.get(options.get("preset", "recommended"))
        known = cls.option_defaults(game)  # a preset may name switches that this game does not have
        meant = {key: option_text(value) for key, value in (preset.options if preset else {}).items() if key in known}
        return meant | options

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._searcher: BaseSearcher | None = None
        self._pacer = Pacer()
        self._book: Book | None = None
        self._compiling: Compiling | None = None  # until the search is ready
        self._unsearched: Unsearched | None = None  # the last move, if no search has chosen it
        self._lost: list[Any] = []  # the positions after own moves in a row that looked lost
        chosen = {key: self.options[key] for key in self._given if key not in (*_OWN, "preset", "search")}
        try:
            self._settings = self.searches[str(self.options["search"])].for_game(self.game, **chosen)
            self.options |= {name: getattr(self._settings, name) for name in self._settings.declared()}
            self.game.kernel_with(**self._settings.switches)
        except ValueError as error:
            raise AgentError(f"{self.registered_name}: {error}") from error

    def setup(self) -> None:
        """Load (or compile) the kernels and the book, then take the memory that is left for the tree."""
        fitting = repeatable_capacity if self._has_fixed_budget else capacity_within
        try:
            self.game.settling_move(self.game.initial())  # all that `step` calls is compiled now: it takes memory
            warm_up(self.game, self.game.initial(), self._settings).shape()
            # The limit's MB are 2^20 bytes: counting them as 10^6 stays a twentieth below it.
            if self.options["book"] and isinstance(self.game, BookGame):
                self._book = Book.read(self.game, self.game.book)
                self._book.find(self.game.initial())
            each = self._settings.node_bytes(self.game)
            capacity = int(self.options["capacity"]) or fitting(self.limits.memory_mb * 1_000_000, each)
            self._searcher = make_searcher(self.game, capacity, self.seed, self._settings, self._pacer)
        except (ValueError, MemoryError, OSError) as error:
            raise AgentError(f"{self.registered_name}: {error}") from error

    def setup_on_clock(self) -> None:
        """As `setup`, but if the search has to be compiled first, moves are made before it is: `agents.uct.compiling`.

        With a fixed number of simulations or nodes the clock does not count, and this is `setup`.
        """
        if self._has_fixed_budget:
            self.setup()
            return
        try:
            with kept_code_only():
                self.setup()
        except NotKept:
            self._compiling = Compiling(self.game, self._settings, self.rng, self.setup)

    @property
    def _has_fixed_budget(self) -> bool:
        """Whether a number of simulations or nodes ends a search, whatever the clock says."""
        return bool(self.options["simulations"] or self.options["nodes"])

    def _ready_searcher(self) -> BaseSearcher:
        if self._searcher is None:
            self.setup()
        assert self._searcher is not None
        return self._searcher

    def step(self, position: Any, clock: Clock) -> Any:
        """The book's move, else the best move of a search, which ends when it is settled or its time is over.

        Instead it may return RESIGN, or a move that ends a won game. While the search is still being compiled, the move
        comes from a look two plies ahead.
        """
        self._unsearched = None if self._compiling is None else self._compiling.look(position, clock)
        if self._unsearched is not None:
            return self._unsearched.move
        self._compiling = None
        searcher = self._ready_searcher()
        while self._lost and not _is_next_turn(self._lost[-1], position):  # taken back, or of another game
            self._lost.pop()
        first = float(self.options["first"])
        deadline = None if self._has_fixed_budget else self._pacer.deadline(clock, self.limits, first)
        start = time.monotonic()
        self._unsearched = None if deadline is None else self._book_move(position, deadline - start)
        if self._unsearched is not None:
            self._pacer.skip(time.monotonic() - start)
            self._pacer.answered()
            return self._unsearched.move
        searcher.advance(position)
        if deadline is None:
            searcher.search(
                simulations=int(self.options["simulations"]) or None, nodes=int(self.options["nodes"]) or None
            )
        else:
            # A safe lead ends the search only if the time that is saved can be used later.
            searcher.search(deadline=deadline, to_the_end=not self.limits.clock_seconds)
        move, value = searcher.best_move(), searcher.value
        self._pacer.answered()
        if value >= float(self.options["resign"]):
            self._lost.clear()
        else:
            self._lost.append(position.play(move))
        if len(self._lost) >= RESIGN_AFTER:
            return RESIGN
        has_time = self._has_fixed_budget or clock.remaining > SETTLING_SECONDS
        return self._settling_move(searcher, move) if has_time and value > SETTLED else move

    def _book_move(self, position: Any, seconds: float) -> Unsearched | None:
        """One of the book's moves, drawn at random, if the book searched the position for at least so many seconds."""
        book = self._book
        entry = None if book is None else book.find(position)
        if book is None or entry is None or entry.seconds < seconds:
            return None
        move = move_to(self.game, position, self.rng.choice(entry.moves))
        return None if move is None else Unsearched(move, lambda: self._book_analysis(book, entry, position, move))

    def _book_analysis(self, book: Book, entry: BookEntry, position: Any, move: Any) -> dict[str, Any]:
        pv = [self.game.format_move(following) for following in book.line(position, move)]
        said: dict[str, Any] = {"simulations": 0, "playouts": 0, "seconds": 0.0, "peak_rss_mb": peak_bytes() / 2**20}
        said |= {"value": entry.value, "proven": entry.proven, "book_seconds": entry.seconds}
        return said | {"pv": pv, "depth_pv": len(pv)}

    def _settling_move(self, searcher: BaseSearcher, otherwise: Any) -> Any:
        """A move that ends the game as it stands, if that is wanted and wins by a search; else the move `otherwise`.

        It takes the place of a proved win only if all simulations after it win.
        """
        move = self.game.settling_move(searcher.position) if self.options["settle"] else None
        if move is None:
            return otherwise
        value = searcher.value_of_move(move, SETTLING_VISITS)
        return move if value == 1 or (value > SETTLED and searcher.proven is None) else otherwise

    def study(self, position: Any, seconds: float) -> list[MoveReport]:
        """Search a position for that long; returns each move that was visited or is proved, the one to play first.

        If the arrays are full and have to be freed, it takes some tenths of a second longer.
        """
        end = time.monotonic() + seconds
        if self._compiling is not None and (reports := self._compiling.study(position, seconds)) is not None:
            return reports
        self._compiling = None
        searcher = self._ready_searcher()
        if searcher.position is not position:
            searcher.advance(position)
        searcher.search(seconds=max(0.0, end - time.monotonic()), for_value=True)
        reports = move_reports(searcher)
        time.sleep(max(0.0, end - time.monotonic()))  # the search may have ended early
        return reports

    def ownership(self) -> Any:
        """Who owned each point in the playouts of the last search; None before it, or without MC-RAVE."""
        return None if self._searcher is None else self._searcher.ownership()

    def analysis(self) -> dict[str, Any]:
        """Figures of the last move, see `Agent.analysis`; empty before the first."""
        searcher = self._searcher
        if self._unsearched is not None:
            return self._unsearched.analysis()
        if searcher is None or searcher.position is None:
            return {}
        shape, pv = searcher.shape(), principal_variation(searcher)
        return {
            "simulations": searcher.simulations,
            "playouts": searcher.playouts,
            "expanded": searcher.expanded,
            "nodes": shape.nodes,
            "capacity": searcher.capacity,
            "node_bytes": self._settings.node_bytes(self.game),
            "seconds": searcher.seconds,
            "peak_rss_mb": peak_bytes() / 2**20,
            "value": searcher.value,
            "proven": searcher.proven,
            "pv": pv,
            "depth_max": shape.depth_max,
            "depth_mean": shape.depth_mean,
            "depth_pv": len(pv),
            "branching_mean": shape.branching_mean,
        }

    def close(self) -> None:
        """Give the memory of the search back."""
        if self._compiling is not None:
            self._compiling.close()
        self._searcher = self._book = self._compiling = None


def _is_next_turn(after: Any, position: Any) -> bool:
    """Whether `position` may be the next turn of the player who moved to `after`.

    That is so if both are the same position (an extra turn), or if at most MOST_REPLIES moves of the opponent lead from
    one to the other.
    """
    plies = position.ply - after.ply
    if after.to_move == position.to_move or not 0 < plies <= MOST_REPLIES:
        return bool(plies == 0 and after == position)
    is_known = plies == 1 and position.last_move is not None
    moves = (position.last_move,) if is_known else after.legal_moves()
    try:
        return any(_is_next_turn(after.play(move), position) for move in moves)
    except IllegalMove:
        return False
