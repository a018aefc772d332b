"""Seconds are counted below what takes long, on a terminal only, and are gone when it is over."""

import re
import time

import pytest

from agents.agent import parse_agent
from simulator.play.settings import PlaySettings
from simulator.player import compile_ahead as compiling
from simulator.terminal import elapsed
from simulator.terminal.elapsed import ERASE, Elapsed
from simulator.terminal.play import compile_agent
from tests.playing import PENTAGO, ScriptedScreen


@pytest.fixture(autouse=True)
def short_seconds(monkeypatch):
    monkeypatch.setattr(elapsed, "SECOND", 0.01)


def test_seconds_are_counted_and_erased(capsys):
    with Elapsed(can_erase=True) as progress:
        for text in ("preparing one_agent", "preparing another_agent"):
            progress.say(text)
            time.sleep(0.2)
    written = capsys.readouterr().out
    assert re.fullmatch(r"(preparing \w+\n(\r\x1b\[K  0 s)+\r\x1b\[K){2}", written)


def test_an_interruption_ends_the_count(capsys):
    with pytest.raises(KeyboardInterrupt), Elapsed(can_erase=True) as progress:
        progress.say("preparing one_agent")
        raise KeyboardInterrupt
    assert capsys.readouterr().out.endswith(ERASE)


def test_where_nothing_can_be_erased_only_the_line_is_printed(capsys):
    with Elapsed(can_erase=False) as progress:
        progress.say("preparing one_agent")
        time.sleep(0.1)
    assert capsys.readouterr().out == "preparing one_agent\n"


@pytest.mark.parametrize(
    ("after", "can_erase", "is_said"), [(0.05, True, True), (60.0, True, False), (0.05, False, False)]
)
def test_a_line_for_later_is_said_only_if_it_goes_on_for_so_long(capsys, after, can_erase, is_said):
    with Elapsed(can_erase) as progress:
        progress.say("preparing the rules", after)
        time.sleep(0.3)
    written = capsys.readouterr().out
    assert written.startswith("preparing the rules\n") if is_said else written == ""


def test_nothing_is_printed_where_nothing_takes_long(capsys):
    with Elapsed(can_erase=True):
        time.sleep(0.1)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_game_in_lines_counts_while_an_agent_is_compiled(tmp_path, monkeypatch, capsys, is_terminal):
    monkeypatch.setattr(compiling, "CACHE_FOLDER", tmp_path)
    monkeypatch.setattr(compiling, "CACHE_IS_READ_ONLY", False)
    monkeypatch.setattr(compiling, "_set_up", lambda *_: time.sleep(0.2))
    screen = ScriptedScreen()
    screen.can_erase = is_terminal
    compile_agent(screen, PlaySettings(), PENTAGO, parse_agent("random_agent"))
    written = capsys.readouterr().out
    assert written.startswith("preparing random_agent (compiling what it needs, once; up to a minute)\n")
    assert ("\r\x1b[K  0 s" in written) is is_terminal
