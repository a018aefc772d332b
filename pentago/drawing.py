"""Boards for a terminal."""

from collections.abc import Collection, Iterable
from typing import Any

from jit import U64  # first: it decides where compiled code is kept
from pentago import rules
from pentago.tables import cell_at

# White is the terminal's own colour, bold, and an empty cell is dim: the background may be dark or light.
_WHITE, _BLACK, _EMPTY = "\x1b[1m", "\x1b[35m", "\x1b[2m"
_MARK, _WON, _PLAIN = "\x1b[7m", "\x1b[32m", "\x1b[0m"
_STONES = ((".", _EMPTY), ("W", _WHITE), ("B", _BLACK))
# Around a stone without colours, by (whether it was the last one, whether it is of a line that ended the game).
_AROUND = {
    (False, False): (" ", " "),
    (True, False): ("(", ")"),
    (False, True): ("[", "]"),
    (True, True): ("{", "}"),
}


def draw(position: Any, colour: bool, winning: Collection[tuple[int, int]]) -> str:
    """See `Pentago.draw`; `winning` is what `Pentago.winning_cells` returns."""
    return "\n".join(_drawing(position, colour, winning))


def landing_cell(position: Any) -> int:
    """Where the last stone stands now, after its own turn; -1 before the first."""
    move = position.last_move
    if move is None:
        return -1
    alone = int(rules.place_and_turn(position.kernel, U64(0), U64(0), move.code)[1])
    return alone.bit_length() - 1


def _drawing(position: Any, colour: bool, winning: Collection[tuple[int, int]]) -> Iterable[str]:
    board, landing = position.board, landing_cell(position)
    turned_quadrant = position.last_move.quadrant if position.last_move else None

    def corner(quadrant: int) -> str:
        """A quadrant's number, in brackets if it was turned last."""
        return f"[{quadrant}]" if quadrant == turned_quadrant else f" {quadrant} "

    def cell(row: int, column: int) -> str:
        """Three characters: a stone or nothing, with what is around it."""
        symbol, style = _STONES[board[row, column]]
        is_last, has_won = landing == cell_at(row, column), (row, column) in winning
        if not colour:
            before, behind = _AROUND[is_last, has_won]
            return before + symbol + behind
        before, behind = (f"{_WON}{bracket}{_PLAIN}" if has_won else " " for bracket in "[]")
        return f"{before}{_MARK if is_last else ''}{style}{symbol}{_PLAIN}{behind}"

    yield "    a   b   c   d   e   f"
    yield f"  +----{corner(0)}----+----{corner(1)}----+"
    for row in range(6):
        if row == 3:
            yield f"  +----{corner(2)}----+----{corner(3)}----+"
        halves = (" ".join(cell(row, column) for column in columns) for columns in (range(3), range(3, 6)))
        yield f"{row + 1} |" + "|".join(halves) + f"| {row + 1}"
    yield "  +-----------+-----------+"
    yield "    a   b   c   d   e   f"
