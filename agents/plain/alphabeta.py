"""Minimax in plain Python: alpha-beta by iterative deepening, on positions.

There is no evaluation: a position at the horizon is worth a draw, so that the search plays for wins that it can see and
against losses that it can see. Values are for the player to move; an earlier win is worth more.
"""

import math
import random
import time
from contextlib import suppress
from typing import Any, ClassVar

from agents.limits import Clock
from agents.minimax_agent import MinimaxAgent
from agents.outcomes import OUTCOME_VALUES
from agents.plain.baseline import PlainBaseline
from agents.plain.ticker import OutOfTime, Ticker
from agents.plain.uct import end_of

WIN, DRAW = 10_000.0, 0.0  # a win is worth WIN less the plies until it comes
DEEPEST = 200  # plies that Python's stack has room for


class AlphaBeta:
    """Searches one position after the other by iterative deepening.

    Attributes:
        depth: the most plies to look ahead.
        expansions: the most positions whose moves are tried.
        position: the position of the last search; None before the first.
        seconds: how long the last search took.
        expanded: how many positions it expanded, by trying their moves.
        searched: how many plies it searched in full.
        value: the value of the move to play, for the player who makes it.
    """

    expansions = math.inf

    def __init__(self, depth: float, rng: random.Random) -> None:
        self.depth, self._rng = min(depth, DEEPEST), rng
        self.position: Any = None
        self._tick = Ticker(())
        self.seconds, self.expanded, self.searched, self.value = 0.0, 0, 0, DRAW

    def search(self, position: Any, tick: Ticker) -> None:
        """Search an open position until the ticker, `depth` or `expansions` ends it, or more depth changes nothing."""
        start = time.monotonic()
        self.position, self._tick = position, tick
        self.expanded, self.searched, self.value, self._is_settled = 0, 0, DRAW, False
        moves = list(position.legal_moves())
        self._rng.shuffle(moves)
        self._line = moves[:1]
        with suppress(OutOfTime):
            while self.searched < self.depth and not self._is_settled:
                self._look_ahead(moves, self.searched + 1)
                moves.sort(key=lambda move: move != self._line[0])
        self.seconds = time.monotonic() - start

    def _look_ahead(self, moves: list[Any], depth: int) -> None:
        """Search all moves at the root that deep; what was found counts even if this is cut short."""
        self._begin_expansion()
        self._reaches_horizon = False
        best, line = -math.inf, [moves[0]]
        for move in moves:
            if best < DRAW:  # the moves before lose: this one may not
                self._line, self.value = [move], DRAW
            value, below = self._try(self.position, move, depth, best, math.inf)
            if value > best:
                best, line = value, [move, *below]
            self._line, self.value = line, best
        self.searched, self._is_settled = depth, best != DRAW or not self._reaches_horizon

    def _try(self, position: Any, move: Any, depth: int, alpha: float, beta: float) -> tuple[float, list[Any]]:
        """The value of a move for the player who makes it, and the best moves after it.

        Outside the window from `alpha` to `beta`, the value is only a bound.
        """
        self._tick()
        after = position.play(move)
        if (result := end_of(after.game, after)) is not None:
            plies = after.ply - self.position.ply
            winner = result.winner
            return (DRAW if winner is None else WIN - plies if winner == position.to_move else plies - WIN), []
        if after.to_move == position.to_move:
            return self._value(after, depth - 1, alpha, beta)
        value, line = self._value(after, depth - 1, -beta, -alpha)
        return -value, line

    def _value(self, position: Any, depth: int, alpha: float, beta: float) -> tuple[float, list[Any]]:
        """The value of an open position for the player to move, and the best moves.

        Outside the window from `alpha` to `beta`, the value is only a bound.
        """
        if depth == 0:
            self._reaches_horizon = True
            return DRAW, []
        self._begin_expansion()
        best, line = -math.inf, []
        for move in position.legal_moves():
            value, below = self._try(position, move, depth, max(alpha, best), beta)
            if value > best:
                best, line = value, [move, *below]
            if best >= beta:
                break
        return best, line

    def _begin_expansion(self) -> None:
        if self.expanded >= self.expansions:
            raise OutOfTime
        self.expanded += 1

    # --- What it has found --------------------------------------------------------------------------------------

    @property
    def work(self) -> int:
        """The number of moves that the last search has tried."""
        return self._tick.work

    @property
    def proven(self) -> str | None:
        """What is proved for the player to move: "win", "loss", "draw" or None."""
        if self.value != DRAW:
            return "win" if self.value > DRAW else "loss"
        return "draw" if self._is_settled else None

    @property
    def chance(self) -> float:
        """The winning chance of the player to move, 0 to 1."""
        return OUTCOME_VALUES[self.proven or "draw"]

    def best_move(self) -> Any:
        """The move to play."""
        return self._line[0]

    def line(self) -> list[Any]:
        """The best moves for both players, as far as the search has looked."""
        return self._line

    @property
    def figures(self) -> dict[str, int]:
        """The numbers of moves tried, positions expanded, and plies searched in full."""
        return {"nodes": self.work, "expanded": self.expanded, "depth_max": self.searched}


class PlainMinimaxAgent(PlainBaseline):
    """Minimax by alpha-beta, in plain Python and without an evaluation: it sees what is decided within its depth.

    A position is expanded when its moves are tried; leaves are not expanded.
    """

    registered_name = MinimaxAgent.registered_name
    compiled_agent = MinimaxAgent
    default_options: ClassVar = {name: MinimaxAgent.default_options[name] for name in ("depth", "nodes")}

    def _new_searcher(self) -> AlphaBeta:
        return AlphaBeta(int(self.options["depth"]) or math.inf, self.rng)

    def _search(self, position: Any, clock: Clock) -> None:
        self._searcher.expansions = int(self.options["nodes"]) or math.inf
        super()._search(position, clock)
