"""Ratings of a league: published figures, properties, and whether the intervals keep their promise."""

import math
from itertools import permutations

import numpy as np
import pytest

from simulator.statistics import bradley_terry
from simulator.statistics.bradley_terry import Disconnected, league_ratings, likeliest_ratings, tables
from simulator.statistics.elo import ELO_PER_LOGIT, Z_95, Results, elo, expected_share

TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")

# Home games won and lost against each other team, in the order of TEAMS: American League, Eastern Division, 1987.
# Agresti, "Categorical Data Analysis", 2002, table 10.10; from R's BradleyTerry2, data/baseball.csv.
AT_HOME = {
    "Milwaukee": ((4, 3), (4, 2), (4, 3), (6, 1), (4, 2), (6, 0)),
    "Detroit": ((3, 3), (4, 2), (4, 3), (6, 0), (6, 1), (4, 3)),
    "Toronto": ((2, 5), (4, 3), (2, 4), (4, 3), (4, 2), (6, 0)),
    "New York": ((3, 3), (5, 1), (2, 5), (4, 3), (4, 2), (6, 1)),
    "Boston": ((5, 1), (2, 5), (3, 3), (4, 2), (5, 2), (6, 0)),
    "Cleveland": ((2, 5), (3, 3), (3, 4), (4, 3), (4, 2), (2, 4)),
    "Baltimore": ((2, 5), (1, 5), (1, 6), (2, 4), (1, 6), (3, 4)),
}
SEASON = {
    (home, away): Results(wins=won, losses=lost)
    for home, games in AT_HOME.items()
    for away, (won, lost) in zip([team for team in TEAMS if team != home], games, strict=True)
}


def league_of(generator, truth, games, advantage, draws=0.0):
    """Simulated results: each agent moves first in `games` games against each other; a share of `draws` is drawn."""
    results = {}
    for first, second in permutations(truth, 2):
        share = expected_share(truth[first] - truth[second] + advantage)
        won, drawn, lost = generator.multinomial(games, [share - draws / 2, draws, 1 - share - draws / 2])
        results[first, second] = Results(int(won), int(drawn), int(lost))
    return results


# --- Published figures ----------------------------------------------------------------------------------------------


def test_ratings_and_their_errors_agree_with_published_ones():
    """Coefficients and standard errors, with an effect of playing at home, agree with R's BradleyTerry2.

    The figures (tests/baseball.Rout.save there) are differences from the last team, without virtual draws.
    """
    values, covariance = likeliest_ratings(*tables(TEAMS, SEASON))
    last = len(TEAMS) - 1
    variances = np.diag(covariance) + covariance[last, last] - 2 * covariance[last]
    errors = np.sqrt(np.maximum(variances, 0))
    assert {team: (round(values[i] - values[last], 4), round(errors[i], 4)) for i, team in enumerate(TEAMS)} == {
        "Milwaukee": (1.6196, 0.3474),
        "Detroit": (1.4754, 0.3446),
        "Toronto": (1.3271, 0.3403),
        "New York": (1.2813, 0.3404),
        "Boston": (1.1438, 0.3378),
        "Cleveland": (0.7047, 0.3350),
        "Baltimore": (0.0, 0.0),
    }
    assert (round(values[-1], 4), round(np.sqrt(covariance[-1, -1]), 4)) == (0.3023, 0.1309)


def test_two_agents_are_rated_by_their_score(monkeypatch):
    """If both agents move first equally often and score the same with either colour, the model is Elo's formula."""
    results = {("a", "b"): Results(wins=75, losses=25), ("b", "a"): Results(wins=25, losses=75)}
    monkeypatch.setattr(bradley_terry, "VIRTUAL_DRAWS", 1e-7)
    found = league_ratings(["a", "b"], results)
    a, b = found.ratings["a"], found.ratings["b"]
    assert a.value - b.value == pytest.approx(elo(0.75), abs=1e-4)
    assert found.first_player.value == pytest.approx(0.0, abs=1e-4)
    half = Z_95 * ELO_PER_LOGIT / math.sqrt(200 * 0.75 * 0.25) / 2  # for each agent's distance from the mean of both
    assert (a.high - a.value, b.high - b.value) == pytest.approx((half, half), rel=1e-4)


# --- Properties -----------------------------------------------------------------------------------------------------


def test_draws_are_half_wins():
    drawn = {("a", "b"): Results(draws=4), ("b", "a"): Results(2, 2, 0)}
    decided = {("a", "b"): Results(2, 0, 2), ("b", "a"): Results(3, 0, 1)}
    assert league_ratings("ab", drawn) == league_ratings("ab", decided)


@pytest.mark.parametrize("agents", ["abc", [f"agent_{i:02}" for i in range(40)]])
def test_an_agent_that_won_every_game_has_a_finite_rating(agents):
    results = {(a, b): Results(wins=20) if a < b else Results(losses=20) for a, b in permutations(agents, 2)}
    ratings = list(league_ratings(agents, results).ratings.values())
    values = [estimate.value for estimate in ratings]
    assert values == sorted(values, reverse=True)
    assert len(agents) > 3 or (200 < values[0] < 2000 and ratings[0].low > values[1])


def test_agents_that_share_opponents_are_compared_without_having_met():
    results = {("a", "b"): Results(8, 0, 2), ("c", "b"): Results(2, 0, 8)}
    ratings = league_ratings("abc", results).ratings
    assert ratings["a"].value > ratings["b"].value > ratings["c"].value


def test_a_league_that_falls_apart_is_refused_with_its_parts():
    results = {("a", "b"): Results(wins=1), ("d", "c"): Results(wins=1), ("a", "e"): Results()}
    with pytest.raises(Disconnected, match=r": a, b; c, d; e$"):
        league_ratings("abcde", results)


# --- Promises -------------------------------------------------------------------------------------------------------


def test_intervals_hold_the_truth_in_95_percent_of_leagues():
    """In 500 leagues of 5 agents (4 free ratings and the advantage), about 95 % of the intervals hold the truth."""
    truth, generator = {"a": 200.0, "b": 100.0, "c": 0.0, "d": -50.0, "e": -250.0}, np.random.default_rng(5)
    held, held_first = [], []
    for _ in range(500):
        found = league_ratings(list(truth), league_of(generator, truth, games=20, advantage=40.0))
        held += [low <= truth[name] <= high for name, (_, low, high) in found.ratings.items()]
        held_first.append(found.first_player.low <= 40.0 <= found.first_player.high)
    assert 0.935 <= np.mean(held) <= 0.965
    assert 0.925 <= np.mean(held_first) <= 0.975


def test_intervals_of_a_league_with_draws_err_on_the_wide_side():
    truth, generator = {"a": 60.0, "b": 0.0, "c": -60.0}, np.random.default_rng(6)
    held = []
    for _ in range(300):
        found = league_ratings(list(truth), league_of(generator, truth, games=20, advantage=0.0, draws=0.5))
        held += [low <= truth[name] <= high for name, (_, low, high) in found.ratings.items()]
    assert np.mean(held) > 0.965
