"""Many games with scoundrels in one process: the verdicts stay right, and the referee does not grow.

`python benchmarks/endurance.py` plays more of them and prints the figures.
"""

import pytest

from benchmarks import endurance
from benchmarks.endurance import CASES

GROWTH_MB = 4.0
# One agent in Python, and all that are programs, which start in a thirtieth of the time.
QUICK = [CASES[0], *(case for case in CASES if case.agent.startswith("gtp:"))]


@pytest.mark.parametrize("cases", [QUICK, pytest.param(CASES, marks=pytest.mark.slow(minutes=3))])
def test_verdicts_stay_right_and_the_referee_does_not_grow(monkeypatch, cases):
    monkeypatch.setattr(endurance, "CASES", cases)
    samples = list(endurance.endure(3 * len(cases)))
    warm, last = samples[len(cases) - 1], samples[-1]  # warm: when every case has been played once
    assert last.wrong == ()
    assert last.resident_mb - warm.resident_mb < GROWTH_MB
    assert last.descriptors == warm.descriptors
    assert all(sample.children == 0 for sample in samples)
