"""Minimax in plain Python: alpha-beta by iterative deepening, on positions.

There is no evaluation: a position at the horizon is worth a draw, so that the search plays for wins it can see, and
against losses that it can see. Values are for the player to move; a win is worth the more the earlier it comes.
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

WIN, DRAW = 10_000.0, 0.0  # less the plies until it comes
DEEPEST = 200  # plies that Python's stack has room for


class AlphaBeta:
    """Searches one position after the other, each a ply deeper until it is told to end.

    Attributes:
        depth: plies to look ahead at most.
        expansions: positions whose moves are tried at most.
        position: that was searched last; None before the first.
        seconds: that this took.
        expanded: how often a position's moves were tried in it.
        searched: plies that were searched in full.
        value: of the move to play, for the player who makes it.
    """

    expansions = math.inf

    def __init__(self, depth: float, rng: random.Random) -> None:
        self.depth, self._rng = min(depth, DEEPEST), rng
        self.position: Any = None
        self._tick = Ticker(())
        self.seconds, self.expanded, self.searched, self.value = 0.0, 0, 0, DRAW

    def search(self, position: Any, tick: Ticker) -> None:
        """Search an open position until the ticker or a number ends it, or no deeper search can change the move."""
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
        """Search all moves at the root that deep; what is found counts if this is cut short, too."""
        self._begin_expansion()
        self._reaches_horizon = False
        best, line = -math.inf, [moves[0]]
        for move in moves:
            if best < DRAW:  # those before lose: this one may not
                self._line, self.value = [move], DRAW
            value, below = self._try(self.position, move, depth, best, math.inf)
            if value > best:
                best, line = value, [move, *below]
            self._line, self.value = line, best
        self.searched, self._is_settled = depth, best != DRAW or not self._reaches_horizon

    def _try(self, position: Any, move: Any, depth: int, alpha: float, beta: float) -> tuple[float, list[Any]]:
        """The value of a move for the player who makes it, and the best moves after it; a bound outside the window."""
        self._tick()
        after = position.play(move)
        if after.result is not None:
            plies = after.ply - self.position.ply
            winner = after.result.winner
            return (DRAW if winner is None else WIN - plies if winner == position.to_move else plies - WIN), []
        if after.to_move == position.to_move:
            return self._value(after, depth - 1, alpha, beta)
        value, line = self._value(after, depth - 1, -beta, -alpha)
        return -value, line

    def _value(self, position: Any, depth: int, alpha: float, beta: float) -> tuple[float, list[Any]]:
        """The value of an open position for the player to move, and the best moves; a bound outside the window."""
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
        """Moves that the last search has tried."""
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
        """The best moves for both players, as far as it has looked."""
        return self._line

    @property
    def figures(self) -> dict[str, int]:
        """Moves tried, positions expanded, and plies searched in full."""
        return {"nodes": self.work, "expanded": self.expanded, "depth_max": self.searched}


class PlainMinimaxAgent(PlainBaseline):
    """Minimax by alpha-beta, in plain Python and without an evaluation: it sees what is decided within its depth.

    A position is expanded when its moves are tried; leaves are not.
    """

    registered_name = MinimaxAgent.registered_name
    compiled_agent = MinimaxAgent
    default_options: ClassVar = {name: MinimaxAgent.default_options[name] for name in ("depth", "nodes")}

    def _new_searcher(self) -> AlphaBeta:
        return AlphaBeta(int(self.options["depth"]) or math.inf, self.rng)

    def _search(self, position: Any, clock: Clock) -> None:
        self._searcher.expansions = int(self.options["nodes"]) or math.inf
        super()._search(position, clock)
