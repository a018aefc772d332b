"""A match that ends when it is decided: the sequential probability ratio test, generalized (GSPRT).

Two hypotheses on the Elo difference are weighed after every outcome: H0, that it is `elo0`, against H1, that it is the
larger `elo1`. The log-likelihood ratio (LLR) compares the likeliest distributions of outcomes under each hypothesis
(`elo.likeliest`). When the LLR reaches a bound (Wald 1945), the test is over. If the true difference is `elo0` or less,
at most `alpha` of the tests accept H1; if it is `elo1` or more, at most `beta` accept H0. That holds approximately, the
better the longer the tests are.

Begin reading at `Sprt`. Sources: see `elo.py`; T. Li et al., "Generalized sequential probability ratio test for
separate families of hypotheses", 2014.
"""

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal

from simulator.statistics.elo import Counts, divergence, expected_share, likeliest, observed, shares

State = Literal["continue", "H0", "H1"]


@dataclass(frozen=True)
class Sprt:
    """A sequential test.

    Attributes:
        elo0: the Elo difference of H0.
        elo1: the Elo difference of H1; above `elo0`.
        alpha: how often H1 may be accepted although H0 is true.
        beta: how often H0 may be accepted although H1 is true.

    Raises ValueError for invalid parameters.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 must be below elo1, not {self.elo0:g} and {self.elo1:g}")
        if not 0 < expected_share(self.elo0) < expected_share(self.elo1) < 1:
            raise ValueError(
                f"no number of games tells {self.elo0:g} from {self.elo1:g} Elo: take smaller numbers, further apart"
            )
        if min(self.alpha, self.beta) <= 0 or self.alpha + self.beta >= 1:
            raise ValueError(
                f"alpha and beta must be above 0 and add up to less than 1, not {self.alpha:g} and {self.beta:g}"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds of the LLR: H0 is accepted at the first or below, H1 at the second or above.

        >>> [round(bound, 2) for bound in Sprt(0, 5).bounds]
        [-2.94, 2.94]
        """
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Counts) -> float:
        """The log-likelihood ratio of H1 to H0, 0 before the first outcome. `counts` are as in `elo.py`.

        It is the difference of the divergences of the likeliest distributions with the two expected shares.

        >>> round(Sprt(-3, 1).llr([10789, 19328, 33806, 19402, 10543]), 4)
        2.1311
        """
        if not any(counts):
            return 0.0
        outcomes, seen = observed(counts)
        under0, under1 = (
            likeliest(seen, [worth - expected_share(elo) for worth in shares(counts)]) for elo in (self.elo0, self.elo1)
        )
        return outcomes * (divergence(seen, under0) - divergence(seen, under1))

    def state(self, counts: Counts) -> State:
        """Which hypothesis is accepted, or that the test goes on."""
        lower, upper = self.bounds
        llr = self.llr(counts)
        return "H1" if llr >= upper else "H0" if llr <= lower else "continue"

    def to_json(self, counts: Counts) -> dict[str, Any]:
        """The test, its LLR and bounds, the number of pairs so far, and its state: `continue`, `H0` or `H1`."""
        lower, upper = self.bounds
        figures = {"llr": round(self.llr(counts), 4), "lower": round(lower, 4), "upper": round(upper, 4)}
        return {**asdict(self), **figures, "pairs": sum(counts), "state": self.state(counts)}
