"""What the agents in plain Python share: they can look at the clock between any two moves that a search tries."""

import time
from itertools import repeat
from typing import Any, ClassVar

from agents.agent import Agent, AgentError
from agents.baseline import Baseline
from agents.limits import Clock
from agents.plain.ticker import Ticker, deadline_with_rules
from game import Game

UNTIMED = 1000  # moves that are tried between two looks if no clock ends the search
SETUP_SHARE, MOST_SETUP_SECONDS = 0.1, 0.3  # for measuring the rules: a share of the first move's time, and the most


class PlainBaseline(Baseline):
    """A baseline whose searcher has `search(position, tick)`, see `Ticker`, in place of `search(position, chunks)`.

    Raises AgentError for an option that only has a meaning with compiled rules.

    Attributes:
        compiled_agent: the agent that plays under the same name if there are compiled rules.
        is_timed: whether the clock ends a search with a fixed number of simulations or nodes, too.
    """

    needs_compiled_rules = False
    compiled_agent: ClassVar[type[Agent]]
    is_timed = False

    @classmethod
    def _meant(cls, game: Game, options: dict[str, str]) -> dict[str, str]:
        for option in sorted(set(options) - set(cls.default_options)):
            if option in cls.compiled_agent.default_options:
                raise AgentError(
                    f"{cls.registered_name}: {option} is for games with compiled rules; for a game in plain Python "
                    f"there are {', '.join(cls.default_options)}"
                )
        return options

    def setup(self) -> None:
        """Make the searcher, and measure how long the game's rules take in a short search, which is then forgotten."""
        super().setup()
        if not self._has_fixed_budget:
            self._pacer.deadline(Clock(self.limits.move_seconds), self.limits)
            seconds = min(MOST_SETUP_SECONDS, SETUP_SHARE * self.limits.first_move_seconds)
            self._searcher.search(self.game.initial(), self._ticker(time.monotonic() + seconds))
            self._pacer.answered()
            super().setup()

    @property
    def _has_fixed_budget(self) -> bool:
        """Whether a number of simulations or nodes ends a search, whatever the clock says."""
        return not self.is_timed and any(self.options.get(name) for name in ("simulations", "nodes"))

    def _search(self, position: Any, clock: Clock) -> None:
        deadline = None if self._has_fixed_budget else deadline_with_rules(self._pacer, clock, self.limits)
        self._searcher.search(position, self._ticker(deadline))

    def _ticker(self, deadline: float | None) -> Ticker:
        """A ticker that ends a search at a time (by `time.monotonic`), or never."""
        if deadline is None:
            return Ticker(repeat(UNTIMED), self._on_look)
        return Ticker(self._pacer.chunks(deadline, lambda: int(self._searcher.work), smallest=1), self._on_look)

    def _on_look(self) -> None:
        """Called whenever the clock is looked at."""
