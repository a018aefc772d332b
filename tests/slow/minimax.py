"""The slow, obvious twin of `agents/alphabeta`: minimax on the positions for people, every move, no windows, no table.

Values are those of `agents/alphabeta/values.py`, written out again.
"""

from typing import Any

import numpy as np

from game import Game
from tests import contract

WIN, HIGHEST = 1 << 20, 1_000_000


def value_of_end(position: Any, mover: int, ply: int) -> int:
    """The value, for a player, of a game that was over at a ply."""
    winner = position.result.winner
    return 0 if winner is None else WIN - ply if winner == mover else ply - WIN


def plies_to_win(position: Any, most: int) -> int | None:
    """In how many plies the player to move wins against any defence; None if not within that many."""
    player = position.to_move

    def wins(position: Any, plies: int) -> bool:
        if position.result is not None:
            return bool(position.result.winner == player)
        if plies == 0:
            return False
        after = (wins(position.play(move), plies - 1) for move in position.legal_moves())
        return any(after) if position.to_move == player else all(after)

    return next((plies for plies in range(1, most + 1) if wins(position, plies)), None)


def static_value(game: Game, position: Any) -> int:
    """The evaluation of an open position for the player to move."""
    chance = float(contract.evaluate(game.kernel, game.state(position)))
    return int(np.trunc((2 * chance - 1) * HIGHEST))


class Minimax:
    """Values to a fixed depth; positions that come up again are looked up, which changes nothing but the time."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.known: dict[Any, int] = {}

    def value(self, position: Any, depth: int, ply: int = 0) -> int:
        """The value of an open position for the player to move, from a search that many plies deep."""
        if depth == 0:
            return static_value(self.game, position)
        key = (position, position.to_move, depth, ply)
        if key not in self.known:
            self.known[key] = max(self.move_values(position, depth, ply).values())
        return self.known[key]

    def move_values(self, position: Any, depth: int, ply: int = 0) -> dict[Any, int]:
        """The value of each legal move for the player who makes it."""
        return {move: self._value_after(position, move, depth, ply) for move in position.legal_moves()}

    def _value_after(self, position: Any, move: Any, depth: int, ply: int) -> int:
        after = position.play(move)
        if after.result is not None:
            return value_of_end(after, position.to_move, ply + 1)
        value = self.value(after, depth - 1, ply + 1)
        return value if after.to_move == position.to_move else -value
