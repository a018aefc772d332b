"""The records of a tournament: one SQLite file that is never wrong and never older than the last pair.

What is in it: the run's settings; its sittings (each start of the program, with its machine); the agents, with what
they consist of; the pairs that are to be played, and those that were; each game with its whole record as JSON, and
beside that what is asked for often. The schema, table by table, is in `docs/tournaments.md`.

A pair of games is written in one transaction, so a referee that is killed loses the pairs in play and nothing else.
One program at a time writes (`write_store`, which holds a lock that dies with the process); any number may read
(`read_store`), also meanwhile.

    with read_store(Path("league.db")) as store:
        for game in store.games(agent="uct_agent"):
            print(game.first, game.second, game.result, store.record(game.id).verdict.text)

Begin reading at `SCHEMA` in `schema.py`, then `Store`.
"""

import fcntl
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from simulator.records.file_errors import cannot_write
from simulator.records.schema import (
    APPLICATION_ID,
    PLAYED,
    SCHEMA,
    VERSION,
    VOID,
    Entrant,
    Pair,
    Sitting,
    StoredGame,
    game_number,
)
from simulator.referee.game_record import GameRecord, Reason

LOCK_SUFFIX = ".lock"


class StoreError(Exception):
    """A file that cannot be used as a tournament's records; the message says why and what to do."""


class Store:
    """A tournament's file, open. Every method that writes is one transaction."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._db, self.path = connection, path

    # --- Reading ---

    def settings(self) -> dict[str, Any]:
        """The settings of the run, by name; empty before `begin`."""
        return {name: json.loads(value) for name, value in self._db.execute("SELECT * FROM settings ORDER BY rowid")}

    def sittings(self) -> list[Sitting]:
        """Each start of the program."""
        rows = self._db.execute("SELECT started, machine FROM sittings ORDER BY id")
        return [Sitting(started, json.loads(machine)) for started, machine in rows]

    def agents(self) -> list[Entrant]:
        """All agents, in the order in which they were named."""
        rows = self._db.execute("SELECT name, text, sources, checked, absence FROM agents ORDER BY id")
        return [Entrant(name, text, json.loads(files), bool(done), why) for name, text, files, done, why in rows]

    def pairs(self) -> list[Pair]:
        """All pairs, in the order in which they were planned."""
        rows = self._db.execute(
            """SELECT pairs.id, round, number, a.name, b.name, opening, seed, state, attempts FROM pairs
            JOIN agents a ON a.id = first JOIN agents b ON b.id = second ORDER BY pairs.id"""
        )
        return [Pair(*row)._replace(opening=tuple(json.loads(row[5]))) for row in rows]

    def games(self, agent: str | None = None, pair: int | None = None) -> Iterator[StoredGame]:
        """The games that were played, in the order of their numbers; of one agent or of one pair only, if asked."""
        rows = self._db.execute(
            """SELECT * FROM results WHERE (?1 IS NULL OR ?1 IN (first, second)) AND (?2 IS NULL OR pair = ?2)
            ORDER BY id""",
            (agent, pair),
        )
        return (_game_of(row) for row in rows)

    def record(self, game_id: int) -> GameRecord:
        """A game's whole record. Raises LookupError; StoreError for one that cannot be read."""
        row = self._db.execute("SELECT record FROM games WHERE id = ?", (game_id,)).fetchone()
        if row is None:
            raise LookupError(f"{self.path} has no game {game_id}")
        try:
            return GameRecord.from_json(json.loads(row[0]))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise StoreError(f"{self.path}: the record of game {game_id} cannot be read ({error!r})") from error

    @contextmanager
    def at_one_instant(self) -> Iterator[None]:
        """What is read in the `with` fits together, although the tournament may go on being written meanwhile."""
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("ROLLBACK")

    # --- Writing ---

    def begin(self, settings: Mapping[str, Any], agents: Sequence[Entrant]) -> None:
        """Write down what is to be played, by whom, in a file that is new."""
        with self._transaction():
            self._db.executemany("INSERT INTO settings VALUES (?, ?)", _as_json(settings))
            self._db.executemany(
                "INSERT INTO agents (name, text, sources) VALUES (?, ?, ?)",
                [(agent.name, agent.text, json.dumps(agent.sources)) for agent in agents],
            )

    def sit_down(self, sitting: Sitting) -> None:
        """The program was started (again); pairs that are saved from now on belong to this sitting."""
        with self._transaction():
            self._db.execute(
                "INSERT INTO sittings (started, machine) VALUES (?, ?)", (sitting.started, json.dumps(sitting.machine))
            )

    def check(self, agent: str, absence: str | None) -> None:
        """An agent was started once; it plays, or is absent for that reason."""
        with self._transaction():
            self._db.execute("UPDATE agents SET checked = 1, absence = ? WHERE name = ?", (absence, agent))

    def plan(self, pairs: Sequence[Pair]) -> None:
        """Add pairs that are to be played."""
        ids = self._agent_ids()
        with self._transaction():
            self._db.executemany(
                "INSERT INTO pairs (round, number, first, second, opening, seed) VALUES (?, ?, ?, ?, ?, ?)",
                [(p.round, p.number, ids[p.first], ids[p.second], json.dumps(p.opening), p.seed) for p in pairs],
            )

    def save_pair(self, pair_id: int, records: Sequence[GameRecord], attempts: int = 1) -> None:
        """A pair was played: both games at once, in the order in which they were played.

        Its state is VOID if a game is. Raises StoreError for a pair that was saved before.
        """
        ids = self._agent_ids()
        state = VOID if any(record.verdict.reason is Reason.VOID for record in records) else PLAYED
        rows = [_row_of(pair_id, number, record, ids) for number, record in enumerate(records, 1)]
        with self._transaction():
            changed = self._db.execute(
                """UPDATE pairs SET state = ?, attempts = ?, sitting = (SELECT max(id) FROM sittings)
                WHERE id = ? AND state = 'planned'""",
                (state, attempts, pair_id),
            )
            if changed.rowcount != 1:
                raise StoreError(f"{self.path}: pair {pair_id} is not waiting to be played")
            self._db.executemany(f"INSERT INTO games VALUES ({', '.join('?' * 16)})", rows)

    def _agent_ids(self) -> dict[str, int]:
        return dict(self._db.execute("SELECT name, id FROM agents"))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _transaction(self._db):
            yield


def _as_json(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(name, json.dumps(value)) for name, value in values.items()]


def _game_of(row: Sequence[Any]) -> StoredGame:
    game = StoredGame(*row)
    return game._replace(reason=Reason(game.reason))


def _row_of(pair_id: int, number: int, record: GameRecord, ids: Mapping[str, int]) -> tuple[Any, ...]:
    """A row of the table of games."""
    verdict = record.verdict

    def agent(player: int | None) -> int | None:
        return None if player is None else ids[record.agents[player]]

    return (
        game_number(pair_id, number),
        pair_id,
        number,
        agent(0),
        agent(1),
        record.result,
        verdict.reason,
        agent(verdict.winner),
        agent(verdict.loser),
        len(record.opening) + len(record.moves),
        record.date,
        _slowest(record, 0),
        _slowest(record, 1),
        *record.peak_memory_mb,
        json.dumps(record.to_json()),
    )


def _slowest(record: GameRecord, player: int) -> float | None:
    """A player's slowest answer after its first, whose limit is another."""
    return max(record.seconds_of(player)[1:], default=None)


# --- Opening --------------------------------------------------------------------------------------------------------


@contextmanager
def read_store(path: Path) -> Iterator[Store]:
    """A tournament's file, to be read, also while it is written. Raises StoreError."""
    if not path.is_file():
        raise StoreError(f"there is no file {path}")
    with _connected(_to_be_read(path), path) as connection:
        _check(connection, path)
        connection.execute("PRAGMA query_only = ON")
        yield Store(connection, path)


@contextmanager
def write_store(path: Path) -> Iterator[Store]:
    """A tournament's file, to be written, made if it is not there. Raises StoreError; OSError if it cannot be made."""
    if path.is_dir():
        raise StoreError(f"{path} is a folder: name a file for the records")
    with _locked(path), _connected(path.absolute().as_uri(), path) as connection:
        _create(connection, path)
        _check(connection, path)
        _renumber(connection)
        yield Store(connection, path)


def _to_be_read(path: Path) -> str:
    """The URI of a file to be read. Beside it SQLite makes a file for readers to share with a writer; in a folder that
    takes none it is told that there is no writer, which holds unless one has left its log.
    """
    log = path.with_name(path.name + "-wal")
    still = not os.access(path.parent, os.W_OK) and not log.exists()
    return path.absolute().as_uri() + ("?immutable=1" if still else "")


@contextmanager
def _connected(uri: str, path: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
            connection.execute("PRAGMA foreign_keys = ON")
            yield connection
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path} cannot be used as a tournament's records: {error}") from error


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the file beside the records that says who writes them; the kernel drops the lock when the process ends.

    On a file of its own, because closing any descriptor of a database drops the locks that SQLite holds on it.
    """
    lock = path.with_name(path.name + LOCK_SUFFIX)
    try:
        file = lock.open("a")
    except OSError as error:
        raise cannot_write(path, error) from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StoreError(
                f"{path} is in use: another tournament is writing it; wait, or take another file"
            ) from error
        yield


def _create(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables in a file that has none; a program that was killed meanwhile has left an empty file."""
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if tables or connection.execute("PRAGMA user_version").fetchone()[0]:
        return
    connection.execute("PRAGMA journal_mode = WAL")
    with _transaction(connection):
        for statement in SCHEMA:
            connection.execute(statement)


def _renumber(connection: sqlite3.Connection) -> None:
    """Give the games of a file of version 1 the numbers that `game_number` says."""
    if connection.execute("PRAGMA user_version").fetchone()[0] == 1:
        with _transaction(connection):
            connection.execute("UPDATE games SET id = -(2 * (pair - 1) + number)")  # none of these is taken
            connection.execute("UPDATE games SET id = -id")
            connection.execute(f"PRAGMA user_version = {VERSION}")


def _check(connection: sqlite3.Connection, path: Path) -> None:
    """Raises StoreError for a database that is no tournament's, or of a newer version."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION_ID:
        raise StoreError(f"{path} is a database, but not a tournament's records")
    if version > VERSION:
        raise StoreError(
            f"{path} was written by a newer version (its schema is {version}, this program knows {VERSION})"
        )


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing; an interrupt is neither."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.OperationalError):  # SQLite itself has rolled back, where the disk was full
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
