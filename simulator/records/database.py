"""The records of a tournament, one SQLite file: settings, sessions, agents, pairs that are planned or played, games.

Each game is kept as its whole record in JSON; columns beside it hold what is asked for often. `docs/tournaments.md`
explains the schema, table by table.

A pair of games is written in one transaction, so a referee that is killed loses the pairs in play and nothing else.
Only one program at a time writes (`write_store` holds a lock that ends with the process); any number of programs may
read (`read_store`), even during the writing.

    with read_store(Path("league.db")) as store:
        for game in store.games():
            print(game.first, game.second, game.result, store.record(game.id).verdict.text)

Begin reading at `SCHEMA` in `schema.py`, then `Store` in `store.py`.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from simulator.records.file_errors import check_is_file, is_database, locked
from simulator.records.schema import APPLICATION_ID, SCHEMA, VERSION
from simulator.records.store import Store, StoreError, transaction

LOG_SUFFIX = "-wal"


@contextmanager
def read_store(path: Path) -> Iterator[Store]:
    """Open a tournament's file for reading, even while another program writes it. Raises StoreError."""
    try:
        check_is_file(path)
    except OSError as error:
        raise StoreError(str(error)) from error
    with _connected(_to_be_read(path), path) as connection:
        _check_version(connection, path)
        connection.execute("PRAGMA query_only = ON")
        yield Store(connection, path)


@contextmanager
def write_store(path: Path) -> Iterator[Store]:
    """Open a tournament's file for writing; make it if it is not there. Raises StoreError; OSError if that fails."""
    if path.is_dir():
        raise StoreError(f"{path} is a folder: name a file for the records")
    if path.is_file() and path.stat().st_size and not is_database(path):  # before a lock is left beside it
        raise StoreError(f"{path} cannot be used as a tournament's records: file is not a database")
    refusal = StoreError(f"{path} is in use: another program writes it; wait, or name another file")
    # A file of its own is locked, because closing any descriptor of a database drops the locks that SQLite holds on it.
    # It lies beside the database itself, even if `path` is a link.
    lock = Path(f"{os.path.realpath(path)}.lock")
    with locked(path, refusal, lock), _connected(path.absolute().as_uri(), path) as connection:
        _create(connection)
        _check_version(connection, path)
        yield Store(connection, path)


@contextmanager
def store_for(path: Path | None) -> Iterator[Store]:
    """Open the file for games as `write_store` does; without a path, keep the games in memory."""
    if path is not None:
        with write_store(path) as store:
            yield store
        return
    with _connected(":memory:", Path("nowhere")) as connection:
        _create(connection)
        yield Store(connection, Path("nowhere"))


def files_of(path: Path) -> tuple[Path, ...]:
    """The files that hold a tournament's records: its own, and those that SQLite keeps beside it during writing."""
    resolved = path.resolve()
    return tuple(resolved.with_name(resolved.name + suffix) for suffix in ("", LOG_SUFFIX, "-shm"))


def _to_be_read(path: Path) -> str:
    """The URI by which SQLite opens a file for reading.

    If SQLite cannot make files in the folder, it has to open this file as `immutable`. That is safe as long as nobody
    writes; a log beside the file means that somebody does.
    """
    path = path.resolve()  # SQLite keeps its log there
    log = path.with_name(path.name + LOG_SUFFIX)
    still = not os.access(path.parent, os.W_OK) and not log.exists()
    return path.as_uri() + ("?immutable=1" if still else "")


@contextmanager
def _connected(uri: str, path: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
            connection.execute("PRAGMA foreign_keys = ON")
            yield connection
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorname", "")
        if "disk is full" in str(error) or code == "SQLITE_IOERR_SHMSIZE":  # reading needs a file beside it, too
            raise StoreError(f"cannot write {path}: the disk is full; what was saved in it stays") from error
        if code == "SQLITE_BUSY":
            raise StoreError(f"another program has locked {path}: end it, and run the same command again") from error
        raise StoreError(f"{path} cannot be used as a tournament's records: {error}") from error


def _create(connection: sqlite3.Connection) -> None:
    """Make the tables in a file that has none: a new file, or one that a killed program left empty."""
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if tables or connection.execute("PRAGMA user_version").fetchone()[0]:
        return
    connection.execute("PRAGMA journal_mode = WAL")
    with transaction(connection):
        for statement in SCHEMA:
            connection.execute(statement)


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    """Raises StoreError for another program's database, or another version of the schema."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION_ID:
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        empty = "empty: no tournament was begun, or records in use were copied otherwise than by SQLite's .backup"
        what = "a database, but not a tournament's records" if tables else empty
        raise StoreError(f"{path} is {what}")
    if version != VERSION:
        newer, older = "update this program", "use the version that wrote it, or name another file"
        age, advice = ("a newer", newer) if version > VERSION else ("an older", older)
        raise StoreError(f"{path} was written by {age} version (its schema is {version}, here {VERSION}): {advice}")
