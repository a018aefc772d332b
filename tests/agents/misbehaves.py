"""Does something at its second move that ends a game: `misbehaves.py:deed=hangs_in_threads`.

If nobody stops a deed that makes processes or threads, the deed stops at some hundred, so that the machine survives.
"""

import atexit
import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from typing import ClassVar

from agents.agent import Agent, register_agent

# --- Memory -----------------------------------------------------------------------------------------------------------


def allocates(agent, position):
    """Takes 1 GB at once."""
    agent.hoard = b"x" * (1 << 30)
    time.sleep(60)


def allocates_and_returns(agent, position):
    """Takes 400 MB for a moment."""
    bytearray(b"x" * (200 << 20))
    return position.legal_moves()[0]


def allocates_in_child(agent, position):
    """Lets a child take 600 MB."""
    program = "import time; hoard = b'x' * (600 << 20); time.sleep(60)"
    subprocess.run([sys.executable, "-c", program], check=False)
    return position.legal_moves()[0]


def grows(agent, position):
    """Takes 4 MB every few milliseconds, for ever."""
    hoard = []
    while True:
        hoard.append(b"x" * (4 << 20))
        time.sleep(0.004)


def recurses_in_python(agent, position):
    """Calls itself to Python's limit."""
    return recurses_in_python(agent, position)


def recurses_without_limit(agent, position):
    sys.setrecursionlimit(1 << 30)
    return recurses_in_python(agent, position)


# --- Processes and threads --------------------------------------------------------------------------------------------

MANY = 400
GENERATIONS = 8
BUSY_SECONDS = 1.0
MORE_THAN_ONE = 1.3


def forks(agent, position):
    """Makes children, which sleep."""
    for _ in range(MANY):
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
    return f"SUCCEEDED: {MANY} children"


def forks_a_bomb(agent, position):
    """Makes children, and they make theirs: 2^GENERATIONS processes, all of them busy."""
    error = None
    for _ in range(GENERATIONS):
        try:
            os.fork()
        except OSError as refused:
            error = refused
    while error is None:
        pass
    raise error


def begins_threads(agent, position):
    for _ in range(MANY):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    return f"SUCCEEDED: {MANY} threads"


def escapes(agent, position):
    """Starts a process that shares nothing with it, neither session nor environment nor parent, and ends.

    The option `name` stands in the command line of that process.
    """
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            program = f"import time; time.sleep(600)  # {agent.options['name']}"
            os.execve(sys.executable, [sys.executable, "-I", "-S", "-c", program], {})
        os._exit(0)
    os.wait()
    os._exit(5)


def busy_child(until):
    """Begin a child that computes until `until`, a time of the monotonic clock; return its pid."""
    child = os.fork()
    if child == 0:
        while time.monotonic() < until:
            pass
        os._exit(0)
    return child


def uses_two_processors(agent, position):
    """Keeps two children busy, and measures how much processor time they got."""
    started = time.monotonic()
    children = [busy_child(started + BUSY_SECONDS) for _ in range(2)]
    usages = [os.wait4(child, 0)[2] for child in children]
    used = sum(usage.ru_utime + usage.ru_stime for usage in usages) / (time.monotonic() - started)
    if used > MORE_THAN_ONE:
        return f"SUCCEEDED: used {used:.2f} processors"
    raise PermissionError(1, f"used {used:.2f} processors")


# --- No answer --------------------------------------------------------------------------------------------------------


def floods_stdout(agent, position):
    while True:
        print("x" * 10_000)


def spins(agent, position):
    """Keeps the processor busy."""
    while True:
        pass


def wait_for_ever():
    threading.Event().wait()


def hangs_in_threads(agent, position):
    """Waits for a thread of its own that waits for ever."""
    thread = threading.Thread(target=wait_for_ever, daemon=True)
    thread.start()
    thread.join()


def ignores_signals(agent, position):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCONT):
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(60)


# --- The end of its process -------------------------------------------------------------------------------------------


class Disaster(BaseException):
    pass


def raises_base_exception(agent, position):
    """Raises what `except Exception` does not catch."""
    raise Disaster("gone")


def segfaults(agent, position):
    """Reads from address 0."""
    ctypes.string_at(0)


def forks_and_exits(agent, position):
    """Leaves a child that holds the wire open, and ends."""
    if os.fork() == 0:
        time.sleep(3600)
    os._exit(7)


def closes_descriptors(agent, position, first=3):
    """Closes every descriptor from `first` on, and has its process sleep for a minute before it ends."""
    atexit.register(time.sleep, 60)
    os.closerange(first, 1000)
    return position.legal_moves()[0]


def closes_all_descriptors(agent, position):
    return closes_descriptors(agent, position, first=0)


# --- Answers that are not moves ---------------------------------------------------------------------------------------


class Evil:
    """Raises KeyboardInterrupt when somebody wants its text."""

    def __str__(self):
        raise KeyboardInterrupt


def returns_evil_object(agent, position):
    return Evil()


def returns_garbage(agent, position):
    """Returns a text that is not a move, with line breaks and control characters."""
    return "a9/7q\n\n= a1/0r\x00\x1b[2J" + "x" * 100_000


def returns_taken_cell(agent, position):
    """Plays on a cell that has a stone."""
    row, column = (int(place[0]) for place in position.board.nonzero())
    return f"{'abcdef'[column]}{row + 1}/0r"


def returns_gigantic_text(agent, position):
    return "a1/0r" + "r" * (50 << 20)


def returns_none(agent, position):
    return None


def speaks_on_the_wire(agent, position):
    """Writes an answer to each of its descriptors, one of which is the wire."""
    for descriptor in range(3, 20):
        with contextlib.suppress(OSError):
            os.write(descriptor, b"=99 a1/0r\n\n")
    return position.legal_moves()[0]


@register_agent("misbehaves_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"deed": "returns_none", "name": ""}
    moves = 0

    def step(self, position, clock):
        self.moves += 1
        if self.moves == 2:
            return globals()[self.options["deed"]](self, position)
        return self.rng.choice(position.legal_moves())
