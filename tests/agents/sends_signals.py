"""Sends signals at its second move: `sends_signals.py:to=referee,pid=123`, where 123 is the referee.

They have the number 0, which asks for the right to send one and harms nobody, but for those to its own group, and
SIGIO, which the kernel sends for it (`to=referee_by_input`).
"""

import fcntl
import os
import signal
import socket
import struct
from pathlib import Path
from typing import ClassVar

from agents.agent import Agent, register_agent

FIOSETOWN, FIOASYNC = 0x8901, 0x5452


def family():
    """Itself and the processes that it descends from, what holds it among them."""
    pid = os.getpid()
    while pid > 0:
        yield pid
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def workers():
    """Other agents' processes, as far as they can be seen."""
    seen = {int(name) for name in os.listdir("/proc") if name.isdecimal()} - set(family())
    return [pid for pid in seen if b"simulator.player.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def opponent(pid):
    others = workers()
    if not others:
        raise ProcessLookupError(3, "there is no opponent")
    os.kill(others[0], 0)


def everybody(pid):
    """Whom a signal to -1 would reach, asked one by one: the kernel calls that a success though all are spared."""
    refused = ProcessLookupError(3, "there is nobody else")
    for other in {int(name) for name in os.listdir("/proc") if name.isdecimal()} - set(family()):
        try:
            os.kill(other, 0)
        except OSError as error:
            refused = error
        else:
            return
    raise refused


def referee_by_input(pid):
    """Names the referee as the one to be told when a socket has something to read."""
    near, far = socket.socketpair()
    with near, far:
        fcntl.ioctl(near, FIOSETOWN, struct.pack("i", pid))
        fcntl.ioctl(near, FIOASYNC, struct.pack("i", 1))
        far.send(b"!")


DEEDS = {
    "referee_by_input": referee_by_input,
    "referee": lambda pid: os.kill(pid, 0),
    "referees_group": lambda pid: os.killpg(os.getpgid(pid), 0),
    "opponent": opponent,
    "group": lambda pid: os.kill(0, signal.SIGKILL),
    "everybody": everybody,
}


@register_agent("sends_signals_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"to": "referee", "pid": 0}
    moves = 0

    def step(self, position, clock):
        self.moves += 1
        if self.moves == 2:
            DEEDS[self.options["to"]](self.options["pid"])
            return f"SUCCEEDED: a signal to {self.options['to']}"
        return self.rng.choice(position.legal_moves())
