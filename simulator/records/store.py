"""What is in a tournament's file: settings, sessions, agents, pairs and games are read and written here.

`database.py` opens the file; `schema.py` has its tables.
"""

import json
import sqlite3
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from options import Failure
from simulator.records.record_json import json_in, record_in
from simulator.records.schema import PLAYED, VOID, AgentEntry, Decision, Pair, Session, StoredGame
from simulator.referee.game_record import GameRecord


class StoreError(Failure):
    """A file that cannot be used as a tournament's records; the message says why and what to do."""


class Store:
    """A tournament's file, open. Every method that writes is one transaction."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._db, self.path = connection, path

    def settings(self) -> dict[str, Any]:
        """The settings of the run, by name; empty in a new file."""
        return {name: json.loads(value) for name, value in self._db.execute("SELECT * FROM settings ORDER BY rowid")}

    def sessions(self) -> list[Session]:
        """All starts of the program, in their order."""
        rows = self._db.execute("SELECT started, machine FROM sessions ORDER BY id")
        return [self._as((started, json.loads(machine)), Session) for started, machine in rows]

    def agents(self) -> list[AgentEntry]:
        """All agents in the order in which they were added, older versions (`AgentEntry.replaced`) included."""
        rows = self._db.execute(
            """SELECT name, text, sources, checked, iif(absence = '', 'no reason is given', absence), replaced, authors
            FROM agents ORDER BY id"""
        )
        return [
            self._as(
                (*start, json.loads(files), bool(checked), absence, bool(replaced), json.loads(authors)), AgentEntry
            )
            for *start, files, checked, absence, replaced, authors in rows
        ]

    def pairs(self) -> list[Pair]:
        """All pairs, in the order in which they were planned."""
        rows = self._db.execute(
            """SELECT pairs.id, round, number, a.name, b.name, opening, seed, state, attempts, games, machine FROM pairs
            JOIN agents a ON a.id = first JOIN agents b ON b.id = second ORDER BY pairs.id"""
        )
        return [self._as((*row[:5], json.loads(row[5]), *row[6:]), Pair) for row in rows]

    def decision(self) -> Decision | None:
        """How the sequential test was decided; None if there is no test, or no decision yet."""
        row = self._db.execute("SELECT accepted, counts FROM decision").fetchone()
        return None if row is None else self._as((row[0], json.loads(row[1])), Decision)

    def games(self) -> Iterator[StoredGame]:
        """The games that were played, in the order of their numbers."""
        return (self._as(row, StoredGame) for row in self._db.execute("SELECT * FROM results ORDER BY id"))

    def void_pairs(self) -> set[int]:
        """The numbers of the pairs whose games count for nobody."""
        return {pair.id for pair in self.pairs() if pair.state == VOID}

    def record(self, game_id: int) -> GameRecord:
        """A game's whole record, with the names that its agents have in the tables now.

        Raises LookupError if there is no such game, StoreError if its record cannot be read.
        """
        query = "SELECT record, results.first, results.second FROM games JOIN results USING (id) WHERE id = ?"
        row = self._db.execute(query, (game_id,)).fetchone()
        if row is None:
            raise LookupError(f"{self.path} has no game {game_id}")
        text, *agents = row
        try:
            return record_in({**json_in(text), "agents": agents})
        except (ValueError, TypeError) as error:  # TypeError: it is JSON, but no object
            raise StoreError(f"{self.path}: the record of game {game_id} cannot be read: {error}") from error

    def records_between(self, agents: Sequence[str]) -> list[GameRecord]:
        """The whole records of the games between two agents, in the order of their numbers.

        Games of a pair that somebody has called void, although it was played, are left out.
        """
        games = [game for game in self.games() if {game.first, game.second} == {*agents}]
        called_void = self.void_pairs() - {game.pair for game in games if game.is_void}
        return [self.record(game.id) for game in games if game.pair not in called_void]

    @contextmanager
    def at_one_instant(self) -> Iterator[None]:
        """All that is read in the `with` comes from one state of the file, even if another program writes meanwhile."""
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("ROLLBACK")

    def extend(self, settings: Mapping[str, Any], agents: Sequence[AgentEntry]) -> None:
        """Write down the settings, and add agents: new ones, and new versions of those that were changed.

        An agent gets a new version if its text or sources differ from those in the file, or if it was absent. The new
        version is not checked yet, and plays the pairs that were only planned for the older one. If the older one has
        played games, it keeps them as `NAME (v1)`, `NAME (v2)`, ...
        """
        with transaction(self._db):
            self._db.execute("DELETE FROM settings")
            rows = [(name, json.dumps(value)) for name, value in settings.items()]
            self._db.executemany("INSERT INTO settings VALUES (?, ?)", rows)
            there = {agent.name: (agent.text, agent.sources, agent.absence) for agent in self.agents()}
            for agent in agents:
                if agent.name not in there:
                    values = (agent.name, agent.text, json.dumps(agent.sources))
                    self._db.execute("INSERT INTO agents (name, text, sources) VALUES (?, ?, ?)", values)
                elif there[agent.name] != (agent.text, agent.sources, None):
                    self._add_version(agent, there)
            self._name_authors(agents)

    def name_authors(self, agents: Sequence[AgentEntry]) -> None:
        """Write down the authors of these agents, except agents whose files cannot be read now.

        Authors may become known later; they do not make a new version of an agent.
        """
        with transaction(self._db):
            self._name_authors(agents)

    def _name_authors(self, agents: Sequence[AgentEntry]) -> None:
        rows = [(json.dumps(agent.authors), agent.name) for agent in agents if agent.absence is None]
        self._db.executemany("UPDATE agents SET authors = ? WHERE name = ?", rows)

    def _add_version(self, agent: AgentEntry, taken: Container[str]) -> None:
        """Write a new version over an agent; if the old one has played, it keeps its games in a row of its own."""
        row = self._agent_ids()[agent.name]
        played = "SELECT count(*) FROM pairs WHERE ? IN (first, second) AND state != 'planned'"
        if self._db.execute(played, (row,)).fetchone()[0]:
            free = next(name for number in count(1) if (name := f"{agent.name} (v{number})") not in taken)
            older = self._db.execute(
                """INSERT INTO agents (name, text, sources, checked, absence, replaced, authors)
                SELECT ?, text, sources, checked, absence, 1, authors FROM agents WHERE id = ?""",
                (free, row),
            ).lastrowid
            for side in ("first", "second"):
                self._db.execute(f"UPDATE pairs SET {side} = ? WHERE {side} = ? AND state != 'planned'", (older, row))
            for side in ("first", "second", "winner", "loser"):
                self._db.execute(f"UPDATE games SET {side} = ? WHERE {side} = ?", (older, row))
            self._db.execute("DELETE FROM decision")  # it was about the older version
        self._db.execute(
            "UPDATE agents SET text = ?, sources = ?, checked = 0, absence = NULL WHERE id = ?",
            (agent.text, json.dumps(agent.sources), row),
        )

    def begin_session(self, session: Session) -> None:
        """Add a session, as the program was started; pairs that are saved from now on belong to it."""
        with transaction(self._db):
            self._db.execute(
                "INSERT INTO sessions (started, machine) VALUES (?, ?)", (session.started, json.dumps(session.machine))
            )

    def check(self, agent: str, absence: str | None) -> None:
        """Write down that an agent was started once: it plays (None), or it is absent for that reason."""
        with transaction(self._db):
            self._db.execute("UPDATE agents SET checked = 1, absence = ? WHERE name = ?", (absence, agent))

    def plan(self, pairs: Sequence[Pair]) -> list[Pair]:
        """Add pairs that are to be played; returns them with their ids."""
        ids = self._agent_ids()
        insert = "INSERT INTO pairs (round, number, first, second, opening, seed, games) VALUES (?, ?, ?, ?, ?, ?, ?)"
        with transaction(self._db):
            rows = [(p.round, p.number, *map(ids.get, p.agents), json.dumps(p.opening), p.seed, p.games) for p in pairs]
            numbers = [self._db.execute(insert, row).lastrowid or 0 for row in rows]
        return [pair._replace(id=number) for pair, number in zip(pairs, numbers, strict=True)]

    def plan_again(self, rounds: Sequence[int]) -> None:
        """Plan the void pairs of these rounds again and delete their games, except pairs of agents' older versions.

        If somebody has called a pair void that had counted, the decision of a sequential test is deleted, too.
        """
        void = """SELECT id FROM pairs WHERE state = 'void' AND round = ?
            AND NOT EXISTS (SELECT 1 FROM agents WHERE replaced AND agents.id IN (first, second))"""
        with transaction(self._db):
            self._db.execute(
                """DELETE FROM decision WHERE EXISTS (SELECT 1 FROM pairs
                WHERE state = 'void' AND id NOT IN (SELECT pair FROM games WHERE reason = 'void'))"""
            )
            for table in (
                f"DELETE FROM games WHERE pair IN ({void})",
                f"UPDATE pairs SET state = 'planned' WHERE id IN ({void})",
            ):
                self._db.executemany(table, [(number,) for number in rounds])

    def take_back(self, round_: int) -> None:
        """Remove the pairs of a round that are planned but not played yet."""
        with transaction(self._db):
            self._db.execute("DELETE FROM pairs WHERE round = ? AND state = 'planned'", (round_,))

    def save_pair(
        self, pair_id: int, records: Sequence[GameRecord], attempts: int = 1, machine: str = "", game_id: int = 0
    ) -> None:
        """Save all games of a pair, in the order in which they were played.

        The pair's state becomes VOID if one of its games is void. `machine` is the machine or worker that played it,
        empty for this one; `game_id` is the number of a pair's only game, 0 for that of `game_number`. Raises
        StoreError for a pair that was saved before.
        """
        state = VOID if any(record.is_void for record in records) else PLAYED
        ids = self._agent_ids()
        rows = [_row_of(StoredGame.of(record, pair_id, n, game_id), record, ids) for n, record in enumerate(records, 1)]
        with transaction(self._db):
            changed = self._db.execute(
                """UPDATE pairs SET state = ?, attempts = ?, machine = ?, session = (SELECT max(id) FROM sessions)
                WHERE id = ? AND state = 'planned'""",
                (state, attempts, machine, pair_id),
            )
            if changed.rowcount != 1:
                raise StoreError(f"{self.path}: pair {pair_id} is not waiting to be played")
            self._db.execute("DELETE FROM games WHERE pair = ?", (pair_id,))  # somebody may have called it planned
            self._db.executemany(f"INSERT INTO games VALUES ({', '.join('?' * len(rows[0]))})", rows)

    def decide(self, decision: Decision) -> None:
        """Write down how the sequential test was decided."""
        with transaction(self._db):
            row = (decision.accepted, json.dumps(decision.counts))
            self._db.execute("INSERT INTO decision VALUES (?, ?)", row)

    def _as(self, row: Sequence[Any], kind: Any) -> Any:
        """A row of the file, which somebody may have edited, as that kind of tuple. Raises StoreError if it is none."""
        try:
            return msgspec.convert(row, kind)
        except msgspec.ValidationError as error:
            raise StoreError(f"{self.path} was edited: {tuple(row)!r:.200} cannot be read ({error})") from error

    def _agent_ids(self) -> dict[str, int]:
        return dict(self._db.execute("SELECT name, id FROM agents"))


def _row_of(game: StoredGame, record: GameRecord, ids: Mapping[str, int]) -> tuple[Any, ...]:
    """A row of the table of games: agents are ids, and there is no round, which the pair has."""
    row = game._asdict() | {"record": json.dumps(record.to_json())}
    del row["round"]
    agents = {key: None if row[key] is None else ids[row[key]] for key in ("first", "second", "winner", "loser")}
    return tuple((row | agents).values())


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write everything that the `with` writes, or nothing if it raises any exception, an interrupt included."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.OperationalError):  # SQLite itself has rolled back, where the disk was full
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
