"""Functions for all games: play moves that are given as texts, count move sequences, write a result."""

from collections.abc import Iterable
from typing import Any

from game.contract import Game
from game.errors import IllegalMove, NotationError
from game.position import Position, Result


def play_moves(game: Game, texts: Iterable[str], start: Any = None) -> list[Any]:
    """Play moves from `start` (by default the initial position); returns all positions on the way, `start` included.

    Raises NotationError, which names the first move that cannot be played.
    """
    positions: list[Any] = [game.initial() if start is None else start]
    for number, text in enumerate(texts, 1):
        try:
            positions.append(positions[-1].play(game.parse_move(text, positions[-1])))
        except (NotationError, IllegalMove) as error:
            raise NotationError(f"move {number}, {text}: {error}") from error
    return positions


def perft(position: Position, plies: int) -> int:
    """The number of legal move sequences of that length from a position; a finished game has none."""
    moves = position.legal_moves()
    if plies <= 1:
        return len(moves) if plies == 1 else 1
    return sum(perft(position.play(move), plies - 1) for move in moves)


def format_result(game: Game, result: Result | None) -> str:
    """A result as text: `none` (the game is open), `0` (a draw), `W+`, `B+` or, with a margin, `B+3.5`."""
    if result is None:
        return "none"
    if result.winner is None:
        return "0"
    return f"{game.players[result.winner].upper()}+" + ("" if result.margin is None else f"{result.margin:g}")
