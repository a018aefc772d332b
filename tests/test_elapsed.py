"""On a terminal only, the seconds of a long task are counted below its text, and erased when it is over."""

import re
import time

import pytest

from agents.agent import parse_agent
from simulator.play.settings import PlaySettings
from simulator.player import compile_ahead as compiling
from simulator.terminal import elapsed
from simulator.terminal.elapsed import ERASE, Elapsed, compile_agent
from tests.playing import PENTAGO, ScriptedScreen


@pytest.fixture(autouse=True)
def short_seconds(monkeypatch):
    monkeypatch.setattr(elapsed, "SECOND", 0.01)


COUNTED = r"(\r\x1b\[K  0 s)+\r\x1b\[K"


@pytest.mark.parametrize(
    ("can_erase", "said", "written"),
    [
        (True, ["preparing one_agent", "preparing another_agent"], rf"(preparing \w+\n{COUNTED}){{2}}"),
        (False, ["preparing one_agent"], "preparing one_agent\n"),
        (True, [], ""),
        (True, [("preparing the rules", 0.05)], f"preparing the rules\n{COUNTED}"),
        (True, [("preparing the rules", 60.0)], ""),  # only if it goes on for so long
        (False, [("preparing the rules", 0.05)], ""),
    ],
)
def test_seconds_are_counted_and_erased_where_something_takes_long(capsys, can_erase, said, written):
    with Elapsed(can_erase) as progress:
        for text in said:
            progress.say(*(text if isinstance(text, tuple) else (text,)))
            time.sleep(0.2)
        time.sleep(0.1)
    assert re.fullmatch(written, capsys.readouterr().out)


def test_an_interruption_ends_the_count(capsys):
    with pytest.raises(KeyboardInterrupt), Elapsed(can_erase=True) as progress:
        progress.say("preparing one_agent")
        raise KeyboardInterrupt
    assert capsys.readouterr().out.endswith(ERASE)


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_game_in_lines_counts_while_an_agent_is_compiled(tmp_path, monkeypatch, capsys, is_terminal):
    monkeypatch.setattr(compiling, "CACHE_FOLDER", tmp_path)
    monkeypatch.setattr(compiling, "CACHE_IS_READ_ONLY", False)
    monkeypatch.setattr(compiling, "_set_up", lambda *_: time.sleep(0.2))
    screen = ScriptedScreen()
    screen.can_erase = is_terminal
    compile_agent(screen.can_erase, PlaySettings().limits, PENTAGO, parse_agent("random_agent"))
    written = capsys.readouterr().out
    assert written.startswith("preparing random_agent (compiling what it needs, once; up to a minute)\n")
    assert ("\r\x1b[K  0 s" in written) is is_terminal
