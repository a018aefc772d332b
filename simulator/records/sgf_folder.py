"""Folders of SGF files: the games of a match, in a folder named after the date, and exported games."""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Self

from game import game_title
from simulator.records.file_errors import writing
from simulator.records.reader import GamesError, PlayedGames
from simulator.records.sgf_writer import sgf_of
from simulator.referee.game_record import GameRecord

GAMES = {"go"}  # SGF has numbers for more games, and boards and moves for this one
DEFAULT_FOLDER = Path("games")
LONGEST_NAME = 40  # of an agent in a file's name: its options can be many


class SgfFolder:
    """Takes the games of a match, one file each; with no parent folder, nothing at all. Used in a `with`.

    Attributes:
        folder: where the files are, None before the `with`, without a parent, and after a match that left no game.
    """

    def __init__(self, parent: Path | None, names: Sequence[str]) -> None:
        self._parent, self._names = parent, names
        self.folder: Path | None = None

    def __enter__(self) -> Self:
        if self._parent is not None:
            started = datetime.now().strftime("%Y-%m-%d-%H%M%S")
            with writing(self._parent):
                self.folder = _new_folder(self._parent, f"{started}-{_versus(self._names)}")
        return self

    def __exit__(self, *error: object) -> None:
        if self.folder is not None and not any(self.folder.iterdir()):
            with suppress(OSError):
                self.folder.rmdir()
            self.folder = None

    def write(self, record: GameRecord, number: int) -> None:
        """Add a game, `number` being its own in the match. Raises OSError."""
        if self.folder is not None:
            file = self.folder / file_name(record.agents, number)
            with writing(file), file.open("xb") as stream:
                stream.write(sgf_of(record))


def write_sgf(games: PlayedGames, folder: Path) -> None:
    """A file for each game, over older ones of the same names.

    Raises GamesError for a game that SGF does not know, OSError if a file cannot be written.
    """
    for played in games:
        record = played.record
        if record.game not in GAMES:
            raise GamesError(
                f"{game_title(record.game)} is not written as SGF, which is for {' and '.join(sorted(GAMES))} only"
            )
        file = folder / file_name(record.agents, played.number)
        with writing(file):
            folder.mkdir(parents=True, exist_ok=True)
            file.write_bytes(sgf_of(record))


def file_name(agents: tuple[str, str], number: int) -> str:
    """Where a game goes in a folder; `number` tells it from others of the same agents.

    >>> file_name(("uct_agent:c=0.7", "gtp:gnugo --mode gtp"), 7)
    '007-uct_agent_c_0.7-gtp_gnugo_mode_gtp.sgf'
    """
    return f"{number:03}-{_versus(agents)}.sgf"


def _new_folder(parent: Path, name: str) -> Path:
    parent.mkdir(parents=True, exist_ok=True)
    number = 1
    while True:
        folder = parent / (name if number == 1 else f"{name}-{number}")
        try:
            folder.mkdir()
        except FileExistsError:
            number += 1
        else:
            return folder


def _versus(names: Sequence[str]) -> str:
    return "-".join(map(in_file_name, names))


def in_file_name(agent: str) -> str:
    """An agent's name as a part of a file's."""
    return re.sub(r"[^\w.]+", "_", agent)[:LONGEST_NAME].strip("_.") or "agent"
