"""The log of a game and the list of outcomes, as the course's server writes them.

A log is named game00001.log. Lines that begin with `#` describe the game; the others are the lines that the server sent
to both players: `START` twice, the moves, `GAMEOVER`. `outcomes.txt` has a line for each game.
"""

import codecs
import re
import time
from datetime import datetime
from pathlib import Path
from typing import TextIO

from agents.limits import Limits
from options import InputError, counted
from simulator import NAME, VERSION
from simulator.course.protocol import (
    WINNER,
    GameOver,
    MoveLine,
    ProtocolError,
    Start,
    player_name,
    read_server_line,
    said_by_server,
    two_names,
)
from simulator.course.scoresheet import CourseScoresheet, ImpossibleMove
from simulator.referee.game_record import GameRecord

OUTCOMES = "outcomes.txt"
BOARD_CLASS = "pentago_twist.PentagoBoard"  # in the course's server, whose viewer needs it
LARGEST_LOG = 1 << 20  # bytes; a game has about 1000
LONGEST_TIME = 12  # digits of milliseconds
MARKS = (b"# Server version", b"START Player-0")  # how a log begins
_NAME = re.compile(r"game([0-9]{5,9})\.log")
_HEADER = re.compile(r"# ([A-Za-z ]+): (.*)")
_DATE = "%a %b %d %H:%M:%S %Y"  # Java's without the time zone, which has no clear meaning


class LogFile:
    """The log of one game while it is played, in the folder of `outcomes.txt`.

    Attributes:
        number: the game's number, one more than that of the last log in the folder.
    """

    def __init__(
        self, folder: Path, where: str, limits: Limits, names: tuple[str, str], hosts: tuple[str, str]
    ) -> None:
        """Raises OSError."""
        self._names = names
        self.number, self.path, self._file = _new_file(folder)
        self._comment(f"Server version {VERSION} ({NAME}) running on {where}")
        self._comment(f"Game ID: {self.number}")
        self._comment(f"Board class: {BOARD_CLASS}")
        self._comment(f"Timeout: {round(1000 * limits.move_seconds)}")
        self._comment(f"First Move Timeout: {round(1000 * limits.first_move_seconds)}")
        self._comment(f"Date: {_now()}")
        for player, (name, host) in enumerate(zip(names, hosts, strict=True)):
            self._comment(f"Player {player + 1}: {player_name(player)}, '{name}', running on {host}")

    def write(self, line: object) -> None:
        """Add a line that was sent. Raises OSError."""
        self._file.write(f"{line}\n")
        self._file.flush()

    def end(self, over: GameOver, ply: int) -> None:
        """Write the end of the log, and the outcome of the game. Raises OSError."""
        self.write(over)
        self._comment(f"Game ended: {_now()}")
        self._file.close()
        winner = over.player if over.ending == WINNER else None
        ending, name = (str(over), "NOBODY") if winner is None else (str(winner), self._names[winner])
        columns = (str(self.number), *self._names, ending, name, str(ply // 2), self.path.name, over.reason)
        with (self.path.parent / OUTCOMES).open("a", encoding="utf-8") as file:
            file.write(",".join(columns) + "\n")

    def _comment(self, text: str) -> None:
        self.write(f"# {text}")


def _new_file(folder: Path) -> tuple[int, Path, TextIO]:
    folder.mkdir(parents=True, exist_ok=True)
    taken = [int(match[1]) for path in folder.iterdir() if (match := _NAME.fullmatch(path.name))]
    number = max(taken, default=0) + 1
    while True:
        path = folder / f"game{number:05}.log"
        try:
            return number, path, path.open("x", encoding="utf-8")
        except FileExistsError:  # another server writes into this folder, too
            number += 1


def _now() -> str:
    """The time as Java writes it: `Thu Apr 01 10:11:12 EDT 2021`."""
    now = datetime.now().astimezone()
    return now.strftime("%a %b %d %H:%M:%S ") + f"{time.strftime('%Z') or 'UTC'} {now.year}"


def is_log(beginning: bytes) -> bool:
    """Whether a file that begins like this is a log."""
    return beginning.removeprefix(codecs.BOM_UTF8).startswith(MARKS)


def read_log(path: Path) -> GameRecord:
    """The game in a log. A log does not say how long moves took: their seconds are 0.

    The game is void if the log ends before it does. Raises InputError, OSError.
    """
    with path.open("rb") as file:
        content = file.read(LARGEST_LOG + 1)
    if len(content) > LARGEST_LOG:
        raise InputError(f"{path} is too large for the log of a game: more than {LARGEST_LOG >> 20} MB")
    lines = content.decode("utf-8-sig", "replace").splitlines()
    header = _header(lines, path)
    starts = [said for line in lines if isinstance(said := said_by_server(line), Start)]
    if [start.player for start in starts] != [0, 1]:
        raise InputError(f"{path} is not the log of a game: expected a line START Player-0 and then START Player-1")
    names = two_names(starts[0].name, starts[1].name)
    sheet = CourseScoresheet(names, _limits(header, path))
    _play(lines, sheet, path)
    return sheet.record(date=_date(header.get("Date", "")))


def _header(lines: list[str], path: Path) -> dict[str, str]:
    header = {match[1]: match[2] for line in lines if (match := _HEADER.match(line))}
    board = header.get("Board class", BOARD_CLASS)
    if board != BOARD_CLASS:
        raise InputError(f"{path} is the log of another game, {board}: only logs of Pentago Twist can be read")
    return header


def _play(lines: list[str], sheet: CourseScoresheet, path: Path) -> None:
    """Write the moves of a log on a scoresheet, and how the game ended."""
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            said = read_server_line(line)
            if isinstance(said, MoveLine):
                sheet.write_line(said)
        except (ProtocolError, ImpossibleMove) as error:
            raise InputError(f"{path}, line {number}: {error}") from error
        if isinstance(said, GameOver):
            sheet.ended(said)
            return
    sheet.void(f"the log ends after {counted(sheet.ply, 'move')}, before the game did")


def _limits(header: dict[str, str], path: Path) -> Limits | None:
    """The time limits of a game, None if the log does not have them.

    Raises InputError for more than LONGEST_TIME digits.
    """
    found = [header.get(key, "") for key in ("First Move Timeout", "Timeout")]
    if not all(text.isascii() and text.isdigit() for text in found):
        return None
    if any(len(text) > LONGEST_TIME for text in found):
        raise InputError(f"{path}: a timeout has more than {LONGEST_TIME} digits; expected milliseconds")
    first, later = (int(text) / 1000 for text in found)
    return Limits(first, later)


def _date(text: str) -> str:
    """A date of Java as ISO 8601, without its time zone; empty if it cannot be read."""
    words = text.split()
    try:
        return datetime.strptime(" ".join([*words[:4], *words[5:]]), _DATE).isoformat()
    except ValueError:
        return ""
