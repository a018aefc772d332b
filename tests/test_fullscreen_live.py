"""A match or tournament on the full screen while it is played; the process test has a terminal of its own."""

import asyncio
import fcntl
import io
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.drivers._writer_thread import MAX_QUEUED_WRITES, WriterThread
from textual.events import Key

from commands.full_screen import observer_on
from simulator.fullscreen.live import LiveApp, LiveDriver, LiveObserver, is_ours
from simulator.referee.conditions import Conditions
from simulator.referee.events import ClockRuns, GameBegan
from simulator.referee.game_record import MoveRecord
from simulator.terminal.live import LineObserver
from simulator.tournament.events import Planned
from tests.leagues import record_of
from tests.screens import text_of
from tests.test_live import pipe, watching

PROJECT = Path(__file__).parent.parent
PASSES = f"gtp:{sys.executable} -I -S {PROJECT / 'tests' / 'agents' / 'gtp_player.py'}"


@contextmanager
def screen(*names: str, **settings: Any) -> Iterator[Any]:
    """A match or tournament on a screen of 120x40 that nobody sees."""
    with watching(LiveObserver(pipe(120), size=(120, 40)), names or ("alpha", "beta"), **settings) as played:
        played.observer(Planned(0, 20))
        yield played


def seen(played: Any, key: str = "") -> str:
    """What is on the screen after a key, without the spaces between words."""
    live = played.observer
    if key:
        live.app.post_message(Key(key, None))
    live.app.call_later(live.app.update_all)
    for _ in range(4):
        live.turn()
        time.sleep(0.02)  # until the screen is to be drawn again
    return " ".join(text_of(live.app).split())


def test_a_match_has_board_clock_memory_score_and_what_was_said() -> None:
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
        assert "watch" not in text  # there is no choice
        console = match.observer.console
        assert console.file.getvalue() == ""
    assert console.file.getvalue() == f"    {late}\n"  # what was said stays when the screen is gone


def test_keys_choose_between_the_standings_and_the_games_in_play() -> None:
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


def test_the_board_that_is_watched_follows_its_game_and_then_becomes_anothers() -> None:
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


def test_of_a_match_each_game_in_play_can_be_watched() -> None:
    with screen() as match:
        for pair in (1, 2):
            match.tell(pair, GameBegan(("alpha", "beta")))
        assert [f"game {number}: alpha" in seen(match, key) for key, number in (("", 1), ("tab", 3), ("tab", 1))]


def test_a_match_goes_on_in_lines_if_its_screen_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    with screen() as match:
        monkeypatch.setattr(LiveApp, "update_all", lambda self: 1 / 0)
        match.observer._drawn_at = 0.0
        match.tell(1, GameBegan(("alpha", "beta")))
        match.over(1, record_of())
        assert match.observer.app is None
    assert "game 1 of 20: why" in match.observer.console.file.getvalue()


def test_where_there_is_no_terminal_or_not_ours_there_are_lines() -> None:
    assert type(observer_on(pipe())) is LineObserver
    ours, theirs = pty.openpty()
    assert not is_ours(theirs)  # it is no terminal of this process
    os.close(ours)
    assert not is_ours(theirs)
    os.close(theirs)
    assert not is_ours(theirs)


def test_a_terminal_that_was_given_back_is_neither_waited_for_nor_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    touched: list[int] = []
    monkeypatch.setattr(termios, "tcflush", lambda descriptor, _: touched.append(descriptor))

    async def draw(app: LiveApp) -> None:
        driver = LiveDriver(app)
        driver._writer_thread = writer = WriterThread(io.StringIO())
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


def read_until(terminal: int, words: str, seconds: float = 60.0) -> str:
    """What the program writes until it has written these words."""
    text, end = "", time.monotonic() + seconds
    while words not in text:
        assert select.select([terminal], [], [], max(0.0, end - time.monotonic()))[0], text[-2000:]
        text += os.read(terminal, 1 << 16).decode(errors="replace")
    return text


def test_a_match_stops_and_goes_on_by_keys_and_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    match = ["match", PASSES, PASSES, "--game", "go", "--games", "400", "--records", str(tmp_path / "match.db")]
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(PROJECT)
        os.environ.update(TERM="xterm-256color", COLUMNS="80", LINES="24")
        os.execv(sys.executable, [sys.executable, "runner.py", *match])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    flags = termios.tcgetattr(terminal)[3]
    try:
        read_until(terminal, "\x1b[?1049h")
        read_until(terminal, "of 400")
        os.write(terminal, b"\x1a")
        read_until(terminal, "\x1b[?1049l")
        assert os.WIFSTOPPED(os.waitpid(pid, os.WUNTRACED)[1])
        assert termios.tcgetattr(terminal)[3] == flags
        os.killpg(pid, signal.SIGCONT)
        read_until(terminal, "\x1b[?1049h")
        os.write(terminal, b"\x03")
        text = read_until(terminal, "go on with")
        assert "game 1 of 400" in text
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 130
        assert termios.tcgetattr(terminal)[3] == flags
    finally:
        os.close(terminal)
