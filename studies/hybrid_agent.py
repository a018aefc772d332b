"""Minimax where there are search traps, UCT where there are none."""

import time
from collections.abc import Mapping
from typing import Any, ClassVar

from agents.agent import Agent, AgentError, register_agent
from agents.agent_options import Option, declare
from agents.alphabeta.frames import LONGEST
from agents.alphabeta.searcher import Searcher
from agents.evaluations import evaluation_option, kernel_with_evaluation
from agents.limits import Clock
from agents.minimax_agent import MinimaxAgent
from agents.time_control import Pacer
from game import Game
from options import DeclaredOption
from studies.forced_losses import trap_level
from studies.literature_agent import LiteratureAgent

DETECTION_SHARE = 0.25  # the largest share of a move's time or nodes for finding traps
TRAP_ENTRIES = 1 << 16  # of the table for finding traps: 1 MB


@register_agent("hybrid_agent")
class HybridAgent(Agent):
    """UCTMAX_H if no move of the position is a shallow search trap, else minimax to a great depth.

    Ramanujan & Selman, "Trade-Offs in Sampling-Based Adversarial Planning", 2011. A position counts as lying among
    traps if, after one of its moves, the opponent has a forced win within `level` plies. Alpha-beta with an empty
    window searches each move for it, with at most a quarter of the time or of the `nodes` for a move; traps that are
    not found by then are ignored. With `simulations`, this search is not counted.
    """

    default_options: ClassVar[Mapping[str, Option | DeclaredOption]] = declare(
        DeclaredOption("level", int, 3, 1, LONGEST, help="The level of the traps that are looked for, in plies."),
        DeclaredOption("depth", int, 16, 1, LONGEST, help="Plies that minimax looks ahead among traps (MM-16)."),
        DeclaredOption(
            "preset", str, "uctmax_h", help="The preset of literature_agent that plays where there are no traps."
        ),
        DeclaredOption("nodes", int, 0, 0, help="Positions to expand for a move, with those for traps; 0: any number."),
        DeclaredOption("simulations", int, 0, 0, help="Simulations of UCT for a move; 0: as many as time allows."),
        DeclaredOption("capacity", int, 0, 0, help="Nodes of its tree; 0: what the memory limit leaves."),
    )

    @classmethod
    def option_defaults(cls, game: Game) -> Mapping[str, Option | DeclaredOption]:
        """The options, with the choice of the game's evaluation, which both agents use."""
        return {**cls.default_options, **evaluation_option(game)}

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self.trap: int | None = None  # the level of the trap among the last moves, None without a trap
        self._kernel = kernel_with_evaluation(self.game, self.options)
        self._pacer = Pacer()
        self._detector: Any = None  # a `Searcher` from `setup` to `close`
        self._last: Agent | None = None
        self._looked = 0  # positions that the last search for traps expanded, if nodes are limited
        both = {name: str(self.options[name]) for name in ("nodes", "evaluation") if self.options.get(name)}
        tree = {name: str(self.options[name]) for name in ("preset", "simulations", "capacity")}
        self.minimax = self._made(MinimaxAgent, both | {"depth": str(self.options["depth"])})
        self.uct = self._made(LiteratureAgent, both | tree)

    def _made(self, agent_class: type[Agent], options: dict[str, str]) -> Agent:
        try:
            return agent_class(self.game, self.limits, self.seed, options)
        except AgentError as error:
            raise AgentError(f"hybrid_agent: {error}") from error

    def setup(self) -> None:
        """Set both agents up; the tree gets the memory that the tables leave."""
        self._detector = Searcher(self.game, TRAP_ENTRIES, self.seed, self._kernel)
        self.minimax.setup()
        self.uct.setup()

    def step(self, position: Any, clock: Clock) -> Any:
        """The move of the agent that suits the position."""
        if self._detector is None:
            self.setup()
        self.minimax.limits = self.uct.limits = self.limits  # the limits of this move
        nodes = int(self.options["nodes"])
        before = self._detector.expanded_in_all
        self.trap = self._trap_level(position, clock, nodes)
        self._last = self.minimax if self.trap is not None else self.uct
        self._looked = self._detector.expanded_in_all - before if nodes else 0
        if nodes:
            self._last.set_nodes(nodes - self._looked)
        return self._last.step(position, clock)

    def _trap_level(self, position: Any, clock: Clock, nodes: int) -> int | None:
        """See `trap_level`; with a share of the time or nodes, if these limit the move."""
        searcher, level = self._detector, int(self.options["level"])
        if nodes:
            return trap_level(searcher, position, level, expansions=int(DETECTION_SHARE * nodes))
        if self.options["simulations"]:
            return trap_level(searcher, position, level)
        whole, now = self._pacer.deadline(clock, self.limits), time.monotonic()
        deadline = now + DETECTION_SHARE * (whole - now)
        chunks = self._pacer.chunks(deadline, lambda: searcher.nodes_in_all)
        found = trap_level(searcher, position, level, chunks, deadline)
        self._pacer.answered()
        return found

    def analysis(self) -> dict[str, Any]:
        """See `Agent.analysis`: of the agent that chose the move; `expanded` includes the search for traps."""
        found = {} if self._last is None else self._last.analysis()
        return found | {"expanded": found["expanded"] + self._looked} if self._looked else found

    def close(self) -> None:
        """Free the tables and the tree."""
        self.minimax.close()
        self.uct.close()
        self._detector = None
