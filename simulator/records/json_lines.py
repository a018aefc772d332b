"""Games as lines of JSON, one object each: added to a file while they are played, or exported."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from simulator.records.file_errors import is_database, writing
from simulator.records.reader import PlayedGames
from simulator.referee.game_record import GameRecord

BEGINNING = b'{"number": '  # of a game


@contextmanager
def game_file(path: Path, records: Path | None = None) -> Iterator[Callable[[GameRecord, int, bool], None]]:
    """Open a file for games; yields a function that adds a game, with its number in the match and whether it counts.

    Games come in the order in which their pairs end. The file is flushed after every game. If a kill or a full disk has
    cut off the last line, that line is ended first, so that the next one can be read. Raises OSError, in words, also if
    the file is no file of games, or is `records`.
    """
    if is_database(path) or (records is not None and path.resolve() == records.resolve()):
        raise OSError(f"{path} holds the records of a tournament: name another file for games as JSON")
    if path.is_file() and not _may_hold_games(path):
        raise OSError(f"{path} is no file of games, so none are added to it: name another file")
    with writing(path):
        file = path.open("a", encoding="utf-8")
        if _is_cut_off(path):
            file.write("\n")

    def write(record: GameRecord, number: int, counts: bool) -> None:
        with writing(path):
            file.write(json.dumps({"number": number, "counts": counts} | record.to_json()) + "\n")
            file.flush()

    try:
        yield write
    finally:
        with suppress(OSError):  # closing writes what is still in the buffer, which may have failed before
            file.close()


def _may_hold_games(path: Path) -> bool:
    """Whether a file is empty, or begins with a game, which may be cut off."""
    with path.open("rb") as file:
        line = file.readline()
    return BEGINNING.startswith(line.strip()[: len(BEGINNING)] or line)  # an empty line is no beginning of a game


def _is_cut_off(path: Path) -> bool:
    """Whether the last line of a file has no line break; False if it is no regular file, such as /dev/stdout."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 1))
        return file.read() not in (b"", b"\n")


def remove_half_a_line(path: Path) -> None:
    """Remove a last line that has no line break: it was being written when a process or the machine ended."""
    content = path.read_bytes()
    if content and not content.endswith(b"\n"):
        os.truncate(path, content.rfind(b"\n") + 1)


def write_jsonl(games: PlayedGames, stream: TextIO) -> None:
    """Write a line for each game: the record as in `match --save`, number, round and pair, and whether it counts."""
    for played in games:
        place = {"number": played.number, "round": played.round, "pair": played.pair, "counts": played.counts}
        stream.write(json.dumps(place | played.record.to_json()) + "\n")
