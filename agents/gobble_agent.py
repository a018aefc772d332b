"""The first Monte Carlo program of Go, for any game with AMAF. The search is in `agents/gobble/`."""

import time
from collections.abc import Iterator
from typing import Any, ClassVar

from agents.agent import AgentError, register_agent
from agents.agent_options import declare
from agents.baseline import Baseline, simulations_option
from agents.gobble.searcher import Chunk, Searcher
from agents.limits import Clock
from agents.time_control import SMALLEST_CHUNK
from game import AmafGame, game_class, game_names
from options import DeclaredOption

UNKNOWN = 1 << 40  # stands for the number of games that will be played, as long as no estimate exists


@register_agent("gobble_agent")
class GobbleAgent(Baseline):
    """Gobble: the move with the best average score of all games in which it was played first, at whatever ply.

    Bruegmann, "Monte Carlo Go", 1993: before a game, each player makes a list of moves, the best first, and plays by
    it. The lists are disordered at random by simulated annealing, with a temperature that falls from high to 0; eyes
    are not filled. A score is in points if the game has them (Go: area), else 1, 0 or -1. These are the paper's ideas;
    the formula e^(v/T) +- width of `order=interval` is that of Tsan-sheng Hsu's slides "Monte-Carlo Game Tree Search:
    Basic Techniques". How neighbours change places, the random games at the start, and a temperature that falls in a
    straight line are ours.
    """

    game: AmafGame
    default_options: ClassVar = declare(
        DeclaredOption(
            "order",
            str,
            "swap",
            choices=("swap", "interval"),
            help="How moves are disordered: neighbours change places with probability exp(-1/T), or each gets a random "
            "number from e^(v/T) - width to e^(v/T) + width, v being its average as a share of the largest.",
        ),
        DeclaredOption("temperature", float, 10.0, 0, help="T of the first game; it falls to 0 with the last one."),
        DeclaredOption("width", float, 1.0, 0, help="With order=interval: see there."),
        DeclaredOption("random", int, 100, 1, help="Games that are random throughout, so that there are averages."),
        simulations_option("Games"),
    )

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        if not isinstance(self.game, AmafGame):
            others = ", ".join(name for name in game_names() if issubclass(game_class(name), AmafGame))
            raise AgentError(
                f"gobble_agent: {self.game.title} has no numbers for its moves (AMAF); games that have them: {others}"
            )

    def _new_searcher(self) -> Searcher:
        by_interval, random = self.options["order"] == "interval", int(self.options["random"])
        temperature, width = float(self.options["temperature"]), float(self.options["width"])
        warm = Searcher(self.game, by_interval, temperature, width, 1, self.seed)
        warm.search(self.game.initial(), (Chunk(2, 2),))
        return Searcher(self.game, by_interval, temperature, width, random, self.seed)

    def _chunks(self, clock: Clock) -> Iterator[Chunk]:
        """Games to play until the clock is read again, with an estimate of how many there will be, by the time used."""
        if simulations := int(self.options["simulations"]):
            yield Chunk(simulations, simulations)
            return
        start, deadline = time.monotonic(), self._pacer.deadline(clock, self.limits)
        for wanted in self._pacer.chunks(deadline, lambda: int(self._searcher.work)):
            random_left = int(self.options["random"]) - self._searcher.work  # random games are much faster than others
            games = wanted if random_left < 0 else min(wanted, random_left) or SMALLEST_CHUNK
            share, played = (time.monotonic() - start) / max(1e-9, deadline - start), self._searcher.work
            yield Chunk(games, int(played / share) + 1 if played and share > 0 else UNKNOWN)
