"""Networks for games that can be learned, see `game/network.py`."""

from pkgutil import resolve_name
from typing import Any

import numpy as np

from game import LearnedGame, load_game, network
from game.network import Network
from options import InputError

FRAGMENT_DEVIATION = 0.08  # of initial weights: 48 of them add up to a deviation of 0.55
INITIAL_BIAS = 0.3
OUTPUT_DEVIATION = 0.3
# Of games whose own class has no features, because who plays does not need them: a class that has.
LEARNED_CLASSES = {"go": "go.learning:LearnedGo"}


def load_learned(name: str, options: dict[str, Any]) -> LearnedGame:
    """The game of that name, with features. Raises InputError for a game, or options, for which there are none."""
    place = LEARNED_CLASSES.get(name)
    game = resolve_name(place)(**options) if place else load_game(name, **options)
    if not isinstance(game, LearnedGame):
        raise InputError(f"{game.title} has no features to learn from (see `features` in game/verbs/learning.py)")
    return game


def zeros(game: LearnedGame, width: int) -> Network:
    """A network for a game with all weights 0."""
    return network.zeros(game.feature_count, game.feature_buckets, width)


def fresh(game: LearnedGame, width: int, seed: int) -> Network:
    """An untrained network for a game."""
    untrained, rng = zeros(game, width), np.random.default_rng(seed)
    untrained.fragments[:] = rng.normal(0, FRAGMENT_DEVIATION, untrained.fragments.shape)
    untrained.bias[:] = INITIAL_BIAS
    untrained.output[:] = rng.normal(0, OUTPUT_DEVIATION, width)  # the same for each bucket
    return untrained
