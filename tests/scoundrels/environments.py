"""The modes of the sandbox, each of them on a machine that offers the best.

FULL has control groups and namespaces, NAMESPACES has no control groups, as an ordinary user has it, and PLAIN has
neither: limits of the kernel, the filter of system calls, signals.
"""

import pytest

from simulator.sandbox import bubblewrap, cgroups
from simulator.sandbox import isolation as machine

FULL, NAMESPACES, PLAIN = ALL = ("full", "namespaces", "plain")

_SWITCHED_OFF = "bubblewrap is switched off for this test"


def missing(name: str) -> str:
    """Why a mode cannot be had here; empty if it can."""
    survey = machine.survey()
    if name == FULL and not survey.counts_all:
        return f"no control groups with memory, pids and a freezer, or no bubblewrap: {cgroups.ADVICE}"
    if name == NAMESPACES and not survey.bubblewrap:
        return bubblewrap.missing()
    return "" if survey.filter else "no filter of system calls on this system"


def force(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play in this mode until the test is over. `forget` has to follow."""
    if name != FULL:
        monkeypatch.setattr(cgroups, "places", dict)
    if name == PLAIN:
        monkeypatch.setattr(bubblewrap, "missing", lambda: _SWITCHED_OFF)
    machine.survey.cache_clear()


def forget() -> None:
    """What was found out about the machine in a mode that was forced is not what it offers."""
    machine.survey.cache_clear()
