"""A match or tournament on the full screen while it is played; terminals that are closed or stopped."""

import asyncio
import errno
import fcntl
import os
import pty
import re
import signal
import struct
import sys
import termios
import threading
import time
import tty
from contextlib import contextmanager, nullcontext
from io import StringIO
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from textual.drivers._writer_thread import MAX_QUEUED_WRITES, WriterThread
from textual.events import Key, Resize
from textual.geometry import Size

from commands.full_screen import observer_on
from game import game_class
from simulator.fullscreen.driver import TerminalDriver, TerminalFile
from simulator.fullscreen.live import LiveApp, LiveDriver, LiveObserver, is_ours
from simulator.referee.conditions import Conditions
from simulator.referee.events import ClockRuns, GameBegan
from simulator.referee.game_record import MoveRecord, Reason
from simulator.terminal.live import LineObserver
from simulator.tournament.events import Planned
from tests.leagues import record_of
from tests.programs import PASSES, PROJECT, read_terminal
from tests.screens import PATIENCE_SECONDS, is_to_be_drawn, text_of
from tests.test_game_files import NIM
from tests.test_live import pipe, watching


@contextmanager
def screen(*names, size=(120, 40), **settings):
    """A match or tournament on a screen without a terminal."""
    with watching(LiveObserver(pipe(size[0]), size=size), names or ("alpha", "beta"), **settings) as played:
        played.observer(Planned(0, 20))
        yield played


def seen(played, key=""):
    """The words on the screen after a key, with single spaces between them."""
    live = played.observer
    if key:
        live.app.post_message(Key(key, None))
    live.app.call_later(live.app.update_all)
    drawn, end = 0, time.monotonic() + PATIENCE_SECONDS
    while drawn < 4 and time.monotonic() < end:  # a change of size is drawn in three steps
        live.turn()
        drawn = 0 if is_to_be_drawn(live.app.screen) else drawn + 1
        time.sleep(0.0 if drawn else 0.005)  # until the screen may be drawn again
    return " ".join(text_of(live.app).split())


def test_a_match_has_board_clock_memory_score_and_what_was_said():
    with screen(conditions=Conditions(limits_of={"beta": {"memory_mb": 300}})) as match:
        match.tell(1, GameBegan(("alpha", "beta"), ("c3/0r",)))
        match.tell(1, MoveRecord(1, 0, "d4/1f", 2.5, 0.0, replaced=True))
        match.tell(1, ClockRuns(1, 2, 1.25, 2.0, 321.0))
        text = seen(match)
        late = "game 1, move 2: alpha answered after 2.500 s, too late: a random move was played"
        present = ("0/20", "game 1 alpha (w) - beta (b) move 3", "1.2 of 2 s 321 of 300 MB", "alpha 0 - 0 beta")
        for words in (*present, late):
            assert words in text
        assert "last move d4/1f" in text and "1 ⇄" in text
        assert "watch" not in text  # there is only one game to watch
        console = match.observer.console
        assert console.file.getvalue() == ""
    assert console.file.getvalue() == f"    {late}\n"  # the message is printed when the screen has gone


def test_beside_the_board_the_last_move_is_shown_after_long_names_too():
    names = (f"alpha{' with many options' * 4}", f"beta{' with many options' * 4}")
    with screen(*names) as match:
        match.tell(1, GameBegan(names, ("c3/0r",)), *names)
        match.tell(1, MoveRecord(1, 0, "d4/1f", 0.5, 0.0), *names)
        assert "d4/1f" in seen(match)


@pytest.mark.parametrize(
    ("game", "options", "pairs", "lowest"),
    [
        ("pentago", {}, 2, "─ 3 ─────┘ a b c d e f"),
        ("kalah", {}, 2, "1 2 3 4 5 6"),
        ("go", {"size": 19}, 1, "─┘ 1"),
    ],
)
def test_the_smallest_terminal_shows_the_whole_board(game, options, pairs, lowest):
    with screen(size=(80, 24), conditions=Conditions(game=game, game_options=options)) as match:
        for pair in range(pairs):
            match.tell(pair + 1, GameBegan(("alpha", "beta")))
        assert lowest in seen(match)


def test_a_game_in_play_takes_one_line_and_only_its_names_are_shortened():
    names = ("random_agent", "agent_of_ann_2")
    with screen(*names, size=(80, 24)) as match:
        match.tell(1, GameBegan(names), *names)
        match.tell(1, ClockRuns(0, 10, 1.25, 30.0, 321.0), *names)
        seen(match)
        assert re.search(
            "game 1 random.*… [(]w[)] - agent.*… [(]b[)] move 11 .* s 321 of 500 MB", text_of(match.observer.app)
        )


def test_the_score_is_seen_after_long_names_too():
    names = ("the_agent_that_ann_has_handed_in_at_last", "the_agent_that_bob_has_handed_in_at_last")
    with screen(*names, size=(80, 24)) as match:
        match.tell(1, GameBegan(names), *names)
        assert f"{names[0]} 0 - 0 {names[1]}" in seen(match)


def test_lines_are_broken_anew_when_the_terminal_becomes_narrower():
    with screen() as match:
        match.tell(1, GameBegan(("alpha", "beta")))
        said = " ".join(f"word{number}" for number in range(30))
        match.observer.say(said)
        for width in (100, 80):
            match.observer.app.post_message(Resize(size := Size(width, 24), size))
            seen(match)
            assert said in seen(match)


def test_keys_choose_between_the_standings_and_the_games_in_play():
    with screen("alpha", "beta", "gamma") as tournament:
        tournament.tell(1, GameBegan(("alpha", "beta"), ("c3/0r",)))
        tournament.tell(3, GameBegan(("gamma", "alpha"), ("f6/3f",)), "alpha", "gamma")
        first, second, standings = "game 1: alpha (w)", "game 6: gamma (w)", "w-d-l"
        for key, shown in (
            ("", standings), ("tab", first), ("n", second), ("right", standings), ("left", second), ("b", first),
            ("x", first), ("s", standings), ("b", second),
        ):  # fmt: skip
            text = seen(tournament, key)
            assert [words for words in (first, second, standings) if words in text] == [shown]
            assert "Tab watch the next game" in text


def test_the_board_that_is_watched_follows_its_game_and_then_becomes_anothers():
    with screen("alpha", "beta", "gamma") as tournament:
        tournament.tell(1, GameBegan(("alpha", "beta")))
        tournament.tell(3, GameBegan(("gamma", "alpha")), "alpha", "gamma")
        assert "game 6: gamma (w)" in seen(tournament, "left")
        tournament.tell(3, MoveRecord(0, 0, "a1/0f", 0.5, 0.0), "alpha", "gamma")
        assert "last move a1/0f" in seen(tournament)
        tournament.tell(3, record_of(("gamma", "alpha")), "alpha", "gamma")
        assert "game 1: alpha (w)" in seen(tournament)
        tournament.tell(3, GameBegan(("alpha", "gamma")), "alpha", "gamma")
        assert "game 5: alpha (w)" in seen(tournament)
        for pair in (1, 3):
            tournament.tell(pair, record_of())
        assert "w-d-l" in seen(tournament)


def test_of_a_match_each_game_in_play_can_be_watched():
    with screen() as match:
        for pair in (1, 2):
            match.tell(pair, GameBegan(("alpha", "beta")))
        assert [f"game {number}: alpha" in seen(match, key) for key, number in (("", 1), ("tab", 3), ("tab", 1))]


def test_a_match_goes_on_in_lines_if_its_screen_fails(monkeypatch):
    with screen() as match:
        monkeypatch.setattr(LiveApp, "update_all", lambda self: 1 / 0)
        match.observer._drawn_at = 0.0
        match.tell(1, GameBegan(("alpha", "beta")))
        match.over(1, record_of())
        assert match.observer.app is None
    assert "game 1 of 20: why" in match.observer.console.file.getvalue()


@pytest.mark.parametrize(("function", "found"), [("result", "None"), ("draw", "'stones'")])
def test_a_game_in_which_the_rules_of_a_file_fail_is_shown_up_to_there_and_the_match_goes_on(tmp_path, function, found):
    path = tmp_path / "nim.py"
    path.write_text(f"{NIM}def {function}(state): return {found} if state[0][0] > 2 else 1 // 0\n")
    with screen(conditions=Conditions(game=game_class(str(path)).name)) as match:
        match.tell(1, GameBegan(("alpha", "beta")))
        for ply in range(3):
            match.tell(1, MoveRecord(ply % 2, ply, "1", 0.5, 0.0))
            assert "last move 1" in seen(match)
        match.over(1, record_of(winner=None, reason=Reason.VOID))
        assert match.observer.app is not None
        match.tell(2, GameBegan(("alpha", "beta")))
        assert "game 3: alpha" in seen(match)


def test_where_there_is_no_terminal_or_not_ours_there_are_lines():
    assert type(observer_on(pipe())) is LineObserver
    ours, theirs = pty.openpty()
    assert not is_ours(theirs)  # this terminal does not belong to this process
    os.close(ours)
    assert not is_ours(theirs)
    os.close(theirs)
    assert not is_ours(theirs)


def test_a_terminal_that_was_given_back_is_neither_waited_for_nor_touched(monkeypatch):
    touched = []
    monkeypatch.setattr(termios, "tcflush", lambda descriptor, _: touched.append(descriptor))

    async def draw(app):
        driver = LiveDriver(app)
        driver._writer_thread = writer = WriterThread(StringIO())
        writer.start()
        driver.write("seen")
        driver.close()
        for _ in range(MAX_QUEUED_WRITES + 1):
            assert writer._queue.empty()
            driver.write("nobody sees it")
        driver.disable_input()
        assert len(touched) == 1
        driver._must_signal_resume = True
        driver.disable_input()
        assert len(touched) == 1

    with screen() as match:
        asyncio.run(draw(match.observer.app))


# --- In a terminal --------------------------------------------------------------------------------------------------


def test_a_match_stops_and_goes_on_by_keys_and_leaves_the_terminal_as_it_was(tmp_path):
    match = ["match", PASSES, PASSES, "--game", "go", "--games", "400", "--records", str(tmp_path / "match.db")]
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(PROJECT)
        os.environ.update(TERM="xterm-256color", COLUMNS="80", LINES="24")
        os.execv(sys.executable, [sys.executable, "runner.py", *match])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    flags = termios.tcgetattr(terminal)[3]
    try:
        read_terminal(terminal, "\x1b[?1049h")
        read_terminal(terminal, "of 400")
        os.write(terminal, b"\x1a")
        read_terminal(terminal, "\x1b[?1049l")
        assert os.WIFSTOPPED(os.waitpid(pid, os.WUNTRACED)[1])
        assert termios.tcgetattr(terminal)[3] == flags
        os.killpg(pid, signal.SIGCONT)
        read_terminal(terminal, "\x1b[?1049h")
        os.write(terminal, b"\x03")
        text = read_terminal(terminal, "go on with")
        assert "game 1 of 400" in text
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 130
        assert termios.tcgetattr(terminal)[3] == flags
    finally:
        os.close(terminal)


# --- Terminals that were closed or stopped, or that send bytes which are not text -------------------------------------


@pytest.mark.parametrize(("number", "is_lost"), [(errno.EIO, True), (errno.ENOSPC, False)])
def test_what_is_written_to_a_closed_terminal_is_lost_and_another_error_is_told(number, is_lost):
    error = OSError(number, "of a test")
    file = TerminalFile(Mock(**{"write.side_effect": error, "flush.side_effect": error}))
    for use in (lambda: file.write("board"), file.flush):
        with nullcontext() if is_lost else pytest.raises(OSError, match="of a test"):
            use()


def test_a_program_that_was_stopped_from_elsewhere_draws_again():
    posted = []
    _, terminal = pty.openpty()
    tty.setraw(terminal)
    driver = TerminalDriver.__new__(TerminalDriver)
    driver._must_signal_resume, driver._raw, driver.fileno = False, termios.tcgetattr(terminal), terminal
    driver._app = SimpleNamespace(post_message=posted.append)
    tty.setcbreak(terminal)  # as a shell might
    driver._sigcont_application()
    assert termios.tcgetattr(terminal) == driver._raw
    assert [type(message) for message in posted] == [TerminalDriver.SignalResume]


def test_a_byte_that_is_no_text_ends_no_reading():
    keys = []
    here, there = os.pipe()
    driver = TerminalDriver.__new__(TerminalDriver)
    driver.fileno, driver._debug, driver.exit_event = here, False, threading.Event()

    def take(message):
        keys.append(message.key)
        driver.exit_event.set()

    driver.process_message = take
    os.write(there, b"\xff\xe9q")
    driver.run_input_thread()
    assert keys[-1] == "q"
