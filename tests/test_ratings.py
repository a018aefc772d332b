"""Elo, its intervals and the SPRT: published figures, properties, and whether they keep their promises.

Simulated matches with a known truth test the promises; the seeds are fixed, so every run gives the same.
"""

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from simulator.statistics.elo import (
    Estimate,
    Results,
    elo,
    likeliest,
    likelihood_of_superiority,
    normalized_elo,
    observed,
    share_estimate,
    shares,
    wilson_interval,
)
from simulator.statistics.sprt import Sprt

COUNTS = st.lists(st.integers(0, 200), min_size=3, max_size=3) | st.lists(st.integers(0, 200), min_size=5, max_size=5)

# Probabilities of the outcomes of a pair, worst to best; in the second, the opening mostly decides which side wins.
TRUTHS = {
    "equals": (0.15, 0.20, 0.30, 0.20, 0.15),
    "decided by openings": (0.10, 0.00, 0.70, 0.00, 0.20),
    "draws": (0.01, 0.10, 0.75, 0.13, 0.01),
    "favourite": (0.02, 0.03, 0.20, 0.15, 0.60),
}


def elo_estimate(counts):
    """The estimate of `share_estimate` as Elo differences."""
    return Estimate(*map(elo, share_estimate(counts)))


def share_of(truth):
    return sum(p * worth for p, worth in zip(truth, shares(truth), strict=True))


# --- Published figures ----------------------------------------------------------------------------------------------


def test_wilson_interval_agrees_with_published_figures():
    """Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I, method 3."""
    assert wilson_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson_interval(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson_interval(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson_interval(1, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)


def test_elo_of_known_scores():
    assert [round(elo(share)) for share in (0.5, 0.64, 0.76)] == [0, 100, 200]
    assert elo(1.0) == -elo(0.0) == float("inf")


@pytest.mark.parametrize(
    ("counts", "difference", "error", "superiority"),
    [
        ((10789, 19328, 33806, 19402, 10543), -0.773577, 1.277580, 0.117659),
        ((39, 2226, 31451, 2412, 40), 0.902981, 0.662531, 0.996222),
        ((1187, 7410, 13475, 7378, 1164), -0.442608, 1.729859, 0.308014),
        ((50, 400, 1000, 450, 60), 6.204866, 6.235842, 0.974463),
    ],
)
def test_elo_from_pairs_agrees_with_fishtest(counts, difference, error, superiority):
    """`get_elo` of Fishtest's server/fishtest/stats/stat_util.py, which takes outcomes as normal."""
    estimate = elo_estimate(counts)
    assert estimate.value == pytest.approx(difference, abs=1e-6)
    assert (estimate.high - estimate.low) / 2 == pytest.approx(error, rel=1e-3)
    assert likelihood_of_superiority(counts) == pytest.approx(superiority, abs=1e-4)


@pytest.mark.parametrize(
    ("counts", "difference", "error", "superiority", "normalized", "normalized_error"),
    [
        ((89, 123, 76), None, None, 0.1553, -20.76, 40.13),
        ((96, 111, 136), 40.70, 30.43, 0.9960, 49.77, 36.77),
        ((34, 54, 63, 64, 75), 55.58, 27.65, 1.0000, 57.94, 28.28),
        ((332, 433, 498, 333, 334), -8.64, 10.33, 0.0505, -9.17, 10.96),
        ((7895, 8757, 5685, 568, 9999), -21.04, 2.95, None, -19.01, 2.65),
    ],
)
def test_estimates_agree_with_fastchess(counts, difference, error, superiority, normalized, normalized_error):
    """fastchess's app/tests/elo_test.cpp, with its own tolerance of 1 %; for the error of normalized Elo, 5 %.

    For that error, fastchess takes the noise as known.
    """
    estimate, of_noise = elo_estimate(counts), normalized_elo(counts)
    if difference is not None:
        assert estimate.value == pytest.approx(difference, rel=0.01)
        assert (estimate.high - estimate.low) / 2 == pytest.approx(error, rel=0.01)
    if superiority is not None:
        assert likelihood_of_superiority(counts) == pytest.approx(superiority, abs=5e-4)
    assert of_noise.value == pytest.approx(normalized, rel=0.01)
    assert (of_noise.high - of_noise.low) / 2 == pytest.approx(normalized_error, rel=0.05)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "llr", "tolerance"),
    [
        ((10789, 19328, 33806, 19402, 10543), -3, 1, 2.1310678118, 1e-8),
        ((39, 2226, 31451, 2412, 40), 0.2, 0.9, 2.1625425800, 1e-8),
        ((0, 10, 20, 50, 20), 0, 5, 1.4286861065, 1e-8),
        ((3, 20, 45, 25, 7), 0, 10, 0.6959726065, 1e-8),
        ((0, 0, 50, 0, 0), 0, 5, -0.7176058361, 1e-8),
        ((2, 5, 80, 8, 5), 0, 5, 0.5384862573, 1e-8),
        ((65804, 56553, 65388), -3, 1, 2.0490426180, 1e-8),
        ((246, 10037, 21279, 9863, 223)[::-1], 0.5, 2.5, -3.07, 1e-2),
        ((871, 26175, 55983, 26678, 821), 0, 2, -4.98, 1e-2),
        ((21184, 40708, 21404), 0.5, 2.5, -1.57, 1e-2),
        ((57030, 106593, 57433), 0, 2, -2.59, 1e-2),
    ],
)
def test_llr_agrees_with_fishtest_and_fastchess(counts, elo0, elo1, llr, tolerance):
    """`LLR_logistic` of Fishtest's server/fishtest/stats/LLRcalc.py, the first two being its own samples; and, to
    two digits, fastchess's app/tests/sprt_test.cpp."""
    assert Sprt(elo0, elo1).llr(counts) == pytest.approx(llr, rel=tolerance)


def test_bounds_of_the_test_are_walds():
    assert Sprt(0, 5).bounds == pytest.approx((-math.log(19), math.log(19)))
    assert Sprt(0, 5, alpha=0.1, beta=0.2).bounds == pytest.approx((math.log(0.2 / 0.9), math.log(0.8 / 0.1)))


# --- Properties -----------------------------------------------------------------------------------------------------


@given(COUNTS)
def test_superiority_and_interval_say_the_same(counts):
    assume(any(counts))
    share, superiority = share_estimate(counts), likelihood_of_superiority(counts)
    assert 0 <= share.low <= share.value <= share.high <= 1
    assume(min(abs(superiority - 0.025), abs(superiority - 0.975)) > 1e-6)
    assert (share.low > 0.5) == (superiority > 0.975)
    assert (share.high < 0.5) == (superiority < 0.025)


@given(COUNTS, st.floats(0.01, 0.99))
def test_the_likeliest_distribution_has_the_mean_that_was_asked_for(counts, share):
    assume(any(counts))
    distribution = likeliest(observed(counts)[1], [worth - share for worth in shares(counts)])
    assert min(distribution) > 0
    assert sum(distribution) == pytest.approx(1, abs=1e-7)
    assert share_of(distribution) == pytest.approx(share, abs=1e-7)


@given(COUNTS)
def test_the_mirrored_match_mirrors_the_test(counts):
    ratio, mirrored = Sprt(-3, 8).llr(counts), Sprt(-8, 3).llr(counts[::-1])
    assert ratio == pytest.approx(-mirrored, rel=1e-6, abs=1e-8)


def test_where_one_outcome_alone_came_intervals_are_wide_but_not_empty():
    """A method that takes outcomes as normal would give an interval without width."""
    low, high = share_estimate([0, 0, 0, 0, 1])[1:]
    assert (round(low, 2), high) == (0.15, 1.0)  # exp(-Z_95**2 / 2)
    assert elo_estimate([0, 0, 0, 0, 1]).high == math.inf
    assert elo_estimate([10, 0, 0]).low == -math.inf
    assert normalized_elo([0, 0, 4, 0, 0]) == (0.0, -math.inf, math.inf)
    assert normalized_elo([0, 0, 0, 0, 4]) == (math.inf, -math.inf, math.inf)


def test_results_are_counted_from_the_worst_to_the_best():
    results = Results()
    for points in (1, 1, 0.5, 0, 1):
        results.add(points)
    assert (results.counts, results.games, results.points) == ((1, 1, 3), 5, 3.5)


@pytest.mark.parametrize("counts", [(), (1, 2), (1, 2, 3, 4), (0, 0, 0), (1, -1, 3, 0, 0)])
def test_impossible_counts_are_refused(counts):
    with pytest.raises(ValueError, match="expected 3 counts of games or 5 of pairs"):
        elo_estimate(counts)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5, 0), "elo0 must be below elo1"),
        ((0, 9000), "no number of games tells 0 from 9000 Elo"),
        ((-9000, 0), "smaller"),
        ((0, 5, 0.0), "alpha and beta"),
        ((0, 5, 0.5, 0.5), "alpha and beta"),
    ],
)
def test_invalid_parameters_of_a_test_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Sprt(*arguments)


# --- Promises -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("estimate", "truth", "seed", "pairs"),
    [
        *(pytest.param(elo_estimate, truth, 1, 100, marks=pytest.mark.slow) for truth in TRUTHS.values()),
        (normalized_elo, TRUTHS["favourite"], 3, 200),
    ],
    ids=[*TRUTHS, "normalized"],
)
def test_the_interval_from_pairs_holds_the_truth_in_95_percent_of_matches(estimate, truth, seed, pairs):
    """Over 2,000 matches, the standard deviation of the share that holds the truth is 0.5 %."""
    expected = estimate(truth).value if estimate is normalized_elo else elo(share_of(truth))
    matches = np.random.default_rng(seed).multinomial(pairs, truth, size=2000).tolist()
    held = [low <= expected <= high for _, low, high in map(estimate, matches)]
    assert 0.935 <= np.mean(held) <= 0.965


@pytest.mark.parametrize("truth", TRUTHS.values(), ids=TRUTHS)
@pytest.mark.parametrize("pairs", [1, 2, 5, 10])
def test_the_interval_from_few_pairs_holds_the_truth_too(truth, pairs):
    """Exact, over all counts. So few pairs cannot reach 95 %; with two pairs, the normal interval reaches 0 to 75 %."""
    held = sum(
        chance_of(counts, truth)
        for counts in all_counts(pairs)
        if interval(counts).low <= share_of(truth) <= interval(counts).high
    )
    assert held >= 0.92


def all_counts(pairs, cells=5):
    """All ways to spread that many pairs over the outcomes."""
    if cells == 1:
        return [(pairs,)]
    return [(first, *others) for first in range(pairs + 1) for others in all_counts(pairs - first, cells - 1)]


def chance_of(counts, truth):
    ways = math.factorial(sum(counts)) / math.prod(map(math.factorial, counts))
    return ways * math.prod(p**count for p, count in zip(truth, counts, strict=True))


@cache
def interval(counts):
    return share_estimate(counts)


def decision(test, truth, generator):
    """The hypothesis that a test of simulated pairs accepts, and the number of pairs until then."""
    counts = [0] * 5
    for outcome in generator.choice(5, size=5000, p=truth).tolist():
        counts[outcome] += 1
        if (state := test.state(counts)) != "continue":
            return state, sum(counts)
    raise AssertionError("5,000 pairs decided nothing")


@pytest.mark.parametrize(("true", "wrong", "promised"), [("H0", "H1", 0.05), ("H1", "H0", 0.10)])
def test_the_sequential_test_errs_as_rarely_as_promised(true, wrong, promised):
    """In 300 tests the true difference is exactly that of a hypothesis, where errors are most frequent."""
    test = Sprt(0, 100, alpha=0.05, beta=0.10)
    truth = tilted(test.elo0 if true == "H0" else test.elo1)
    generator = np.random.default_rng(4)
    decisions = [decision(test, truth, generator) for _ in range(300)]
    errors = np.mean([state == wrong for state, _ in decisions])
    assert 0 < errors <= promised + 2 * math.sqrt(promised * (1 - promised) / len(decisions))


def tilted(target):
    """The outcomes of "equals", changed in favour of the first agent until they are worth that many Elo."""
    low, high = -3.0, 3.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        weights = np.array(TRUTHS["equals"]) * np.exp(middle * np.arange(5))
        truth = (weights / weights.sum()).tolist()
        low, high = (middle, high) if elo(share_of(truth)) < target else (low, middle)
    return truth
