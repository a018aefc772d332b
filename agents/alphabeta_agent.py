"""The third baseline: iterative deepening alpha-beta on a static evaluation. The search is in `agents/alphabeta/`."""

from collections.abc import Mapping
from typing import Any, ClassVar

from agents.agent import Agent, AgentError, register_agent
from agents.agent_options import Option, declare
from agents.alphabeta.frames import LONGEST
from agents.alphabeta.searcher import Searcher
from agents.alphabeta.table import ENTRY_BYTES, clear
from agents.evaluations import evaluation_option, kernel_with_evaluation
from agents.limits import Clock
from agents.process_memory import room_within
from agents.time_control import Pacer
from game import Game
from options import DeclaredOption

# Of the table. A move of 2 s in Pentago writes some 40,000; in a game with few moves, most positions are written.
MOST_ENTRIES = 1 << 22  # 64 MB
FEWEST_ENTRIES = 1 << 10
REPEATABLE_ENTRIES = 1 << 20  # with a fixed depth, where it is emptied before each move: 16 MB in some milliseconds

TABLE = DeclaredOption("table", bool, True, help="A transposition table; without one it only looks at more positions.")


@register_agent("alphabeta_agent")
class AlphaBetaAgent(Agent):
    """Principal variation search with a transposition table, on the game's own static evaluation."""

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
        """With the choice of the game's evaluation."""
        return {**cls.default_options, **evaluation_option(game)}

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._depth = int(self.options["depth"])
        self._kernel = kernel_with_evaluation(self.game, self.options)
        self._searcher: Searcher | None = None
        self._pacer = Pacer()

    @property
    def _is_repeatable(self) -> bool:
        """Whether a move is to depend on nothing but the options and the seed."""
        return self._depth > 0

    def setup(self) -> None:
        """Load (or compile) the search by a short one, then take memory for the table."""
        warm = Searcher(self.game, FEWEST_ENTRIES, kernel=self._kernel)
        warm.search(self.game.initial(), depth=2)
        warm.principal_variation()
        try:
            room = room_within(self.limits.memory_mb * 1_000_000, FEWEST_ENTRIES * ENTRY_BYTES, "a table")
        except (MemoryError, OSError) as error:
            raise AgentError(f"{self.registered_name}: {error}") from error
        wanted = REPEATABLE_ENTRIES if self._is_repeatable else MOST_ENTRIES
        entries = min(wanted, room // ENTRY_BYTES) if self.options["table"] else 0
        self._searcher = Searcher(self.game, entries, self.seed, self._kernel)

    def step(self, position: Any, clock: Clock) -> Any:
        """The best move found by a search to the depth asked for, or until the time is over."""
        if self._searcher is None:
            self.setup()
        searcher = self._searcher
        assert searcher is not None
        if self._is_repeatable:
            clear(searcher.table)  # what an earlier move knew would look further ahead than asked for
        self._search(searcher, position, clock)
        move = searcher.best_move()
        self._pacer.answered()
        return move

    def _search(self, searcher: Searcher, position: Any, clock: Clock) -> None:
        if self._depth:
            searcher.search(position, self._depth)
        else:
            deadline = self._pacer.deadline(clock, self.limits)
            searcher.search(position, chunks=self._pacer.chunks(deadline, lambda: searcher.nodes))

    def analysis(self) -> dict[str, Any]:
        """See `Agent.analysis`; `nodes` are positions looked at, `depth_max` the plies that were searched in full."""
        searcher = self._searcher
        if searcher is None or searcher.position is None:
            return {}
        pv = searcher.principal_variation()
        return {
            "nodes": searcher.nodes,
            "expanded": searcher.expanded,
            "seconds": searcher.seconds,
            "value": searcher.chance,
            "proven": searcher.proven,
            "pv": pv,
            "depth_max": searcher.depth,
            "depth_pv": len(pv),
        }

    def close(self) -> None:
        """Give the table back."""
        self._searcher = None
