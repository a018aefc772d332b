"""Games that were played, for other programs: JSON lines, a table, SGF."""

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any, TextIO

from simulator.records.file_errors import cannot_write
from simulator.records.reader import GamesError, PlayedGame, PlayedGames
from simulator.records.sgf import sgf_of
from simulator.records.sgf_folder import GAMES, file_name
from simulator.referee.game_record import GameRecord

PLAYERS = ("first", "second")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001  (OWASP, "CSV Injection")


def write_jsonl(games: PlayedGames, stream: TextIO) -> None:
    """A line for each game: its record as `match --save` has it, and its number, round and pair."""
    for played in _all(games):
        place = {"number": played.number, "round": played.round, "pair": played.pair}
        stream.write(json.dumps(place | played.record.to_json()) + "\n")


def write_csv(games: PlayedGames, stream: TextIO) -> None:
    """A row for each game, under a row with the names of the columns (see `row_of`).

    A text that a spreadsheet would take for a formula has a `'` before it.
    """
    rows = map(_plain_row, map(row_of, _all(games)))
    first = next(rows)
    table = csv.DictWriter(stream, list(first), lineterminator="\n")
    table.writeheader()
    table.writerow(first)
    table.writerows(rows)


def _plain_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row whose texts are texts to a spreadsheet too, each on one line; numbers stay what they are."""
    return {name: _plain_text(value) if isinstance(value, str) else value for name, value in row.items()}


def _plain_text(text: str) -> str:
    sign = "'" if text.startswith(FORMULA) else ""
    return sign + " ".join(text.splitlines())


def write_sgf(games: PlayedGames, folder: Path) -> None:
    """A file for each game, over older ones of the same names.

    Raises GamesError for a game that SGF does not know, OSError if a file cannot be written.
    """
    for played in _all(games):
        record = played.record
        if record.game not in GAMES:
            raise GamesError(f"{record.game} is not written as SGF, which is for {' and '.join(sorted(GAMES))} only")
        file = folder / file_name(record.agents, played.number)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file.write_bytes(sgf_of(record, games.limits))
        except OSError as error:
            raise cannot_write(file, error) from error


def require_games(games: PlayedGames) -> None:
    """Raises GamesError if there is none."""
    if not games.numbers():
        raise GamesError("there is nothing to export: no game has been played yet")


def _all(games: PlayedGames) -> Iterator[PlayedGame]:
    """Every game. Raises GamesError if there is none."""
    require_games(games)
    return map(games.game, games.numbers())


def row_of(played: PlayedGame) -> dict[str, Any]:
    """What a table says of a game; empty where there is nothing to say.

    `first` and `second` are the agents in the order in which they moved. `..._start_seconds` is an agent's first move,
    set-up included; `..._max_seconds` and `..._median_seconds` are over its later ones, one that lost by time too.
    """
    record = played.record
    winner, loser = record.verdict.winner, record.verdict.loser
    return {
        "number": played.number,
        "round": played.round,
        "pair": played.pair,
        "date": record.date,
        "first": record.agents[0],
        "second": record.agents[1],
        "result": record.result,
        "winner": None if winner is None else record.agents[winner],
        "reason": record.verdict.reason.value,
        "loser": None if loser is None else record.agents[loser],
        "moves": len(record.opening) + len(record.moves),
        **_usage(record, 0),
        **_usage(record, 1),
        "opening": " ".join(record.opening),
        "seed": record.seed,
        "verdict": record.verdict.text,
    }


def _usage(record: GameRecord, player: int) -> dict[str, Any]:
    """Times, memory and late moves of a player."""
    moves = [move for move in record.moves if move.player == player]
    start, later = record.times_of(player)
    said = {
        "start_seconds": round(start[0], 4) if start else None,
        "max_seconds": round(max(later), 4) if later else None,
        "median_seconds": round(median(later), 4) if later else None,
        "memory_mb": round(record.peak_memory_mb[player], 1),
        "late_moves": sum(move.replaced for move in moves),
    }
    return {f"{PLAYERS[player]}_{name}": value for name, value in said.items()}
