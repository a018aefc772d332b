"""Games that were saved in `play`, as records, so that they are replayed as a match's are."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from game import Game, format_result
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
from simulator.referee.game_record import GameRecord, MoveRecord, Reason, Verdict
from simulator.referee.verdicts import Verdicts, counted

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
    verdict, result = _verdict(game, saved.result, (first, second), positions, in_file)
    return GameRecord(
        game=game.name,
        agents=(first, second),
        seed=0,
        opening=(),
        moves=tuple(
            MoveRecord(ply, before.to_move, game.format_move(after.last_move), 0.0, 0.0)
            for ply, (before, after) in enumerate(pairwise(positions))
        ),
        result=result,
        final_position=game.format_position(positions[-1]),
        verdict=verdict,
        peak_memory_mb=(0.0, 0.0),
        options=game.settled_options,
        startup_seconds=(0.0, 0.0),  # both were there
    )


def _verdict(game: Game, saved: str, names: tuple[str, str], positions: list[Any], in_file: str) -> tuple[Verdict, str]:
    """How the game ended, if it did, and its result; `saved` is the saved game's, `in_file` what SGF says it was."""
    verdicts, plies, result = Verdicts(names, game.players), len(positions) - 1, positions[-1].result
    in_words = counted_in(game, in_file)
    if result is not None:
        verdict = verdicts.on_board(result, plies)
        if in_words not in (None, result):
            verdict = replace(verdict, text=f"{verdict.text}; the file says {in_file.strip()}")
        return verdict, format_result(game, result)
    if forfeit := forfeit_in(game, saved):
        winner, how = game.players.index(forfeit[0].lower()), forfeit[-1]
        text = f"{verdicts.called(1 - winner)} lost by {FORFEITS[how]} after {counted(plies, 'move')}"
        return Verdict(winner, REASONS[how], text, plies, loser=1 - winner), forfeit[:-1]
    if in_words is not None:
        return verdicts.counted_elsewhere(in_words, plies), format_result(game, in_words)
    return verdicts.void("the game was not over when it was saved", plies), format_result(game, None)


def sgf_record(path: Path) -> tuple[GameRecord, str]:
    """The record of an SGF file's main line, and the position where its moves begin. Raises NotationError."""
    read = read_sgf(path)
    saved = saved_in_sgf(read)
    names = (name or letter for name, letter in zip(read.names, read.game.players, strict=True))
    return record_of(saved, tuple(names), read.result), saved.position
