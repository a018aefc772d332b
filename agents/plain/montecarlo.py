"""Monte Carlo search without a tree below the root, in plain Python: playouts after each move."""

from typing import Any

from agents.montecarlo_agent import MonteCarloAgent
from agents.outcomes import Candidate
from agents.plain.baseline import PlainBaseline
from agents.plain.uct import Node
from agents.plain.uct_agent import Searcher


class FlatSearcher(Searcher):
    """Expands the root only, and spreads playouts over its moves by the options of `montecarlo_agent`.

    Attributes:
        options: those of `montecarlo_agent`.
        wins: for each child, how many playouts the player who moved to it has won.
    """

    def __init__(self, game: Any, seed: int, options: Any) -> None:
        super().__init__(game, seed, float(options["c"]))
        self.options = options

    def begin(self, position: Any) -> None:
        """Make an open position the root of a new tree."""
        super().begin(position)
        self.wins: dict[Node, float] = {}
        self._picked: list[Node] = []  # a child for each of the next playouts

    def keep(self, position: Any) -> bool:
        """Nothing is kept from one move to the next."""
        return False

    def simulate(self) -> None:
        """Make a playout after one of the open moves."""
        child = self.next_child()
        result = self.playout(child.position)
        self.wins[child] = self.wins.get(child, 0.0) + (result.value_for(child.chooser) == 1)
        self.back_up([self.root, child], result)

    def next_child(self) -> Node:
        """The open moves in turn (MCS_pure); or each x times, then the one with the largest bound, y times in a row."""
        moves = [child for child in self.root.children if child.result is None]
        fewest = min(moves, key=lambda child: child.visits)
        if self.options["policy"] == "pure" or fewest.visits < int(self.options["x"]):
            return fewest
        if not self._picked:
            best = max(moves, key=lambda child: self.bound(child, self.root.visits))
            self._picked = [best] * int(self.options["y"])
        return self._picked.pop()

    def candidate(self, child: Node) -> Candidate:
        """What a move is judged by: its share of wins and its mean score, in the order that `final` says."""
        wins = self.wins.get(child, 0.0) / max(1, child.visits)
        merit = (wins, child.mean) if self.options["final"] == "wins" else (child.mean, wins)
        return super().candidate(child)._replace(merit=merit)

    @property
    def figures(self) -> dict[str, Any]:
        """The number of playouts."""
        return {"simulations": self.playouts, "playouts": self.playouts}


class PlainMonteCarloAgent(PlainBaseline):
    """Random playouts after each move, spread evenly (MCS_pure) or by UCB1 (MCS_UCB), in plain Python."""

    registered_name = MonteCarloAgent.registered_name
    compiled_agent = MonteCarloAgent
    default_options = MonteCarloAgent.default_options

    def _new_searcher(self) -> FlatSearcher:
        searcher = FlatSearcher(self.game, self.seed, self.options)
        searcher.most_simulations = int(self.options["simulations"]) or searcher.most_simulations
        return searcher
