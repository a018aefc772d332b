"""Moves before the search is compiled are in time and sensible; the search moves as soon as it is ready."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from random import Random
from unittest.mock import Mock

import pytest

from agents import uct_agent
from agents.limits import Clock, Limits
from agents.look_ahead import compile_for_look_ahead, look_ahead, ranked_moves
from agents.uct import compiling
from agents.uct.compiling import Compiling
from agents.uct.settings import Settings
from agents.uct_agent import UctAgent
from game import load_game, play_moves
from go.position import PASS
from jit import PROJECT, NotKept
from simulator.gtp.analysis import Analysis
from simulator.terminal.texts import analysis_text
from tests.searches import CountingClock
from tests.slow.minimax import plies_to_win

PENTAGO = load_game("pentago")
HOUR = 3600.0


@pytest.fixture(autouse=True)
def _forgotten():
    compiling.elsewhere.cache_clear()
    compiling._say_once.cache_clear()


@pytest.fixture
def held(monkeypatch):
    """An event that a search being compiled waits for; no other process compiles."""
    monkeypatch.setattr(compiling, "CACHE_FOLDER", None)
    monkeypatch.setattr(compiling, "LOOK_SECONDS", 0.001)
    event = threading.Event()
    yield event
    event.set()


def started(load):
    return Compiling(PENTAGO, Settings.for_game(PENTAGO), Random(1), load)


@pytest.mark.parametrize(
    ("expected_in", "patience", "answers_with"),  # seconds
    [
        (-HOUR, 0.0, range(8)),  # the search may come at any moment, so waiting helps
        (0.5, 0.0, range(8)),  # the search will be ready in time
        (HOUR, 0.0, range(20, 30)),
        (HOUR, HOUR, range(8)),
    ],
)
def test_a_search_is_waited_for_as_long_as_that_is_likely_to_help(
    expected_in, patience, answers_with, held, monkeypatch
):
    monkeypatch.setattr(compiling, "PATIENCE", patience)
    search, clock, position = started(held.wait), CountingClock(30.0, tick=1.0), PENTAGO.initial()
    search._elsewhere = Mock(expected=time.monotonic() + expected_in)
    move = position.legal_moves()[0]
    monkeypatch.setattr(compiling, "look_ahead", lambda game, kernel, position, clock, rng: (move, clock.remaining))
    assert int(search.look(position, clock).analysis()["value"]) in answers_with
    held.set()
    search._thread.join()
    assert search.look(position, clock) is None


def test_what_fails_while_the_search_is_made_ready_is_raised_when_it_is_wanted(held):
    def fail():
        raise MemoryError("no room for a tree")

    search = started(fail)
    with pytest.raises(MemoryError, match="no room"):
        search.look(PENTAGO.initial(), Clock(HOUR))
    with pytest.raises(MemoryError, match="no room"):
        search.study(PENTAGO.initial(), HOUR)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo started; exit 0", "ready after"),
        ("echo started; exit 3", "ended with status 3: this one compiles"),
        (None, "no process can be started"),
    ],
)
def test_where_no_other_process_compiles_this_one_does(script, said, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(compiling, "CACHE_IS_READ_ONLY", False)
    monkeypatch.setattr(compiling, "CACHE_FOLDER", tmp_path)
    program = tmp_path / "python"
    if script is not None:
        program.write_text(f"#!/bin/sh\necho 1 >> {tmp_path}/starts\n{script}\n")
        program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))
    loaded, searches = [], []
    for _ in range(2):  # one process for all agents: a game may be over before the search is ready
        searches.append(started(lambda: loaded.append(True)))
    for search in searches:
        assert search.look(PENTAGO.initial(), Clock(HOUR)) is None
    errors = capsys.readouterr().err
    assert loaded == [True, True] and said in errors
    assert errors.count("compiling the search, once") == 1 and errors.count("ready after") == 2
    assert script is None or (tmp_path / "starts").read_text() == "1\n"


def test_the_agent_moves_before_its_search_is_ready_says_so_and_searches_afterwards(held, monkeypatch):
    @contextmanager
    def nothing_is_kept():
        raise NotKept("operate")
        yield

    make_ready = UctAgent.setup
    monkeypatch.setattr(uct_agent, "kept_code_only", nothing_is_kept)
    monkeypatch.setattr(UctAgent, "setup", lambda agent: (held.wait(), make_ready(agent)))
    limits = Limits(first_move_seconds=0.2, move_seconds=0.2)  # the first search takes five times as long
    agent, position = UctAgent(PENTAGO, limits, options={"capacity": "2000"}), PENTAGO.initial()
    agent.setup_on_clock()
    position = position.play(agent.step(position, Clock(0.1)))
    said = Analysis.from_json(agent.analysis())
    assert said.note == "" and said.compiling_seconds > 0 and said.simulations == 0
    assert "not compiled yet" in analysis_text(said)
    assert [report.visits for report in agent.study(position, 0.0)] == [1] * len(position.legal_moves())
    held.set()
    position = position.play(agent.step(position, Clock(HOUR)))
    said = Analysis.from_json(agent.analysis())
    assert said.compiling_seconds is None and said.simulations > 0
    agent.close()


def test_a_fixed_number_of_simulations_is_searched_whatever_it_takes(monkeypatch):
    monkeypatch.setattr(uct_agent, "Compiling", None)
    agent = UctAgent(PENTAGO, options={"simulations": "10", "capacity": "2000"})
    agent.setup_on_clock()
    assert agent._searcher is not None


# --- The look ahead --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pentago", "wwww../bbbb../....../....../....../...... w"),
        ("go", "b..../...../...../...../..... b - 7 1"),
        ("kalah", "0 0 0 0 0 1 24 1 0 0 0 0 0 22 b"),
    ],
)
def test_a_win_is_taken(name, text):
    game = load_game(name, **({"size": 5} if name == "go" else {}))
    position = game.parse_position(text)
    move, value = look_ahead(game, game.kernel, position, Clock(HOUR), Random(1))
    assert position.play(move).result.winner == position.to_move and value == 1


@pytest.mark.parametrize(
    "text", ["....../bbbb../w...../.w..../....w./....w. w", "....../.bbbb./w...../ww..../.w..../...... w"]
)
def test_no_win_is_left_to_the_opponent(text):
    position = PENTAGO.parse_position(text)
    assert sum(plies_to_win(position.play(move), 1) == 1 for move in position.legal_moves()) > 100
    for seed in range(3):
        move, _ = look_ahead(PENTAGO, PENTAGO.kernel, position, Clock(HOUR), Random(seed))
        assert plies_to_win(position.play(move), 1) is None


def test_a_pass_comes_last_unless_it_wins():
    go = load_game("go", size=9)
    position = play_moves(go, ("E5", "F4", "F5"))[-1]
    assert ranked_moves(go, go.kernel, position, Random(1))[-1].move == PASS
    won = load_game("go", size=3).parse_position("bbb/b.b/bbb b - 0.5 1")  # the opponent has passed
    assert ranked_moves(won.game, won.game.kernel, won, Random(1))[0].move == PASS


@pytest.mark.parametrize("name", ["pentago", "go", "kalah"])
def test_what_a_look_ahead_calls_is_compiled_by_a_game_that_ends(name):
    compile_for_look_ahead(load_game(name), load_game(name).kernel, Random(1))


def test_a_game_of_last_moves_that_has_no_end_is_left(tmp_path, monkeypatch):
    rules = ("initial(): return 0, 0", "legal_moves(state): return [1, 0]", "result(state): return None")
    rules += ("play(state, move): return state[0] + move, 1 - state[1]",)
    (tmp_path / "stay.py").write_text("\n".join(f"def {rule}" for rule in rules))
    monkeypatch.setattr("agents.look_ahead.ranked_moves", Mock())
    compile_for_look_ahead(load_game(str(tmp_path / "stay.py")), None, Random(1))


# --- The whole --------------------------------------------------------------------------------------------------------


@pytest.mark.slow(minutes=3)
@pytest.mark.skipif(shutil.which("taskset") is None, reason="taskset is not installed")
def test_the_first_move_comes_in_30_seconds_from_an_empty_cache_on_a_quarter_of_a_processor(tmp_path):
    """`-s` shows how long the moves took and when the search was ready."""
    pinned = ["taskset", "-c", str(min(os.sched_getaffinity(0)))]
    busy = [subprocess.Popen([*pinned, sys.executable, "-c", "while True: pass"]) for _ in range(3)]
    command = [*pinned, sys.executable, "runner.py", "gtp"]
    try:
        with subprocess.Popen(
            command,
            cwd=PROJECT,
            env=os.environ | {"UNFORCED_CACHE": str(tmp_path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as engine:
            start = time.monotonic()
            ask(engine, "genmove w")
            first = time.monotonic() - start
            assert json.loads(ask(engine, "unforced-search_stats"))["compiling_seconds"] > 0
            times = [0.0]
            while json.loads(ask(engine, "unforced-search_stats"))["compiling_seconds"] is not None:
                if ask(engine, "unforced-result") != "none":
                    ask(engine, "unforced-set_position ....../....../....../....../....../...... w")
                before = time.monotonic()
                ask(engine, "genmove " + ask(engine, "unforced-position")[-1])
                times.append(time.monotonic() - before)
            ready, slowest = time.monotonic() - start, max(times[:-1])  # the last one is by the search
            _, errors = engine.communicate("quit\n", timeout=60)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    print(
        f"the first move after {first:.1f} s, others in {slowest:.1f} s at most, one by the search after {ready:.1f} s"
    )
    assert first < 30 and slowest < 2 + 1  # with the cushion
    assert re.fullmatch(r"compiling the search, once.*\nthe search is ready after \d+ s\n", errors)


def ask(engine, line):
    engine.stdin.write(f"{line}\n")
    engine.stdin.flush()
    answer = engine.stdout.readline()
    engine.stdout.readline()
    assert answer.startswith("="), answer
    return answer[1:].strip()
