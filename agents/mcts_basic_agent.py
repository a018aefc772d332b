"""Monte Carlo tree search from before UCB: the tree grows at its best leaf. The search is in `agents/best_first/`."""

from typing import Any, ClassVar

from agents.agent import AgentError, register_agent
from agents.agent_options import declare
from agents.baseline import Baseline, simulations_option
from agents.best_first.searcher import UNLIMITED, Searcher
from agents.best_first.tree import NODE_BYTES
from agents.limits import Clock
from options import DeclaredOption

MOST_NODES = 1 << 22  # 218 MB; with ten playouts a node, far more than 2 s can fill
REPEATABLE_NODES = 1 << 20  # with a fixed number of simulations or positions: the memory that is left must not matter
FEWEST_NODES = 10_000
MOST_CAPACITY = 1 << 26


@register_agent("mcts_basic_agent")
class MctsBasicAgent(Baseline):
    """Best-first growth: expand the leaf of the principal variation by the minimax of means, with x playouts a child.

    The form is MCTS_basic(x) of Tsan-sheng Hsu's slides "Monte-Carlo Game Tree Search: Basic Techniques", after Coulom,
    "Efficient Selectivity and Backup Operators in Monte-Carlo Tree Search", 2006. Statistics are added upwards, so a
    mean is over all playouts below a node; there is no exploration beside the playouts. It plays a proved win if there
    is one, else the move with the best mean; a proved loss only if all moves are.
    """

    default_options: ClassVar = declare(
        DeclaredOption("x", int, 10, 1, help="Playouts for each new child."),
        simulations_option("Playouts"),
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

    def _new_searcher(self) -> Searcher:
        warm = Searcher(self.game, FEWEST_NODES, 1, self.seed)
        warm.search(self.game.initial(), (2,))
        warm.line()
        is_repeatable = self.options["simulations"] or self.options["nodes"]
        capacity = int(self.options["capacity"])
        if not capacity:
            most = REPEATABLE_NODES if is_repeatable else MOST_NODES
            capacity = min(most, self._room(FEWEST_NODES, NODE_BYTES, "a tree"))
        try:
            return Searcher(self.game, capacity, int(self.options["x"]), self.seed)
        except MemoryError as error:
            raise AgentError(f"{self.registered_name}: capacity={capacity}: {error}") from error

    def _search(self, position: Any, clock: Clock) -> None:
        self._searcher.search(position, self._chunks(clock), int(self.options["nodes"]) or UNLIMITED)
