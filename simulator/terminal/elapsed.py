"""A line before something that takes long, and on a terminal a line below it with the time so far."""

import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from agents.agent import AgentSpec
from agents.limits import Limits
from game import Game
from simulator.player.compile_ahead import compile_ahead

SECOND = 1.0  # between two looks at the clock
ERASE = "\r\x1b[K"  # the line that the cursor is in
RULES_SECONDS = 3.0  # before it is said that rules are compiled; loading compiled rules takes a second


class Elapsed(AbstractContextManager["Elapsed"]):
    """Prints lines; below the last one it counts the seconds, until the next line or the end of the `with`.

    A thread of its own counts, because the work may block the thread of the caller. Where lines cannot be erased, over
    a pipe for example, nothing is counted.
    """

    def __init__(self, can_erase: bool) -> None:
        self._can_erase = can_erase
        self._is_over = threading.Event()
        self._thread: threading.Thread | None = None

    def say(self, text: str, after: float = 0.0) -> None:
        """Print a line and count the seconds; with `after`, only if that takes longer and lines can be erased."""
        self._stop()
        if after == 0:
            print(text, flush=True)
        if self._can_erase:
            self._is_over = threading.Event()
            self._thread = threading.Thread(target=self._count, args=(text, after, self._is_over), daemon=True)
            self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop()

    def _count(self, text: str, after: float, is_over: threading.Event) -> None:
        began = time.monotonic()
        if after:
            if is_over.wait(after):
                return
            print(text, flush=True)
        while not is_over.wait(SECOND):
            print(f"{ERASE}  {time.monotonic() - began:.0f} s", end="", flush=True)
        print(ERASE, end="", flush=True)

    def _stop(self) -> None:
        """Stop counting and erase the seconds."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._is_over.set()
            thread.join()


@contextmanager
def preparing_rules(can_erase: bool) -> Iterator[None]:
    """Say that the rules of a game are compiled, and count the seconds, if the work in the `with` takes long."""
    with Elapsed(can_erase) as progress:
        progress.say("preparing the rules (compiling what they need, once; up to a minute)", RULES_SECONDS)
        yield


def compile_agent(can_erase: bool, limits: Limits, game: Game, spec: AgentSpec) -> None:
    """Compile what an agent needs, and say so if it takes long."""
    with Elapsed(can_erase) as progress:
        compile_ahead(game, [spec], progress.say, limits)
