"""Games as lines of JSON, one object each: added to a file while they are played, or exported."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Self, TextIO

from simulator.records.file_errors import writing
from simulator.records.reader import PlayedGames
from simulator.referee.game_record import GameRecord


class GameFile:
    """A file that games are added to, flushed after every game; with no path, nothing at all. Used in a `with`.

    A last line that was cut off, by a kill or a full disk, is ended first: what follows it can be read.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file: TextIO | None = None

    def __enter__(self) -> Self:
        if self._path is not None:
            with writing(self._path):
                self._file = self._path.open("a", encoding="utf-8")
                if _is_cut_off(self._path):
                    self._file.write("\n")
        return self

    def __exit__(self, *error: object) -> None:
        if self._file is not None:
            with suppress(OSError):  # it writes what is left over, which may have failed before
                self._file.close()

    def write(self, record: GameRecord, number: int) -> None:
        """Add one game, with its number in the match: pairs end in any order. Raises OSError."""
        if self._path is not None and self._file is not None:
            with writing(self._path):
                self._file.write(json.dumps({"number": number} | record.to_json()) + "\n")
                self._file.flush()


def _is_cut_off(path: Path) -> bool:
    """Whether the last line of a file has no end; what is no regular file (/dev/stdout) cannot be asked."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 1))
        return file.read() not in (b"", b"\n")


def write_jsonl(games: PlayedGames, stream: TextIO) -> None:
    """A line for each game: its record as `match --save` has it, and its number, round and pair."""
    for played in games:
        place = {"number": played.number, "round": played.round, "pair": played.pair}
        stream.write(json.dumps(place | played.record.to_json()) + "\n")
