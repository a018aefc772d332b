"""Training of a network on positions with targets: Adam on batches (Kingma & Ba, "Adam", 2015), deterministic by seed.

The loss of a position is the cross-entropy between its target, 0 to 1, and the network's value. Each epoch shows all
positions in random order; a coin decides for each whether it is mirrored (`game.mirror`), or each is replaced by its
image under a random symmetry (`positions.random_images`). Whole games are held out, to measure the network on them.

Begin reading at `train`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from game import LearnedGame
from learning.network import Network, zeros
from learning.positions import HELD_OUT, Positions, is_held_out, random_images, records_features
from learning.steps import Optimiser, add_measures, scratch_for, take_steps
from options import InputError

BATCH = 512  # positions, or fewer where an epoch would have less than STEPS_AN_EPOCH
STEPS_AN_EPOCH = 200
FIRST_RATE = 2e-3  # the highest learning rate for an untrained network
# The highest rate for a trained network on up to so many positions; with more it falls with the root of their number.
# The log loss on games of Pentago held out, from 490,000 positions with 0.001, 0.0005 and 0.0003: 0.6506, 0.6515,
# 0.6526; from 2.3 million with 0.001, 0.0003 and 0.0001: 0.6040, 0.6031, 0.6030.
NEXT_RATE, AT_THAT_RATE = 1e-3, 300_000
STEPS_A_CALL = 20  # Ctrl-C is noticed between two calls, which take a hundredth of a second, in Go a third


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
    scratch, rng = scratch_for(game, network, seed), np.random.default_rng(seed)
    kernel = _kernel_for(game)
    batch = min(max(known.size // STEPS_AN_EPOCH, 1), BATCH)
    steps = known.size // batch
    highest_rate = FIRST_RATE if starts_anew else NEXT_RATE * min(1.0, math.sqrt(AT_THAT_RATE / known.size))
    for epoch in range(epochs):
        order = rng.permutation(known.size)[: steps * batch]
        for first in range(0, steps, STEPS_A_CALL):
            shuffled = random_images(known.chosen(order[first * batch : (first + STEPS_A_CALL) * batch]), game, rng)
            done = epoch * steps + first
            take_steps(kernel, optimiser, shuffled, batch, done, epochs * steps, highest_rate, scratch)
        quality = measure(game, network, unknown)
        report(epoch + 1, quality)
    return quality


def measure(game: LearnedGame, network: Network, positions: Positions) -> Quality:
    """How well a network predicts positions, each counted by its weight."""
    sums = np.zeros(5)
    add_measures(_kernel_for(game), network, positions, scratch_for(game, network, 0), sums)
    weight, loss, squares, decided, right = sums.tolist()
    return Quality(loss / weight, math.sqrt(squares / weight), right / decided if decided else 1.0)


def _kernel_for(game: LearnedGame) -> Any:
    """The kernel for positions as they are recorded; None if they are features."""
    return None if records_features(game) else game.kernel
