"""Boards for a terminal."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from go.tables import COLUMNS

# White is the terminal's own colour, bold, and an empty point is dim: the background may be dark or light.
_BLACK, _WHITE, _EMPTY, _MARK, _PLAIN = "\x1b[35m", "\x1b[1m", "\x1b[2m", "\x1b[7m", "\x1b[0m"
_STYLES = (_EMPTY, _BLACK, _WHITE)


def format_komi(komi: float) -> str:
    """All digits of a komi, none behind the point where it is whole.

    >>> format_komi(7.0), format_komi(-0.5), format_komi(6.6666667)
    ('7', '-0.5', '6.6666667')
    """
    return repr(float(komi)).removesuffix(".0")


def is_star(size: int, row: int, column: int) -> bool:
    """Whether a board of that size has a star point there."""
    if size < 7:
        return size % 2 == 1 and row == column == size // 2
    edge = 2 if size < 13 else 3
    lines = {edge, size - 1 - edge} | ({size // 2} if size % 2 and size >= 13 else set())
    centre = size % 2 == 1 and row == column == size // 2
    return centre or (row in lines and column in lines)


def draw(position: Any, colour: bool = False) -> str:
    """See `Go.draw`."""
    board, size, last = position.board, position.size, position.last_move
    ko = position.ko

    def symbol(row: int, column: int) -> str:
        """What stands on a point: a stone, the ko point, a star point or nothing."""
        if board[row, column]:
            return ".XO"[board[row, column]]
        if ko == (row, column):
            return "#"
        return "+" if is_star(size, row, column) else "."

    lines = list(_grid(size, board, symbol, None if last == (-1, -1) else last, colour))
    black, white = position.captures
    notes = [f"X black has captured {black}, O white {white}; komi {format_komi(position.komi)}"]
    if ko:
        notes.append(f"# is forbidden by ko: {COLUMNS[ko.column]}{size - ko.row}")
    if position.passes:
        who = "both players have" if position.passes > 1 else f"{('white', 'black')[position.to_move]} has"
        notes.append(f"{who} passed")
    if last is not None and colour and last == (-1, -1):
        notes[-1] = f"{_MARK}{notes[-1]}{_PLAIN}"
    return "\n".join(lines + notes)


def draw_area(position: Any, colour: bool = False) -> str:
    """See `Go.draw_area`."""
    board, area = position.board, position.area()

    def symbol(row: int, column: int) -> str:
        """A stone as a capital letter; an empty point as a small one, by whose area it is."""
        if board[row, column]:
            return ".XO"[board[row, column]]
        return ".xo"[area[row, column]]

    lines = list(_grid(position.size, area, symbol, None, colour))
    black, white = (int(np.count_nonzero(area == owner)) for owner in (1, 2))
    score = position.score()
    verdict = "a draw" if score == 0 else f"{'black' if score > 0 else 'white'} is ahead by {abs(score):g}"
    points = f"x black {black} point{'' if black == 1 else 's'}; o white {white} + {format_komi(position.komi)} komi"
    lines.append(f"{points}: {verdict}")
    return "\n".join(lines)


def _grid(
    size: int, styles: np.ndarray, symbol: Callable[[int, int], str], marked: tuple[int, int] | None, colour: bool
) -> Iterable[str]:
    header = "   " + " ".join(COLUMNS[:size])
    yield header
    for row in range(size):
        text = ""
        for column in range(size):
            here = symbol(row, column)
            if colour:
                mark = _MARK if marked == (row, column) else ""
                text += f" {mark}{_STYLES[styles[row, column]]}{here}{_PLAIN}"
            elif marked == (row, column):
                text += f"({here}"
            else:
                text += (")" if marked == (row, column - 1) else " ") + here
        text += ")" if not colour and marked == (row, size - 1) else " "
        yield f"{size - row:2}{text}{size - row}"
    yield header
