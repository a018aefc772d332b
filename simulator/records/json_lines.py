"""Games as lines of JSON, one object each."""

import json
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from simulator.records.file_errors import cannot_write
from simulator.referee.game_record import GameRecord


class GameFile:
    """A file that games are added to, one line of JSON each, flushed after every game; with no path, nothing at all."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file: TextIO | None = None

    def __enter__(self) -> Self:
        if self._path is not None:
            try:
                self._file = self._path.open("a", encoding="utf-8")
            except OSError as error:
                raise cannot_write(self._path, error) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def write(self, record: GameRecord, number: int) -> None:
        """Add one game. Raises OSError."""
        if self._path is None or self._file is None:
            return
        try:
            self._file.write(json.dumps(record.to_json()) + "\n")
            self._file.flush()
        except OSError as error:
            with suppress(OSError):  # closing it writes what is left over, and fails again
                self._file.close()
            self._file = None
            raise cannot_write(self._path, error) from error
