"""Training of a network on positions with targets: Adam on batches (Kingma & Ba, "Adam", 2015), deterministic by seed.

The loss of a position is the cross-entropy between its target, 0 to 1, and the network's value. Each epoch shows all
positions in random order; a coin decides for each whether it is mirrored (`game.mirror`), or each is replaced by its
image under a random symmetry (`positions.random_images`). Whole games are held out, to measure the network on them.

Begin reading at `train`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from jit import U64, jit, new_rng, pcg32  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game as verbs
from game import LearnedGame
from game.network import Network, add_up, logit_of, sigmoid
from learning.network import zeros
from learning.positions import Positions, random_images, records_features
from options import InputError

BATCH = 512  # positions, or fewer where an epoch would have less than STEPS_AN_EPOCH
STEPS_AN_EPOCH = 200
FIRST_RATE = 2e-3  # the highest learning rate for an untrained network
# The highest rate for a trained network on up to so many positions; with more it falls with the root of their number.
# The log loss on games of Pentago held out, from 490,000 positions with 0.001, 0.0005 and 0.0003: 0.6506, 0.6515,
# 0.6526; from 2.3 million with 0.001, 0.0003 and 0.0001: 0.6040, 0.6031, 0.6030.
NEXT_RATE, AT_THAT_RATE = 1e-3, 300_000
WARM_UP = 0.03  # as a share of all steps
LEAST_RATE = 0.02  # as a share of the highest rate, at the end of the cosine
# Of the fragments, apart from the gradient (Loshchilov & Hutter, "Decoupled weight decay", 2019). The same log loss,
# from a million positions with 0.03, 0.1 and 0.3: 0.6366, 0.6362, 0.6366.
WEIGHT_DECAY = 0.1
# For games on a tree, of which there are fewer: the same log loss, from 75 games of Go with 0.1 and 3: 0.4716, 0.4662
# (by a script that is not kept).
WEIGHT_DECAY_ON_TREE = 3.0
MEAN_DECAY, SQUARE_DECAY, EPSILON = 0.9, 0.999, 1e-8  # of Adam
TINY = 1e-30  # added to means, lest they fade below 1e-38, where processors take a hundred times as long
HELD_OUT = 20  # one game in so many
STEPS_A_CALL = 200  # Ctrl-C is noticed between two calls, which take a tenth of a second


@dataclass(frozen=True)
class Quality:
    """How well a network predicts the targets of positions.

    Attributes:
        log_loss: the mean cross-entropy, in nats; never below the targets' own entropy.
        rmse: the root of the mean squared error of the value.
        accuracy: of the positions whose target is not 0.5, the share in which the network prefers the right side.
    """

    log_loss: float
    rmse: float
    accuracy: float


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
        hidden: float32[width].
        rng: the state of a PCG32, see `jit.new_rng`.
    """

    state: np.ndarray
    active: np.ndarray
    hidden: np.ndarray
    rng: np.ndarray


def scratch_for(game: LearnedGame, width: int, seed: int) -> Scratch:
    """Working space for positions of a game."""
    state = game.state(game.initial())
    return Scratch(state, np.zeros(game.active_features, np.int32), np.zeros(width, np.float32), new_rng(seed))


def train(
    game: LearnedGame,
    network: Network,
    positions: Positions,
    *,
    epochs: int,
    seed: int,
    starts_anew: bool = True,
    report: Callable[[int, Quality], None] = lambda epoch, quality: None,
) -> Quality:
    """Train a network on positions; returns its quality on the games held out.

    With `starts_anew` the learning rate is higher. `report` gets the number of each finished epoch, from 1, and the
    quality. Raises InputError if there is nothing to learn from or to hold out.
    """
    held_out = is_held_out(positions)
    if held_out.all() or not held_out.any():
        raise InputError(f"training needs positions of {HELD_OUT} games, because one game in {HELD_OUT} is held out")
    known, unknown = positions.chosen(~held_out), positions.chosen(held_out)
    optimiser = Optimiser(network, zeros(game, network.width), np.zeros_like(network.all), np.zeros_like(network.all))
    scratch, rng = scratch_for(game, network.width, seed), np.random.default_rng(seed)
    kernel, decay = _kernel_for(game), WEIGHT_DECAY_ON_TREE if records_features(game) else WEIGHT_DECAY
    batch = min(max(known.size // STEPS_AN_EPOCH, 1), BATCH)
    steps = known.size // batch
    highest_rate = FIRST_RATE if starts_anew else NEXT_RATE * min(1.0, math.sqrt(AT_THAT_RATE / known.size))
    for epoch in range(epochs):
        order = rng.permutation(known.size)[: steps * batch]
        for first in range(0, steps, STEPS_A_CALL):
            shuffled = random_images(known.chosen(order[first * batch : (first + STEPS_A_CALL) * batch]), game, rng)
            done = epoch * steps + first
            _take_steps(kernel, optimiser, shuffled, batch, done, epochs * steps, highest_rate, decay, scratch)
        quality = measure(game, network, unknown)
        report(epoch + 1, quality)
    return quality


def is_held_out(positions: Positions) -> np.ndarray:
    """bool[n]: which positions are held out, to measure a network on them."""
    found: np.ndarray = positions.games % HELD_OUT == 0
    return found


def measure(game: LearnedGame, network: Network, positions: Positions) -> Quality:
    """How well a network predicts positions, each counted by its weight."""
    sums = np.zeros(5)
    _add_measures(_kernel_for(game), network, positions, scratch_for(game, network.width, 0), sums)
    weight, loss, squares, decided, right = sums.tolist()
    return Quality(loss / weight, math.sqrt(squares / weight), right / decided if decided else 1.0)


def _kernel_for(game: LearnedGame) -> Any:
    """The kernel for positions as they are recorded; None if they are features."""
    return None if records_features(game) else game.kernel


# --- Compiled -------------------------------------------------------------------------------------------------------


@jit
def _share_of_rate(step, steps):
    """The share of the highest learning rate at a step, from 0: a warm-up, then a cosine that falls."""
    cosine = 0.5 + 0.5 * math.cos(math.pi * step / steps)
    return min(1.0, (step + 1) / (WARM_UP * steps)) * (LEAST_RATE + (1 - LEAST_RATE) * cosine)


@jit
def _take_steps(kernel, optimiser, positions, batch, first_step, steps, highest_rate, weight_decay, scratch):
    """Train on positions in batches of this size; `first_step` of `steps` steps were taken before."""
    for i in range(len(positions.targets) // batch):
        step = first_step + i
        _add_gradients(kernel, optimiser.network, optimiser.gradient, positions, i * batch, (i + 1) * batch, scratch)
        _adam(optimiser, highest_rate * _share_of_rate(step, steps), step + 1, weight_decay)


@jit
def _add_gradients(kernel, network, gradient, positions, first, end, scratch):
    """Add the mean gradient of positions[first:end] to `gradient`."""
    share = np.float32(1.0 / (end - first))
    for index in range(first, end):
        bucket = _features_at_times_mirrored(kernel, positions.states[index], scratch)
        add_up(network, scratch.active, bucket, scratch.hidden)
        error = sigmoid(logit_of(network, bucket, scratch.hidden)) - positions.targets[index]
        add_gradient(
            network, gradient, scratch.active, bucket, scratch.hidden, error * positions.weights[index] * share
        )


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
def add_gradient(network, gradient, active, bucket, hidden, slope):
    """Add the gradient of slope * logit to `gradient`; `hidden` must be as `add_up` wrote it, and is overwritten."""
    gradient.offset[bucket] += slope
    for k in range(len(hidden)):
        value = hidden[k]
        clipped = min(max(value, np.float32(0)), np.float32(1))
        gradient.output[bucket, k] += slope * clipped
        hidden[k] = slope * network.output[bucket, k] if value == clipped else np.float32(0)
        gradient.bias[bucket, k] += hidden[k]
    for i in range(len(active)):
        row = active[i]
        for k in range(len(hidden)):
            gradient.fragments[row, k] += hidden[k]


@jit(fastmath=True)
def _adam(optimiser, rate, step, weight_decay):
    """Take a step of Adam, the first is 1, on all weights, and set the gradient to 0. Only fragments decay."""
    weights, gradient = optimiser.network.all, optimiser.gradient.all
    means, squares = optimiser.means, optimiser.squares
    old_mean, old_square = np.float32(MEAN_DECAY), np.float32(SQUARE_DECAY)
    mean_scale, square_scale = np.float32(1 / (1 - MEAN_DECAY**step)), np.float32(1 / (1 - SQUARE_DECAY**step))
    rate, decayed = np.float32(rate), optimiser.network.fragments.size
    for i in range(len(weights)):
        slope = gradient[i]
        mean = old_mean * means[i] + (np.float32(1) - old_mean) * slope + np.float32(TINY)
        square = old_square * squares[i] + (np.float32(1) - old_square) * slope * slope + np.float32(TINY)
        direction = mean * mean_scale / (np.sqrt(square * square_scale) + np.float32(EPSILON))
        decay = np.float32(weight_decay) if i < decayed else np.float32(0)
        weights[i] -= rate * (direction + decay * weights[i])
        means[i], squares[i], gradient[i] = mean, square, np.float32(0)


@jit
def _add_measures(kernel, network, positions, scratch, sums):
    """Add to float64[5]: weight, weighted log loss, weighted squared error, uneven positions, those judged right."""
    for index in range(len(positions.targets)):
        bucket = _features(kernel, positions.states[index], scratch.active)
        add_up(network, scratch.active, bucket, scratch.hidden)
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
