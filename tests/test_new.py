"""`runner.py new`: the folder of a new agent plays as it is, says what it is about, and replaces nothing."""

from functools import partial
from pathlib import Path

import pytest

from agents import Clock, Limits
from agents.agent import parse_agent
from game import load_game
from tests.command_line import invoke
from tests.programs import finished

GAMES = ("pentago", "go")


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


new = partial(invoke, "new")


def class_in(folder):
    """The class in the folder's file; it is not registered, as other tests make agents of the same name."""
    source = (folder / "agent.py").read_text().replace("@register_agent", "#")
    names = {"__file__": str(folder / "agent.py"), "__name__": "agent_of_test"}
    exec(compile(source, "agent.py", "exec"), names)
    return next(found for name, found in names.items() if name.endswith("Agent") and name != "Agent")


@pytest.mark.parametrize("game", GAMES)
def test_a_new_agent_takes_a_win_and_says_what_a_move_is(home, game):
    assert new("ann", "--game", game).exit_code == 0
    loaded = load_game(game)
    position = loaded.initial()
    text = (home / "ann" / "agent.py").read_text()
    assert repr(position.legal_moves()[0])[:8] in text  # PentagoMove, GoMove
    assert f"`{position}`" in text
    assert (f"begin with {loaded.opening_plies} random moves" in text) == (loaded.opening_plies > 0)
    assert str(position.board.dtype) in text
    assert "runner.py debug --position` reads" in text and "`python runner.py" not in text  # not here
    agent = class_in(home / "ann")(loaded, Limits(move_seconds=0.05))
    if game == "pentago":
        position = loaded.parse_position("wwww../....../b.b.b./....../..b.../...... w")
        won = position.play(agent.step(position, Clock(0.05))).result
        assert won is not None and won.winner == 0
    else:
        assert agent.step(position, Clock(0.05)) in position.legal_moves()


def test_a_new_agent_ends_its_thoughts_where_each_move_ends_the_game(home):
    new("ann")
    loaded = load_game("pentago")
    position = loaded.parse_position("wwbbw./bbwwbb/wwbbww/bbwwbb/wwbbww/bbwwbw b")
    agent = class_in(home / "ann")(loaded, Limits(move_seconds=0.05))
    assert agent.step(position, Clock(0.05)) in position.legal_moves()


@pytest.mark.slow
def test_the_tests_of_a_new_agent_pass(home):
    new("ann")
    done = finished("-m", "pytest", "-q", "-p", "no:cacheprovider", "ann", folder=home)
    assert "2 passed" in done.stdout, done.stdout + done.stderr


def test_an_agent_in_a_folder_of_its_own_is_called_after_the_folder():
    for file in ("agent.py", "student_agent.py", "agents/student_agent.py"):
        assert parse_agent(f"some/where/ann/{file}").name == "ann"
    assert parse_agent("agent.py").name == "agent"
    assert parse_agent(str(Path("x") / "my_agent.py")).name == "my_agent"
