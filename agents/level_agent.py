"""An opponent of a chosen strength, from level 1 for beginners to level 9: `uct_agent` as it plays in tournaments."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from agents.agent import Agent, MoveReport, register_agent
from agents.agent_options import Option, declare
from agents.greedy_agent import QUIET, WINS_NEXT, MoveScores
from agents.levels import DEFAULT_LEVEL, LEVELS, Level
from agents.limits import Clock, Limits
from agents.plain.baseline import PlainBaseline
from agents.plain.greedy import PlainMoveScores
from agents.uct_agent import UctAgent
from game import Game
from options import DeclaredOption

CAPACITY = 1 << 18  # positions that a search of few simulations has room for


class Glance:
    """Looks at each move and at the answers: which moves win, and which lose at once.

    A move loses at once if it ends the game with a loss, or if the other player can win with the next move. Without
    compiled rules it looks at as many moves as half of the time allows.
    """

    def __init__(self, game: Game, limits: Limits) -> None:
        is_plain = game.kernel is None
        self._scores = PlainMoveScores(limits, share=0.5) if is_plain else MoveScores(game, game.kernel)

    def moves(self, position: Any, clock: Clock) -> tuple[list[Any], bool]:
        """The distinct moves that are sensible at a glance, and whether they win.

        These are the moves that win; if there are none, the moves that do not lose at once; else all.
        """
        scores = self._scores.of(position, clock)
        wins = np.flatnonzero(scores >= WINS_NEXT)
        quiet = np.flatnonzero(scores >= QUIET)
        chosen = next((found for found in (wins, quiet) if len(found)), np.arange(len(scores)))
        return [self._scores.move_at(int(index)) for index in chosen], len(wins) > 0


@register_agent("level_agent")
class LevelAgent(Agent):
    """Plays at a level: a search of few simulations, and at the low levels a share of moves that are drawn at random.

    From level 3 on it takes a win if there is one, and makes no move that loses at once if there is another. How far
    the levels are apart was measured, see docs/levels.md; `simulations` and `weaker` are for such measurements.
    """

    default_options: ClassVar[Mapping[str, Option | DeclaredOption]] = declare(
        DeclaredOption("level", int, DEFAULT_LEVEL, 1, len(LEVELS), help="From 1, the weakest."),
        DeclaredOption("simulations", int, -1, -1, help="For each move, instead of the level's; -1 for those."),
        DeclaredOption("weaker", float, -1.0, -1, 1, help="The share of random moves instead of the level's; or -1."),
    )

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self.level = self._level()
        self.options["simulations"] = self.level.simulations  # 0 where time decides
        few = {"simulations": str(self.level.simulations), "capacity": str(CAPACITY)} if self.level.simulations else {}
        kind = UctAgent.for_game(self.game)
        # It does not resign, and people wait for its first move no longer than for others.
        for_people = {name: text for name, text in (("resign", "0"), ("first", "1")) if name in kind.default_options}
        self._uct = kind(self.game, self.limits, self.seed, few | for_people, self.name)
        if isinstance(self._uct, PlainBaseline):
            self._uct.is_timed = True  # a few simulations may take long, too
        self._glance: Glance | None = None
        self._has_searched = False

    def _level(self) -> Level:
        level = LEVELS[int(self.options["level"]) - 1]
        simulations, weaker = int(self.options["simulations"]), float(self.options["weaker"])
        return level._replace(
            simulations=level.simulations if simulations < 0 else simulations,
            weaker=level.weaker if weaker < 0 else weaker,
        )

    def setup(self) -> None:
        """Load (or compile) the search and the look ahead."""
        self._uct.setup()
        self._glance = Glance(self.game, self.limits)

    def step(self, position: Any, clock: Clock) -> Any:
        """The move of the level."""
        if self._glance is None:
            self.setup()
        assert self._glance is not None
        self._has_searched = False
        if not self.level.weaker and not self.level.simulations:
            return self._searched(position, clock)
        sensible, is_won = (
            self._glance.moves(position, clock) if self.level.careful else (position.legal_moves(), False)
        )
        if is_won or self.rng.random() < self.level.weaker:
            return self.rng.choice(sensible)
        move = self._searched(position, clock)
        return self._instead(position, move, sensible) if self.level.careful else move

    def _instead(self, position: Any, move: Any, sensible: list[Any]) -> Any:
        """The move if it is sensible, else a sensible one; of moves to the same position, `sensible` has only one."""
        is_sensible = move in sensible
        if not is_sensible and self.game.kernel is not None:
            after = position.play(move)
            is_sensible = any(position.play(other) == after for other in sensible)
        return move if is_sensible else self.rng.choice(sensible)

    def _searched(self, position: Any, clock: Clock) -> Any:
        self._has_searched = True
        self._uct.limits = self.limits
        return self._uct.step(position, clock)

    def study(self, position: Any, seconds: float) -> list[MoveReport]:
        """What the search without random moves thinks of the moves, see `Agent.study`."""
        return self._uct.study(position, seconds)

    def analysis(self) -> dict[str, Any]:
        """See `Agent.analysis`: that of the search, if the search chose the move; else empty."""
        return self._uct.analysis() if self._has_searched else {}

    def close(self) -> None:
        """Give the memory of the search back."""
        self._uct.close()
        self._glance = None
