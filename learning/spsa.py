"""SPSA: all numbers of an agent are changed at once, up or down at random, and move to where games are won.

J. C. Spall, "Multivariate Stochastic Approximation Using a Simultaneous Perturbation Gradient Approximation", 1992; the
schedule of steps is that of Fishtest, the testing framework of Stockfish. In each pair of games the values plus a step
times a random sign play against the values minus the same; the result moves all values at once. Steps and moves become
smaller with the number of the pair.
"""

import random
from collections.abc import Mapping, Sequence

from learning.parameters import Parameter, options_of

ALPHA, GAMMA = 0.602, 0.101  # how fast moves and steps become smaller: the usual exponents
HEAD_START = 0.1  # the schedule of moves begins this share of all pairs late, which makes the first moves smaller
RATE = 0.1  # in the last pair a value moves by so many steps for each point that one agent is ahead
STEPS = 10  # without a given step, the last step is the parameter's range divided by this


class Spsa:
    """The values after some pairs; see `parameters.Method` for what each member means.

    Attributes:
        pairs: how many will be played.
    """

    name = "spsa"

    def __init__(self, parameters: Sequence[Parameter], pairs: int, seed: int, rate: float = RATE) -> None:
        self.parameters, self.pairs, self.values = tuple(parameters), pairs, [p.start for p in parameters]
        self._seed, self._rate = seed, rate

    def _signs(self, number: int) -> list[int]:
        """For each parameter 1 or -1, whether the pair moves it up or down; the same in every process."""
        rng = random.Random(f"{self._seed} {number}")
        return [rng.choice((1, -1)) for _ in self.parameters]

    def compared(self, number: int) -> tuple[dict[str, str], dict[str, str]]:
        """The options of the two agents of a pair: the values plus, and minus, the signs times the steps."""
        changes = [sign * self._step(p, number) for p, sign in zip(self.parameters, self._signs(number), strict=True)]
        rows = list(zip(self.parameters, self.values, changes, strict=True))
        plus, minus = ([p.inside(value + way * change) for p, value, change in rows] for way in (1, -1))
        return options_of(self.parameters, plus), options_of(self.parameters, minus)

    def learn(self, points: Mapping[int, float | None]) -> None:
        """Move the values after pairs that were all played with the present ones."""
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
        step = parameter.step * (self.pairs / number) ** GAMMA
        return float(max(step, 0.51 * parameter.is_whole))  # two whole numbers; 1.5 and 2.5 are both rounded to 2

    def _pace(self, number: int) -> float:
        """How much faster values move after this pair than after the last one."""
        ahead = HEAD_START * self.pairs
        return float(((ahead + self.pairs) / (ahead + number)) ** ALPHA)
