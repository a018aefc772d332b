"""A small network that can learn the value of positions of any game: a table of features, one hidden layer, one output.

    hidden = bias[bucket] + sum of fragments[feature] over the active features, clipped to 0..1
    logit  = output[bucket] . hidden + offset[bucket]
    value  = 1 / (1 + e^-logit), the chance of the player to move

The game's verb `features` says which features are active and which bucket a position has. `learning/` trains the
network.
"""

from typing import NamedTuple

from jit import jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip


class Network(NamedTuple):
    """The weights of a network.

    Attributes:
        fragments: float32[features, width].
        bias: float32[buckets, width].
        output: float32[buckets, width].
        offset: float32[buckets].
    """

    fragments: np.ndarray
    bias: np.ndarray
    output: np.ndarray
    offset: np.ndarray


SAVED = Network._fields


# --- Forward --------------------------------------------------------------------------------------------------------


@jit(fastmath=True)
def add_up(network, active, bucket, hidden):
    """Write the bias plus the rows of the active features into `hidden`, float32[width]; nothing is clipped yet."""
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
