"""The modes of the sandbox on a system that offers every mechanism.

FULL has control groups and namespaces. NAMESPACES has no control groups, like an ordinary user. PLAIN has neither: only
the kernel's limits, the filter of system calls, and signals.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product

import pytest

from simulator.sandbox import bubblewrap, cgroups, isolation

FULL, NAMESPACES, PLAIN = ALL = ("full", "namespaces", "plain")

_SWITCHED_OFF = "bubblewrap is switched off for this test"


def modes(*quick: str) -> pytest.MarkDecorator:
    """Play a test in each mode; modes that are not `quick` are for the slow set, as they use no other mechanism.

    Only FULL has control groups; FULL and NAMESPACES have namespaces; polling, signals and refusals by the filter are
    the same in NAMESPACES and PLAIN. On a system without control groups, NAMESPACES stands in for FULL.
    """
    chosen = {*quick, NAMESPACES} if FULL in quick and missing(FULL) else set(quick)
    marked = [pytest.param(mode, marks=() if mode in chosen else pytest.mark.slow) for mode in ALL]
    return pytest.mark.parametrize("environment", marked, indirect=True)


def everywhere(name: str, values: Sequence[str], quick: Iterable[tuple[str, str]]) -> pytest.MarkDecorator:
    """Play a test with each value in each mode; pairs of value and mode that are not `quick` are for the slow set."""
    chosen = set(quick)
    marked = [pytest.param(*pair, marks=() if pair in chosen else pytest.mark.slow) for pair in product(values, ALL)]
    return pytest.mark.parametrize((name, "environment"), marked, indirect=["environment"])


def missing(name: str) -> str:
    """Why a mode is not available here; empty if it is."""
    mechanisms = isolation.available_mechanisms()
    if name == FULL and not mechanisms.counts_all:
        return f"no control groups with memory, pids and a freezer, or no bubblewrap: {cgroups.ADVICE}"
    if name == NAMESPACES and not mechanisms.bubblewrap:
        return bubblewrap.missing()
    return "" if mechanisms.filter else "no filter of system calls on this system"


@contextmanager
def forced(name: str) -> Iterator[str]:
    """Play in this mode until the end of the block; skips the test where the mode is not available."""
    if why := missing(name):
        pytest.skip(why)
    with pytest.MonkeyPatch.context() as patch:
        if name != FULL:
            patch.setattr(cgroups, "places", dict)
        if name == PLAIN:
            patch.setattr(bubblewrap, "missing", lambda: _SWITCHED_OFF)
        isolation.available_mechanisms.cache_clear()
        yield name
    isolation.available_mechanisms.cache_clear()
