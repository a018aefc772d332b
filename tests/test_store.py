"""The records of a tournament: what goes in comes out, one pair at a time, one writer at a time."""

import json
import os
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from simulator.records.database import StoreError, read_store, write_store
from simulator.records.schema import PLANNED, PLAYED, VERSION, VOID, Entrant, Pair, Sitting
from simulator.referee.game_record import GameRecord, MoveRecord, Reason, Verdict

ENTRANTS = [Entrant("alpha", "alpha.py", {"alpha.py": "1f"}), Entrant("beta", "beta_agent", {"beta_agent.py": "2e"})]
PAIRS = [Pair(None, 1, number, "alpha", "beta", ("c3/0r",), number) for number in (1, 2)]


def record_of(agents=("alpha", "beta"), winner=0, reason=Reason.NORMAL, loser=None):
    moves = tuple(
        MoveRecord(1 + i, i % 2, f"m{i}", seconds, 90.0) for i, seconds in enumerate((9.0, 8.0, 0.5, 0.25, 1))
    )
    verdict = Verdict(winner, reason, "why", 6, loser, 2.5, 2.0, ("last words",))
    return GameRecord("pentago", agents, 3, ("c3/0r",), moves, "W+", "final", verdict, (100.0, 200.0), date="2030")


def game_pair(**more):
    return [record_of(**more), record_of(("beta", "alpha"), **more)]


@pytest.fixture
def path(tmp_path) -> Path:
    path = tmp_path / "league.db"
    with write_store(path) as store:
        store.begin({"game": "pentago", "seed": 3}, ENTRANTS)
        store.sit_down(Sitting("2030-01-01T00:00:00+00:00", {"kernel": "6"}))
        store.plan(PAIRS)
    return path


def test_settings_sittings_agents_and_pairs_come_back_as_they_were_written(path):
    with read_store(path) as store:
        assert store.settings() == {"game": "pentago", "seed": 3}
        assert store.sittings() == [Sitting("2030-01-01T00:00:00+00:00", {"kernel": "6"})]
        assert store.agents() == ENTRANTS
        assert store.pairs() == [pair._replace(id=i) for i, pair in enumerate(PAIRS, 1)]
        assert list(store.games()) == []


def test_a_pair_that_was_played_is_there_with_what_is_asked_for_often(path):
    with write_store(path) as store:
        store.save_pair(1, game_pair(winner=0, reason=Reason.TIMEOUT, loser=1), attempts=2)
    with read_store(path) as store:
        assert [(pair.state, pair.attempts) for pair in store.pairs()] == [(PLAYED, 2), (PLANNED, 0)]
        first, second = store.games()
        assert (first.first, first.winner, first.loser, first.reason) == ("alpha", "alpha", "beta", Reason.TIMEOUT)
        assert (second.first, second.winner, second.loser) == ("beta", "beta", "alpha")
        assert (first.moves, first.first_slowest, first.second_slowest) == (6, 1.0, 2.5)
        assert (first.first_memory_mb, first.second_memory_mb) == (100.0, 200.0)
        assert (first.points("alpha"), first.points("beta")) == (1.0, 0.0)
        assert store.record(first.id) == record_of(winner=0, reason=Reason.TIMEOUT, loser=1)


def test_games_can_be_asked_for_by_agent_and_by_pair(path):
    with write_store(path) as store:
        for pair in (1, 2):
            store.save_pair(pair, game_pair())
        assert len(list(store.games())) == len(list(store.games(agent="beta"))) == 4
        assert len(list(store.games(pair=2))) == 2
        assert list(store.games(agent="nobody")) == []


def test_a_pair_with_a_void_game_is_void(path):
    with write_store(path) as store:
        store.save_pair(1, game_pair(winner=None, reason=Reason.VOID))
        assert store.pairs()[0].state == VOID
        assert next(store.games()).points("alpha") == 0.5


def test_a_pair_is_saved_once(path):
    with write_store(path) as store:
        store.save_pair(1, game_pair())
        with pytest.raises(StoreError, match="pair 1 is not waiting"):
            store.save_pair(1, game_pair())
        assert len(list(store.games())) == 2


def test_a_pair_that_fails_half_way_leaves_nothing_behind(path):
    with write_store(path) as store:
        with pytest.raises(TypeError):
            store.save_pair(1, [record_of(), record_of(winner={})])
        with pytest.raises(KeyError):
            store.save_pair(1, [record_of(), record_of(("alpha", "nobody"))])
        assert list(store.games()) == []
        assert store.pairs()[0].state == PLANNED


def test_an_agent_that_was_checked_is_present_or_absent_for_a_reason(path):
    with write_store(path) as store:
        store.check("alpha", None)
        store.check("beta", "it fails")
        assert [(agent.checked, agent.absence) for agent in store.agents()] == [(True, None), (True, "it fails")]


def test_games_have_the_numbers_of_their_places_in_whatever_order_pairs_are_saved(path):
    with write_store(path) as store:
        for pair in (2, 1):
            store.save_pair(pair, game_pair())
        assert [(game.id, game.pair, game.number) for game in store.games()] == [
            (1, 1, 1), (2, 1, 2), (3, 2, 1), (4, 2, 2)
        ]  # fmt: skip


def test_games_of_a_file_of_version_1_are_renumbered_when_it_is_gone_on_with(path):
    with write_store(path) as store:
        for pair in (1, 2):
            store.save_pair(pair, game_pair())
        for id_, other in ((1, -3), (2, -4), (3, -1), (4, -2)):  # as they were where pair 2 had ended first
            store._db.execute("UPDATE games SET id = ? WHERE id = ?", (other, id_))
        store._db.execute("UPDATE games SET id = -id")
        store._db.execute("PRAGMA user_version = 1")
    with read_store(path) as store:
        assert [game.pair for game in store.games()] == [2, 2, 1, 1]
    with write_store(path) as store:
        assert [(game.id, game.pair) for game in store.games()] == [(1, 1), (2, 1), (3, 2), (4, 2)]
        assert store._db.execute("PRAGMA user_version").fetchone()[0] == VERSION


def test_a_second_writer_is_refused_and_a_reader_is_not(path):
    with write_store(path), read_store(path) as reader:
        assert len(reader.agents()) == 2
        with pytest.raises(StoreError, match="in use"), write_store(path):
            pytest.fail("two writers")


def test_the_lock_dies_with_its_process(path):
    code = """
import os, signal, sys
from pathlib import Path
from simulator.records.database import write_store
with write_store(Path(sys.argv[1])):
    os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", code, path], cwd=Path(__file__).parents[1], check=False)
    assert done.returncode == -9
    with write_store(path) as store:
        assert len(store.pairs()) == 2


def test_a_reader_changes_nothing(path):
    with pytest.raises(StoreError, match="readonly"), read_store(path) as store:
        store.check("alpha", None)


def test_files_that_are_no_records_of_a_tournament_are_refused_in_words(tmp_path):
    text, other, newer = (tmp_path / name for name in ("text", "other", "newer"))
    text.write_text("no database at all, but long enough to have been one" * 10)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    with write_store(newer) as store:
        store._db.execute(f"PRAGMA user_version = {VERSION + 1}")
    for path, words in ((text, "not a database"), (other, "not a tournament's"), (newer, "newer version")):
        for opened in (read_store, write_store):
            with pytest.raises(StoreError, match=words), opened(path):
                pytest.fail(words)
    with pytest.raises(StoreError, match="there is no file"), read_store(tmp_path / "nothing"):
        pytest.fail("nothing is there")
    with pytest.raises(OSError, match="no such folder"), write_store(tmp_path / "no" / "league.db"):
        pytest.fail("no folder is there")


def test_a_program_that_is_killed_while_it_makes_the_file_leaves_one_that_can_be_used(tmp_path):
    path = tmp_path / "league.db"
    path.touch()
    with write_store(path) as store:
        assert store.agents() == []


def test_records_of_other_versions_are_read_with_defaults_for_what_they_lack():
    record = replace(record_of(), logs=(("depth 4", "  value"), ()))
    said = json.loads(json.dumps(record.to_json()))
    assert GameRecord.from_json(said) == record
    del said["date"], said["logs"], said["verdict"]["stderr"], said["moves"][0]["answer"]
    said["new"] = said["verdict"]["new"] = said["moves"][0]["new"] = [1]
    older = GameRecord.from_json(said)
    assert (older.date, older.verdict.stderr, older.moves, older.logs) == ("", (), record.moves, ((), ()))
    del said["verdict"]
    with pytest.raises(KeyError):
        GameRecord.from_json(said)


def test_foreign_keys_hold(path):
    with write_store(path) as store, pytest.raises(sqlite3.IntegrityError):
        store._db.execute("INSERT INTO pairs (round, number, first, second, opening, seed) VALUES (1, 1, 1, 99, '', 0)")


def test_records_can_be_read_in_a_folder_that_takes_no_files(path, monkeypatch):
    asked = []
    monkeypatch.setattr(os, "access", lambda folder, mode: asked.append((folder, mode)))
    with read_store(path) as store:
        assert len(store.pairs()) == 2
        assert not path.with_name(path.name + "-shm").exists()
    assert asked == [(path.parent, os.W_OK)]


@pytest.mark.parametrize("record", ["{", "[]", "{}", "null", '{"moves": [], "verdict": {"reason": "boredom"}}'])
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
