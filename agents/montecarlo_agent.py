"""A baseline without a tree: Monte Carlo search over the moves of a position, `agents/best_first/flat.py`."""

from typing import ClassVar

from agents.agent import register_agent
from agents.agent_options import declare
from agents.baseline import Baseline, simulations_option
from agents.best_first.flat import FlatSearcher
from options import DeclaredOption


@register_agent("montecarlo_agent")
class MonteCarloAgent(Baseline):
    """Random playouts after each move, spread evenly (MCS_pure) or by UCB1 (MCS_UCB).

    Tsan-sheng Hsu, "Monte-Carlo Game Tree Search: Basic Techniques", lecture slides: MCS_pure gives every move the same
    number of playouts. MCS_UCB(x, y) gives each move x playouts; then, while time lasts, it gives y to the move with
    the largest bound of UCB1. It plays the move with the largest share of wins, not the one tried most often.
    """

    default_options: ClassVar = declare(
        DeclaredOption(
            "policy", str, "ucb", choices=("ucb", "pure"), help="How playouts are spread: MCS_UCB(x, y), or MCS_pure."
        ),
        DeclaredOption("x", int, 10, 1, help="With policy=ucb: playouts for each move at the start."),
        DeclaredOption(
            "y", int, 1, 1, help="With policy=ucb: playouts for the move with the largest bound, each time."
        ),
        DeclaredOption("c", float, 0.5, 0, help="With policy=ucb: the weight of exploration in the bound."),
        DeclaredOption(
            "final",
            str,
            "wins",
            choices=("wins", "score"),
            help="What is played: the largest share of wins (a draw is none), or the best mean score (a draw is half).",
        ),
        simulations_option("Playouts"),
    )

    def _new_searcher(self) -> FlatSearcher:
        x, y, c = int(self.options["x"]), int(self.options["y"]), float(self.options["c"])
        by_bound, by_wins = self.options["policy"] == "ucb", self.options["final"] == "wins"
        searcher = FlatSearcher(self.game, by_bound, x, y, c, by_wins, self.seed)
        searcher.begin(self.game.initial())
        searcher.run(0)
        searcher.position = None
        return searcher
