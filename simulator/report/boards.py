"""Boards for a page: a game's positions as changes from one to the next, and what a drawing needs besides.

Of games with a drawn board (`DRAWN`), a position is its `board` along the rows. Written down are the first one, as
numbers, and for each move what it changes, as [cell, entry, cell, entry...]; and the cells of the line that won, if one
did. Of other games each position is the text that `Game.draw` gives.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from game import Game
from options import InputError
from simulator.records.reader import replayed
from simulator.referee.game_record import GameRecord

MOST_HANDICAP = 9  # stones: the more, the more star points are known

Json = dict[str, Any]


# --- Boards ---------------------------------------------------------------------------------------------------------


def board_json(game: Game) -> Json:
    """How the boards of a game are drawn: `kind`, and for drawn ones what their drawing needs to know of the board."""
    if game.name not in DRAWN:
        return {"kind": "text"}
    return {"kind": game.name, **DRAWN[game.name].shape(game)}


def _grid(game: Game) -> Json:
    """Of a board of rows and columns: their names, and star points."""
    start = game.initial()
    rows, columns = start.board.shape
    texts = [game.format_move(move).upper() for move in start.legal_moves()]
    firsts = list(dict.fromkeys(text.partition("/")[0] for text in texts))[: rows * columns]  # along the rows
    return {
        "rows": [text[1:] for text in firsts[::columns]],
        "columns": [text[0] for text in firsts[:columns]],
        "stars": _stars(game, columns),
    }


def _stars(game: Any, columns: int) -> list[int]:
    """The cells of star points: where the stones of handicaps stand."""
    if not hasattr(game, "handicap_points"):
        return []
    points = set()
    for stones in range(2, MOST_HANDICAP + 1):
        try:
            points |= set(game.handicap_points(stones))
        except ValueError:  # this board has no places for so many
            break
    return sorted(point.row * columns + point.column for point in points)


# --- Games ----------------------------------------------------------------------------------------------------------


def positions_json(record: GameRecord) -> Json:
    """The moves of a game and its positions; where it cannot be played again here, `problem` says why."""
    try:
        game, positions = replayed(record)
    except InputError as error:
        return {"problem": str(error), "moves": [*record.opening, *(move.move for move in record.moves)]}
    content: Json = {
        "moves": [game.format_move(position.last_move) for position in positions[1:]],
        "players": "".join(str(position.to_move) for position in positions[:-1]),
    }
    if game.name not in DRAWN:
        return content | {"drawings": [game.draw(position) for position in positions]}
    boards = [position.board.ravel() for position in positions]
    return content | {
        "start": boards[0].tolist(),
        "changes": [_changes(*two) for two in pairwise(boards)],
        "won": _winning_cells(game, positions[-1]),
        **DRAWN[game.name].marks(game, positions),
    }


def _changes(before: np.ndarray, after: np.ndarray) -> list[int]:
    cells = np.flatnonzero(before != after)
    return [int(number) for cell in cells for number in (cell, after[cell])]


def _winning_cells(game: Game, last: Any) -> list[int]:
    """The cells of the stones that ended the game by standing in a line."""
    columns = last.board.shape[1]
    return [row * columns + column for row, column in game.winning_cells(last)]


def _pentago(game: Game, positions: Sequence[Any]) -> Json:
    """Of each move: where the stone was put, where it stands after the turn, the quadrant and its turn."""
    empty, marks = game.initial(), []
    for position in positions[1:]:
        move = position.last_move
        landed = int(np.flatnonzero(empty.play(move).board)[0])
        marks.append([move.row * 6 + move.column, landed, move.quadrant, move.turn])
    return {"marks": marks}


def _go(game: Game, positions: Sequence[Any]) -> Json:
    """Of each move: the point, -1 for a pass; and how many stones black and white have captured by then."""
    size = len(positions[0].board)
    moves = [position.last_move for position in positions[1:]]
    return {
        "marks": [[move.row * size + move.column if move.row >= 0 else -1] for move in moves],
        "captures": [list(position.captures) for position in positions],
    }


def _kalah(game: Game, positions: Sequence[Any]) -> Json:
    """Of each move: the entry of the pit that was sown, along the rows of `board`."""
    width = positions[0].board.shape[1]
    return {"marks": [[position.last_player * width + position.last_move - 1] for position in positions[1:]]}


def _pits(game: Game) -> Json:
    """Of a board of pits and stores: how many pits a player has, and what the players are called."""
    return {"pits": game.initial().board.shape[1] - 1, "names": game.player_names}


class Drawing(NamedTuple):
    """What the drawing of a game's boards needs. Attributes: shape: of the board. marks: of a game's positions."""

    shape: Callable[[Game], Json]
    marks: Callable[[Game, Sequence[Any]], Json]


DRAWN = {"go": Drawing(_grid, _go), "kalah": Drawing(_pits, _kalah), "pentago": Drawing(_grid, _pentago)}
