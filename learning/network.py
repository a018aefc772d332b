"""Networks for games that can be learned, see `game/network.py`."""

import numpy as np

from game import Game, LearnedGame, network
from game.network import Network
from options import InputError

FRAGMENT_DEVIATION = 0.08  # of initial weights: 48 of them add up to a deviation of 0.55
INITIAL_BIAS = 0.3
OUTPUT_DEVIATION = 0.3


def learned_game(game: Game) -> LearnedGame:
    """The game, if it has features to learn from. Raises InputError."""
    if not isinstance(game, LearnedGame):
        raise InputError(f"{game.title} has no features to learn from (see `features` in game/verbs/learning.py)")
    return game


def zeros(game: Game, width: int) -> Network:
    """A network for a game with all weights 0. Raises InputError for a game without features."""
    learned = learned_game(game)
    return network.zeros(learned.feature_count, learned.feature_buckets, width)


def fresh(game: Game, width: int, seed: int) -> Network:
    """An untrained network for a game. Raises InputError for a game without features."""
    untrained = zeros(game, width)
    make_fresh(untrained, FRAGMENT_DEVIATION, seed)
    return untrained


def make_fresh(network: Network, deviation: float, seed: int) -> None:
    """Set a network to untrained random weights; `deviation` is the standard deviation of its fragments."""
    rng = np.random.default_rng(seed)
    network.fragments[:] = rng.normal(0, deviation, network.fragments.shape)
    network.bias[:] = INITIAL_BIAS
    network.output[:] = rng.normal(0, OUTPUT_DEVIATION, network.width)  # the same for each bucket
