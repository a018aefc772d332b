"""SPSA: numbers of an agent are changed all at once, up and down at random, and moved to where games are won.

J. C. Spall, "Multivariate Stochastic Approximation Using a Simultaneous Perturbation Gradient Approximation", 1992; the
schedule of steps is that of Fishtest, the testing framework of Stockfish. Each pair of games is played between the
values plus and minus a random sign times a step; what it brings moves all values at once. Steps and moves become
smaller with the number of the pair.
"""

import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

ALPHA, GAMMA = 0.602, 0.101  # how fast moves and steps become smaller: the usual exponents
HEAD_START = 0.1  # of all pairs, by which the first moves are smaller than the schedule alone would have them
RATE = 0.1  # of the last pairs: how far a pair that is won moves a value, in steps, for a point of difference
STEPS = 10  # the range of a parameter is so many of its last steps, unless a step is given


class Parameter(NamedTuple):
    """A number that is tuned.

    Attributes:
        start: its value at first.
        least, most: its bounds.
        step: how far it is moved up and down in the last pairs; in the first ones about twice as far.
        is_whole: whether only whole numbers are played.
    """

    name: str
    start: float
    least: float
    most: float
    step: float
    is_whole: bool = False

    def inside(self, value: float) -> float:
        """The nearest value within the bounds."""
        return min(max(value, self.least), self.most)

    def text(self, value: float) -> str:
        """The value as an agent's option."""
        return str(round(value)) if self.is_whole else f"{value:.4g}"


class Spsa:
    """The values, as they are after some pairs, whose numbers are from 1 on.

    Attributes:
        pairs: how many will be played.
        values: in the order of the parameters.
    """

    def __init__(self, parameters: Sequence[Parameter], pairs: int, seed: int, rate: float = RATE) -> None:
        self.parameters, self.pairs, self.values = tuple(parameters), pairs, [p.start for p in parameters]
        self._seed, self._rate = seed, rate

    def _signs(self, number: int) -> list[int]:
        """1 or -1 for each parameter, by which a pair moves it up or down; the same in every process."""
        rng = random.Random(f"{self._seed} {number}")
        return [rng.choice((1, -1)) for _ in self.parameters]

    def compared(self, number: int) -> tuple[dict[str, str], dict[str, str]]:
        """The options of the two agents that play a pair: the values plus and minus signs times steps."""
        plus, minus = (
            {
                parameter.name: parameter.text(parameter.inside(value + way * sign * self._step(parameter, number)))
                for parameter, value, sign in zip(self.parameters, self.values, self._signs(number), strict=True)
            }
            for way in (1, -1)
        )
        return plus, minus

    def learn(self, points: Mapping[int, float | None]) -> None:
        """Move the values by what pairs brought the first agent, 0 to 2 points, all with the same values.

        None are the points of a pair that does not count.
        """
        moves = [0.0] * len(self.parameters)
        for number, brought in points.items():
            if brought is None:
                continue
            size = self._rate * self._pace(number) * 2 * (brought - 1)
            for i, (parameter, sign) in enumerate(zip(self.parameters, self._signs(number), strict=True)):
                moves[i] += size * sign * parameter.step**2 / self._step(parameter, number)
        self.values = [
            parameter.inside(value + move)
            for parameter, value, move in zip(self.parameters, self.values, moves, strict=True)
        ]

    def _step(self, parameter: Parameter, number: int) -> float:
        """How far the parameter is moved up and down in this pair."""
        step: float = parameter.step * (self.pairs / number) ** GAMMA
        return max(step, 0.51 * parameter.is_whole)  # two whole numbers; 1.5 and 2.5 are both rounded to 2

    def _pace(self, number: int) -> float:
        """How much faster values move after this pair than after the last one."""
        ahead = HEAD_START * self.pairs
        pace: float = ((ahead + self.pairs) / (ahead + number)) ** ALPHA
        return pace


def replayed(spsa: Spsa, points: Mapping[int, float | None], batch: int) -> list[list[float]]:
    """Let values learn from the pairs that were played, batch by batch, up to the first that is not finished.

    `points` are as `Spsa.learn` takes them. Returns the values at the start and after each batch.
    """
    curve = [list(spsa.values)]
    for first in range(1, spsa.pairs + 1, batch):
        numbers = range(first, min(first + batch, spsa.pairs + 1))
        if any(number not in points for number in numbers):
            break
        spsa.learn({number: points[number] for number in numbers})
        curve.append(list(spsa.values))
    return curve
