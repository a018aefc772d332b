"""The third baseline: iterative deepening alpha-beta on a static evaluation. The search is in `agents/alphabeta/`."""

from collections.abc import Mapping
from typing import Any, ClassVar

from agents.agent import register_agent
from agents.agent_options import Option, declare
from agents.alphabeta.frames import LONGEST
from agents.alphabeta.searcher import Searcher
from agents.alphabeta.table import ENTRY_BYTES, clear
from agents.baseline import Baseline
from agents.evaluations import evaluation_option, kernel_with_evaluation
from agents.limits import Clock
from game import Game
from options import DeclaredOption

# Entries of the table. A move of 2 s in Pentago writes some 40,000; in a game with few moves, it writes most positions.
MOST_ENTRIES = 1 << 22  # 64 MB
FEWEST_ENTRIES = 1 << 10
REPEATABLE_ENTRIES = 1 << 20  # with a fixed depth or number of nodes: emptied before each move, 16 MB in milliseconds

TABLE = DeclaredOption("table", bool, True, help="A transposition table; without one it only looks at more positions.")


@register_agent("alphabeta_agent")
class AlphaBetaAgent(Baseline):
    """Principal variation search with a transposition table, on the game's own static evaluation."""

    _is_timed = False  # whether the time ends a search to a fixed depth, too
    default_options: ClassVar[Mapping[str, Option | DeclaredOption]] = declare(
        DeclaredOption(
            "depth",
            int,
            0,
            0,
            LONGEST,
            help="Plies to look ahead, whatever the clock says; 0: as far as the time allows.",
        ),
        TABLE,
    )

    @classmethod
    def option_defaults(cls, game: Game) -> Mapping[str, Option | DeclaredOption]:
        """The options for a game, with the choice of its evaluation."""
        return {**cls.default_options, **evaluation_option(game)}

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._depth = int(self.options["depth"])
        self._kernel = kernel_with_evaluation(self.game, self.options)

    @property
    def _is_repeatable(self) -> bool:
        """Whether a move should depend only on the options and the seed."""
        return self._depth > 0 or int(self.options.get("nodes", 0)) > 0

    def _new_searcher(self) -> Searcher:
        warm = Searcher(self.game, FEWEST_ENTRIES, kernel=self._kernel)
        warm.search(self.game.initial(), depth=2)
        warm.line()
        room = self._room(FEWEST_ENTRIES, ENTRY_BYTES, "a table")
        wanted = REPEATABLE_ENTRIES if self._is_repeatable else MOST_ENTRIES
        return Searcher(self.game, min(wanted, room) if self.options["table"] else 0, self.seed, self._kernel)

    def _search(self, position: Any, clock: Clock) -> None:
        searcher = self._searcher
        if self._is_repeatable:
            clear(searcher.table)  # entries of earlier moves would look further ahead than asked for
        depth, nodes = self._depth or LONGEST, int(self.options.get("nodes", 0))
        if nodes:
            searcher.search(position, depth, expansions=nodes)
        elif self._depth and not self._is_timed:
            searcher.search(position, depth)
        else:
            searcher.search(position, depth, self._timed_chunks(clock))
