"""A tree whose nodes have more than 256 bits, for searches that keep more than scores and visits."""

from collections.abc import Collection
from typing import NamedTuple

from jit import give_body, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.uct.rave import add_amaf
from agents.uct.recycling import move_extras
from agents.uct.search import swap_extras
from agents.uct.tree import allocate

EXTRAS = {"rest": np.float32, "values": np.float32, "squares": np.float64, "amaf": np.uint64}


class WideTree(NamedTuple):
    """The arrays of a tree, the first five as in `agents.uct.tree.Tree`.

    Each of the other arrays is as long as these if the search wants it, else empty. Its values, like the score, are
    seen by the player who chose the node.

    Attributes:
        rest: float32, what a node's score has beyond the sixteenths in `stats`; for values that are no sixteenths.
        values: float32, a node's value by the rule of the backup, see `backups.py`.
        squares: float64, the sum of the squares of the values of a node's visits.
        amaf: uint64, AMAF counts, for games whose payloads have no room for them, see `agents/uct/rave.py`.
    """

    payload0: np.ndarray
    payload1: np.ndarray
    links: np.ndarray
    stats: np.ndarray
    used: np.ndarray
    rest: np.ndarray
    values: np.ndarray
    squares: np.ndarray
    amaf: np.ndarray


def allocate_wide(capacity: int, extras: Collection[str]) -> WideTree:
    """A tree with room for `capacity` nodes and these extra arrays, names of EXTRAS; every page is touched."""
    wanted = {name: np.empty(capacity * (name in extras), kind) for name, kind in EXTRAS.items()}
    for array in wanted.values():
        array.fill(0)
    return WideTree(*allocate(capacity), **wanted)


@jit(inline="always")
def _swap(tree, i, j):
    if len(tree.values) > 0:
        tree.values[i], tree.values[j] = tree.values[j], tree.values[i]


@jit(inline="always")
def _move(tree, source, target):
    if len(tree.rest) > 0:
        tree.rest[target] = tree.rest[source]
    if len(tree.values) > 0:
        tree.values[target] = tree.values[source]
    if len(tree.squares) > 0:
        tree.squares[target] = tree.squares[source]
    if len(tree.amaf) > 0:
        tree.amaf[target] = tree.amaf[source]


@jit(inline="always")
def amaf_of(tree, node):
    """A node's word of AMAF counts, see `add_amaf`."""
    return tree.amaf[node] if len(tree.amaf) > 0 else tree.payload1[node]


@jit(inline="always")
def _add_amaf(tree, node, gain):
    if len(tree.amaf) > 0:
        tree.amaf[node] += gain
    else:
        tree.payload1[node] += gain


give_body(swap_extras, WideTree, _swap)
give_body(move_extras, WideTree, _move)
give_body(add_amaf, WideTree, _add_amaf)
