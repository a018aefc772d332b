"""`runner.py play` and `replay` in terminals, through tmux: sizes, colours, a dumb terminal, Ctrl-C, Ctrl-Z and fg."""

import re
import shutil
import signal
import subprocess
import sys
import time

import psutil
import pytest

from tests.leagues import random_game, write_games
from tests.programs import PATIENCE_SECONDS, PROJECT

PLAY = f"{sys.executable} runner.py play --agent random_agent --isolation none"

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")]


class Tmux:
    """A terminal with an interactive shell in it."""

    def __init__(self, folder):
        self._socket, self._folder = str(folder / "socket"), folder

    @property
    def is_open(self):
        """Whether there is a terminal now."""
        command = ["tmux", "-S", self._socket, "has-session"]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def run(self, *arguments):
        command = ["tmux", "-S", self._socket, "-f", "/dev/null", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def open(self, width, height, **environment):
        variables = {"XDG_CACHE_HOME": str(self._folder), **environment}
        settings = [text for name, value in variables.items() for text in ("-e", f"{name}={value}")]
        size = ["-x", str(width), "-y", str(height)]
        self.run("new-session", "-d", *size, *settings, "-c", str(PROJECT), "bash --norc --noprofile -i")
        self.until("bash-")  # its prompt

    def processes(self):
        """The shell and all that it has started."""
        shell = psutil.Process(int(self.run("display-message", "-p", "#{pane_pid}")))
        return [shell, *shell.children(recursive=True)]

    def text(self, escapes=False):
        return self.run("capture-pane", "-p", *(["-e"] if escapes else []))

    def keys(self, *keys):
        self.run("send-keys", *keys)

    def line(self, text):
        self.run("send-keys", "-l", text)
        self.keys("Enter")

    def until(self, wanted):
        until = time.monotonic() + PATIENCE_SECONDS
        while wanted not in (text := self.text()):
            assert time.monotonic() < until, f"waited in vain for {wanted!r}:\n{text}"
            time.sleep(0.1)
        return text


@pytest.fixture
def tmux(tmp_path):
    """A terminal, which is closed at the end; what runs in it then ends as well."""
    terminal, left = Tmux(tmp_path), []
    try:
        yield terminal
        if terminal.is_open:
            left = terminal.processes()
    finally:
        subprocess.run(["tmux", "-S", str(tmp_path / "socket"), "kill-server"], capture_output=True, check=False)
    still = psutil.wait_procs(left, PATIENCE_SECONDS)[1]
    for process in still:
        process.kill()
    assert not still


def two_moves(tmux, options=""):
    """Begin a game, make its first move, and wait for the answer."""
    tmux.line(f"{PLAY} {options}")
    tmux.until("1. Put a stone")
    tmux.keys("Enter")
    tmux.until("2. Turn a quadrant")
    tmux.keys("Enter")
    tmux.until("1. c3/0r  ")


@pytest.mark.parametrize(
    ("width", "height", "theme", "stone"),
    [(80, 24, "ansi", "╭──╮"), (120, 40, "dark", "╭────╮"), (200, 50, "light", "╭────╮")],
)
def test_a_move_in_a_terminal_of_that_size(tmux, width, height, theme, stone):
    tmux.open(width, height)
    two_moves(tmux, f"--theme {theme}")
    assert stone in tmux.text()
    if theme == "ansi":  # nothing is white or black but the terminal's own colours
        seen = tmux.text(escapes=True)
        assert not any(f"\x1b[{code}" in seen for code in ("30m", "37m", "97m", "1;97m", "33m", "34m", "38;", "48;"))


def test_no_color_leaves_bold_and_reversed_text_only(tmux):
    tmux.open(80, 24, NO_COLOR="1")
    tmux.line(f"{PLAY} --theme dark")
    tmux.until("1. Put a stone")
    seen = tmux.text(escapes=True)
    codes = {int(code) for escape in re.findall("\x1b\\[([0-9;]*)m", seen) for code in escape.split(";") if code}
    assert codes <= {0, 1, 2, 3, 4, 7, 22, 23, 24, 27, 39, 49}
    assert 1 in codes


@pytest.mark.parametrize(
    ("width", "command", "words"),
    [
        (80, f"TERM=dumb {PLAY}", "You play White (W)"),
        (80, f"{PLAY} 2>/dev/null", "You play White (W)"),  # full screens are drawn on stderr
        (80, f"PYTHONIOENCODING=latin-1 {PLAY}", "You play White (W)"),
        (79, f"{PLAY} --ascii --theme light --no-animation", "80x24: playing in"),  # for full screens
    ],
    ids=["dumb", "stderr", "encoding", "small"],
)
def test_where_there_is_no_full_screen_one_plays_in_lines(tmux, width, command, words):
    tmux.open(width, 24)
    tmux.line(command)
    assert words in tmux.until("w>")


def test_ctrl_c_asks_and_the_game_can_be_resumed(tmux):
    tmux.open(80, 24)
    two_moves(tmux)
    tmux.until("1. Put a stone")
    tmux.keys("C-c")
    tmux.until("Leave?")
    tmux.keys("C-c")
    tmux.until("To continue this game")
    tmux.line(f"clear; {PLAY} --resume")
    tmux.until("1. c3/0r  ")


@pytest.mark.parametrize("from_elsewhere", [False, True])
def test_a_screen_that_was_stopped_is_drawn_again_and_goes_on(tmux, from_elsewhere):
    tmux.open(80, 24)
    tmux.line(PLAY)
    tmux.until("1. Put a stone")
    tmux.keys("Enter")
    tmux.until("2. Turn")
    if from_elsewhere:
        program(tmux).send_signal(signal.SIGSTOP)
    else:
        tmux.keys("C-z")
    tmux.until("Stopped")
    tmux.line("clear; printf 'the old screen is %s\\n' gone")
    tmux.until("the old screen is gone")
    tmux.line("fg")
    tmux.until("╭  ╮")
    tmux.keys("Enter")
    tmux.until("1. c3/0r  ")


def test_in_lines_ctrl_z_costs_no_time_typing_ahead_is_dropped_and_ctrl_c_asks(tmux):
    tmux.open(80, 60)
    options = "--agent tests/agents/waits.py --hints random_agent --move-time 2 --first-move-time 30 --cushion 1"
    tmux.line(f"TERM=dumb {sys.executable} runner.py play {options}")
    tmux.until("w>")
    tmux.line("c3/1r")
    time.sleep(0.3)
    tmux.line("now")  # the first move has 30 seconds
    tmux.until("waits plays")
    tmux.line("d4/1r")
    tmux.line("resign")
    tmux.until("ignored while waiting for waits: 'resign'")
    tmux.keys("C-z")
    tmux.until("Stopped")
    time.sleep(4)  # more than the move and the cushion
    tmux.line("clear; printf 'a%s\\n' gain; fg")
    tmux.until("again")  # the first move's line has gone from the screen
    assert "Game over" not in tmux.until("waits plays")
    tmux.keys("C-c")
    tmux.until("Leave the game? play --resume goes on with it. (y/n)")
    tmux.line("n")
    tmux.line("quit")
    tmux.until("To continue this game")


# --- Signals --------------------------------------------------------------------------------------------------------


def program(tmux):
    """What runs in the shell."""
    return tmux.processes()[1]


def modes(tmux):
    """Whether the alternate screen and reports of the mouse are on."""
    return tmux.run("display-message", "-p", "#{alternate_on} #{mouse_any_flag}").strip()


def test_a_signal_restores_the_terminal_and_the_game_can_be_resumed(tmux):
    tmux.open(80, 24)
    two_moves(tmux, "; echo status $?.")
    assert modes(tmux) == "1 1"
    program(tmux).terminate()
    assert "To continue this game" in tmux.until(f"status {128 + signal.SIGTERM}.")
    assert modes(tmux) == "0 0"
    tmux.line(f"clear; {PLAY} --resume")
    tmux.until("1. c3/0r  ")


def test_a_terminal_that_is_closed_ends_the_program_and_the_game_is_kept(tmux, tmp_path):
    tmux.open(80, 24)
    two_moves(tmux)
    running = program(tmux)
    everything = [running, *running.children(recursive=True)]
    tmux.run("kill-server")
    assert not psutil.wait_procs(everything, PATIENCE_SECONDS)[1]
    (file,) = (tmp_path / "unforced" / "games").glob("*.game")
    assert "c3/0r" in file.read_text()


# --- Replay ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def replay(tmp_path):
    """The command that replays a game of twelve moves."""
    file = write_games(tmp_path / "games.jsonl", random_game(("alpha", "beta"), plies=12))
    return f"{sys.executable} runner.py replay {file} --game 1"


def test_a_replay_in_a_large_terminal(tmux, replay):
    tmux.open(200, 50)
    tmux.line(replay)
    tmux.until("The start of the game")
    tmux.keys("Right")
    tmux.until("Move 1 of 12: alpha (w) played")
    tmux.keys("End")
    assert "╭────╮" in tmux.until("Move 12 of 12: beta (b) played")
    tmux.keys("q")
    tmux.until("bash-")


@pytest.mark.parametrize("keys", [["Right", "Left"] * 12, ["Right", "q"]], ids=["while it draws", "while it ends"])
def test_a_terminal_that_is_closed_ends_a_replay(tmux, replay, keys):
    tmux.open(80, 24)
    tmux.line(replay)
    tmux.until("The start of the game")
    running = program(tmux)
    tmux.keys(*keys)
    tmux.run("kill-server")
    assert not psutil.wait_procs([running], PATIENCE_SECONDS)[1]


def test_a_signal_to_a_replay_restores_the_terminal(tmux, replay):
    tmux.open(80, 24)
    tmux.line(f"{replay}; echo status $?.")
    tmux.until("The start of the game")
    assert modes(tmux) == "1 1"
    program(tmux).terminate()
    tmux.until(f"status {128 + signal.SIGTERM}.")
    assert modes(tmux) == "0 0"
