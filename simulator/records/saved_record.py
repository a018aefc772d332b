"""Games that were saved in `play`, as records, so that they are replayed as a match's are."""

from itertools import pairwise
from pathlib import Path
from typing import Any

from game import Game, format_result
from simulator.player.lookup import PERSON
from simulator.records.saved_game import FORFEITS, SavedGame, forfeit_in, game_of, players_of, replay, saved_of_sgf
from simulator.records.sgf_reader import read_sgf
from simulator.referee.game_record import GameRecord, MoveRecord, Reason, Verdict
from simulator.referee.verdicts import Verdicts

REASONS = {"R": Reason.RESIGNATION, "T": Reason.TIMEOUT, "F": Reason.CRASH}  # of the letters in FORFEITS


def record_of(saved: SavedGame, names: tuple[str, ...] = ()) -> GameRecord:
    """The record of a saved game; times and memory are 0, as nobody measured them. Raises InputError.

    A game that was not over is void. `names` are the players', if they are not to be those of the saved game. Where
    `saved.position` is not empty, the moves begin there and not at the start of the game.
    """
    game = game_of(saved)
    positions = replay(game, saved)
    first, second = names or ("a person" if text == PERSON else text for text in players_of(saved, game))
    verdict = _verdict(game, saved, (first, second), positions)
    forfeited = "" if verdict.winner is None else f"{game.players[verdict.winner].upper()}+"
    result = positions[-1].result
    return GameRecord(
        game=game.name,
        agents=(first, second),
        seed=0,
        opening=(),
        moves=tuple(
            MoveRecord(ply, before.to_move, game.format_move(after.last_move), 0.0, 0.0)
            for ply, (before, after) in enumerate(pairwise(positions))
        ),
        result=(result is None and forfeited) or format_result(game, result),
        final_position=game.format_position(positions[-1]),
        verdict=verdict,
        peak_memory_mb=(0.0, 0.0),
        options=game.settled_options,
        startup_seconds=(0.0, 0.0),  # both were there
    )


def _verdict(game: Game, saved: SavedGame, names: tuple[str, str], positions: list[Any]) -> Verdict:
    """How the game ended, if it did."""
    verdicts, plies, result = Verdicts(names, game.players), len(positions) - 1, positions[-1].result
    if result is not None:
        return verdicts.on_board(result, plies)
    forfeit = forfeit_in(game, saved.result)
    if not forfeit:
        return verdicts.void("the game was not over when it was saved", plies)
    winner, how = game.players.index(forfeit[0].lower()), forfeit[-1]
    text = f"{verdicts.called(1 - winner)} lost by {FORFEITS[how]} after {plies} moves"
    return Verdict(winner, REASONS[how], text, plies, loser=1 - winner)


def sgf_record(path: Path) -> tuple[GameRecord, str]:
    """The record of an SGF file's main line, and the position where its moves begin. Raises NotationError."""
    saved, read = saved_of_sgf(path), read_sgf(path)
    names = (name or letter for name, letter in zip(read.names, read.game.players, strict=True))
    return record_of(saved, tuple(names)), saved.position
