"""Games that were played, read back from where they were kept.

That is a tournament's records, the lines of `match --save`, the log of a game at the course's server, or a game that
was saved in `play`. All are asked for games by number: in a tournament's records a game's own, in a file of JSON lines
its line, in others 1.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from game import Game, load_game, play_moves
from options import InputError
from simulator.course.log_file import is_log, read_log
from simulator.records.database import Store, read_store
from simulator.records.file_errors import DATABASE, check_is_file
from simulator.records.record_json import json_in, record_in
from simulator.records.saved_game import saved_in
from simulator.records.saved_record import record_of, sgf_record
from simulator.referee.game_record import GameRecord

BEGINNING = 64  # bytes, by which the kinds of files are told apart


class GamesError(Exception):
    """A file that holds no games, or not the one that was asked for; the message says why."""


class PlayedGame(NamedTuple):
    """One game with its place: round and pair are None outside tournaments.

    `position` is where the moves of a game that was saved in `play` begin, empty for the start of the game.
    """

    number: int
    record: GameRecord
    round: int | None = None
    pair: int | None = None
    position: str = ""


class Summary(NamedTuple):
    """A game in a list of games; the round is None outside tournaments."""

    number: int
    round: int | None
    first: str
    second: str
    result: str
    reason: str
    moves: int


class PlayedGames:
    """The games of a file, each read when it is asked for.

    Attributes:
        path: of the file.
        numbers: of the games, in the order in which they were to be played.
    """

    def __init__(self, path: Path, numbers: list[int]) -> None:
        self.path, self.numbers = path, numbers

    def game(self, number: int) -> PlayedGame:
        """The game of that number. Raises GamesError."""
        if number not in self.numbers:
            numbers = f"they are numbered from {min(self.numbers)} to {max(self.numbers)}" if self.numbers else NO_GAMES
            raise GamesError(f"{self.path} has no game {number}: {numbers}")
        return self._read(number)

    def __iter__(self) -> Iterator[PlayedGame]:
        """All games. Raises GamesError."""
        return map(self.game, self.numbers)

    def summaries(self) -> Iterator[Summary]:
        """All games for a list; of one that cannot be read, that it is UNREADABLE."""
        for number in self.numbers:
            try:
                played = self._read(number)
            except GamesError:
                yield Summary(number, None, "", "", "", UNREADABLE, 0)
                continue
            record = played.record
            moves = len(record.opening) + len(record.moves)
            yield Summary(number, played.round, *record.agents, record.result, record.verdict.reason.value, moves)

    def _read(self, number: int) -> PlayedGame:
        raise NotImplementedError


UNREADABLE = "unreadable"
NO_GAMES = "no game has been played yet"


@contextmanager
def read_games(path: Path, *, of_play: bool = False) -> Iterator[PlayedGames]:
    """The games of a file. Raises GamesError or StoreError for one that has none, OSError if it cannot be read.

    `of_play` lets a game be read that was saved in `play`, whose moves may begin at a position of its own.
    """
    try:
        check_is_file(path)
    except OSError as error:
        raise GamesError(str(error)) from error
    with path.open("rb") as stream:
        beginning = stream.read(BEGINNING)
    if beginning.startswith(DATABASE):
        with read_store(path) as store:
            yield games_of(store)
    elif is_log(beginning):
        yield _LoggedGame(path)
    elif beginning.lstrip().startswith(b"(") and of_play:
        yield _SgfGame(path)
    else:
        yield _SavedLines(path, of_play)


def games_of(store: Store) -> PlayedGames:
    """The games of a tournament's records that are open already."""
    return _TournamentGames(store)


class _TournamentGames(PlayedGames):
    """The games of a tournament's records, void ones too."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._games = {game.id: game for game in store.games()}
        super().__init__(store.path, list(self._games))

    def summaries(self) -> Iterator[Summary]:
        """From the table of games, without their records."""
        for game in self._games.values():
            yield Summary(game.id, game.round, game.first, game.second, game.result, game.reason.value, game.moves)

    def _read(self, number: int) -> PlayedGame:
        game = self._games[number]
        return PlayedGame(number, self._store.record(number), game.round, game.pair)


class _SavedLines(PlayedGames):
    """The games of a file with a JSON object in each line that is not empty, or with one object on several lines."""

    def __init__(self, path: Path, of_play: bool) -> None:
        with path.open("rb") as stream:
            self._lines = _objects({number: line for number, line in enumerate(stream, 1) if line.strip()})
        if not self._lines:
            raise GamesError(f"{path} holds no games: it is empty")
        self._of_play = of_play
        super().__init__(path, list(self._lines))

    def _read(self, number: int) -> PlayedGame:
        try:
            content = json_in(self._lines[number])
            if isinstance(content, dict) and "unforced" in content:
                return self._saved(number, content)
            return PlayedGame(number, record_in(content), content.get("round"), content.get("pair"))
        except ValueError as error:
            raise self._no_game(number, str(error)) from error

    def _saved(self, number: int, content: dict[str, Any]) -> PlayedGame:
        """A game that was saved in `play`."""
        if not self._of_play:
            shown = f"python runner.py replay {self.path}"
            raise GamesError(f"{self.path} is a game that was saved in `play`: {shown} shows it")
        try:
            saved = saved_in(content)
            return PlayedGame(number, record_of(saved), position=saved.position)
        except (InputError, ValueError) as error:
            raise GamesError(f"{self.path}, a game that was saved in `play`, cannot be shown: {error}") from error

    def _no_game(self, number: int, why: str) -> GamesError:
        expected = "a tournament's records, or a line for each game as `match --save` writes it"
        if self._of_play:
            expected += ", or a game saved in `play`"
        return GamesError(f"{self.path}, line {number}, is not a game ({why}); expected {expected}")


def _objects(lines: dict[int, bytes]) -> dict[int, bytes]:
    """The lines as they are; where they are one JSON object together, as a saved game is, that alone."""
    first = next(iter(lines), 0)
    if len(lines) > 1 and not _is_object(lines[first]):
        whole = b"".join(lines.values())
        if _is_object(whole) or lines[first].strip() == b"{":  # as `save` begins, and no line of other files
            return {1: whole}
    return lines


def _is_object(text: bytes) -> bool:
    """Whether a text is one object of JSON."""
    try:
        return isinstance(json_in(text), dict)
    except ValueError:
        return False


class _SgfGame(PlayedGames):
    """The main line of an SGF file."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, [1])

    def _read(self, number: int) -> PlayedGame:
        try:
            record, position = sgf_record(self.path)
        except InputError as error:
            raise GamesError(str(error)) from error
        return PlayedGame(number, record, position=position)


class _LoggedGame(PlayedGames):
    """The game in a log of the course's server."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, [1])

    def _read(self, number: int) -> PlayedGame:
        return PlayedGame(number, read_log(self.path))


class Replayed(NamedTuple):
    """A game with each of its positions, the one at the start first."""

    game: Game
    positions: list[Any]


def replayed(record: GameRecord, position: str = "") -> Replayed:
    """Play a record's moves again, from a position or from the start of the game.

    Raises InputError where its game, or one of its moves, is not known here.
    """
    game = load_game(record.game, **record.options)
    moves = (*record.opening, *(move.move for move in record.moves))
    return Replayed(game, play_moves(game, moves, game.parse_position(position) if position else None))
