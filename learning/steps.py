"""The steps of training, compiled: a network's value, its gradient (also of a convolution), and Adam.

Begin reading at `take_steps`.
"""

import math
from typing import NamedTuple

from jit import U64, jit, new_rng, pcg32  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game as verbs
from game import LearnedGame
from game.network import add_up, logit_of, sigmoid
from learning.network import Network

WARM_UP = 0.03  # as a share of all steps
LEAST_RATE = 0.02  # as a share of the highest rate, at the end of the cosine
# Of fragments and what is around a point, apart from the gradient (Loshchilov & Hutter, "Decoupled weight decay",
# 2019). The log loss is the same in Pentago, from a million positions with 0.03, 0.1 and 0.3: 0.6366, 0.6362, 0.6366.
WEIGHT_DECAY = 0.1
MEAN_DECAY, SQUARE_DECAY, EPSILON = 0.9, 0.999, 1e-8  # of Adam
TINY = 1e-30  # added to means, lest they fade below 1e-38, where processors take a hundred times as long


class Optimiser(NamedTuple):
    """A network, and Adam's state for each of its weights; training changes all of it."""

    network: Network
    gradient: Network
    means: np.ndarray
    squares: np.ndarray


class Scratch(NamedTuple):
    """Working space for one position.

    Attributes:
        state: a state of the game.
        active: int32[active features].
        channels: float32[points, channels], see `learning.network`; empty without a convolution.
        hidden: float32[width].
        rng: the state of a PCG32, see `jit.new_rng`.
    """

    state: np.ndarray
    active: np.ndarray
    channels: np.ndarray
    hidden: np.ndarray
    rng: np.ndarray


def scratch_for(game: LearnedGame, network: Network, seed: int) -> Scratch:
    """Working space for positions of a game."""
    return Scratch(
        state=game.state(game.initial()),
        active=np.zeros(game.active_features, np.int32),
        channels=np.zeros((len(network.windows), network.around.shape[1]), np.float32),
        hidden=np.zeros(network.width, np.float32),
        rng=new_rng(seed),
    )


# --- Steps ----------------------------------------------------------------------------------------------------------


@jit
def take_steps(kernel, optimiser, positions, batch, first_step, steps, highest_rate, scratch):
    """Train on positions in batches of this size; `first_step` of `steps` steps were taken before."""
    for i in range(len(positions.targets) // batch):
        step = first_step + i
        _add_gradients(kernel, optimiser.network, optimiser.gradient, positions, i * batch, (i + 1) * batch, scratch)
        network, rate = optimiser.network, highest_rate * share_of_rate(step, steps)
        decayed = network.around.size + network.fragments.size
        adam(network.all, optimiser.gradient.all, optimiser.means, optimiser.squares, decayed, rate, step + 1)


@jit
def share_of_rate(step, steps):
    """The share of the highest learning rate at a step, from 0: a warm-up, then a cosine that falls."""
    cosine = 0.5 + 0.5 * math.cos(math.pi * step / steps)
    return min(1.0, (step + 1) / (WARM_UP * steps)) * (LEAST_RATE + (1 - LEAST_RATE) * cosine)


@jit
def _add_gradients(kernel, network, gradient, positions, first, end, scratch):
    """Add the mean gradient of positions[first:end] to `gradient`."""
    share = np.float32(1.0 / (end - first))
    for index in range(first, end):
        bucket = _features_at_times_mirrored(kernel, positions.states[index], scratch)
        forward(network, scratch.active, bucket, scratch.channels, scratch.hidden)
        error = sigmoid(logit_of(network, bucket, scratch.hidden)) - positions.targets[index]
        slope = error * positions.weights[index] * share
        add_gradient(network, gradient, scratch.active, bucket, scratch.channels, scratch.hidden, slope)


@jit
def _features_at_times_mirrored(kernel, words, scratch):
    """As `_features`, of the position or its mirror image; what was recorded as features is not mirrored here."""
    if kernel is None:
        return _features(kernel, words, scratch.active)
    verbs.begin(kernel, scratch.state, words)
    if pcg32(scratch.rng) & U64(1):
        verbs.mirror(kernel, scratch.state)
    return _features(kernel, scratch.state, scratch.active)


@jit
def _features(kernel, words, active):
    """Write the features of a recorded position, or copy them if there is no kernel, and return its bucket."""
    if kernel is not None:
        return verbs.features(kernel, words, active)
    for i in range(len(active)):
        active[i] = words[i]
    return np.int64(words[len(active)])


@jit(fastmath=True)
def adam(weights, gradient, means, squares, decayed, rate, step):
    """Take a step of Adam, the first is 1, and set the gradient to 0; the first `decayed` weights decay.

    `means` and `squares`, float32 like the others, are 0 before the first step, and are changed.
    """
    old_mean, old_square = np.float32(MEAN_DECAY), np.float32(SQUARE_DECAY)
    mean_scale, square_scale = np.float32(1 / (1 - MEAN_DECAY**step)), np.float32(1 / (1 - SQUARE_DECAY**step))
    rate = np.float32(rate)
    for i in range(len(weights)):
        slope = gradient[i]
        mean = old_mean * means[i] + (np.float32(1) - old_mean) * slope + np.float32(TINY)
        square = old_square * squares[i] + (np.float32(1) - old_square) * slope * slope + np.float32(TINY)
        direction = mean * mean_scale / (np.sqrt(square * square_scale) + np.float32(EPSILON))
        decay = np.float32(WEIGHT_DECAY) if i < decayed else np.float32(0)
        weights[i] -= rate * (direction + decay * weights[i])
        means[i], squares[i], gradient[i] = mean, square, np.float32(0)


@jit
def add_measures(kernel, network, positions, scratch, sums):
    """Add to float64[5]: weight, weighted log loss, weighted squared error, uneven positions, those judged right."""
    for index in range(len(positions.targets)):
        bucket = _features(kernel, positions.states[index], scratch.active)
        forward(network, scratch.active, bucket, scratch.channels, scratch.hidden)
        target, weight = positions.targets[index], positions.weights[index]
        logit = np.float64(logit_of(network, bucket, scratch.hidden))
        value = 1 / (1 + math.exp(-logit))
        # log(1 + e^x), written so that e^x does not overflow
        softplus = max(logit, 0.0) + math.log1p(math.exp(-abs(logit)))
        sums[0] += weight
        sums[1] += weight * (softplus - target * logit)
        sums[2] += weight * (value - target) ** 2
        if target != 0.5:
            sums[3] += 1
            sums[4] += (target > 0.5) == (value > 0.5)


# --- The network ----------------------------------------------------------------------------------------------------


@jit
def forward(weights, active, bucket, channels, hidden):
    """Write the channels of each point, and the hidden units, which are not yet clipped."""
    if len(channels) == 0:
        add_up(weights, active, bucket, hidden)
        return
    for k in range(len(hidden)):
        hidden[k] = weights.bias[bucket, k]
    for point in range(len(channels)):
        _write_channels(weights, active, point, channels[point])
        _add_channels(weights, point * channels.shape[1], channels[point], hidden)


@jit(fastmath=True)
def _write_channels(weights, active, point, channels):
    around = weights.around
    for c in range(len(channels)):
        channels[c] = around[len(around) - 1, c]
    for place in range(weights.windows.shape[1]):
        row = _row_around(weights, active, point, place)
        for c in range(len(channels)):
            channels[c] += around[row, c]
    for c in range(len(channels)):
        channels[c] = max(channels[c], np.float32(0))


@jit(inline="always")
def _row_around(weights, active, point, place):
    """The row for what is on a place of the window of a point."""
    kinds = (len(weights.around) - 1) // weights.windows.shape[1] - 1
    other = weights.windows[point, place]
    return place * (kinds + 1) + (active[other] - other * kinds if other >= 0 else kinds)


@jit(fastmath=True)
def _add_channels(weights, first, channels, hidden):
    """Add the rows of the channels of a point, which begin at `first`, to the hidden units."""
    fragments = weights.fragments
    for c in range(len(channels)):
        channel, row = channels[c], first + c
        if channel > 0:
            for k in range(len(hidden)):
                hidden[k] += channel * fragments[row, k]


@jit(fastmath=True)
def add_gradient(weights, gradient, active, bucket, channels, hidden, slope):
    """Add the gradient of slope * logit to `gradient`; `forward` wrote `channels`, `hidden`; both are overwritten."""
    gradient.offset[bucket] += slope
    for k in range(len(hidden)):
        value = hidden[k]
        clipped = min(max(value, np.float32(0)), np.float32(1))
        gradient.output[bucket, k] += slope * clipped
        hidden[k] = slope * weights.output[bucket, k] if value == clipped else np.float32(0)
        gradient.bias[bucket, k] += hidden[k]
    if len(channels) == 0:
        for i in range(len(active)):
            row = active[i]
            for k in range(len(hidden)):
                gradient.fragments[row, k] += hidden[k]
    for point in range(len(channels)):
        _add_gradient_of_rows(weights, gradient, point * channels.shape[1], channels[point], hidden)
        _add_gradient_around(weights, gradient, active, point, channels[point])


@jit(fastmath=True)
def _add_gradient_of_rows(weights, gradient, first, channels, hidden):
    """Add the gradient of the rows of the channels of a point, and write that of the channels in their place."""
    fragments, slopes = weights.fragments, gradient.fragments
    for c in range(len(channels)):
        channel, row, total = channels[c], first + c, np.float32(0)
        if channel > 0:
            for k in range(len(hidden)):
                slopes[row, k] += channel * hidden[k]
            for k in range(len(hidden)):
                total += fragments[row, k] * hidden[k]
        channels[c] = total


@jit(fastmath=True)
def _add_gradient_around(weights, gradient, active, point, channels):
    around = gradient.around
    for c in range(len(channels)):
        around[len(around) - 1, c] += channels[c]
    for place in range(weights.windows.shape[1]):
        row = _row_around(weights, active, point, place)
        for c in range(len(channels)):
            around[row, c] += channels[c]
