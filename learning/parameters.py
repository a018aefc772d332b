"""Numbers that are tuned, and what a method of tuning them can do. The methods are `spsa.py` and `tpe.py`."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from options import option_text


class Parameter(NamedTuple):
    """A number that is tuned.

    Attributes:
        start: its value at first.
        least, most: its bounds.
        step: how far SPSA moves the value up and down in the last pairs; about twice as far in the first ones.
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
        if self.is_whole:
            return str(round(value))
        return option_text(value) if value == self.start else f"{value:.4g}"


def options_of(parameters: Sequence[Parameter], values: Sequence[float]) -> dict[str, str]:
    """The values as an agent's options."""
    return {parameter.name: parameter.text(value) for parameter, value in zip(parameters, values, strict=True)}


class Method(Protocol):
    """Chooses which values are played, and learns from the points; what it chooses depends on those and a seed alone.

    Pairs are numbered from 1, and are learned from in this order.
    """

    @property
    def name(self) -> str:
        """What it is called in the file of a tuning; another name means that other values may be chosen."""

    @property
    def values(self) -> Sequence[float]:
        """The best values as far as is known, in the order of the parameters."""

    def compared(self, number: int) -> tuple[dict[str, str], dict[str, str]]:
        """The options of the two agents of a pair."""

    def learn(self, points: Mapping[int, float | None]) -> None:
        """Learn from a batch: pairs that were all compared since the last call of this method, or the beginning.

        `points` are the first agent's, 0 to 2, by the number of the pair; None for a pair that does not count.
        """
