"""Compiling ahead happens once for each agent of the project, and never runs other people's files."""

import sys
from unittest.mock import Mock

import psutil
import pytest

from agents.agent import parse_agent
from agents.limits import Limits
from game import load_game
from jit import cache
from simulator.gtp.agent_host import AgentHost
from simulator.player import compile_ahead as warmup

PENTAGO = load_game("pentago")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The folder that notes what has been compiled."""
    monkeypatch.setattr(warmup, "CACHE_FOLDER", tmp_path)
    return tmp_path


def test_an_agent_is_prepared_once(tmp_path):
    said = []
    for _ in range(2):
        warmup.compile_ahead(PENTAGO, [parse_agent("random_agent"), parse_agent("random_agent")], said.append)
    assert len(said) == 1
    assert "random_agent" in said[0]
    assert [file.name for file in tmp_path.iterdir()] == ["pentago-random_agent.compiled"]


def test_an_agent_with_many_options_has_a_mark_of_its_own():
    marks = {warmup._mark("pentago", f"uct_agent:{400 * 'c'}={i}") for i in range(2)}
    assert len(marks) == 2 and all(len(mark) < 255 for mark in marks)


def test_what_was_kept_in_part_is_removed_and_compiled_again(tmp_path, monkeypatch):
    monkeypatch.setattr(warmup.Order, "command", lambda order: ["true"])
    for damaged, times in ((False, 1), (True, 2)):
        said: list[str] = []
        for _ in range(2):
            kept = cache._Files(str(tmp_path), "function", "now", "module")
            kept.save(((), "key"), "result")
            (path,) = tmp_path.glob("*.nbc")
            path.write_bytes(path.read_bytes()[:-1] if damaged else path.read_bytes())
            warmup.compile_ahead(PENTAGO, [parse_agent("random_agent")], said.append)
        assert len(said) == times
        assert kept.load(((), "key")) == (None if damaged else "result")


def test_a_board_with_another_class_of_kernel_is_prepared_by_itself(monkeypatch):
    prepared = []
    monkeypatch.setattr(warmup, "_set_up", lambda game, agent, mark, on_look: prepared.append((game.pits, mark.name)))
    for options in ({"pits": 6}, {"pits": 10, "stones": 12}):
        warmup.compile_ahead(load_game("kalah", **options), [parse_agent("random_agent")])
    assert prepared == [
        (6, "kalah-KalahKernel-random_agent.compiled"),
        (10, "kalah-WideKalahKernel-random_agent.compiled"),
    ]


def test_what_is_compiled_ahead_is_on_no_clock_and_so_is_compiled_to_the_end(monkeypatch):
    orders = []
    monkeypatch.setattr(warmup.Order, "command", lambda order: orders.append(order) or ["true"])
    warmup.compile_ahead(PENTAGO, [parse_agent("random_agent")])
    (order,), done = orders, []
    for chosen in (order.limits, Limits()):
        host = AgentHost(lambda game, limits, seed: done.append(Mock()) or done[-1], chosen)
        host.use(PENTAGO)
        host.prepare()
    assert [[name for name, *_ in agent.method_calls] for agent in done] == [["setup"], ["setup_on_clock"]]


def test_a_file_and_another_program_are_not_run(tmp_path):
    stranger = tmp_path / "stranger_agent.py"
    stranger.write_text(f"open({str(tmp_path / 'was_here')!r}, 'w')")
    said = []
    warmup.compile_ahead(PENTAGO, [parse_agent(str(stranger)), parse_agent("gtp:touch was_here")], said.append)
    assert said == []
    assert not (tmp_path / "was_here").exists()


def test_an_agent_that_cannot_be_set_up_is_left_to_the_referee(tmp_path, monkeypatch):
    monkeypatch.setattr(warmup.Order, "command", lambda order: [sys.executable, "-c", "raise SystemExit(1)"])
    warmup.compile_ahead(PENTAGO, [parse_agent("random_agent")], [].append)
    assert list(tmp_path.iterdir()) == []


def test_where_nothing_can_be_kept_that_is_said_and_nothing_is_prepared(monkeypatch):
    monkeypatch.setattr(warmup, "CACHE_FOLDER", None)
    said = []
    warmup.compile_ahead(PENTAGO, [parse_agent("random_agent")], said.append)
    assert len(said) == 1 and "no folder for compiled code can be written" in said[0]


def test_what_nobody_waits_for_any_more_is_not_compiled_to_the_end(tmp_path, monkeypatch):
    monkeypatch.setattr(warmup.Order, "command", lambda order: [sys.executable, "-c", "import time; time.sleep(600)"])
    before, looks = psutil.Process().children(), []

    def look():
        looks.append([process for process in psutil.Process().children() if process not in before])
        if len(looks) == 2:
            raise InterruptedError("nobody waits")

    with pytest.raises(InterruptedError, match="nobody waits"):
        warmup.compile_ahead(PENTAGO, [parse_agent("random_agent")], on_look=look)
    assert len(looks[1]) == 1
    assert not looks[1][0].is_running()
    assert list(tmp_path.glob("*.compiled")) == []
