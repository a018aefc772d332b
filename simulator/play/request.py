"""What an agent was asked, what is wanted of it now, and for how long it has thought: see `thinker`.

One thread says what it wants. Another thread waits for the agent; each time it looks at the agent, it does what the
first one wants.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

from simulator.player.player import Player

T = TypeVar("T")

STALL_SECONDS = 1.0  # if two looks at the agent are further apart, this program was stopped between them
HURRY_AGAIN_SECONDS = 0.1
CALL_OFF_SECONDS = 1.0  # for an agent that was told to hurry, because nobody wants its answer any more


class CalledOff(Exception):
    """Nobody wants the answer any more."""


class Request(Generic[T]):
    """What an agent was asked; its answer comes later.

    Attributes:
        name: the agent's name, for people.
        is_paused: the agent should stand still.
        is_off: nobody wants the answer any more.
        hurries: the agent should move at once.
        was_paused, was_stalled: the agent or this program was stopped since the agent was asked last.
    """

    def __init__(self, name: str, can_hurry: bool) -> None:
        self.name = name
        self._can_hurry = can_hurry
        self._future: Future[T] = Future()
        self._changed = threading.Condition()
        self.is_paused = self.is_off = self.hurries = False
        self.was_paused = self.was_stalled = False
        self._hurried: float | None = None  # when the agent was told to hurry last
        self._off_since = 0.0
        self._last_look: float | None = None
        self._started = time.monotonic()
        self._stopped_seconds = 0.0
        self._stands_since: float | None = None
        self._seconds: float | None = None  # once it is done

    # --- For the thread that asks ---

    @property
    def done(self) -> bool:
        """Whether the answer is there, or there will be none."""
        return self._future.done()

    @property
    def seconds(self) -> float:
        """How long the agent has thought so far, without pauses and without an answer that was dropped."""
        with self._changed:
            seconds = max(0.0, time.monotonic() - self._started - self.stopped_seconds)
            return seconds if self._seconds is None else self._seconds

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the answer, for so many seconds at most (None: without end). Returns whether it is there."""
        try:
            self._future.exception(seconds)
        except TimeoutError:
            return False
        return True

    def result(self) -> T:
        """Wait for the answer and return it. Raises AgentFailed, CalledOff, and OSError if this machine failed."""
        return self._future.result()

    def when_done(self, call: Callable[["Request[T]"], None]) -> None:
        """Call this in the agent's thread when the answer is there; at once if it is there already."""
        self._future.add_done_callback(lambda _: call(self))

    def move_now(self) -> bool:
        """End the time for the move; False if this agent cannot be told. See `thinker`."""
        if self._can_hurry:
            self.want(hurries=True, is_paused=False)
        return self._can_hurry

    def pause(self) -> None:
        """Stop the agent and its clock."""
        self.want(is_paused=True)

    def resume(self) -> None:
        """Let the agent go on."""
        self.want(is_paused=False)

    def cancel(self) -> None:
        """Give the answer up, unless it is there; `result` raises CalledOff.

        An agent that does not end at once is started again later.
        """
        if not self.done:
            self.want(is_off=True)

    def want(self, **changes: bool) -> None:
        """Change what is wanted: `is_paused`, `is_off`, `hurries`."""
        with self._changed:
            for name, value in changes.items():
                setattr(self, name, value)
            if self.is_off and not self._off_since:
                self._off_since = time.monotonic()
            self._changed.notify_all()

    # --- In the agent's thread ---

    def run(self, work: Callable[["Request[T]"], T]) -> None:
        """Do the work, and keep its result."""
        self.asked()
        try:
            if self.is_off:
                raise CalledOff
            found = work(self)
        except BaseException as error:  # `result` raises it in the other thread
            self._seconds = self.seconds
            self._future.set_exception(error)
        else:
            self._seconds = self.seconds
            self._future.set_result(found)

    def asked(self, *, is_clock_kept: bool = False) -> None:
        """Note that the agent is asked now; its time before that does not count, unless its clock is kept."""
        self.was_paused = self.was_stalled = False
        self._last_look = self._hurried = None
        if not is_clock_kept:
            with self._changed:
                self._started, self._stopped_seconds = time.monotonic(), 0.0

    @property
    def stopped_seconds(self) -> float:
        """The seconds for which the agent or this program stood still since the agent was asked, up to now."""
        with self._changed:
            stands = 0.0 if self._stands_since is None else time.monotonic() - self._stands_since
            return self._stopped_seconds + stands

    def look(self, player: Player | None) -> None:
        """Do what is wanted. Raises CalledOff if the request is off and the agent does not end by itself, and Fault.

        As long as there is no player yet (None), a request can only be called off.
        """
        if player is None:
            if self.is_off:
                raise CalledOff
            return
        now = time.monotonic()
        if self._last_look is not None and now - self._last_look > STALL_SECONDS:  # this program was stopped
            with self._changed:
                self._stopped_seconds += now - self._last_look
            self.was_stalled = True
        if self.is_paused and not self.is_off:
            self._wait_stopped(player)
        if self.hurries or self.is_off:
            self._hurry(player)
        if self.is_off and (self._hurried is None or time.monotonic() - self._off_since > CALL_OFF_SECONDS):
            raise CalledOff
        self._last_look = time.monotonic()

    def _hurry(self, player: Player) -> None:
        """Tell the agent to hurry, again and again: it may not have read yet what it is asked."""
        now = time.monotonic()
        if (self._hurried is None or now - self._hurried > HURRY_AGAIN_SECONDS) and player.hurry():
            self._hurried = now

    def _wait_stopped(self, player: Player) -> None:
        player.stop()
        self.was_paused = True
        with self._changed:
            self._stands_since = time.monotonic()
            while self.is_paused and not self.is_off:
                self._changed.wait()
            self._stopped_seconds += time.monotonic() - self._stands_since
            self._stands_since = None
        player.resume()
