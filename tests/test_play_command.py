"""`runner.py play`: its options, games that are resumed, and Ctrl-Z and Ctrl-C on a terminal."""

import os
import pty
import select
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from runner import main
from tests.playing import ONE_SHORT

RUNNER = str(Path(__file__).resolve().parent.parent / "runner.py")
AGENTS = Path(__file__).resolve().parent / "agents"


def run(*arguments, lines="", **more):
    return CliRunner().invoke(main, ["play", "--hints", "random_agent", *arguments], input=lines, **more)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "unforced" / "games"


def test_an_interrupted_game_is_resumed_with_its_settings(cache):
    first = run("--agent", "random_agent", "--side", "b", "--handicap", "time=2", lines="d4/1r\n")
    assert first.exit_code == 0, first.output
    again = run("--resume", lines="list\n")
    assert "You play Black (B) against random_agent." in again.output
    assert "2. d4/1r" in again.output
    assert "--handicap=time=2" in again.output


def test_there_may_be_nothing_to_resume(cache):
    result = run("--resume")
    assert (result.exit_code, "there is no game to go on with" in result.output) == (2, True)


def test_a_game_that_is_over_can_be_resumed_once(cache):
    run("--agent", "random_agent", "--position", ONE_SHORT.position, lines="e1/3r\n")
    assert "Game over: you win" in run("--resume").output
    assert list(cache.iterdir()) == []


def test_a_game_that_cannot_be_kept_is_played_and_that_is_said(cache):
    cache.parent.write_text("a file where the folder should be")
    result = run("--agent", "random_agent", lines="c3/1r\n")
    assert result.exit_code == 0
    assert result.output.count("play --resume will not find it") == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--level", "3", "--agent", "random_agent"], "--level is instead of an --agent"),
        (["--against", "random_agent"], "--against is the second of two agents"),
        (["--resume", "--moves", "c3/1r"], "--resume has its own game"),
        (["--level", "ten"], "there is no level 'ten'"),
        (["--handicap", "0"], "is no handicap"),
        (["--side", "x", "--agent", "random_agent"], "has no side 'x'"),
    ],
)
def test_options_that_cannot_be_are_refused(arguments, complaint):
    result = run(*arguments)
    assert result.exit_code == 2
    assert complaint in " ".join(result.output.split())


@pytest.mark.parametrize("how", [["--plain"], []])
@pytest.mark.parametrize("look", [["--ascii"], ["--theme", "light"], ["--no-animation"]])
def test_options_for_the_full_screen_change_nothing_in_lines(cache, how, look):
    result = run("--agent", "human_agent", *how, *look, lines="quit\n")
    assert result.exit_code == 0, result.output
    assert "Two people" in result.output


def test_two_agents_are_watched_to_the_end(cache):
    position = "wwww../bbb.../....../....../....../b..... w"
    arguments = ["--side", "none", "--agent", "random_agent", "--against", "random_agent", "--position", position]
    result = run(*arguments, lines="list\n")
    assert result.exit_code == 0, result.output
    assert "random_agent as White (W) against random_agent as Black (B)." in result.output
    assert "Game over: " in result.output


def test_a_game_of_go_ends_with_its_score(cache):
    options = ["--game", "go", "--size", "2", "--komi", "1", "--agent", "human_agent", "--moves", "A1 pass"]
    result = run(*options, lines="pass\npass\n")
    assert result.exit_code == 0, result.output
    assert "x black" in result.output and "Game over: Black wins by 3" in result.output


def test_human_agent_is_a_second_person(cache):
    result = run("--agent", "human_agent", lines="c3/1r\nd4/1r\n")
    assert "Two people: White (W) moves first, then Black (B)." in result.output
    assert "To continue this game:\n  python runner.py play --agent=human_agent" in result.output


# --- A terminal -----------------------------------------------------------------------------------------------------


def read_until(descriptor, text, seconds=60):
    """What a terminal shows until that text, which has to come."""
    shown, deadline = "", time.monotonic() + seconds
    while text not in shown:
        assert time.monotonic() < deadline, shown
        if select.select([descriptor], [], [], 0.1)[0]:
            shown += os.read(descriptor, 1 << 16).decode()
    return shown


@pytest.fixture
def shell(tmp_path):
    """A shell on a terminal, with job control."""
    pid, descriptor = pty.fork()
    if pid == 0:
        os.environ.update(TERM="dumb", PS1="SHELL> ", XDG_CACHE_HOME=str(tmp_path))
        os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
    read_until(descriptor, "SHELL> ")
    yield descriptor
    os.write(descriptor, b"\x03\nexit\n")
    os.close(descriptor)
    os.waitpid(pid, 0)


def type_in(descriptor, text):
    os.write(descriptor, text.encode())


@pytest.mark.slow
def test_on_a_terminal_ctrl_z_costs_no_time_typing_ahead_is_dropped_and_ctrl_c_asks(shell):
    waits = AGENTS / "waits.py"
    options = f"--agent {waits} --hints random_agent --move-time 2 --first-move-time 30 --cushion 1"
    type_in(shell, f"{sys.executable} {RUNNER} play {options}\n")
    read_until(shell, "w> ")
    type_in(shell, "c3/1r\n")
    time.sleep(0.3)
    type_in(shell, "now\n")
    read_until(shell, "w> ")  # the first move has 30 seconds
    type_in(shell, "d4/1r\nresign\n")
    assert "ignored" in read_until(shell, "ignored")
    type_in(shell, "\x1a")
    read_until(shell, "SHELL> ")
    time.sleep(4)  # more than the move and the cushion
    type_in(shell, "fg\n")
    shown = read_until(shell, "w> ")
    assert "waits plays" in shown
    assert "Game over" not in shown
    type_in(shell, "\x03")
    read_until(shell, "Leave the game? play --resume goes on with it. (y/n) ")
    type_in(shell, "n\n")
    read_until(shell, "w> ")
    type_in(shell, "quit\n")
    assert "To continue this game" in read_until(shell, "SHELL> ")
