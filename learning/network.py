"""Networks that are being learned: that of `game/network.py`, and one with a convolution before it.

A game has the second if it has `channels`. Exactly one feature of each point is active, feature
point * kinds + kind, and they are in the order of the points. Each point has some channels, which see its window:

    channel = bias + sum of a row of `around` for what is on each point of the window, or 0 if that is negative (ReLU)

The rows are the same at each point, and one of them is for a point off the board. The channels take the place of
features: `fragments` has a row for each channel of each point, which is multiplied by the channel's value.
"""

import math
from pkgutil import resolve_name
from typing import Any, NamedTuple

import numpy as np

from game import LearnedGame, load_game, network
from options import InputError

FRAGMENT_DEVIATION = 0.08  # of initial weights: 48 of them add up to a deviation of 0.55
AROUND_DEVIATION = 0.06  # of 25 rows and the bias: they add up to a deviation of 0.3
CHANNEL_DEVIATION = 0.03  # of the fragments that channels are multiplied by: all 1,296 add up to a deviation of 0.2
INITIAL_BIAS = 0.3
OUTPUT_DEVIATION = 0.3
# Of games whose own class has no features, because who plays does not need them: a class that has.
LEARNED_CLASSES = {"go": "go.learning:LearnedGo"}


class Network(NamedTuple):
    """The weights of a network, or another number for each weight, such as its gradient.

    Attributes:
        all: float32[number of weights]; the others but `windows` are views of it, in this order.
        around: float32[points of a window * (kinds + 1) + 1, channels], the last row is the bias; empty without a
            convolution.
        fragments, bias, output, offset: see `game.network.Network`.
        windows: int32[points, points of a window], the points around each; -1 for one off the board.
    """

    all: np.ndarray
    around: np.ndarray
    fragments: np.ndarray
    bias: np.ndarray
    output: np.ndarray
    offset: np.ndarray
    windows: np.ndarray

    @property
    def width(self) -> int:
        """The number of hidden units."""
        return int(self.fragments.shape[1])

    @property
    def saved(self) -> dict[str, np.ndarray]:
        """The arrays that a file of weights has, by their names."""
        names = ("around", *network.SAVED) if self.around.size else network.SAVED
        return {name: getattr(self, name) for name in names}


def load_learned(name: str, options: dict[str, Any]) -> LearnedGame:
    """The game of that name, with features. Raises InputError for a game, or options, for which there are none."""
    place = LEARNED_CLASSES.get(name)
    game = resolve_name(place)(**options) if place else load_game(name, **options)
    if not isinstance(game, LearnedGame):
        raise InputError(f"{game.title} has no features to learn from (see `features` in game/verbs/learning.py)")
    return game


def zeros(game: LearnedGame, width: int) -> Network:
    """A network for a game with all weights 0."""
    windows, channels = game.windows, game.channels
    features, buckets, rows = game.feature_count, game.feature_buckets, 0
    if channels:
        kinds, features = features // len(windows), len(windows) * channels
        rows = windows.shape[1] * (kinds + 1) + 1
    shapes = ((rows, channels), (features, width), (buckets, width), (buckets, width), (buckets,))
    ends = np.cumsum([math.prod(shape) for shape in shapes])
    weights = np.zeros(ends[-1], np.float32)
    parts = np.split(weights, ends[:-1])
    around, fragments, bias, output, offset = map(np.ndarray.reshape, parts, shapes)
    return Network(weights, around, fragments, bias, output, offset, windows)


def fresh(game: LearnedGame, width: int, seed: int) -> Network:
    """An untrained network for a game."""
    untrained, rng = zeros(game, width), np.random.default_rng(seed)
    deviation = CHANNEL_DEVIATION if untrained.around.size else FRAGMENT_DEVIATION
    untrained.around[:] = rng.normal(0, AROUND_DEVIATION, untrained.around.shape)
    untrained.fragments[:] = rng.normal(0, deviation, untrained.fragments.shape)
    untrained.bias[:] = INITIAL_BIAS
    untrained.output[:] = rng.normal(0, OUTPUT_DEVIATION, width)  # the same for each bucket
    return untrained
