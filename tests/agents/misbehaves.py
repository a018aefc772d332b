"""Does something at its second move that ends a game: `misbehaves.py:deed=hangs_in_threads`."""

import atexit
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from typing import ClassVar

from agents.agent import Agent, register_agent

# --- Memory -----------------------------------------------------------------------------------------------------------


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


# --- No answer --------------------------------------------------------------------------------------------------------


def floods_stdout(agent, position):
    while True:
        print("x" * 10_000)


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


def raises_system_exit(agent, position):
    sys.exit(0)


def forks_and_exits(agent, position):
    """Leaves a child that holds the wire open, and ends."""
    if os.fork() == 0:
        time.sleep(3600)
    os._exit(7)


def closes_descriptors(agent, position, first=3):
    """Closes everything that is open, and would not have its process end."""
    atexit.register(time.sleep, 60)
    os.closerange(first, 1000)
    return position.legal_moves()[0]


def closes_all_descriptors(agent, position):
    return closes_descriptors(agent, position, first=0)


# --- What is no move --------------------------------------------------------------------------------------------------


class Evil:
    """Interrupts whoever looks at it."""

    def __str__(self):
        raise KeyboardInterrupt


def returns_evil_object(agent, position):
    return Evil()


def returns_gigantic_text(agent, position):
    return "a1/0r" + "r" * (50 << 20)


def returns_move_of_opponent(agent, position):
    colour = agent.game.players[1 - position.to_move]
    return f"{colour} {agent.game.format_move(position.legal_moves()[0])}"


def returns_none(agent, position):
    return None


def speaks_on_the_wire(agent, position):
    """Finds the wire among its descriptors and answers for itself."""
    for descriptor in range(3, 20):
        with contextlib.suppress(OSError):
            os.write(descriptor, b"=99 a1/0r\n\n")
    return position.legal_moves()[0]


@register_agent("misbehaves_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"deed": "returns_none"}
    moves = 0

    def step(self, position, clock):
        self.moves += 1
        if self.moves == 2:
            return globals()[self.options["deed"]](self, position)
        return self.rng.choice(position.legal_moves())
