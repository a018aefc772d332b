"""A baseline without a tree: Monte Carlo search over the moves of a position, `agents/montecarlo/`."""

import time
from collections.abc import Iterable
from typing import Any, ClassVar

from agents.agent import Agent, register_agent
from agents.agent_options import declare
from agents.limits import Clock
from agents.montecarlo.sampler import Sampler, Spread
from agents.time_control import Pacer
from options import DeclaredOption


@register_agent("montecarlo_agent")
class MonteCarloAgent(Agent):
    """Random playouts after each move, spread evenly (MCS_pure) or by UCB1 (MCS_UCB).

    Tsan-sheng Hsu, "Monte-Carlo Game Tree Search: Basic Techniques", lecture slides: MCS_pure gives every move the same
    number of playouts; MCS_UCB(x, y) gives each move x, then, while time lasts, y to the move with the largest bound of
    UCB1, and plays the move with the largest share of wins, not the one tried most often.
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
        DeclaredOption(
            "simulations", int, 0, 0, help="Playouts for a move, whatever the clock says; 0: as many as time allows."
        ),
    )

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._pacer = Pacer()
        self._sampler: Sampler | None = None
        self._seconds: float | None = None

    def setup(self) -> None:
        """Allocate the arrays and compile, or load from the cache."""
        x, y, c = int(self.options["x"]), int(self.options["y"]), float(self.options["c"])
        spread = Spread(self.options["policy"] == "ucb", x, y, c)
        self._sampler = Sampler(self.game, spread, self.options["final"] == "wins", self.seed)
        self._sampler.sample(0)

    def step(self, position: Any, clock: Clock) -> Any:
        """A move that wins, or the best by playouts until their number or the time is over."""
        if self._sampler is None:
            self.setup()
        start, sampler = time.monotonic(), self._sampler
        assert sampler is not None
        sampler.begin(position)
        if sampler.is_undecided:
            for playouts in self._chunks(sampler, clock):
                sampler.sample(playouts)
        self._seconds = time.monotonic() - start
        move = sampler.move_at(sampler.best())
        self._pacer.answered()
        return move

    def _chunks(self, sampler: Sampler, clock: Clock) -> Iterable[int]:
        """How many playouts to make between two looks at the clock."""
        if simulations := int(self.options["simulations"]):
            return (simulations,)
        return self._pacer.chunks(self._pacer.deadline(clock, self.limits), lambda: sampler.playouts)

    def analysis(self) -> dict[str, Any]:
        """See `Agent.analysis`; `proven` as far as the game tells it of the moves themselves."""
        sampler = self._sampler
        if sampler is None or self._seconds is None:
            return {}
        best = sampler.best()
        return {
            "simulations": sampler.playouts,
            "playouts": sampler.playouts,
            "seconds": self._seconds,
            "value": sampler.score(best),
            "proven": sampler.proven,
            "pv": [self.game.format_move(sampler.move_at(best))],
            "depth_pv": 1,
        }

    def close(self) -> None:
        """Give the arrays back."""
        self._sampler = None
