"""Reads moves of Pentago as people type them, and says what exactly is wrong with any other text."""

import re
from typing import NamedTuple

import numpy as np

from game import NotationError
from options import shortened

EXAMPLE = "d4/1r"
TURN_HELP = "r (rotate clockwise) or f (flip left to right)"
COURSE_FORM = "row column quadrant turn"  # the course's own notation, all counted from 0

_CELL_FIRST = re.compile(r"(?P<column>[a-z])[ ,]*(?P<row>[0-9]+)(?P<rest>.*)")
_SEPARATORS = re.compile(r"[\s/,;:.\-]+")
_TURN = re.compile(r"(?P<quadrant>[0-9]*)(?P<turn>[a-z]*)")
_TURN_FIRST = re.compile(r"(?P<turn>[a-z]+)(?P<quadrant>[0-9]+)")
_TURNS = {"r": 0, "rotate": 0, "rot": 0, "f": 1, "flip": 1}


class TypedMove(NamedTuple):
    """What was typed: `row` and `column` 0 to 5 from the top and left, `quadrant` 0 to 3, `turn` 0 rotates, 1 flips."""

    row: int
    column: int
    quadrant: int
    turn: int


def read(text: str, board: np.ndarray) -> TypedMove:
    """The move that a text means on a board (see `PentagoPosition.board`); the cell has to be free.

    Reads `d4/1r`, `d4 1 r`, `d41r`, `d4 r1`, and the course's `3 3 1 0`. Raises NotationError.
    """
    cleaned = text.strip().lower()
    numbers = re.split(r"[\s,]+", cleaned)
    if all(re.fullmatch("[0-9]+", number) for number in numbers):
        return _read_numbers([int(number[:4]) for number in numbers], text, board)
    match = _CELL_FIRST.fullmatch(cleaned)
    if match is None:
        raise NotationError(f"can't read {shortened(text)}. Type a cell, a quadrant and {TURN_HELP}, as in {EXAMPLE}")
    row_text, rest = _split_row(match["row"], match["rest"])
    row, column = _cell(match["column"], row_text, board)
    return TypedMove(row, column, *_turn(match["column"] + row_text, rest))


def _split_row(digits: str, rest: str) -> tuple[str, str]:
    """The row, and what is typed behind it: of `d41r` the 1 belongs to the turn, of `d10/1r` the 0 to the row."""
    has_quadrant = re.search("[0-9]", rest) is not None
    return (digits[:8], rest) if has_quadrant else (digits[0], digits[1:] + rest)


def _cell(column: str, row: str, board: np.ndarray) -> tuple[int, int]:
    if column not in "abcdef" or row not in ("1", "2", "3", "4", "5", "6"):
        raise NotationError(f"there is no cell {column}{row}: columns are a to f, rows 1 to 6")
    place = int(row) - 1, "abcdef".index(column)
    if board[place]:
        raise NotationError(f"{column}{row} is taken")
    return place


def _turn(cell: str, rest: str) -> tuple[int, int]:
    """The quadrant and the turn behind a cell."""
    words = _SEPARATORS.sub("", rest)
    match = _TURN_FIRST.fullmatch(words) or _TURN.fullmatch(words)
    if not words:
        raise NotationError(f"after {cell}, type the quadrant to turn, 0 to 3, and {TURN_HELP}, as in {cell}/1r")
    if match is None:
        raise NotationError(f"can't read {shortened(rest.strip())} after {cell}: type a quadrant, 0 to 3, and r or f")
    quadrant, turn = match["quadrant"], match["turn"]
    if turn and turn not in _TURNS:
        raise NotationError(f"there is no turn {shortened(turn)}: type {TURN_HELP}")
    if not quadrant:
        raise NotationError(f"{cell} and {turn}: which quadrant turns? 0 to 3, as in {cell}/1{turn[:1]}")
    if quadrant not in ("0", "1", "2", "3"):
        raise NotationError(f"there is no quadrant {quadrant[:8]}: they are 0 to 3")
    if not turn:
        raise NotationError(f"{cell}/{quadrant}: add {TURN_HELP}, as in {cell}/{quadrant}r")
    return int(quadrant), _TURNS[turn]


def _read_numbers(numbers: list[int], text: str, board: np.ndarray) -> TypedMove:
    """The course's notation."""
    if len(numbers) != 4:
        many = "1 number" if len(numbers) == 1 else f"{len(numbers)} numbers"
        raise NotationError(f"{shortened(text)} has {many}: as numbers, a move is {COURSE_FORM}; or type {EXAMPLE}")
    row, column, quadrant, turn = numbers
    for name, number, most in (("row", row, 5), ("column", column, 5), ("quadrant", quadrant, 3), ("turn", turn, 1)):
        if number > most:
            raise NotationError(f"there is no {name} {number}: in '{COURSE_FORM}' it is 0 to {most}")
    if board[row, column]:
        raise NotationError(f"{'abcdef'[column]}{row + 1} is taken")
    return TypedMove(row, column, quadrant, turn)
