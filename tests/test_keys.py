"""Keys that are read while a program is busy: on a terminal, in the background, and where there is none."""

import errno
import os
import pty
import select
import subprocess
import sys
import termios
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from simulator.terminal.keys import Keys

PROJECT = Path(__file__).parent.parent
# Prints what it reads until a q, and at the end how the terminal is.
READER = """
import sys, termios, time
from simulator.terminal.keys import Keys
keys, seen = Keys(), []
keys.start()
print("ready", keys.are_read, flush=True)
while "q" not in seen and keys.are_read:
    if found := keys.pressed():
        print(found, flush=True)
    seen += found
    time.sleep(0.01)
keys.stop()
flags = termios.tcgetattr(sys.stdin)[3]
print("given back", bool(flags & termios.ICANON and flags & termios.ECHO), flush=True)
"""


@contextmanager
def reader():
    """The program in the foreground of a terminal of its own, and our end of that."""
    pid, ours = pty.fork()
    if pid == 0:
        os.chdir(PROJECT)
        os.execv(sys.executable, [sys.executable, "-c", READER])
    try:
        yield ours
        assert os.waitpid(pid, 0)[1] == 0
    finally:
        os.close(ours)


def read_until(terminal, words, seconds=60.0):
    seen, end = "", time.monotonic() + seconds
    while words not in seen:
        assert select.select([terminal], [], [], max(0.0, end - time.monotonic()))[0], seen
        seen += os.read(terminal, 1024).decode()
    return seen


def test_keys_are_read_one_by_one_and_not_shown():
    with reader() as terminal:
        read_until(terminal, "ready True")
        for typed, found in (("s", "['s']"), ("\t", r"['\t']"), ("\x1b[C", r"['\x1b[C']"), ("\x1bOD", r"['\x1bOD']")):
            os.write(terminal, typed.encode())
            assert read_until(terminal, "]").strip() == found
        os.write(terminal, b"q")
        read_until(terminal, "given back True")


def test_a_terminal_that_somebody_has_set_back_is_taken_over_again():
    with reader() as terminal:
        read_until(terminal, "ready True")
        settings = termios.tcgetattr(terminal)
        settings[3] |= termios.ICANON | termios.ECHO
        termios.tcsetattr(terminal, termios.TCSANOW, settings)
        end = time.monotonic() + 60
        while termios.tcgetattr(terminal)[3] & termios.ICANON:
            assert time.monotonic() < end
            time.sleep(0.01)
        os.write(terminal, b"q")
        read_until(terminal, "given back True")


def test_without_a_terminal_nothing_is_read():
    code = "from simulator.terminal.keys import Keys; k = Keys(); k.start(); print(k.are_read, k.pressed()); k.stop()"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=PROJECT, input="q", capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "False []\n"


def test_in_the_background_the_terminal_is_left_alone(monkeypatch):
    ours, theirs = pty.openpty()
    with os.fdopen(theirs) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        before = termios.tcgetattr(ours)
        keys = Keys()
        keys.start()  # it is not this process's terminal
        assert (keys.are_read, keys.pressed()) == (False, [])
        keys.stop()
        assert termios.tcgetattr(ours) == before
    os.close(ours)


@pytest.mark.parametrize("error", [OSError(errno.EIO, "Input/output error"), termios.error(errno.EIO, "gone")])
@pytest.mark.parametrize("name", ["os.read", "termios.tcgetattr", "termios.tcsetattr"])
def test_a_terminal_that_has_gone_is_no_failure(monkeypatch, name, error):
    def fails(*arguments):
        raise error

    ours, theirs = pty.openpty()
    with os.fdopen(theirs) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        monkeypatch.setattr("simulator.terminal.keys._is_ours", lambda: True)
        keys = Keys()
        if name != "termios.tcgetattr":
            keys.start()
            assert keys.are_read
        os.write(ours, b"s\n")
        with monkeypatch.context() as patch:
            patch.setattr(name, fails)
            keys.start()
            assert keys.pressed() == [] or name == "termios.tcsetattr"  # which need not be called
            keys.stop()
    os.close(ours)


def test_where_python_has_no_stdin_nothing_is_read(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    keys = Keys()
    keys.start()
    assert (keys.are_read, keys.pressed()) == (False, [])
    keys.stop()


@pytest.mark.parametrize("attempt", ["start", "stop"])
def test_a_closed_stdin_is_none(monkeypatch, attempt):
    with open(os.devnull) as stdin:
        pass
    monkeypatch.setattr("sys.stdin", stdin)
    getattr(Keys(), attempt)()
    assert Keys().pressed() == []
