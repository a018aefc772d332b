"""Boards for a page: a game's positions as changes from one to the next, and what a drawing needs besides.

If the `BoardView` of a game has an `outline`, a position is its `board`, row by row. Written down are the first board,
as numbers; for each move the entries that it changes, as [cell, entry, cell, entry...]; and the cells of the line that
won, if one did. For other games, each position is the text of `Game.draw`.
"""

from itertools import pairwise
from typing import Any

import numpy as np

from board_view import BoardView
from game import Game
from options import Failure, InputError
from simulator.play.replay import Replay
from simulator.records.reader import PlayedGame
from simulator.referee.game_record import GameRecord

Json = dict[str, Any]


def board_json(game: Game) -> Json:
    """How a game's boards are drawn: `kind`, and unless that is `text`, what a drawing needs to know of the board."""
    return (game.board_view() or BoardView()).outline()


def positions_json(record: GameRecord) -> Json:
    """The moves of a game and its positions; where it cannot be played again here, `problem` says why."""
    try:
        return _positions(Replay(PlayedGame(0, record)))
    except (InputError, Failure) as error:  # the game's file has changed, or its rules fail
        return {"problem": str(error), "moves": [*record.line]}


def _positions(replay: Replay) -> Json:
    game, positions = replay.game, replay.positions
    content: Json = {
        "moves": [game.format_move(position.last_move) for position in positions[1:]],
        "players": "".join(map(str, replay.movers)),
    }
    view = game.board_view() or BoardView()
    if view.outline() == BoardView().outline():
        return content | {"drawings": [game.draw(position) for position in positions]}
    boards = [position.board.ravel() for position in positions]
    content |= {
        "start": boards[0].tolist(),
        "changes": [_changes(*two) for two in pairwise(boards)],
        "won": [
            int(np.ravel_multi_index(cell, positions[-1].board.shape)) for cell in game.winning_cells(positions[-1])
        ],
        "marks": [view.traces(position) for position in positions[1:]],
    }
    if hasattr(positions[-1], "captures"):
        content["captures"] = [list(position.captures) for position in positions]
    return content


def _changes(before: np.ndarray, after: np.ndarray) -> list[int]:
    cells = np.flatnonzero(before != after)
    return [int(number) for cell in cells for number in (cell, after[cell])]
