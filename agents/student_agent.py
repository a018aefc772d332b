"""A template for your own agent. It works as it is: it takes a win, else tries some moves with random games.

Copy this file, change the name in `register_agent`, and play it against others: it may stand anywhere on your disk.
A position offers `legal_moves()`, `play(move)`, `result`, `to_move`, `ply`, `board` (a numpy array), `last_move` and
`str(position)`. `self.game`, `self.limits` and `self.rng` are there too; see `agents/agent.py`.
"""

from itertools import cycle
from typing import Any

from agents import Agent, Clock, register_agent

CANDIDATES = 16  # moves that share the time; more of them means fewer random games for each
TIME_SHARE = 0.8  # of the time for a move; the rest is the margin for a slow moment of the machine


@register_agent("student_agent")
class StudentAgent(Agent):
    """Chooses among a few random moves the one that does best in random games."""

    def step(self, position: Any, clock: Clock) -> Any:
        """The move to play."""
        me = position.to_move
        moves = position.legal_moves()
        for move in moves:  # a win at once needs no thought
            result = position.play(move).result
            if result is not None and result.winner == me:
                return move

        # The first move has 30 seconds, for setting up; thinking needs no more than any other move has.
        stop = clock.remaining - TIME_SHARE * min(clock.remaining, self.limits.move_seconds)
        candidates = self.rng.sample(moves, min(CANDIDATES, len(moves)))
        games = dict.fromkeys(candidates, 0)
        points = dict.fromkeys(candidates, 0.0)
        for move in cycle(candidates):
            won = self.random_game(position.play(move), me, clock, stop)
            if won is None:  # time is up
                break
            games[move] += 1
            points[move] += won
        return max(candidates, key=lambda move: points[move] / max(1, games[move]))

    def random_game(self, position: Any, me: int, clock: Clock, stop: float) -> float | None:
        """Play random moves to the end: 1 for a win of `me`, 0.5 for a draw, 0 for a loss; None if time is up."""
        while clock.remaining >= stop:
            if position.result is not None:
                return 0.5 if position.result.winner is None else float(position.result.winner == me)
            position = position.play(self.rng.choice(position.legal_moves()))
        return None
