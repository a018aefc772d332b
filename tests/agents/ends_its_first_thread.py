"""Plays on in a second thread after its first thread has ended, which /proc then calls a zombie.

`ends_its_first_thread.py:deed=plays`: what it does from its second move on, or from its first with `deed=ponders`.
`deed=str` only ends the thread that writes the second answer, and never gives that answer.
"""

import ctypes
import os
import sys
import threading
import time
from pathlib import Path
from typing import ClassVar

from agents.agent import Agent, register_agent

NOTES = Path(__file__).resolve().parent / "notes.txt"
EXIT = {"x86_64": 60, "aarch64": 93}[os.uname().machine]  # ends the calling thread alone
HOARD_MB = 600
MB = 1 << 20


def end_this_thread():
    ctypes.CDLL(None).syscall(EXIT, 0)


def serving():
    """Find the GTP server of this process; return it, its lines, the line that it now answers, and its writer."""
    frame = sys._getframe()
    while frame.f_code.co_name != "serve" or "lines" not in frame.f_locals:
        frame = frame.f_back
    return tuple(frame.f_locals[name] for name in ("self", "lines", "line", "writer"))


def serve_on(server, lines, line, writer, outlives):
    """Do what the server does, beginning with the present line once more."""
    while not server.finished and line:
        for piece in server.pieces(line.decode()):
            writer.write(piece.encode())
            writer.flush()
        line = lines.read()
    while outlives:
        time.sleep(3600)
    os._exit(0)


def plays(agent):
    pass


def reads(agent):
    return f"SUCCEEDED: read {agent.file.read()}"


def reads_by_name(agent):
    return f"SUCCEEDED: read {NOTES.read_text()}"


def ponders(agent):
    if agent.spinning is None:
        agent.spinning = threading.Thread(target=spin, daemon=True)
        agent.spinning.start()


def spin():
    while True:
        pass


def hoards(agent):
    agent.hoard = b"x" * (HOARD_MB * MB)
    time.sleep(0.5)
    return f"SUCCEEDED: {HOARD_MB} MB"


class Ends:
    """A move that ends the thread that turns the move into text."""

    def __repr__(self):
        end_this_thread()
        return ""

    __str__ = __repr__


@register_agent("ends_its_first_thread_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"deed": "plays", "outlives": 0}
    moves, spinning, file, used, before = 0, None, None, 0.0, 0.0

    def setup(self):
        if self.options["deed"] == "reads":
            self.file = NOTES.open()

    def step(self, position, clock):
        self.used = time.process_time() - self.before
        self.moves += 1
        if self.options["deed"] == "str":
            threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
            return Ends() if self.moves == 2 else self.rng.choice(position.legal_moves())
        if self.moves == 1:
            threading.Thread(target=serve_on, args=(*serving(), self.options["outlives"])).start()
            end_this_thread()
        # The second call asks for the first move again, in the other thread.
        if self.moves > 2 or self.options["deed"] == "ponders":
            return globals()[self.options["deed"]](self) or self.rng.choice(position.legal_moves())
        return self.rng.choice(position.legal_moves())

    def analysis(self):
        self.before = time.process_time()
        return {"seconds": self.used}
