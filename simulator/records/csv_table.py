"""Games, and other rows, as tables of comma-separated values, for spreadsheets."""

import csv
from collections.abc import Iterable, Mapping
from statistics import median
from typing import Any, TextIO

from simulator.records.reader import PlayedGame, PlayedGames
from simulator.referee.game_record import GameRecord

PLAYERS = ("first", "second")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001  (OWASP, "CSV Injection")


def write_csv(games: PlayedGames, stream: TextIO) -> None:
    """Write a row for each game, under a row with the names of the columns (see `row_of`)."""
    write_rows(map(row_of, games), stream)


def write_rows(rows: Iterable[Mapping[str, Any]], stream: TextIO) -> None:
    """Write rows that have the same columns, under a row with their names; without rows, write nothing.

    A text that a spreadsheet would take for a formula gets a `'` before it.
    """
    table = None
    for row in rows:
        if table is None:
            table = csv.DictWriter(stream, list(row), lineterminator="\n")
            table.writeheader()
        table.writerow({name: _plain_text(value) if isinstance(value, str) else value for name, value in row.items()})


def _plain_text(text: str) -> str:
    """The text on one line, marked where a spreadsheet would take it for a formula."""
    sign = "'" if text.startswith(FORMULA) else ""
    return sign + " ".join(text.splitlines())


def row_of(played: PlayedGame) -> dict[str, Any]:
    """The columns of a game; None where there is nothing to say.

    `first` and `second` are the agents in the order in which they moved. `..._start_seconds` is the time of an agent's
    first move, set-up included; `..._max_seconds` and `..._median_seconds` are over its later moves, also a late one
    that lost the game. `counts` is 0 for a void game and for the other game of its pair: standings leave both out.
    """
    record = played.record
    loser = record.verdict.loser
    return {
        "number": played.number,
        "round": played.round,
        "pair": played.pair,
        "counts": int(played.counts),
        "date": record.date,
        "first": record.agents[0],
        "second": record.agents[1],
        "result": record.result,
        "winner": record.winner,
        "reason": record.verdict.reason.value,
        "loser": None if loser is None else record.agents[loser],
        "moves": len(record.line),
        **_usage(record, 0),
        **_usage(record, 1),
        "opening": " ".join(record.opening),
        "seed": record.seed,
        "verdict": record.verdict.text,
    }


def _usage(record: GameRecord, player: int) -> dict[str, Any]:
    start, later = record.times_of(player)
    figures = {
        "start_seconds": round(start[0], 4) if start else None,
        "max_seconds": round(max(later), 4) if later else None,
        "median_seconds": round(median(later), 4) if later else None,
        "memory_mb": round(record.peak_memory_mb[player], 1) or None,
        "late_moves": sum(move.replaced for move in record.moves if move.player == player),
    }
    return {f"{PLAYERS[player]}_{name}": value for name, value in figures.items()}
