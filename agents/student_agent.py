"""A template for your own agent. It works as it is: it takes a win, else tries some moves with random games.

Copy this file, change the name in `register_agent`, and play it against others: it may stand anywhere on your disk.
A position offers `legal_moves()`, `play(move)`, `result`, `to_move`, `ply`, `board` (a numpy array), `last_move` and
`str(position)`. `self.game`, `self.limits` and `self.rng` are there too; see `agents/agent.py`.
"""

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

        candidates = self.rng.sample(moves, min(CANDIDATES, len(moves)))
        points = dict.fromkeys(candidates, 0.0)
        # The first move has 30 seconds, for setting up; thinking needs no more than any other move has.
        stop = clock.remaining - TIME_SHARE * min(clock.remaining, self.limits.move_seconds)
        while clock.remaining > stop:  # each round is one random game for each candidate
            for move in candidates:
                points[move] += self.random_game(position.play(move), me)
        return max(candidates, key=lambda move: points[move])

    def random_game(self, position: Any, me: int) -> float:
        """Play random moves to the end: 1 for a win of `me`, 0.5 for a draw, 0 for a loss."""
        while position.result is None:
            position = position.play(self.rng.choice(position.legal_moves()))
        return 0.5 if position.result.winner is None else float(position.result.winner == me)
