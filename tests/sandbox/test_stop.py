"""Who has to be waited for until it stands still: who runs on loses, who could not run gets the time for it."""

from collections.abc import Iterator

import pytest

from agents.limits import Limits
from simulator.sandbox import sandbox as sandbox_module
from simulator.sandbox.isolation import Mechanisms
from simulator.sandbox.sandbox import HELD_UP_BUSY_SECONDS, Sandbox
from simulator.sandbox.visible_files import VisibleFiles


class Held(Sandbox):
    """A sandbox that stands still by a script, and whose processes use so much processor time for each attempt."""

    def __init__(self, stands_still: Iterator[bool], seconds_each: float) -> None:
        super().__init__(Mechanisms(), VisibleFiles((), ()), Limits(), ())
        self.attempts, self._stands_still, self._seconds_each = 0, stands_still, seconds_each

    def _try_to_stop(self) -> bool:
        self.attempts += 1
        return next(self._stands_still)

    def busy_seconds(self) -> float:
        return self.attempts * self._seconds_each


def test_who_could_not_run_meanwhile_is_waited_for() -> None:
    held = Held(iter([False, False, True]), seconds_each=HELD_UP_BUSY_SECONDS / 3)
    assert held.stop()
    assert held.attempts == 3


def test_who_has_run_meanwhile_is_not() -> None:
    held = Held(iter([False]), seconds_each=2 * HELD_UP_BUSY_SECONDS)
    assert not held.stop()


def test_nobody_is_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_module, "HELD_UP_SECONDS", 0.0)
    held = Held(iter([False]), seconds_each=0.0)
    assert not held.stop()
