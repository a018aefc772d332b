"""What a leaf is worth in a search by a `Method`: playouts, the game's evaluation, or a mixture of both."""

from typing import NamedTuple

from jit import dispatched, give_body, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

import game
from agents.uct.rave import Rave
from agents.uct.search import playout_with_amaf, playouts_of_leaf, value_of_leaf
from agents.uct.selection import UCB1
from agents.uct.tree import SCORE_OF_WIN
from studies.literature.bounds import Dailey, EpsilonGreedy, Tuned
from studies.literature.method import Method

_WORTH_A_WIN = np.float32(1.0 / SCORE_OF_WIN)


class Leaf(NamedTuple):
    """How a leaf is valued; plain numbers, so that one compilation serves all.

    Attributes:
        playouts: the number of playouts; they count as one visit of the leaf, whose value is their mean.
        share: float32 from 0 to 1, the weight of the playouts against the evaluation; with 0 none are made.
        scratch: a state, working space.
    """

    playouts: int
    share: np.float32
    scratch: np.ndarray


@dispatched
def play_out(bound, kernel, tree, path, depth, state, rng):
    """A playout from the leaf path[depth]: its value for the player to move there, float32; spoils `state`."""


def _play_out(bound, kernel, tree, path, depth, state, rng):
    return game.playout(kernel, state, rng)


@jit
def _play_out_with_amaf(bound, kernel, tree, path, depth, state, rng):
    return np.float32(playout_with_amaf(bound, kernel, tree, path, depth, state, rng)) * _WORTH_A_WIN


@jit
def _value_of_leaf(method, kernel, tree, path, depth, state, rng):
    leaf = method.leaf
    value = np.float32(0)
    if leaf.share < np.float32(1):
        value = (np.float32(1) - leaf.share) * game.evaluate(kernel, state)
    if leaf.share > np.float32(0):
        total = np.float32(0)
        for _ in range(leaf.playouts):
            game.begin(kernel, leaf.scratch, state)
            total += play_out(method.bound, kernel, tree, path, depth, leaf.scratch, rng)
        value += leaf.share * (total / np.float32(leaf.playouts))
    return value


@jit(inline="always")
def _playouts_of_leaf(method):
    return method.leaf.playouts if method.leaf.share > np.float32(0) else 0


give_body(value_of_leaf, Method, _value_of_leaf)
give_body(playouts_of_leaf, Method, _playouts_of_leaf)
for _bound in (UCB1, Dailey, EpsilonGreedy, Tuned, Rave):
    give_body(play_out, _bound, _play_out_with_amaf if _bound is Rave else _play_out)
