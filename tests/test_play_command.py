"""`runner.py play`: its options, and games that are resumed."""

import pytest

from tests.command_line import invoke
from tests.playing import ONE_SHORT
from tests.programs import PYTHON
from tests.scoundrels.games import PLAYS_ON


def run(*arguments, lines=""):
    return invoke("play", "--hints", "random_agent", *arguments, text=lines)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "unforced" / "games"


def test_an_interrupted_game_is_resumed_with_its_settings(cache):
    first = run("--agent", PLAYS_ON, "--side", "b", "--handicap", "time=2", "--coach", lines="d4/1r\n")
    assert first.exit_code == 0, first.output
    again = run("--resume", lines="list\n")
    assert f"You play Black (B) against {PYTHON}." in again.output
    assert "2. d4/1r" in again.output
    assert "--handicap=time=2" in again.output
    assert "--coach" in again.output


def test_a_game_that_is_over_can_be_resumed_once(cache):
    run("--agent", PLAYS_ON, "--position", ONE_SHORT.position, lines="e1/3r\n")
    assert "Game over: you win" in run("--resume").output
    assert list(cache.iterdir()) == []
    again = run("--resume")
    assert (again.exit_code, "there is no game to resume" in again.output) == (2, True)


def test_a_game_that_cannot_be_kept_is_played_and_that_is_said(cache):
    cache.parent.write_text("a file where the folder should be")
    result = run("--agent", PLAYS_ON, lines="c3/1r\n")
    assert result.exit_code == 0
    assert result.output.count("play --resume will not find it") == 1


def test_options_for_the_full_screen_change_nothing_in_lines_and_human_agent_is_a_second_person(cache):
    look = ("--plain", "--ascii", "--theme", "light", "--no-animation")
    result = run("--agent", "human_agent", *look, lines="c3/1r\nd4/1r\n")
    assert result.exit_code == 0, result.output
    assert "Two people: White (W) moves first, then Black (B)." in result.output
    assert "To continue this game:\n  python runner.py play --agent=human_agent" in result.output


def test_two_agents_are_watched_to_the_end(cache):
    result = run("--side", "none", "--agent", PLAYS_ON, "--against", PLAYS_ON, lines="list\n")
    assert result.exit_code == 0, result.output
    assert f"{PYTHON} as White (W) against {PYTHON} as Black (B)." in result.output
    assert "Game over: " in result.output


def test_a_game_of_go_ends_with_its_score(cache):
    options = ["--game", "go", "--size", "2", "--komi", "1", "--agent", "human_agent", "--moves", "A1 pass"]
    result = run(*options, lines="pass\npass\n")
    assert result.exit_code == 0, result.output
    assert "x black" in result.output and "Game over: Black wins by 3" in result.output
