"""Monte Carlo tree search before UCB: the tree grows at its best leaf. The search is in `agents/best_first/`."""

from collections.abc import Iterable
from typing import Any, ClassVar

from agents.agent import Agent, AgentError, register_agent
from agents.agent_options import declare
from agents.best_first.searcher import UNLIMITED, Searcher
from agents.best_first.tree import NODE_BYTES
from agents.limits import Clock
from agents.process_memory import room_within
from agents.time_control import Pacer
from options import DeclaredOption

MOST_NODES = 1 << 22  # 218 MB; at ten playouts a node, far more than 2 s can fill
REPEATABLE_NODES = 1 << 20  # with a number of simulations or positions: the memory that is left must not matter
FEWEST_NODES = 10_000
MOST_CAPACITY = 1 << 26  # as many as a node can number


@register_agent("mcts_basic_agent")
class MctsBasicAgent(Agent):
    """Best-first growth: expand the leaf of the principal variation by the minimax of means, with x playouts a child.

    The form is MCTS_basic(x) of Tsan-sheng Hsu's slides "Monte-Carlo Game Tree Search: Basic Techniques", after Coulom,
    "Efficient Selectivity and Backup Operators in Monte-Carlo Tree Search", 2006. Statistics are added upwards, so a
    mean is over all playouts below a node; nothing explores but the playouts. It plays the move with the best mean, but
    a proved win before all, and a proved loss only where all are.
    """

    default_options: ClassVar = declare(
        DeclaredOption("x", int, 10, 1, help="Playouts for each new child."),
        DeclaredOption(
            "simulations", int, 0, 0, help="Playouts for a move, whatever the clock says; 0: as many as time allows."
        ),
        DeclaredOption("nodes", int, 0, 0, help="Positions to expand for a move at most, the root among them; 0: any."),
        DeclaredOption(
            "capacity",
            int,
            0,
            0,
            MOST_CAPACITY,
            help="Nodes of the tree; 0: what the memory limit leaves, within reason.",
        ),
    )

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._simulations = int(self.options["simulations"])
        self._pacer = Pacer()
        self._searcher: Searcher | None = None

    def setup(self) -> None:
        """Load (or compile) the search by a short one, then take memory for the tree."""
        warm = Searcher(self.game, FEWEST_NODES, 1, self.seed)
        warm.search(self.game.initial(), (2,))
        warm.line()
        capacity = self._capacity()
        try:
            self._searcher = Searcher(self.game, capacity, int(self.options["x"]), self.seed)
        except MemoryError as error:
            raise AgentError(f"{self.registered_name}: capacity={capacity}: {error}") from error

    def _capacity(self) -> int:
        if capacity := int(self.options["capacity"]):
            return capacity
        most = REPEATABLE_NODES if self._simulations or self.options["nodes"] else MOST_NODES
        try:
            room = room_within(self.limits.memory_mb * 1_000_000, FEWEST_NODES * NODE_BYTES, "a tree")
        except (MemoryError, OSError) as error:
            raise AgentError(f"{self.registered_name}: {error}") from error
        return min(most, room // NODE_BYTES)

    def step(self, position: Any, clock: Clock) -> Any:
        """The move with the best mean once the playouts, the expansions or the time are used up."""
        if self._searcher is None:
            self.setup()
        searcher = self._searcher
        assert searcher is not None
        searcher.search(position, self._chunks(searcher, clock), int(self.options["nodes"]) or UNLIMITED)
        move = searcher.best_move()
        self._pacer.answered()
        return move

    def _chunks(self, searcher: Searcher, clock: Clock) -> Iterable[int]:
        """How many playouts to make between two looks at the clock."""
        if self._simulations:
            return (self._simulations,)
        return self._pacer.chunks(self._pacer.deadline(clock, self.limits), lambda: searcher.playouts)

    def analysis(self) -> dict[str, Any]:
        """See `Agent.analysis`; `proven` as far as the tree has come to the end of the game."""
        searcher = self._searcher
        if searcher is None or searcher.position is None:
            return {}
        pv = [self.game.format_move(move) for move in searcher.line()]
        return {
            "simulations": searcher.playouts,
            "playouts": searcher.playouts,
            "nodes": searcher.stored,
            "expanded": searcher.expanded,
            "capacity": searcher.capacity,
            "node_bytes": NODE_BYTES,
            "seconds": searcher.seconds,
            "value": searcher.value,
            "proven": searcher.proven,
            "pv": pv,
            "depth_pv": len(pv),
        }

    def close(self) -> None:
        """Give the tree back."""
        self._searcher = None
