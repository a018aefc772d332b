"""Games that were played, read back from where they were kept.

That is a tournament's records, the lines of `match --save`, or the log of a game at the course's server. All are asked
for games by number: in a tournament's records a game's own, in a file of JSON lines its line, in a log 1.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from game import Game, load_game, play_moves
from simulator.course.log_file import is_log, read_log
from simulator.records.database import Store, read_store
from simulator.referee.game_record import GameRecord

DATABASE = b"SQLite format 3\0"  # how every SQLite file begins
BEGINNING = 64  # bytes, by which the kinds of files are told apart


class GamesError(Exception):
    """A file that holds no games, or not the one that was asked for; the message says why."""


class PlayedGame(NamedTuple):
    """One game with its place: round and pair are None outside tournaments."""

    number: int
    record: GameRecord
    round: int | None = None
    pair: int | None = None


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
                _, record, round_, _ = self._read(number)
            except GamesError:
                yield Summary(number, None, "", "", "", UNREADABLE, 0)
                continue
            moves = len(record.opening) + len(record.moves)
            yield Summary(number, round_, *record.agents, record.result, record.verdict.reason.value, moves)

    def _read(self, number: int) -> PlayedGame:
        raise NotImplementedError


UNREADABLE = "unreadable"
NO_GAMES = "no game has been played yet"


@contextmanager
def read_games(path: Path) -> Iterator[PlayedGames]:
    """The games of a file. Raises GamesError or StoreError for one that has none, OSError if it cannot be read."""
    if not path.is_file():
        raise GamesError(f"there is no file {path}")
    with path.open("rb") as stream:
        beginning = stream.read(BEGINNING)
    if beginning.startswith(DATABASE):
        with read_store(path) as store:
            yield games_of(store)
    elif is_log(beginning):
        yield _LoggedGame(path)
    else:
        yield _SavedLines(path)


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
    """The games of a file with a JSON object in each line that is not empty."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as stream:
            self._lines = {number: line for number, line in enumerate(stream, 1) if line.strip()}
        if not self._lines:
            raise GamesError(f"{path} holds no games: it is empty")
        super().__init__(path, list(self._lines))

    def _read(self, number: int) -> PlayedGame:
        try:
            content = json.loads(self._lines[number])
            return PlayedGame(number, GameRecord.from_json(content), content.get("round"), content.get("pair"))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            expected = "a tournament's records, or a line for each game as `match --save` writes it"
            raise GamesError(f"{self.path}, line {number}, is not a game ({error!r}); expected {expected}") from error


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


def replayed(record: GameRecord) -> Replayed:
    """Play a record's moves again. Raises InputError where its game, or one of its moves, is not known here."""
    game = load_game(record.game, **record.options)
    moves = (*record.opening, *(move.move for move in record.moves))
    return Replayed(game, play_moves(game, moves))
