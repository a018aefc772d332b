"""Ratings of a league: the Bradley-Terry model, with the advantage of moving first, and 95 % intervals.

The agent that moves first scores an expected share of 1 / (1 + 10^-(d / 400)). Here d is its rating minus that of its
opponent plus the advantage of moving first, all in Elo. A draw is half a win and half a loss. With draws, and openings
that are played from both sides, results vary less than the model says, so that intervals are rather too wide.

*Virtual draws* make every rating finite, even that of an agent that won all its games (BayesElo has the same prior).
For each agent, `VIRTUAL_DRAWS` / 2 of them are spread over its opponents in proportion to the games against each, half
of them with each side moving first. Together with those of its opponents, an agent has `VIRTUAL_DRAWS` in a round
robin; the champion of a gauntlet has more. Intervals count them as games. They do not connect agents that have not met:
if no chain of games leads from each agent to each other, that is an error.

Begin reading at `league_ratings`. Sources: R. A. Bradley and M. E. Terry, 1952; A. Agresti, "Categorical Data
Analysis", 2002, section 10.6 (with playing at home). The likelihood is maximized as R's `glm` does it. Hunter's
minorization-maximization (2004) finds the same, but not in 100,000 rounds where each of 40 agents beat all below it in
every game.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulator.statistics.elo import ELO_PER_LOGIT, VIRTUAL_DRAWS, Z_95, Estimate, Results

SETTLED = 1e-9  # logits: the search ends with a Newton step that is shorter than this
STEPS = 300  # 6 to 9 are usual, 14 where each of 40 agents beat all below it in every game

Floats = NDArray[np.float64]
LeagueResults = Mapping[tuple[str, str], Results]  # by (who moved first, who moved second); wins of the first


class Disconnected(ValueError):
    """No games connect some agents of a league with others, so that nothing compares them."""


@dataclass(frozen=True)
class LeagueRatings:
    """What a league's results say.

    Attributes:
        ratings: Elo of each agent, in the order in which the agents were named. Their mean is 0; the intervals are of
            the differences from the mean.
        first_player: the advantage of moving first, in Elo.
    """

    ratings: dict[str, Estimate]
    first_player: Estimate


def league_ratings(agents: Sequence[str], results: LeagueResults) -> LeagueRatings:
    """The ratings under which a league's results are likeliest; `agents` are two or more that have all played.

    Raises Disconnected if no chain of games leads from each agent to each other.
    """
    games, points = tables(agents, results)
    _check_connected(agents, games)
    draws = virtual_games(games)
    logits, covariance = likeliest_ratings(games + draws, points + draws / 2)
    *ratings, advantage = map(_estimate, logits, np.diag(covariance))
    return LeagueRatings(dict(zip(agents, ratings, strict=True)), advantage)


def tables(agents: Sequence[str], results: LeagueResults) -> tuple[Floats, Floats]:
    """Two matrices [first, second]: the number of games, and the points of the agent that moved first."""
    number = {name: i for i, name in enumerate(agents)}
    games = np.zeros((len(agents), len(agents)))
    points = np.zeros_like(games)
    for (first, second), result in results.items():
        games[number[first], number[second]] += result.games
        points[number[first], number[second]] += result.points
    return games, points


def _check_connected(agents: Sequence[str], games: Floats) -> None:
    """Raise Disconnected if no chain of games leads from each agent to each other."""
    met = (games + games.T) > 0
    groups: list[str] = []
    left = set(range(len(agents)))
    while left:
        group = {min(left)}
        while (grown := group | {int(j) for i in group for j in np.flatnonzero(met[i])}) != group:
            group = grown
        left -= group
        groups.append(", ".join(agents[i] for i in sorted(group)))
    if len(groups) > 1:
        raise Disconnected(
            f"no games connect these groups of agents, so no rating can compare them: {'; '.join(groups)}"
        )


def virtual_games(games: Floats) -> Floats:
    """The numbers of virtual draws, [first, second]."""
    between = games + games.T
    share: Floats = between / between.sum(axis=1, keepdims=True)
    return VIRTUAL_DRAWS / 4 * (share + share.T)


def likeliest_ratings(games: Floats, points: Floats) -> tuple[Floats, Floats]:
    """Ratings in logits with mean 0, then the advantage of moving first; and the covariance of all these.

    Newton's method from 0, where a step is halved until the likelihood grows; the likelihood has one maximum.
    """
    logits, best = np.zeros(len(games) + 1), -math.inf
    step = np.zeros_like(logits)
    for _ in range(STEPS):
        likelihood = _log_likelihood(games, points, logits + step)
        if likelihood < best and np.abs(step).max() > SETTLED:
            step /= 2
            continue
        logits, best = logits + step, likelihood
        gradient, information = _slopes(games, points, logits)
        covariance: Floats = np.asarray(np.linalg.pinv(information, hermitian=True), np.float64)
        step = covariance @ gradient
        if np.abs(step).max() < SETTLED:
            return logits, covariance
    raise ArithmeticError(f"no ratings were found in {STEPS} steps")


def _log_likelihood(games: Floats, points: Floats, logits: Floats) -> float:
    """The log-likelihood of the points, up to a constant."""
    ahead = _ahead(logits)
    return float((points * ahead - games * np.logaddexp(0, ahead)).sum())


def _slopes(games: Floats, points: Floats, logits: Floats) -> tuple[Floats, Floats]:
    """The gradient of the log-likelihood, and the Fisher information (singular: only differences of ratings count)."""
    share = (1 + np.tanh(_ahead(logits) / 2)) / 2
    missing, weights = points - games * share, games * share * (1 - share)
    gradient = np.append(missing.sum(axis=1) - missing.sum(axis=0), missing.sum())
    by_first, by_second = weights.sum(axis=1), weights.sum(axis=0)
    ratings = np.diag(by_first + by_second) - weights - weights.T
    cross = by_first - by_second
    return gradient, np.block([[ratings, cross[:, None]], [cross[None, :], weights.sum()]])


def _ahead(logits: Floats) -> Floats:
    """[first, second]: by how many logits the agent that moves first is ahead."""
    ratings, advantage = logits[:-1], logits[-1]
    ahead: Floats = ratings[:, None] - ratings[None, :] + advantage
    return ahead


def _estimate(value: float, variance: float) -> Estimate:
    """An estimate in Elo, from logits and their variance."""
    half = Z_95 * math.sqrt(max(variance, 0.0))
    return Estimate(*(float(ELO_PER_LOGIT * number) for number in (value, value - half, value + half)))
