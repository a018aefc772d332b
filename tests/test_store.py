"""The records of a tournament: they return what was written, pair by pair, with one writer at a time."""

import fcntl
import json
import os
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from agents.limits import Limits
from simulator.records.database import read_store, write_store
from simulator.records.schema import PLANNED, PLAYED, VERSION, VOID, AgentEntry, Pair, Session
from simulator.records.store import StoreError
from simulator.referee.game_record import GameRecord, Reason
from tests.leagues import record_of
from tests.programs import finished

ENTRIES = [
    AgentEntry("alpha", "alpha.py", {"alpha.py": "1f"}),
    AgentEntry("beta", "beta_agent", {"beta_agent.py": "2e"}),
]
PAIRS = [Pair(0, 1, number, "alpha", "beta", ("c3/0r",), number) for number in (1, 2)]


def game_pair(**more):
    return [record_of(**more), record_of(("beta", "alpha"), **more)]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "league.db"
    with write_store(path) as store:
        store.extend({"game": "pentago", "seed": 3}, ENTRIES)
        store.begin_session(Session("2030-01-01T00:00:00+00:00", {"kernel": "6"}))
        store.plan(PAIRS)
    return path


@pytest.fixture
def store(path):
    """The records at `path`, open for writing."""
    with write_store(path) as store:
        yield store


def test_settings_sessions_agents_and_pairs_come_back_as_they_were_written(path):
    with read_store(path) as store:
        assert store.settings() == {"game": "pentago", "seed": 3}
        assert store.sessions() == [Session("2030-01-01T00:00:00+00:00", {"kernel": "6"})]
        assert store.agents() == ENTRIES
        assert store.pairs() == [pair._replace(id=i) for i, pair in enumerate(PAIRS, 1)]
        assert list(store.games()) == []


def test_a_pair_that_was_played_is_there_with_what_is_asked_for_often(path):
    with write_store(path) as store:
        store.save_pair(1, game_pair(reason=Reason.TIMEOUT, measured=2.5), attempts=2, machine="host-2")
    with read_store(path) as store:
        played, planned = store.pairs()
        assert (played.state, played.attempts, played.machine) == (PLAYED, 2, "host-2")
        assert (planned.state, planned.attempts, planned.machine) == (PLANNED, 0, "")
        first, second = store.games()
        assert (first.first, first.winner, first.loser, first.reason) == ("alpha", "alpha", "beta", Reason.TIMEOUT)
        assert (second.first, second.winner, second.loser) == ("beta", "beta", "alpha")
        assert (first.moves, first.first_slowest, first.second_slowest) == (4, 1.0, 2.5)
        assert (first.first_memory_mb, first.second_memory_mb) == (100.0, 200.0)
        assert (first.points("alpha"), first.points("beta")) == (1.0, 0.0)
        assert store.record(first.id) == record_of(reason=Reason.TIMEOUT, measured=2.5)


def test_a_pair_may_be_one_game(store):
    store.plan([PAIRS[0]._replace(round=2, games=1)])
    store.save_pair(3, [record_of()])
    assert [(pair.games, pair.state) for pair in store.pairs()] == [(2, PLANNED), (2, PLANNED), (1, PLAYED)]
    assert [game.id for game in store.games()] == [5]


def test_a_pair_with_a_void_game_is_void(store):
    store.save_pair(1, game_pair(winner=None, reason=Reason.VOID))
    assert store.pairs()[0].state == VOID
    assert next(store.games()).points("alpha") == 0.5


def test_a_pair_that_somebody_calls_planned_again_gets_new_games(store):
    store.save_pair(1, game_pair(winner=0))
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("UPDATE pairs SET state = 'planned'")
    store.save_pair(1, game_pair(winner=1))
    assert [game.winner for game in store.games()] == [record.winner for record in game_pair(winner=1)]


def test_a_pair_is_saved_once(store):
    store.save_pair(1, game_pair())
    with pytest.raises(StoreError, match="pair 1 is not waiting"):
        store.save_pair(1, game_pair())
    assert len(list(store.games())) == 2


def test_a_pair_that_fails_half_way_leaves_nothing_behind(store):
    with pytest.raises(TypeError):
        store.save_pair(1, [record_of(), record_of(winner={})])
    with pytest.raises(KeyError):
        store.save_pair(1, [record_of(), record_of(("alpha", "nobody"))])
    assert list(store.games()) == []
    assert store.pairs()[0].state == PLANNED


def test_games_have_the_numbers_of_their_places_in_whatever_order_pairs_are_saved(store):
    for pair in (2, 1):
        store.save_pair(pair, game_pair())
    assert [(game.id, game.pair, game.number) for game in store.games()] == [
        (1, 1, 1), (2, 1, 2), (3, 2, 1), (4, 2, 2)
    ]  # fmt: skip


# --- Going on with more agents --------------------------------------------------------------------------------------


def test_a_tournament_takes_new_settings_and_new_agents(store):
    store.check("alpha", None)
    store.extend({"rounds": 2}, [*ENTRIES, AgentEntry("gamma", "gamma.py", {})])
    store.check("gamma", "it fails")
    assert store.settings() == {"rounds": 2}
    assert [(agent.name, agent.checked, agent.absence) for agent in store.agents()] == [
        ("alpha", True, None), ("beta", False, None), ("gamma", True, "it fails")
    ]  # fmt: skip
    store.check("gamma", "")  # by somebody who edits the file
    assert store.agents()[2].absence == "no reason is given"


def test_a_changed_agent_that_has_played_keeps_its_games_as_an_older_version(store):
    changed = AgentEntry("alpha", "alpha.py", {"alpha.py": "3f"})
    store.check("alpha", None)
    store.save_pair(1, game_pair())
    store.extend({}, [changed, ENTRIES[1]])
    assert [(agent.name, agent.checked, agent.replaced) for agent in store.agents()] == [
        ("alpha", False, False), ("beta", False, False), ("alpha (v1)", True, True)
    ]  # fmt: skip
    assert store.agents()[0].sources == changed.sources
    assert [pair.first for pair in store.pairs()] == ["alpha (v1)", "alpha"]
    assert [store.record(game.id).agents for game in store.games()] == [
        ("alpha (v1)", "beta"),
        ("beta", "alpha (v1)"),
    ]
    store.save_pair(2, game_pair())
    store.extend({}, [ENTRIES[0]])
    assert [agent.name for agent in store.agents()] == ["alpha", "beta", "alpha (v1)", "alpha (v2)"]
    assert [game.first for game in store.games()] == ["alpha (v1)", "beta", "alpha (v2)", "beta"]


def test_an_agent_that_has_not_played_is_replaced_and_tried_again(store):
    store.check("alpha", "it fails")
    store.extend({}, [ENTRIES[0], ENTRIES[1]._replace(text="beta_agent:c=1")])
    assert store.agents() == [ENTRIES[0], ENTRIES[1]._replace(text="beta_agent:c=1")]
    assert [(pair.first, pair.second) for pair in store.pairs()] == [("alpha", "beta")] * 2


def test_a_second_writer_is_refused_and_a_reader_is_not(path):
    with write_store(path), read_store(path) as reader:
        assert len(reader.agents()) == 2
        with pytest.raises(StoreError, match="in use"), write_store(path):
            pytest.fail("two writers")


def test_a_link_is_no_way_around_a_writer(path, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "other.db"
    link.symlink_to(path)
    for first, second in ((path, link), (link, path)):
        with write_store(first), pytest.raises(StoreError, match="in use"), write_store(second):
            pytest.fail("two writers")
    link.unlink()
    link.symlink_to(link)
    with pytest.raises(StoreError, match="cannot be used"), write_store(link):
        pytest.fail("a link to itself")


def test_the_lock_dies_with_its_process(path):
    code = """
import os, signal, sys
from pathlib import Path
from simulator.records.database import write_store
with write_store(Path(sys.argv[1])):
    os.kill(os.getpid(), signal.SIGKILL)
"""
    assert finished("-c", code, path).returncode == -9
    with write_store(path) as store:
        assert len(store.pairs()) == 2


def test_a_lock_is_removed_with_its_holder_and_does_not_hold_for_those_who_have_opened_it_before(path, monkeypatch):
    lock = path.with_name("league.db.lock")
    with write_store(path):
        assert lock.exists()
    assert not lock.exists()
    monkeypatch.setattr(fcntl, "flock", lambda *_: lock.unlink())  # as if the holder had ended just before
    with pytest.raises(StoreError, match="in use"), write_store(path):
        pytest.fail("a lock that nobody else can see")


def test_a_reader_changes_nothing(path):
    with pytest.raises(StoreError, match="readonly"), read_store(path) as store:
        store.check("alpha", None)


def test_files_that_are_no_records_of_a_tournament_are_refused_in_words(tmp_path):
    text, other, newer, older = (tmp_path / name for name in ("text", "other", "newer", "older"))
    text.write_text("no database at all, but long enough to have been one" * 10)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    for path, version in ((newer, VERSION + 1), (older, VERSION - 1)):
        with write_store(path) as store:
            store._db.execute(f"PRAGMA user_version = {version}")
    refused = (text, "not a database"), (other, "not a tournament's"), (newer, "newer"), (older, "use the version")
    for path, words in refused:
        for opened in (read_store, write_store):
            with pytest.raises(StoreError, match=words), opened(path):
                pytest.fail(words)
    for path, words in ((tmp_path / "nothing", "there is no file"), (tmp_path, "is a folder")):
        with pytest.raises(StoreError, match=words), read_store(path):
            pytest.fail(words)
    with pytest.raises(OSError, match="no such folder"), write_store(tmp_path / "no" / "league.db"):
        pytest.fail("no folder is there")


def test_a_program_that_is_killed_while_it_makes_the_file_leaves_one_that_can_be_used(tmp_path):
    path = tmp_path / "league.db"
    path.touch()
    with write_store(path) as store:
        assert store.agents() == []


def test_records_of_other_versions_are_read_with_defaults_for_what_they_lack():
    """Once a normal end was called "rules", and a log was a list of lines."""
    record = record_of(stderr=("last words",))
    record = replace(record, date="2030", logs=("depth 4\n  value", ""), limits=(Limits(), Limits()))
    said = json.loads(json.dumps(record.to_json()))
    assert GameRecord.from_json(said) == record
    said["verdict"]["reason"], said["logs"] = "rules", [["depth 4", "  value"], []]
    assert GameRecord.from_json(said) == record
    del said["date"], said["logs"], said["limits"], said["verdict"]["stderr"], said["moves"][0]["answer"]
    said["new"] = said["verdict"]["new"] = said["moves"][0]["new"] = [1]
    older = GameRecord.from_json(said)
    assert (older.date, older.verdict.stderr, older.moves, older.logs) == ("", (), record.moves, ("", ""))
    assert older.limits is None
    del said["verdict"]
    with pytest.raises(KeyError):
        GameRecord.from_json(said)


def test_foreign_keys_hold(store):
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        store._db.execute(
            "INSERT INTO pairs (round, number, first, second, opening, seed) VALUES (1, 1, 1, 99, '[]', 0)"
        )


@pytest.mark.parametrize(
    "column", ["settings SET value", "sessions SET machine", "agents SET sources", "pairs SET opening"]
)
def test_an_edit_that_is_no_json_is_refused(path, column):
    with pytest.raises(sqlite3.IntegrityError, match="json_valid"), closing(sqlite3.connect(path)) as database:
        database.execute(f"UPDATE {column} = 'swiss'")


@pytest.mark.parametrize(
    "edit",
    [
        "sessions SET machine = '12345'",
        "sessions SET started = x'12'",
        "agents SET sources = '12345'",
        "agents SET authors = '12345'",
        "agents SET text = x'12'",
        "pairs SET opening = '12345'",
        "pairs SET machine = x'12'",
        "games SET reason = '12345'",
    ],
)
def test_an_edit_of_another_type_is_shown(path, edit):
    with write_store(path) as store:
        store.save_pair(1, game_pair())
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"UPDATE {edit}")
    with read_store(path) as store, pytest.raises(StoreError, match=r"was edited: .*(12345|x12).* cannot be read"):
        (store.sessions(), store.agents(), store.pairs(), list(store.games()))


def test_records_can_be_read_in_a_folder_that_takes_no_files(path, monkeypatch):
    asked = []
    monkeypatch.setattr(os, "access", lambda folder, mode: asked.append((folder, mode)))
    with read_store(path) as store:
        assert len(store.pairs()) == 2
        assert not path.with_name(path.name + "-shm").exists()
    assert asked == [(path.parent, os.W_OK)]


@pytest.mark.parametrize(
    ("name", "words"), [("SQLITE_IOERR_SHMSIZE", "the disk is full"), ("SQLITE_BUSY", "another program has locked")]
)
def test_errors_of_sqlite_are_said_in_words(path, name, words):
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorname = name
    with pytest.raises(StoreError, match=words), read_store(path):
        raise error


def test_records_without_tables_are_called_empty(tmp_path):
    path = tmp_path / "league.db"
    path.touch()
    with pytest.raises(StoreError, match="is empty: no tournament was begun"), read_store(path):
        pass


@pytest.mark.parametrize(
    "record",
    [
        *("{", "[]", "{}", "null", '{"moves": [], "verdict": {"reason": "boredom"}}'),
        json.dumps(record_of().to_json() | {"peak_memory_mb": 100}),
    ],
)
def test_a_record_that_cannot_be_read_is_named(path, record):
    with write_store(path) as store:
        store.save_pair(1, game_pair())
    with sqlite3.connect(path) as database:
        database.execute("UPDATE games SET record = ? WHERE id = 2", (record,))
    database.close()
    with read_store(path) as store:
        assert store.record(1).agents == ("alpha", "beta")
        with pytest.raises(StoreError, match="the record of game 2 cannot be read"):
            store.record(2)
