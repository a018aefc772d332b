"""From its second move on, changes its position or the code that it runs on, and plays on: `tampers.py:deed=board`."""

import contextlib
import gc
import sys
import time
from types import ModuleType
from typing import ClassVar

from agents.agent import Agent, register_agent

sleep = time.sleep


def clocks(position):
    """Stops Python's clocks, then sleeps for an hour."""
    for name in ("time", "monotonic", "perf_counter", "process_time", "monotonic_ns", "time_ns"):
        setattr(time, name, lambda: 0)
    sleep(3600)


def board(position):
    """Takes every stone off the board."""
    with contextlib.suppress(ValueError):  # the board is read-only
        position.board[:] = 0
    with contextlib.suppress(ValueError):
        position.board.flags.writeable = True
        position.board[:] = 0


def attributes(position):
    """Tells the position that another player is to move and that all is won."""
    for name, value in {"to_move": 1 - position.to_move, "result": None, "ply": 0, "white": 0, "black": 0}.items():
        with contextlib.suppress(AttributeError, TypeError):
            object.__setattr__(position, name, value)


def modules(position):
    """Puts empty modules in the place of the referee's."""
    for name in (
        "game",
        "pentago",
        "pentago.game",
        "simulator",
        "simulator.gtp.syntax",
        "simulator.gtp.server",
        "simulator.gtp.engine",
        "json",
    ):
        sys.modules[name] = ModuleType(name)


def engine(position):
    """Finds the engine that it runs in, and takes back all of the engine's moves."""
    for found in gc.get_objects():
        if type(found).__name__ == "Engine":
            found.positions = found.positions[:1]


def functions(position):
    """Has the engine answer `W+`, White's win, to everything."""
    server = sys.modules["simulator.gtp.server"]
    server.format_answer = lambda number, text, success=True: f"={number} W+\n\n"


@register_agent("tampers_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"deed": "board"}
    moves = 0

    def step(self, position, clock):
        self.moves += 1
        move = self.rng.choice(position.legal_moves())
        if self.moves >= 2:
            globals()[self.options["deed"]](position)
        return move
