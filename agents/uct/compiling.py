"""Moves in time while another process still compiles the search: until then, the agent looks two plies ahead.

To compile a search takes 10 to 14 seconds of processor time, and several times longer on a slow or busy machine.
"""

import json
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from math import inf
from random import Random
from typing import Any, NamedTuple

from agents.agent import MoveReport
from agents.limits import Clock
from agents.look_ahead import compile_for_look_ahead, look_ahead, ranked_moves
from agents.uct.searchers import warm_up
from agents.uct.settings import Settings
from game import Game, load_game
from jit import CACHE_FOLDER, CACHE_IS_READ_ONLY, project_environment

PATIENCE = 3.0  # seconds that a move waits for a search that will not be ready soon enough
SOON = 10.0  # seconds: so long, people wait for a move
RESERVE_SHARE, MOST_RESERVE = 0.25, 8.0  # kept for the answer: a share of the move's time, but at most so many seconds
LOOK_SECONDS = 0.05  # between two looks at the clock
# Compiling takes at most so many times the seconds from the start of its process until that has imported everything:
# Pentago's search 30, Go's 27, Kalah's 18.
COMPILING_TO_IMPORTS = 30
STARTED = b"started\n"


class Unsearched(NamedTuple):
    """A move that was chosen without a search, and what `Agent.analysis` then says of it."""

    move: Any
    analysis: Callable[[], dict[str, Any]]


class Compiling:
    """Makes a search ready in a thread: another process compiles it, then this one only has to call `load`.

    If no process can be started, or compiled code cannot be kept, the thread compiles. Stderr says what happens.
    """

    def __init__(self, game: Game, settings: Settings, rng: Random, load: Callable[[], None]) -> None:
        self._game, self._load, self._rng = game, load, rng
        self._kernel = game.kernel_with(**settings.switches)
        self._is_closed = False
        self._error: BaseException | None = None
        _say_once("compiling the search, once; until it is ready, moves come from two plies ahead")
        compile_for_look_ahead(game, self._kernel, rng)  # before the thread: only one at a time can compile
        self._start = time.monotonic()
        self._elsewhere: Elsewhere | None = None
        if CACHE_FOLDER is not None and not CACHE_IS_READ_ONLY:
            self._elsewhere = elsewhere(game.name, json.dumps(game.settled_options), pickle.dumps(settings).hex())
        self._thread = threading.Thread(target=self._make_ready, daemon=True)
        self._thread.start()

    def look(self, position: Any, clock: Clock) -> Unsearched | None:
        """Wait for the search as long as the clock allows; returns None once it is ready, else a move without it.

        If the search is expected to be ready too late for this move, or later than SOON, the wait ends after PATIENCE.
        Raises what `load` raised.
        """
        reserve, patience = min(RESERVE_SHARE * clock.seconds, MOST_RESERVE), time.monotonic() + PATIENCE
        while self._thread.is_alive():
            now, left = time.monotonic(), clock.remaining - reserve
            is_too_long = self._elsewhere is not None and self._elsewhere.expected > now + min(left, SOON)
            if left <= 0 or (now > patience and is_too_long):
                return self._look_ahead(position, clock, now - self._start)
            self._thread.join(min(left, LOOK_SECONDS))
        self._raise_error()
        return None

    def _look_ahead(self, position: Any, clock: Clock, compiling_seconds: float) -> Unsearched:
        move, value = look_ahead(self._game, self._kernel, position, clock, self._rng)
        result = position.play(move).result
        is_won = result is not None and result.winner == position.to_move
        said: dict[str, Any] = {"simulations": 0, "playouts": 0, "value": value, "proven": "win" if is_won else None}
        said |= {"pv": [self._game.format_move(move)], "compiling_seconds": compiling_seconds}
        return Unsearched(move, lambda: said)

    def study(self, position: Any, seconds: float) -> list[MoveReport] | None:
        """Wait that long for the search; returns None if it is ready, else what a look ahead says of the moves."""
        self._thread.join(seconds)
        if self._thread.is_alive():
            return ranked_moves(self._game, self._kernel, position, self._rng)
        self._raise_error()
        return None

    def close(self) -> None:
        """Do not load the search any more; the process that compiles it goes on, for the next agent."""
        self._is_closed = True

    def _raise_error(self) -> None:
        if self._error is not None:
            raise self._error

    def _make_ready(self) -> None:
        try:
            if self._elsewhere is not None:
                self._elsewhere.join()
            if not self._is_closed:
                self._load()
                print(f"the search is ready after {time.monotonic() - self._start:.0f} s", file=sys.stderr)
        except BaseException as error:  # raised where the search is waited for
            self._error = error


class Elsewhere(threading.Thread):
    """Another process that fills the cache, and the thread that waits for it; it ends with this process.

    Attributes:
        expected: when it is likely to be ready, by `time.monotonic`; infinite until it has imported everything, and
            minus infinity if it has failed.
    """

    def __init__(self, told: tuple[str, ...]) -> None:
        super().__init__(daemon=True)
        self.expected = inf
        self._command = [sys.executable, "-P", "-m", "agents.uct.compiling", *told]
        self.start()

    def run(self) -> None:
        """Start the process and wait for its end."""
        pipe, environment, start = subprocess.PIPE, project_environment(), time.monotonic()
        try:  # in a session of its own, so that Ctrl-C reaches only this process; the other ends with its stdin
            process = subprocess.Popen(self._command, stdin=pipe, stdout=pipe, env=environment, start_new_session=True)
        except OSError as error:
            _say_once(f"no process can be started ({error}): this one compiles")
            self.expected = -inf
            return
        with process:
            assert process.stdout is not None
            if process.stdout.readline() == STARTED:
                now = time.monotonic()
                self.expected = now + COMPILING_TO_IMPORTS * (now - start)
            status = process.wait()
        if status:
            _say_once(f"the process that compiles ended with status {status}: this one compiles")
            self.expected = -inf


@cache
def elsewhere(*told: str) -> Elsewhere:
    """The process that compiles a search; all agents of this process share it, since a game may end before it does.

    `told` is the game's name, its options as JSON, and the search's settings, pickled.
    """
    return Elsewhere(told)


@cache
def _say_once(text: str) -> None:
    print(text, file=sys.stderr)


def _end_with_stdin() -> None:
    os.read(0, 1)  # not by `sys.stdin`, which then could not be closed at the end
    os._exit(1)


def main() -> None:
    """Compile a search for the process at the other end of stdin, and end when that does."""
    name, options, settings = sys.argv[1:]
    threading.Thread(target=_end_with_stdin, daemon=True).start()
    with suppress(BrokenPipeError):
        os.write(sys.stdout.fileno(), STARTED)
    game = load_game(name, **json.loads(options))
    warm_up(game, game.initial(), pickle.loads(bytes.fromhex(settings))).shape()


if __name__ == "__main__":
    main()
