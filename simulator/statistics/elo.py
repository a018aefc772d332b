"""What results say of strength: score, Elo and normalized Elo with 95 % intervals, the likelihood of superiority.

Pure functions of counts. *Counts* are how often each outcome came, from the worst to the best: three for single games
(lost, drawn, won), or five for pairs of games from one opening with colours swapped (0, 0.5, 1, 1.5, 2 points; the
"pentanomial" of Fishtest). The two games of a pair depend on each other through their opening, pairs are independent:
so an interval from pairs is right, and one from games usually too wide.

A *share* is a score divided by the points that could be won, 0 to 1.

Begin reading at `likeliest`, on which the rest and `sprt.py` are built: of the distributions of outcomes with a given
expected share, it finds the one that explains the counts best. Ratings of a league are in `bradley_terry.py`.

Sources: M. Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a distribution",
https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf, and "Comments on normalized Elo",
https://www.cantate.be/Fishtest/normalized_elo_practical.pdf; Fishtest's server/fishtest/stats/LLRcalc.py; fastchess.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from operator import mul
from typing import NamedTuple

Z_95 = 1.959963984540054  # a standard normal variable lies within +-Z_95 in 95 % of cases
VIRTUAL_DRAWS = 1.0  # draws that are added to each agent's games, so that every Elo is finite
EMPTY_CELL = 1e-3  # the count that is assumed for an outcome that never came, as in Fishtest and fastchess
ELO_PER_LOGIT = 400 / math.log(10)
NORMALIZED_ELO = 2 * ELO_PER_LOGIT  # normalized Elo of a game whose mean is one standard deviation above a half
NEWTON_STEPS = 200  # 5 to 8 are usual, 60 if all outcomes were the same

Counts = Sequence[float]
Distribution = list[float]


class Estimate(NamedTuple):
    """A number and its 95 % interval; the ends may be infinite."""

    value: float
    low: float
    high: float

    def rounded(self, digits: int) -> list[float]:
        """The number and the ends of its interval, with so many decimal places."""
        return [round(number, digits) for number in self]


@dataclass
class Results:
    """Games won, drawn and lost."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def add(self, points: float) -> None:
        """Count a game that brought 1, 0.5 or 0 points."""
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0

    @property
    def games(self) -> int:
        """How many games were counted."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The points: 1 for a win, 0.5 for a draw."""
        return self.wins + self.draws / 2

    def __add__(self, other: "Results") -> "Results":
        return Results(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def to_json(self) -> dict[str, float]:
        """Points and games, and how these ended."""
        return {"points": self.points, "games": self.games, **asdict(self)}

    def turned(self) -> "Results":
        """The same games as the opponent sees them."""
        return Results(self.losses, self.draws, self.wins)

    @property
    def counts(self) -> tuple[int, int, int]:
        """The counts from the worst outcome to the best, as the functions of this module take them."""
        return self.losses, self.draws, self.wins


# --- Score and Elo --------------------------------------------------------------------------------------------------


def elo(share: float) -> float:
    """The Elo difference at which that share of the points is expected; infinite for 0 and 1.

    >>> round(elo(0.75), 1)
    190.8
    """
    if share <= 0 or share >= 1:
        return math.copysign(math.inf, share - 0.5)
    return ELO_PER_LOGIT * math.log(share / (1 - share))


def elo_text(value: float) -> str:
    """A number of Elo for people: rounded, with its sign, and never -0.

    >>> elo_text(12.6), elo_text(-0.3)
    ('+13', '+0')
    """
    return f"{value:+z.0f}"


def expected_share(elo_difference: float) -> float:
    """The share of the points that an agent is expected to score if it is that much stronger: the inverse of `elo`.

    >>> round(expected_share(190.8485), 4)
    0.75
    """
    return (1 + math.tanh(elo_difference / ELO_PER_LOGIT / 2)) / 2  # 1 / (1 + exp(-x)), which could overflow


def wilson_interval(points: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a score of `points` out of `games`, as shares of 1.

    Wilson's interval (1927) is for independent games that are won or lost. With draws the true interval is narrower, so
    that this one is rather too wide.

    >>> [round(end, 4) for end in wilson_interval(10, 10)]
    [0.7225, 1.0]
    """
    if games == 0:
        return 0.0, 1.0
    share, z2 = points / games, Z_95**2
    centre = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = Z_95 / (1 + z2 / games) * math.sqrt(share * (1 - share) / games + z2 / (4 * games**2))
    return centre - half if points else 0.0, centre + half if points < games else 1.0


def share_estimate(counts: Counts) -> Estimate:
    """The share that was scored; its interval has all shares that `likelihood_ratio` does not reject at 5 %.

    By Wilks's theorem, twice that logarithm is chi-squared with one degree of freedom in the long run (Owen 1988 for
    this likelihood, the empirical one). With many pairs the interval is that of Fishtest and fastchess, which take
    outcomes as normal. With few pairs it keeps its promise better: in matches of 5 pairs with an expected share of 0.9,
    theirs contained the true share in 77 % of cases, this one in 97 %. But this one does not always reach 95 % either.

    Raises ValueError if all counts are 0.
    """
    return Estimate(_share(counts), 1 - _highest_share(counts[::-1]), _highest_share(counts))


def elo_estimate(counts: Counts) -> Estimate:
    """The Elo difference and its interval: those of `share_estimate`, with VIRTUAL_DRAWS, and so never infinite.

    For leagues of more agents, `bradley_terry.py` computes ratings with as many virtual draws.

    >>> [round(end) for end in elo_estimate([0, 0, 0, 0, 10])]
    [645, 246, 1480]
    """
    filled = list(counts)
    filled[len(filled) // 2] += VIRTUAL_DRAWS / games_in_outcome(counts)
    return Estimate(*map(elo, share_estimate(filled)))


def likelihood_of_superiority(counts: Counts) -> float:
    """The likelihood of superiority ("LOS"): how certain it is, 0 to 1, that the expected share is above a half.

    This is the normal distribution function at the signed root of twice the `likelihood_ratio`. So it is above 97.5 %
    exactly if the interval of `share_estimate` lies above a half.

    >>> round(likelihood_of_superiority([0, 3, 10, 5, 2]), 3)
    0.95
    """
    root = math.copysign(math.sqrt(2 * likelihood_ratio(counts, 0.5)), _share(counts) - 0.5)
    return (1 + math.erf(root / math.sqrt(2))) / 2


def normalized_elo(counts: Counts) -> Estimate:
    """Elo in units of the noise of a game, Van den Bergh's definition: 347.4 (share - 1/2) / deviation of a game.

    It alone decides how many games a match needs to tell two agents apart, whatever the draws and the openings. The
    deviation of a game is computed from pairs as sqrt(2) times the deviation of a pair's share. The interval is the
    delta method's, as in Fishtest. If all outcomes were the same, the noise is unknown and the interval infinite.

    >>> [round(number, 1) for number in normalized_elo([34, 54, 63, 64, 75])]
    [57.9, 28.7, 87.2]
    """
    unit = NORMALIZED_ELO / math.sqrt(games_in_outcome(counts))
    distribution = [count / sum(counts) for count in counts]
    share, deviation = mean_and_deviation(distribution)
    if max(counts) == sum(counts):
        return Estimate(math.copysign(math.inf, share - 0.5) if share != 0.5 else 0.0, -math.inf, math.inf)
    skewness, kurtosis = (
        _dot(distribution, [((worth - share) / deviation) ** power for worth in shares(counts)]) for power in (3, 4)
    )
    t = (share - 0.5) / deviation
    variance = max(1 - t * skewness + t**2 * (kurtosis - 1) / 4, 0.0) / sum(counts)
    half = Z_95 * math.sqrt(variance)
    return Estimate(unit * t, unit * (t - half), unit * (t + half))


# --- Outcomes -------------------------------------------------------------------------------------------------------


def games_in_outcome(counts: Counts) -> int:
    """1 if the counts are of games, 2 if they are of pairs. Raises ValueError for anything else."""
    if len(counts) not in (3, 5) or min(counts) < 0 or sum(counts) == 0:
        raise ValueError(f"expected 3 counts of games or 5 of pairs, one above 0 and none below, not {list(counts)}")
    return len(counts) // 2


def shares(counts: Counts) -> list[float]:
    """The share that each outcome is worth: 0, 0.5, 1 or 0, 0.25, 0.5, 0.75, 1."""
    return [outcome / (len(counts) - 1) for outcome in range(len(counts))]


def observed(counts: Counts) -> tuple[float, Distribution]:
    """How many outcomes there were, and their distribution, with `EMPTY_CELL` for those that never came.

    Otherwise a share that is possible only with such an outcome would have the likelihood 0.
    """
    games_in_outcome(counts)
    filled = [count or EMPTY_CELL for count in counts]
    return sum(filled), [count / sum(filled) for count in filled]


def mean_and_deviation(distribution: Distribution) -> tuple[float, float]:
    """The mean and the standard deviation of the share of an outcome."""
    worths = shares(distribution)
    mean = _dot(distribution, worths)
    return mean, math.sqrt(_dot(distribution, [(worth - mean) ** 2 for worth in worths]))


def likeliest(distribution: Distribution, values: Sequence[float]) -> Distribution:
    """The likeliest distribution, given the observed one p, of all under which the mean of `values` is 0.

    It is p_i / (1 + x value_i), with the x that makes the mean 0: proposition 1.1 of Van den Bergh's note, after Owen.
    Every p_i must be above 0. Raises ValueError if no value is below 0 or none above.
    """
    low, high = min(values), max(values)
    if not low < 0 < high:
        raise ValueError(f"no distribution over {list(values)} has mean 0")

    def mean(x: float) -> tuple[float, float]:
        terms = [value / (1 + x * value) for value in values]
        return _dot(distribution, terms), -_dot(distribution, [term**2 for term in terms])

    x = falling_root(mean, -1 / high, -1 / low, 0.0)
    return [p / (1 + x * value) for p, value in zip(distribution, values, strict=True)]


def likelihood_ratio(counts: Counts, share: float) -> float:
    """The log-likelihood ratio of the observed distribution to the likeliest with that expected share, 0 or more."""
    total, seen = observed(counts)
    assumed = likeliest(seen, [worth - share for worth in shares(counts)])
    return total * max(divergence(seen, assumed), 0.0)


def divergence(seen: Distribution, assumed: Distribution) -> float:
    """The Kullback-Leibler divergence of an assumed distribution from the observed one, in nats."""
    return sum(p * math.log(p / q) for p, q in zip(seen, assumed, strict=True))


def falling_root(function: Callable[[float], tuple[float, float]], low: float, high: float, start: float) -> float:
    """Where a falling function is 0 between `low` and `high`, both excluded: Newton's method, safe by bisection.

    Args:
        function: returns value and slope.

    Raises ArithmeticError if the root is not found in `NEWTON_STEPS`.
    """
    x = start
    for _ in range(NEWTON_STEPS):
        value, slope = function(x)
        low, high = (x, high) if value > 0 else (low, x)
        step = x - value / slope if slope else low
        following = step if low < step < high else (low + high) / 2
        if abs(following - x) <= 1e-13 * max(1.0, abs(x)):
            return following
        x = following
    raise ArithmeticError(f"no root between {low} and {high} in {NEWTON_STEPS} steps")


def _highest_share(counts: Counts) -> float:
    """The upper end of the interval of `share_estimate`: where the root of twice `likelihood_ratio` is Z_95."""
    if counts[-1] == sum(counts):
        return 1.0
    total, seen = observed(counts)
    worths = shares(counts)
    mean, _ = mean_and_deviation(seen)

    def excess(share: float) -> tuple[float, float]:
        assumed = likeliest(seen, [worth - share for worth in worths])
        root = math.sqrt(2 * total * max(divergence(seen, assumed), 1e-300))
        x = (seen[0] / assumed[0] - 1) / -share  # the slope of the divergence is -x, as for a constant x
        return Z_95 - root, total * x / root

    return falling_root(excess, mean, 1.0, (mean + 1) / 2)


def _share(counts: Counts) -> float:
    games_in_outcome(counts)
    return _dot(counts, shares(counts)) / sum(counts)


def _dot(left: Sequence[float], right: Sequence[float]) -> float:
    total: float = sum(map(mul, left, right))
    return total
