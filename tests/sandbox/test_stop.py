"""Who has to be waited for until it stands still: who runs on loses, who could not run gets the time for it."""

from collections.abc import Iterator

import pytest

from agents.limits import Limits
from simulator.sandbox import sandbox as sandbox_module
from simulator.sandbox.isolation import Mechanisms
from simulator.sandbox.sandbox import HELD_UP_BUSY_SECONDS, HELD_UP_SECONDS, Sandbox
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


@pytest.mark.parametrize(
    ("stands_still", "seconds_each", "patience", "is_stopped"),
    [
        ([False, False, True], HELD_UP_BUSY_SECONDS / 3, HELD_UP_SECONDS, True),
        ([False], 2 * HELD_UP_BUSY_SECONDS, HELD_UP_SECONDS, False),
        ([False], 0.0, 0.0, False),
    ],
    ids=["could not run meanwhile", "has run meanwhile", "is not waited for without end"],
)
def test_who_could_not_run_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, stands_still: list[bool], seconds_each: float, patience: float, is_stopped: bool
) -> None:
    monkeypatch.setattr(sandbox_module, "HELD_UP_SECONDS", patience)
    held = Held(iter(stands_still), seconds_each)
    assert held.stop() is is_stopped
    assert held.attempts == len(stands_still)
