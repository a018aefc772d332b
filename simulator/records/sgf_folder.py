"""Folders of SGF files: the games of a match, in a folder named after the date, and exported games."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from game import game_title
from options import InputError
from simulator.records.file_errors import replacing, writing
from simulator.records.reader import PlayedGames
from simulator.records.sgf_writer import sgf_of
from simulator.referee.game_record import GameRecord

GAMES = {"go"}  # SGF has numbers for more games, but `sgf_writer.py` writes this one only
DEFAULT_FOLDER = Path("games")
LONGEST_NAME = 40  # characters of an agent in a file's name: an agent can have many options


@contextmanager
def match_folder(parent: Path, names: Sequence[str]) -> Iterator[Path]:
    """Make a folder for the games of a match; it is removed at the end if it is empty. Raises OSError."""
    started = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    with writing(parent):
        folder = _new_folder(parent, f"{started}-{_versus(names)}")
    try:
        yield folder
    finally:
        with suppress(OSError):  # it has games
            folder.rmdir()


def write_sgf(games: PlayedGames, folder: Path) -> None:
    """Write a file for each game; older files of the same names are overwritten.

    Raises InputError for a game other than Go or one that SGF cannot express, OSError if a file cannot be written.
    """
    for played in games:
        record = played.record
        if record.game not in GAMES:
            raise InputError(
                f"{game_title(record.game)} is not written as SGF, which is for {' and '.join(sorted(GAMES))} only"
            )
        try:
            write_game(folder, record, played.number)
        except ValueError as error:  # for example, somebody has edited a move
            raise InputError(f"{games.path}: game {played.number} cannot be written as SGF: {error}") from error


def write_game(folder: Path, record: GameRecord, number: int) -> None:
    """Write a game into a folder, where it has that number. Raises OSError."""
    with replacing(folder / file_name(record.agents, number)) as stream:
        stream.buffer.write(sgf_of(record))


def file_name(agents: tuple[str, str], number: int) -> str:
    """The name of a game's file in a folder; `number` tells it from other games of the same agents.

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
    """An agent's name as a part of the name of a file."""
    return re.sub(r"[^\w.]+", "_", agent)[:LONGEST_NAME].strip("_.") or "agent"
