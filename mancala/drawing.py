"""Kalah's board for a terminal."""

from collections.abc import Iterable, Sequence
from typing import Any

from game import FIRST, SECOND

# North is the terminal's own colour, bold, and an empty pit is dim: the background may be dark or light.
_SOUTH, _NORTH, _EMPTY, _MARK, _PLAIN = "\x1b[35m", "\x1b[1m", "\x1b[2m", "\x1b[7m", "\x1b[0m"
_STYLES = (_SOUTH, _NORTH)
_CELL = 6  # characters: a number of up to three digits, brackets around it, space
_MARGIN = 8  # where the stores stand


def draw(position: Any, colour: bool = False) -> str:
    """See `Kalah.draw`."""
    return "\n".join(line.rstrip() for line in _drawing(position, colour))


def _drawing(position: Any, colour: bool) -> Iterable[str]:
    count = len(position.pits[FIRST])
    border = " " * _MARGIN + "+" + "-" * (_CELL * count) + "+"
    yield _numbers(range(count, 0, -1)) + "   North (w)"
    yield border
    yield " " * _MARGIN + "|" + "".join(_pits(position, SECOND, colour)[::-1]) + "|"
    stores = [_number(position, player, position.stores[player], False, colour) for player in (SECOND, FIRST)]
    yield stores[0].rjust(_MARGIN + len(stores[0]) - _CELL) + " " + " " * (_CELL * count + 2) + stores[1]
    yield " " * _MARGIN + "|" + "".join(_pits(position, FIRST, colour)) + "|"
    yield border
    yield _numbers(range(1, count + 1)) + "   South (b)"
    if position.is_over:
        yield ""
        yield "the game is over: South has {}, North {} stones, those left in the pits too".format(*position.totals)


def _numbers(pits: Iterable[int]) -> str:
    return " " * (_MARGIN + 1) + "".join(f"{pit:^{_CELL}}" for pit in pits)


def _pits(position: Any, player: int, colour: bool) -> Sequence[str]:
    """The pits of a player in sowing order; the one that was sown last is marked."""
    last = position.last_move if position.last_player == player else None
    return [
        _number(position, player, stones, pit == last, colour) for pit, stones in enumerate(position.pits[player], 1)
    ]


def _number(position: Any, player: int, stones: int, is_marked: bool, colour: bool) -> str:
    """A number of stones in the middle of a cell."""
    text = f"({stones})" if is_marked and not colour else str(stones)
    padded = f"{text:^{_CELL}}"
    if not colour:
        return padded
    style = (_MARK if is_marked else "") + (_STYLES[player] if stones else _EMPTY)
    return padded.replace(text, f"{style}{text}{_PLAIN}")
