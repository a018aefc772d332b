"""Reading games back from the files that keep them.

Such a file is a tournament's records, the lines of `match --save`, the log of a game at the course's server, or a game
that was saved in `play`. Games are read by number. In a tournament's records and in JSON lines, each game has a number
of its own (if a line has none, or two have the same, lines are counted); in other files the only game has the number 1.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from options import InputError
from simulator import command_line
from simulator.course.log_file import is_log, read_log
from simulator.records.database import read_store
from simulator.records.file_errors import DATABASE, content_of
from simulator.records.record_json import json_in, record_in
from simulator.records.saved_game import BOM, record_of, saved_in, sgf_record
from simulator.records.store import Store
from simulator.referee.game_record import GameRecord, Reason

BEGINNING = 64  # bytes at the beginning of a file that tell its kind
LISTED = 12  # numbers of games in a message, if the numbers have gaps
NUMBER = re.compile(rb'\s*\{"number": (\d{1,9}),')  # of a game in a line, as `json_lines.py` writes it


class PlayedGame(NamedTuple):
    """One game with its place: round and pair are None outside tournaments.

    `position` is where the moves of a game that was saved in `play` begin, empty for the start of the game. A game
    `counts` unless it or the other game of its pair is void.
    """

    number: int
    record: GameRecord
    round: int | None = None
    pair: int | None = None
    position: str = ""
    counts: bool = True


class Summary(NamedTuple):
    """A game in a list of games; the round is None outside tournaments."""

    number: int
    round: int | None
    first: str
    second: str
    result: str
    reason: str
    moves: int

    @classmethod
    def of(cls, played: PlayedGame) -> Self:
        """The summary of a game."""
        record = played.record
        reason = record.verdict.reason.value
        return cls(played.number, played.round, *record.agents, record.result, reason, len(record.line))


class PlayedGames:
    """The games of a file, each read when it is asked for.

    Args:
        read: returns the game of a number, or raises InputError.
        known: summaries, by number, for which no game has to be read.

    Attributes:
        numbers: the games' numbers, in the order in which the games were to be played.
    """

    def __init__(
        self,
        path: Path,
        numbers: Iterable[int],
        read: Callable[[int], PlayedGame],
        known: Mapping[int, Summary] = MappingProxyType({}),
    ) -> None:
        self.path, self.numbers, self._read, self._known = path, list(numbers), read, known
        self._there = frozenset(self.numbers)

    def game(self, number: int) -> PlayedGame:
        """The game of that number. Raises InputError."""
        if number not in self._there:
            raise InputError(f"{self.path} has no game {number}: {self._which_there_are()}")
        return self._read(number)

    def _which_there_are(self) -> str:
        if not self.numbers:
            return NO_GAMES
        first, last, some = min(self.numbers), max(self.numbers), sorted(self.numbers)[:LISTED]
        if last - first == len(self.numbers) - 1:
            return f"they are numbered from {first} to {last}"
        return f"there are {', '.join(map(str, some))}{', ...' if len(some) < len(self.numbers) else ''}"

    def __iter__(self) -> Iterator[PlayedGame]:
        """All games. Raises InputError."""
        return map(self.game, self.numbers)

    def summaries(self) -> Iterator[Summary]:
        """The summaries of all games; a game that cannot be read has the reason UNREADABLE."""
        for number in self.numbers:
            try:
                yield self._known.get(number) or Summary.of(self._read(number))
            except InputError:
                yield Summary(number, None, "", "", "", UNREADABLE, 0)


UNREADABLE = "unreadable"
NO_GAMES = "no game has been played yet"


@contextmanager
def read_games(path: Path, *, of_play: bool = False) -> Iterator[PlayedGames]:
    """The games of a file. Raises InputError or StoreError if it has none or cannot be read.

    With `of_play`, a game that was saved in `play` can be read too; its moves may begin at a position of its own.
    """
    try:
        beginning = content_of(path, BEGINNING)
    except OSError as error:
        raise InputError(str(error)) from error
    if beginning.startswith(DATABASE):
        with read_store(path) as store:
            yield games_of(store)
    elif is_log(beginning):
        yield PlayedGames(path, [1], lambda number: PlayedGame(number, read_log(path)))
    elif beginning.removeprefix(BOM).lstrip().startswith(b"(") and of_play:
        yield PlayedGames(path, [1], lambda number: _sgf_game(path))
    elif b"\0" in beginning:
        raise InputError(f"{path} is a binary file, and no tournament's records")
    else:
        yield _saved_lines(path, of_play)


def games_of(store: Store) -> PlayedGames:
    """The games of a tournament's records, which are open already; void games are included."""
    games = {game.id: game for game in store.games()}
    void = store.void_pairs()
    known = {
        game.id: Summary(game.id, game.round, game.first, game.second, game.result, game.reason.value, game.moves)
        for game in games.values()
    }

    def read(number: int) -> PlayedGame:
        """The game of that number in the tournament."""
        game = games[number]
        try:
            record = store.record(number)
        except LookupError as error:  # a void pair that is to be played again loses its games
            raise InputError(f"{error} any more") from error
        return PlayedGame(number, record, game.round, game.pair, counts=game.pair not in void)

    return PlayedGames(store.path, games, read, known)


def _saved_lines(path: Path, of_play: bool) -> PlayedGames:
    """The games of a file with a JSON object in each line that is not empty, or with one object on several lines."""
    with path.open("rb") as stream:
        lines = _objects({number: line for number, line in enumerate(stream, 1) if line.strip()})
    if not lines:
        raise InputError(f"{path} holds no games: it is empty")
    line_of = _lines_by_number(lines)

    def read(number: int) -> PlayedGame:
        """The game of that number in the file. Raises InputError."""
        line = line_of[number]
        try:
            content = json_in(lines[line])
            if isinstance(content, dict) and "unforced" in content:
                return _saved(path, number, content, of_play)
            record = record_in(content)
            counts = bool(content.get("counts", record.verdict.reason is not Reason.VOID))
            return PlayedGame(number, record, content.get("round"), content.get("pair"), counts=counts)
        except ValueError as error:
            expected = "a tournament's records, or a line for each game, as `match --save` writes them"
            expected += ", or a game saved in `play`" if of_play else ""
            others = "; remove that line to read the other games" if len(lines) > 1 else ""
            raise InputError(f"{path}, line {line}, is not a game ({error}); expected {expected}{others}") from error

    return PlayedGames(path, sorted(line_of), read)


def _lines_by_number(lines: Mapping[int, bytes]) -> dict[int, int]:
    """The line of each game, by the number in it; by the line itself unless each line has a number of its own."""
    numbered = {line: NUMBER.match(text) for line, text in lines.items()}
    found = {int(number[1]): line for line, number in numbered.items() if number}
    return found if len(found) == len(lines) else {line: line for line in lines}


def _saved(path: Path, number: int, content: dict[str, Any], of_play: bool) -> PlayedGame:
    if not of_play:
        raise InputError(f"{path} is a game that was saved in `play`: {command_line('replay', str(path))} shows it")
    try:
        saved = saved_in(content)
        return PlayedGame(number, record_of(saved), position=saved.position)
    except ValueError as error:
        raise InputError(f"{path}, a game that was saved in `play`, cannot be shown: {error}") from error


def _sgf_game(path: Path) -> PlayedGame:
    """The main line of an SGF file. Raises InputError."""
    record, position = sgf_record(path)
    return PlayedGame(1, record, position=position)


def _objects(lines: dict[int, bytes]) -> dict[int, bytes]:
    """The lines as they are; if together they are one JSON object, as a saved game is, that object as line 1."""
    first = next(iter(lines), 0)
    if len(lines) > 1 and not _is_object(lines[first]):
        whole = b"".join(lines.values())
        if _is_object(whole) or lines[first].strip() == b"{":  # the first line that `save` writes
            return {1: whole}
    return lines


def _is_object(text: bytes) -> bool:
    try:
        return isinstance(json_in(text), dict)
    except ValueError:
        return False
