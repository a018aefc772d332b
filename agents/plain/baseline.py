"""What the agents in plain Python share: the clock may be looked at between any two moves that a search tries."""

from collections.abc import Iterator
from itertools import repeat
from typing import Any, ClassVar

from agents.agent import Agent, AgentError
from agents.baseline import Baseline
from agents.limits import Clock, Limits
from agents.plain.ticker import Ticker
from game import Game

UNTIMED = 1000  # moves that are tried between two looks where no clock ends the search


class PlainBaseline(Baseline):
    """A baseline whose searcher has `search(position, tick)`, see `Ticker`, in place of `search(position, chunks)`.

    Raises AgentError for an option that has a meaning for compiled rules only.

    Attributes:
        compiled_agent: who plays under the same name where there are compiled rules.
        is_timed: whether the clock ends a search with a fixed number of simulations or nodes, too.
    """

    needs_compiled_rules = False
    compiled_agent: ClassVar[type[Agent]]
    is_timed = False

    def __init__(
        self,
        game: Game,
        limits: Limits | None = None,
        seed: int = 0,
        options: dict[str, str] | None = None,
        name: str = "",
    ) -> None:
        for option in sorted(set(options or {}) - set(self.default_options)):
            if option in self.compiled_agent.default_options:
                raise AgentError(
                    f"{self.registered_name}: {option} is for games with compiled rules; for a game in plain Python "
                    f"there are {', '.join(self.default_options)}"
                )
        super().__init__(game, limits, seed, options, name)

    def _search(self, position: Any, clock: Clock) -> None:
        has_fixed_budget = self.options.get("simulations") or self.options.get("nodes")
        chunks = repeat(UNTIMED) if has_fixed_budget and not self.is_timed else self._timed_chunks(clock)
        self._searcher.search(position, Ticker(chunks, self._on_look))

    def _timed_chunks(self, clock: Clock) -> Iterator[int]:
        deadline = self._pacer.deadline(clock, self.limits)
        return self._pacer.chunks(deadline, lambda: int(self._searcher.work), smallest=1)

    def _on_look(self) -> None:
        """Called whenever the clock is looked at."""
