"""A look two moves ahead in plain Python, as far as there is time: what wins at once, and what loses at once."""

from contextlib import suppress
from itertools import takewhile
from typing import Any

import numpy as np

from agents.greedy_agent import LOSES, OPPONENT_WINS_NEXT, QUIET, WINS, WINS_NEXT, GreedyAgent
from agents.limits import Clock, Limits
from agents.outcomes import can_win_at_once
from agents.plain.ticker import OutOfTime, Ticker, deadline_with_rules
from agents.time_control import Pacer

UNSEEN, EVEN = 0.25, 0.5  # the values of a position that was not looked at, and of one that was: nothing evaluates it


class PlainMoveScores:
    """The scores of all moves of one position at a time, as `agents.greedy_agent.MoveScores` has them.

    If there is no time to look at a move, it is QUIET, and worth a little less. `share` is the part of the time for a
    move that may be used.
    """

    def __init__(self, limits: Limits, share: float = 1.0) -> None:
        self._limits, self._share, self._pacer = limits, share, Pacer()

    def of(self, position: Any, clock: Clock) -> np.ndarray:
        """The scores for the player to move in an open position."""
        self._moves = position.legal_moves()
        scores = np.full(len(self._moves), QUIET + UNSEEN, np.float32)
        share = Clock(self._share * min(clock.remaining, self._limits.move_seconds))
        deadline = deadline_with_rules(self._pacer, share, self._limits)
        chunks = self._pacer.chunks(deadline, lambda: tick.work, smallest=1)
        tick = Ticker(takewhile(lambda _: not clock.is_hurried, chunks))
        with suppress(OutOfTime):
            self._look(position, scores, tick)
        self._pacer.answered()
        return scores

    def _look(self, position: Any, scores: np.ndarray, tick: Ticker) -> None:
        """Write the scores: first of the moves that end the game, then by what the next move could do."""
        open_after = {}
        for i, move in enumerate(self._moves):
            tick()
            after = position.play(move)
            if after.result is None:
                open_after[i] = after
            elif after.result.winner is None:
                scores[i] = QUIET + EVEN
            else:
                scores[i] = WINS if after.result.winner == position.to_move else LOSES
        for i, after in open_after.items():
            if not can_win_at_once(after, tick):
                scores[i] = QUIET + EVEN
            else:
                scores[i] = EVEN + (WINS_NEXT if after.to_move == position.to_move else OPPONENT_WINS_NEXT)

    def move_at(self, index: int) -> Any:
        """The move that has the score at an index."""
        return self._moves[index]


class PlainGreedyAgent(GreedyAgent):
    """Takes a win, avoids an immediate loss, else plays at random: in plain Python, without an evaluation."""

    needs_compiled_rules = False

    def setup(self) -> None:
        """Make the scores; nothing has to be compiled."""
        self._scores = PlainMoveScores(self.limits, share=0.8)
