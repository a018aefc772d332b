"""What is wanted of an agent that thinks, and for how long it has thought: see `thinker`.

One thread says what it wants, another one waits for the agent and does it, whenever it looks at the agent.
"""

import threading
import time

from simulator.player.player import Player

STALL_SECONDS = 1.0  # between two looks at the agent, from which on this program counts as having been stopped
HURRY_AGAIN_SECONDS = 0.1
CALL_OFF_SECONDS = 1.0  # for an agent that was told to hurry, because nobody wants its answer any more


class CalledOff(Exception):
    """Nobody wants the answer any more."""


class Control:
    """What is wanted of an agent that thinks; set by one thread, obeyed by the one that waits for the agent.

    Attributes:
        is_paused: the agent is to stand still.
        is_off: nobody wants the answer any more.
        hurries: the agent is to move at once.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.is_paused = self.is_off = self.hurries = False
        self._hurried: float | None = None  # when the agent was told to hurry last
        self._off_since = 0.0
        self._last_look: float | None = None
        self.stands = threading.Event()  # the agent is paused now
        self.was_paused = self.was_stalled = False  # since the agent was asked last
        self._started = time.monotonic()
        self._stopped_seconds = 0.0
        self._stands_since: float | None = None

    @property
    def stopped_seconds(self) -> float:
        """For how long the agent or this program stood still since `restart_clock`, up to now."""
        with self._changed:
            stands = 0.0 if self._stands_since is None else time.monotonic() - self._stands_since
            return self._stopped_seconds + stands

    @property
    def seconds(self) -> float:
        """For how long the agent has thought since `restart_clock`, without pauses."""
        with self._changed:
            return max(0.0, time.monotonic() - self._started - self.stopped_seconds)

    def restart_clock(self) -> None:
        """The agent's time begins now; what it thought before does not count."""
        with self._changed:
            self._started, self._stopped_seconds = time.monotonic(), 0.0

    def want(self, **changes: bool) -> None:
        """Change what is wanted: `is_paused`, `is_off`, `hurries`."""
        with self._changed:
            for name, value in changes.items():
                setattr(self, name, value)
            if self.is_off and not self._off_since:
                self._off_since = time.monotonic()
            self._changed.notify_all()

    def asked(self) -> None:
        """The agent is asked now."""
        self.was_paused = self.was_stalled = False
        self._last_look = self._hurried = None

    def look(self, player: Player | None) -> None:
        """Do what is wanted. Raises CalledOff if the agent does not come to an end by itself, and Fault.

        Without a player, which is not there yet, it can only be called off.
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
            self.stands.set()
            while self.is_paused and not self.is_off:
                self._changed.wait()
            self.stands.clear()
            self._stopped_seconds += time.monotonic() - self._stands_since
            self._stands_since = None
        player.resume()
