"""GTP engines for tests: agents that remember what they were asked, and an engine behind two pipes."""

import os
import threading
import time
from contextlib import suppress
from typing import Any, ClassVar

import numpy as np

from agents.agent import Agent, MoveReport
from agents.limits import Clock, Limits
from game import NotationError
from simulator.gtp.agent_host import AgentHost, AgentMaker
from simulator.gtp.commands import command_sets
from simulator.gtp.engine import Engine


def say(engine: Engine, line: str) -> str:
    """The answer to a line, without its blank line."""
    answer = "".join(engine.pieces(line))
    assert answer.endswith("\n\n") and "\n\n" not in answer[:-2]
    return answer[:-2]


def run(engine: Engine, *lines: str) -> list[str]:
    return [say(engine, line) for line in lines]


def last_answer(engine: Engine, lines: str) -> str:
    """The answer to the last of several lines, which `; ` separates."""
    return run(engine, *lines.split("; "))[-1]


def board(engine: Engine) -> str:
    return say(engine, "unforced-position").removeprefix("= ")


class Scholar(Agent):
    """Plays its favourite move if legal, else the first legal one; sleeps when it studies; remembers all."""

    favourite = "E5"
    made: ClassVar[list["Scholar"]] = []

    def setup(self) -> None:
        self.made.append(self)
        self.clocks: list[float] = []
        self.studied: list[tuple[str, float]] = []
        self.closed = False

    def step(self, position: Any, clock: Clock) -> Any:
        self.clocks.append(clock.seconds)
        with suppress(NotationError):  # the favourite is a move of Go
            move = self.game.parse_move(self.favourite, position)
            if move in position.legal_moves():
                return move
        return position.legal_moves()[0]

    def close(self) -> None:
        self.closed = True

    def study(self, position: Any, seconds: float) -> list[MoveReport]:
        self.studied.append((str(position), seconds))
        time.sleep(seconds)
        moves = position.legal_moves()
        visits = len(self.studied) * 100
        return [
            MoveReport(moves[0], visits, 0.625, 0.25, (moves[0], moves[-1])),
            MoveReport(moves[1], 50, 0.5, 0.125, (moves[1],)),
            MoveReport(moves[2], 0, 0.0, 0.0625, ()),
        ]

    def ownership(self) -> np.ndarray:
        owners = np.zeros((self.game.size, self.game.size), np.float32)  # type: ignore[attr-defined]
        owners[0, 0], owners[-1, -1] = 1, -0.5
        return owners


class Silent(Agent):
    """Plays the first legal move and has no analysis."""

    def step(self, position: Any, clock: Clock) -> Any:
        return position.legal_moves()[0]


def engine_of(
    make_agent: AgentMaker = Scholar, game: str = "pentago", options: dict[str, Any] | None = None, **settings: Any
) -> Engine:
    """An engine whose agents `make_agent` makes; forgets the Scholars that were made before."""
    Scholar.made.clear()
    return Engine(game, AgentHost(make_agent, **settings), command_sets(game), options)


def go_engine() -> Engine:
    """An engine with a Scholar on 5x5."""
    return engine_of(Scholar, "go", {"size": 5, "komi": 0.5}, limits=Limits(30, 2), name="scholar")


class Pipes:
    """An engine that serves two pipes in a thread, and the other ends of these pipes."""

    def __init__(self, engine: Engine) -> None:
        self.read_fd, write_fd = os.pipe()
        read_fd, self.write_fd = os.pipe()
        self.thread = threading.Thread(target=self._serve, args=(engine, read_fd, write_fd))
        self.thread.start()
        self.received = ""

    @staticmethod
    def _serve(engine: Engine, read_fd: int, write_fd: int) -> None:
        with os.fdopen(read_fd, "rb") as reader, os.fdopen(write_fd, "wb") as writer:
            engine.serve(reader, writer)

    def write(self, text: str) -> None:
        os.write(self.write_fd, text.encode())

    def read_until(self, ending: str) -> str:
        """What was received up to the first `ending`; fails if the engine ends before."""
        while ending not in self.received:
            data = os.read(self.read_fd, 1 << 16)
            assert data, f"the engine ended; it said {self.received!r}"
            self.received += data.decode()
        found, end, self.received = self.received.partition(ending)
        return found + end

    def close(self) -> str:
        """End the engine's input; return everything else that the engine says."""
        if self.write_fd >= 0:
            os.close(self.write_fd)
            self.write_fd = -1
        while data := os.read(self.read_fd, 1 << 16):
            self.received += data.decode()
        self.thread.join()
        return self.received
