"""An agent's analysis of its move: whatever the agent sends, only plain data is kept."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.gtp.analysis import LONGEST_MOVE, LONGEST_NOTE, MAX_TEXT, MOST_MOVES, STATS_KEYS, Analysis
from simulator.play.replay import Replay
from simulator.records.reader import PlayedGame
from simulator.records.sgf_writer import sgf_of
from simulator.referee.game_record import GameRecord
from simulator.report.page import embedded
from simulator.report.page_data import replay_json
from simulator.terminal.replay import page
from tests.leagues import random_game

RECORD = random_game(("alpha", "beta"), game="go", options={"size": 5, "komi": 0.5}, plies=3)

HOSTILE = st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Lu", "So"]))
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | HOSTILE | st.sampled_from(["win", "loss", "draw"])
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(HOSTILE, inner), max_leaves=20)
SAID = st.dictionaries(st.sampled_from(STATS_KEYS) | HOSTILE, VALUES) | VALUES
WIRE = st.one_of(
    SAID.map(json.dumps),
    SAID.map(lambda said: json.dumps(said, ensure_ascii=False)),
    st.binary().map(lambda data: data.decode("utf-8", "replace")),
    st.text(st.characters(categories=None)),
)
DEEP = ("[" * 700 + "]" * 700, '{"a":' * 700 + "1" + "}" * 700)


def with_analysis(said) -> GameRecord:
    return replace(RECORD, moves=tuple(replace(move, analysis=said) for move in RECORD.moves))


@settings(max_examples=30)
@given(WIRE)
def test_whatever_comes_over_the_wire_can_be_written_everywhere(text):
    analysis = Analysis.from_text(text)
    record = with_analysis(analysis)
    line = json.dumps(record.to_json(), ensure_ascii=False, allow_nan=False)
    assert json.loads(line.encode())["moves"][0]["analysis"] == analysis.to_json()
    assert GameRecord.from_json(json.loads(line)) == record
    with closing(sqlite3.connect(":memory:")) as database:
        assert database.execute("SELECT ?", (line,)).fetchone() == (line,)
    assert all(line.isprintable() for line in sgf_of(record).decode().split("\n"))
    assert json.loads(embedded(replay_json(record)))
    replay = Replay(PlayedGame(1, record))
    pages = [page(replay, ply) for ply in range(replay.last + 1)]
    assert all(line.isprintable() for line in "".join(pages).splitlines())


@settings(max_examples=30)
@given(SAID)
def test_only_known_keys_with_proper_values_are_left(said):
    found = Analysis.from_json(said).to_json()
    for key, value in found.items():
        if key == "note":
            assert value.isprintable() and len(value) <= LONGEST_NOTE + 20
        elif key == "pv":
            assert len(value) <= MOST_MOVES
            assert all(len(move) <= LONGEST_MOVE and move.isprintable() for move in value)
        elif key == "proven":
            assert value in ("win", "loss", "draw")
        else:
            assert key in STATS_KEYS
            assert type(value) in (int, float) and 0 <= value <= (1 if key == "value" else 10**15)
    assert Analysis.from_json(found).to_json() == found


@pytest.mark.parametrize("nested", DEEP)
@pytest.mark.parametrize("key", ["pv", "value", "proven", "mood"])
def test_what_is_nested_deeply_is_left_out(key, nested):
    found = Analysis.from_text(f'{{"{key}": {nested}, "nodes": 3}}')
    assert replace(found, note="") == Analysis(nodes=3)
    assert found.note.startswith(f"left out: {key}")


@pytest.mark.parametrize(
    "text", ["[]", "nonsense", "[" * 100_000, '{"a": ' * 9_000, f'{{"a": "{"1" * MAX_TEXT}"}}', '"x"', "", "1" * 5000]
)
def test_what_is_no_object_of_json_is_empty_but_for_a_note(text):
    found = Analysis.from_text(text)
    assert replace(found, note="") == Analysis()
    assert found.note.startswith("left out: all of it (")


def test_numbers_that_are_none_are_left_out_and_named():
    text = '{"value": NaN, "seconds": 1e999, "depth_max": -1, "playouts": true, "proven": null, "nodes": 3, "mood": 1}'
    found = Analysis.from_text(text)
    wanted = "(not a number from 0)"
    assert found.to_json() == {
        "nodes": 3,
        "note": f"left out: value (not a number from 0 to 1), seconds {wanted}, depth_max {wanted}, playouts {wanted}, "
        "mood",
    }


def test_a_long_line_is_cut_and_one_with_anything_else_is_left_out():
    assert Analysis.from_json({"pv": ["D4"] * 500}) == Analysis(pv=("D4",) * MOST_MOVES)
    for wrong in ("\ud800", "D4\x1b[2J", "\u202eD4", "D" * 21, 4, ["D4"]):
        assert Analysis.from_json({"pv": ["D4", wrong]}).pv is None


def test_what_agents_of_this_project_say_is_kept_whole():
    said = dict.fromkeys(STATS_KEYS, 0.5) | {"simulations": 12_345, "proven": "draw", "pv": ["a1/0r", "pass"]}
    assert Analysis.from_text(json.dumps(said)).to_json() == said


def test_records_of_others_are_read_as_if_their_agents_said_it_now():
    said = with_analysis(Analysis()).to_json()
    said["moves"][0]["analysis"] = {"value": 7, "proven": "\x1b[2Jwin", "mood": "good", "simulations": 5}
    said["moves"][1]["analysis"] = ["nothing"]
    record = GameRecord.from_json(said)
    assert [replace(move.analysis, note="") for move in record.moves[:2]] == [Analysis(simulations=5), Analysis()]
