"""An agent's opinion of every move of a position, which is read and checked like everything that an agent says."""

import json
from typing import Any, NamedTuple

from game import Game, IllegalMove, NotationError
from simulator.gtp.analysis import PROVEN

MOST_MOVES = 400  # that are read of an answer; 19x19 Go has 362
MOST_OF_LINE = 20  # moves of a principal variation


class RankedMove(NamedTuple):
    """What an agent thinks of a move.

    Attributes:
        text: the move's canonical text.
        visits: how often the agent's search tried the move.
        value: winning chance of the player who makes the move, 0 to 1.
        proven: "win", "loss" or "draw" for that player, None if nothing is proved.
        pv: texts of the principal variation that begins with the move.
    """

    move: Any
    text: str
    visits: int
    value: float
    proven: str | None
    pv: tuple[str, ...]


def ranked_moves(text: str, game: Game, position: Any) -> list[RankedMove]:
    """The moves of an answer to `unforced-study`, in the agent's order, best first.

    Raises ValueError for a text that is no such answer, or has an illegal move.
    """
    try:
        content = json.loads(text)
    except RecursionError as error:
        raise ValueError("JSON that is nested too deeply") from error
    if not isinstance(content, list):
        raise ValueError("not a list")
    return [_ranked(entry, game, position) for entry in content[:MOST_MOVES]]


def _ranked(entry: Any, game: Game, position: Any) -> RankedMove:
    if not isinstance(entry, dict):
        raise ValueError("a move that is not an object")
    found: tuple[Any, ...] = tuple(entry.get(key) for key in ("move", "visits", "value", "proven"))
    text, visits, value, proven = found
    if not isinstance(text, str) or type(visits) is not int or visits < 0 or proven not in (None, *PROVEN):
        raise ValueError(f"not a report on a move: {entry!r:.100}")
    if type(value) not in (int, float) or not 0 <= value <= 1:
        raise ValueError(f"{value!r:.40} is not a winning chance")
    try:
        move = game.parse_move(text, position)
        position.play(move)
    except (NotationError, IllegalMove) as error:
        raise ValueError(f"{text!r:.40} is not a legal move: {error}") from error
    return RankedMove(move, game.format_move(move), visits, float(value), proven, _line(entry.get("pv"), text))


def _line(content: Any, first: str) -> tuple[str, ...]:
    """The texts of a principal variation, unchecked because they are only shown; without one, the first move alone."""
    if not isinstance(content, list):
        return (first,)
    return tuple(move[:20] for move in content[:MOST_OF_LINE] if isinstance(move, str) and move.isprintable())
