"""Many games with scoundrels in one process: the verdicts stay right, and the referee does not grow.

`python benchmarks/endurance.py` plays more of them and prints the figures.
"""

import pytest

from benchmarks.endurance import CASES, endure

WARM = len(CASES)  # games until every kind has been played once
GROWTH_MB = 4.0


@pytest.mark.parametrize("more", [WARM // 3, pytest.param(2 * WARM, marks=pytest.mark.slow(minutes=3))])
def test_verdicts_stay_right_and_the_referee_does_not_grow(more):
    samples = list(endure(WARM + more))
    warm, last = samples[WARM - 1], samples[-1]
    assert last.wrong == ()
    assert last.resident_mb - warm.resident_mb < GROWTH_MB
    assert last.descriptors == warm.descriptors
    assert all(sample.children == 0 for sample in samples)
