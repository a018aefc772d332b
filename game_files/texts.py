"""Moves and states as text, for games whose files do not say how.

A cell is (row, column), both from 0; its text is the column's letter and the row's number from the top: c4 is (3, 2). A
state (board, player) is written as its rows and the player to move, every other state as a Python literal.
"""

import ast
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

_CELL = re.compile(r"([a-z]{1,2})([1-9][0-9]{0,2})")
_LETTERS = 26
_MOST_VALUES = 10  # of a board that is written with a character for each cell


def column_name(column: int) -> str:
    """The letters of a column from 0.

    >>> column_name(2), column_name(27)
    ('c', 'ab')
    """
    letter = chr(ord("a") + column % _LETTERS)
    return letter if column < _LETTERS else column_name(column // _LETTERS - 1) + letter


def move_text(move: Any) -> str:
    """The text of a move.

    >>> [move_text(move) for move in (4, (3, 2), ((0, 0), (1, 1)), "swap", ("drop", (0, 1)), None)]
    ['4', 'c4', 'a1-b2', 'swap', 'drop-b1', 'pass']
    """
    if move is None:
        return "pass"
    if is_cell(move):
        return f"{column_name(move[1])}{move[0] + 1}"
    return "-".join(map(move_text, move)) if isinstance(move, tuple) else str(move)


def is_cell(move: Any) -> bool:
    """Whether a move, or a part of one, is a row and a column."""
    return isinstance(move, tuple) and len(move) == 2 and all(type(number) is int and number >= 0 for number in move)


def read_move(text: str, moves: Sequence[Any]) -> Any:
    """The move that a text means by its form alone, if moves here have that form; else None.

    >>> read_move("17", [1, 2]), read_move("c4", [(0, 0)]), read_move("a1-b2", [((0, 0), (0, 1))]), read_move("c4", [1])
    (17, (3, 2), ((0, 0), (1, 1)), None)
    """
    found = [_CELL.fullmatch(part) for part in text.split("-")]
    cells = tuple((int(match[2]) - 1, _column(match[1])) for match in found if match)
    move: Any = cells if len(cells) > 1 else cells[0] if cells else None
    if re.fullmatch("[0-9]{1,9}", text):
        move = int(text)
    elif len(cells) < len(found):
        return None
    return move if not moves or _form(move) in map(_form, moves) else None


def _form(move: Any) -> Any:
    """What kinds of parts a move has, in their order."""
    return type(move) if is_cell(move) or not isinstance(move, tuple) else tuple(map(_form, move))


def _column(name: str) -> int:
    number = 0
    for letter in name:
        number = number * _LETTERS + ord(letter) - ord("a") + 1
    return number - 1


def is_line(text: Any) -> bool:
    """Whether a text arrives over GTP as it is: words with single blanks between, and no #, where a comment begins."""
    return isinstance(text, str) and text.isprintable() and "#" not in text and [*text.split(" ")] == text.split() != []


def symbols(players: Sequence[str]) -> str:
    """The characters of a board's values 0, 1, 2, ...: nothing, the first player, the second, then digits.

    >>> symbols(("x", "o")), symbols(("3d", "b"))
    ('.xo3456789', '.123456789')
    """
    first, second = players[0][0], players[1][0]
    has_letters = first != second and not (first.isdigit() or second.isdigit())
    return f".{first}{second}3456789" if has_letters else ".123456789"


def is_board(value: Any) -> bool:
    """Whether a value is a board of rows and columns: whole numbers from 0 to 9."""
    is_grid = isinstance(value, np.ndarray) and value.ndim == 2 and value.dtype.kind in "iub"
    return is_grid and value.size > 0 and value.min() >= 0 and value.max() < _MOST_VALUES


def state_text(state: Any, players: Sequence[str]) -> str:
    """A state as one line."""
    is_pair = isinstance(state, tuple) and len(state) == 2 and is_board(state[0])
    if is_pair and isinstance(state[1], int | np.integer) and state[1] in (0, 1):
        board, player = state
        rows = ("".join(symbols(players)[value] for value in row) for row in board.astype(int).tolist())
        return f"{'/'.join(rows)} {players[player]}"
    return repr(_plain(state)).replace("#", r"\x23").replace("  ", r"\x20\x20")  # see `is_line`


def read_state(text: str, start: Any, players: Sequence[str]) -> Any:
    """The state that a line means, in the form of the state at the start. Raises ValueError."""
    rows, _, player = text.strip().partition(" ")
    if isinstance(start, tuple) and len(start) == 2 and is_board(start[0]) and player in players:
        return _read_rows(rows.split("/"), start[0], symbols(players)), players.index(player)
    try:
        value = ast.literal_eval(text.strip())
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise ValueError("it is neither the rows of a board with the player to move nor a Python literal") from error
    return _like(value, start)


def _read_rows(lines: Sequence[str], like: np.ndarray, known: str) -> np.ndarray:
    height, width = like.shape
    if len(lines) != height or any(len(line) != width for line in lines):
        raise ValueError(f"the board must have {height} rows of {width}, with / between")
    if unknown := sorted(set("".join(lines)) - {*known}):
        raise ValueError(f"{unknown[0]} is none of {known}")
    return np.array([[known.index(value) for value in line] for line in lines], like.dtype)


def _plain(value: Any) -> Any:
    """A value without numpy: arrays become lists."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, tuple | list):
        return type(value)(map(_plain, value)) if type(value) in (tuple, list) else tuple(map(_plain, value))
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    return value


def _like(value: Any, sample: Any) -> Any:
    """A value with arrays and tuples where the sample has them. Raises ValueError if arrays or tuples differ."""
    if isinstance(sample, np.ndarray):
        array = np.array(value, sample.dtype)
        if array.shape != sample.shape:
            raise ValueError(f"there is an array of shape {array.shape} where one of shape {sample.shape} should be")
        return array
    if isinstance(sample, tuple):
        is_named = hasattr(sample, "_fields")
        if not isinstance(value, tuple) or (is_named and len(value) != len(sample)):
            raise ValueError(f"{value!r} stands where a tuple of {len(sample)} should be")
        if len(value) != len(sample):  # such as the moves so far
            return value
        parts = [_like(part, like) for part, like in zip(value, sample, strict=True)]
        return type(sample)(*parts) if is_named else tuple(parts)
    if isinstance(sample, list) and isinstance(value, list) and len(value) == len(sample):
        return [_part_like(part, like) for part, like in zip(value, sample, strict=True)]
    if isinstance(sample, dict) and isinstance(value, dict):
        return {key: _part_like(entry, sample.get(key)) for key, entry in value.items()}
    return value


def _part_like(value: Any, sample: Any) -> Any:
    """A part of a list or dictionary, which may be something else than at the start, such as None."""
    return _like(value, sample) if isinstance(value, tuple | list | dict) else value
