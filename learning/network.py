"""The network that is learned: a table of features, one hidden layer, one output; the same for every game.

    hidden = bias[bucket] + sum of fragments[feature] over the active features, clipped to 0..1
    logit  = output[bucket] . hidden + offset[bucket]
    value  = 1 / (1 + e^-logit), the chance of the player to move

Features and buckets are the game's (`game.features`). All weights lie in one array, so that an optimiser goes through
them once. This module imports nothing else of `learning`: compiled code that is kept on disk names its classes, and an
agent in a sandbox sees no more.
"""

import math
from typing import NamedTuple

from jit import jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from game import Game, LearnedGame
from options import InputError

FRAGMENT_DEVIATION = 0.08  # of initial weights: 48 of them add up to a deviation of 0.55
INITIAL_BIAS = 0.3
OUTPUT_DEVIATION = 0.3


class Network(NamedTuple):
    """The weights of a network, or something for each of them: its gradient, say.

    Attributes:
        all: float32[number of weights]; the others are views of it, in this order.
        fragments: float32[features, width].
        bias: float32[buckets, width].
        output: float32[buckets, width].
        offset: float32[buckets].
    """

    all: np.ndarray
    fragments: np.ndarray
    bias: np.ndarray
    output: np.ndarray
    offset: np.ndarray

    @property
    def width(self) -> int:
        """The number of hidden units."""
        return int(self.fragments.shape[1])


SAVED = tuple(name for name in Network._fields if name != "all")


def learned_game(game: Game) -> LearnedGame:
    """The game, if it has features to learn from. Raises InputError."""
    if not isinstance(game, LearnedGame):
        raise InputError(f"{game.title} has no features to learn from (see `features` in game/verbs/learning.py)")
    return game


def zeros(game: Game, width: int) -> Network:
    """A network for a game whose weights are all 0. Raises InputError for a game without features."""
    learned = learned_game(game)
    buckets = learned.feature_buckets
    shapes = ((learned.feature_count, width), (buckets, width), (buckets, width), (buckets,))
    ends = np.cumsum([math.prod(shape) for shape in shapes])
    weights = np.zeros(ends[-1], np.float32)
    parts = np.split(weights, ends[:-1])
    return Network(weights, *(part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)))


def fresh(game: Game, width: int, seed: int) -> Network:
    """An untrained network for a game. Raises InputError for a game without features."""
    network = zeros(game, width)
    rng = np.random.default_rng(seed)
    network.fragments[:] = rng.normal(0, FRAGMENT_DEVIATION, network.fragments.shape)
    network.bias[:] = INITIAL_BIAS
    network.output[:] = rng.normal(0, OUTPUT_DEVIATION, width)  # the same for each bucket
    return network


# --- Forward --------------------------------------------------------------------------------------------------------


@jit(fastmath=True)
def add_up(network, active, bucket, hidden):
    """Write the sum of the bias and the active features into `hidden`, float32[width], before it is clipped."""
    fragments, bias = network.fragments, network.bias
    for k in range(len(hidden)):
        hidden[k] = bias[bucket, k]
    whole = len(active) // 4 * 4
    for i in range(0, whole, 4):  # four rows at once: a quarter of the loads and stores of `hidden`
        a, b, c, d = active[i], active[i + 1], active[i + 2], active[i + 3]
        for k in range(len(hidden)):
            hidden[k] += (fragments[a, k] + fragments[b, k]) + (fragments[c, k] + fragments[d, k])
    for i in range(whole, len(active)):
        for k in range(len(hidden)):
            hidden[k] += fragments[active[i], k]


@jit(fastmath=True)
def logit_of(network, bucket, hidden):
    """The logit of the value, a float32, from what `add_up` has written."""
    total = network.offset[bucket]
    for k in range(len(hidden)):
        total += network.output[bucket, k] * min(max(hidden[k], np.float32(0)), np.float32(1))
    return total


@jit(inline="always")
def sigmoid(logit):
    """1 / (1 + e^-logit) of a float32."""
    return np.float32(1) / (np.float32(1) + np.exp(-logit))
