"""What the baselines share: one search for each move, until its simulations, its positions or the time are used up."""

from collections.abc import Iterable
from typing import Any

from agents.agent import Agent, AgentError
from agents.limits import Clock
from agents.process_memory import room_within
from agents.time_control import Pacer
from options import DeclaredOption


def simulations_option(what: str) -> DeclaredOption:
    """The option `simulations` of an agent that a number of `what` can limit instead of the time."""
    help_text = f"{what} for a move, whatever the clock says; 0: as many as time allows."
    return DeclaredOption("simulations", int, 0, 0, help=help_text)


class Baseline(Agent):
    """An agent around one searcher.

    The searcher has

    search(position, chunks)  searches for chunks of work; `work` is how much is done so far
    best_move(), line()       the move to play, and the principal variation
    position, seconds         of the last search; the position is None before the first
    chance, proven, figures   for `analysis`: the winning chance, the proved outcome, and other figures by name
    """

    needs_compiled_rules = True
    _searcher: Any = None

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._pacer = Pacer()

    def _new_searcher(self) -> Any:
        """A new searcher, after a short search that compiles or loads its code."""
        raise NotImplementedError

    def setup(self) -> None:
        """Load (or compile) the search, and take memory for it."""
        self._searcher = self._new_searcher()

    def step(self, position: Any, clock: Clock) -> Any:
        """The best move once the simulations, the positions or the time are used up.

        Raises ValueError as `Game.check_open`.
        """
        self.game.check_open(position)
        if self._searcher is None:
            self.setup()
        self._search(position, clock)
        move = self._searcher.best_move()
        self._pacer.answered()
        return move

    def _search(self, position: Any, clock: Clock) -> None:
        self._searcher.search(position, self._chunks(clock))

    def _chunks(self, clock: Clock) -> Iterable[Any]:
        """How much work to do between two looks at the clock."""
        if simulations := int(self.options["simulations"]):
            return (simulations,)
        return self._timed_chunks(clock)

    def _timed_chunks(self, clock: Clock) -> Iterable[int]:
        return self._pacer.chunks(self._pacer.deadline(clock, self.limits), lambda: int(self._searcher.work))

    def _room(self, least: int, item_bytes: int, purpose: str) -> int:
        """How many items of `item_bytes` the memory limit leaves room for. Raises AgentError for fewer than `least`."""
        try:
            return room_within(self.limits.memory_mb * 1_000_000, least * item_bytes, purpose) // item_bytes
        except (MemoryError, OSError) as error:
            raise AgentError(f"{self.registered_name}: {error}") from error

    def analysis(self) -> dict[str, Any]:
        """See `Agent.analysis`."""
        searcher = self._searcher
        if searcher is None or searcher.position is None:
            return {}
        line = [self.game.format_move(move) for move in searcher.line()]
        known = {"seconds": searcher.seconds, "value": searcher.chance, "proven": searcher.proven}
        return {**searcher.figures, **known, "pv": line, "depth_pv": len(line)}

    def close(self) -> None:
        """Give the searcher's memory back."""
        self._searcher = None
