"""Plays honestly, and before each move does something that must disturb nobody: `makes_noise.py:deed=prints`."""

import contextlib
import ctypes
import fcntl
import os
import signal
import sys
import time
from typing import ClassVar

from agents.agent import Agent, register_agent

PR_SET_NAME = 15
NAMES = {"figure": b"x kB", "bytes": b"\xff\xfe", "lines": b"\nVmRSS: 1 kB", "brackets": b") Z 1 1"}


def prints(agent, position):
    """Prints lines with indentation, tabs and control characters."""
    print("depth  value")
    print("    4   0.25\t|\x1b[2J\u202e")
    print("x" * 1000, "of", position.ply, file=sys.stderr)


def prints_gtp(agent, position):
    """Prints what looks like answers, and reads stdin, where questions might be."""
    print("=1 a1/0r\n\n= resign\n\n? illegal move\n\n", flush=True)
    sys.__stdout__.write("= resign\n\n")
    os.write(1, b"= resign\n\n")
    assert sys.stdin.readline() == ""


def floods_stderr(agent, position):
    """Prints 30 MB."""
    for _ in range(300):
        sys.stderr.write("y" * 99_999 + "\n")
    print("done", file=sys.stderr)


def closes_stdout(agent, position):
    """Closes stdin, stdout and stderr, none of which is the wire."""
    for descriptor in (0, 1, 2):
        with contextlib.suppress(OSError):
            os.close(descriptor)


def names_itself(agent, position):
    """Takes a process name that looks like part of /proc/PID/status or /proc/PID/stat, or that is not text."""
    ctypes.CDLL(None).prctl(PR_SET_NAME, NAMES[agent.options["name"]], 0, 0, 0)


def holds_a_file(agent, position):
    """Takes and keeps a lease on the option `file`, a file that others open too."""
    if agent.kept is None:
        signal.signal(signal.SIGIO, signal.SIG_IGN)  # by which the kernel would ask for the lease
        agent.kept = os.open(agent.options["file"], os.O_RDONLY)
        with contextlib.suppress(OSError):
            fcntl.fcntl(agent.kept, fcntl.F_SETLEASE, fcntl.F_WRLCK)


def leaves_grandchild(agent, position):
    """Leaves a grandchild that sleeps in another session."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(3600)
        os._exit(0)


def is_late(agent, position):
    time.sleep(0.7)


@register_agent("makes_noise_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"deed": "prints", "name": "figure", "file": ""}
    kept = None

    def step(self, position, clock):
        globals()[self.options["deed"]](self, position)
        return self.rng.choice(position.legal_moves())
