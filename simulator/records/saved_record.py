"""Games that were saved in `play`, as records, so that they can be replayed like those of a match."""

from pathlib import Path

from options import counted
from simulator.player.lookup import PERSON
from simulator.records.saved_game import (
    FORFEITS,
    SavedGame,
    counted_in,
    forfeit_in,
    game_of,
    players_of,
    replay,
    saved_in_sgf,
)
from simulator.records.sgf_reader import read_sgf
from simulator.referee.game_record import GameRecord, Reason
from simulator.referee.scoresheet import Scoresheet

REASONS = {"R": Reason.RESIGNATION, "T": Reason.TIMEOUT, "F": Reason.CRASH}  # of the letters in FORFEITS


def record_of(saved: SavedGame, names: tuple[str, ...] = (), in_file: str = "") -> GameRecord:
    """The record of a saved game; times and memory are 0, as nobody measured them. Raises InputError.

    A game that was not over is void. `names` are the players', if they are not to be those of the saved game, `in_file`
    is the result that an SGF file says it had. Where `saved.position` is not empty, the moves begin there and not at
    the start of the game.
    """
    game = game_of(saved)
    positions = replay(game, saved)
    first, second = names or ("a person" if text == PERSON else text for text in players_of(saved, game))
    sheet = Scoresheet(game, (first, second), position=positions[0])
    for position in positions[1:]:
        sheet.write(position)
    _end(sheet, saved.result, in_file)
    return sheet.record(date="", startup_seconds=(0.0, 0.0))  # both were there


def _end(sheet: Scoresheet, saved: str, in_file: str) -> None:
    """Say how the game ended: `saved` is the result of the saved game, `in_file` what SGF says it was."""
    game, result = sheet.game, sheet.position.result
    in_words = counted_in(game, in_file)
    if result is not None:
        sheet.on_board("" if in_words in (None, result) else f"; the file says {in_file.strip()}")
    elif forfeit := forfeit_in(game, saved):
        winner, how = game.players.index(forfeit.partition("+")[0].lower()), forfeit[-1]
        text = f"{sheet.called(1 - winner)} lost by {FORFEITS[how]} after {counted(sheet.ply, 'move')}"
        sheet.end(winner, REASONS[how], text, loser=1 - winner)
    elif in_words is not None:
        sheet.counted_elsewhere(in_words)
    else:
        sheet.void("the game was not over when it was saved")


def sgf_record(path: Path) -> tuple[GameRecord, str]:
    """The record of an SGF file's main line, and the position where its moves begin. Raises NotationError."""
    read = read_sgf(path)
    saved = saved_in_sgf(read)
    names = (name or letter for name, letter in zip(read.names, read.game.players, strict=True))
    return record_of(saved, tuple(names), read.result), saved.position
