"""Keeping the useful part of a tree: it moves to the front of the array, in place and in one pass.

Used when the game goes on (the subtree under the new position becomes the tree) and when the array is full (subtrees
that were visited least make room). It relies on two facts: a node stands behind its parent, and siblings stand side by
side.
"""

from jit import dispatched, give_body, jit  # first: it decides where compiled code is kept

import numpy as np  # isort: skip

from agents.uct.tree import (
    MAX_NODES,
    NODES,
    ROOT,
    Tree,
    child_count_of,
    first_child_of,
    pack_links,
    parent_of,
    visits_of,
)

FREED_SHARE = 0.5  # the share of the places that recycling a full array frees

_NOBODY = MAX_NODES - 1  # written as the parent of a node to drop; `tree.allocate` never makes so many nodes
_HISTOGRAM_SIZE = 1 << 12


@jit
def _adopt(tree, links, parent):
    """Write a new parent into the children named by a links word."""
    first = first_child_of(links)
    for child in range(first, first + child_count_of(links)):
        own = tree.links[child]
        tree.links[child] = pack_links(parent, first_child_of(own), child_count_of(own))


@dispatched
def move_extras(tree, source, target):
    """Move what a node has in arrays other than those of `Tree` to another place."""


def _move_nothing(tree, source, target):
    pass


give_body(move_extras, Tree, _move_nothing)


@jit
def compact(tree, new_root, least_visits):
    """Keep `new_root`, which becomes the root, and below it the children of nodes with at least that many visits.

    A node whose children are dropped becomes a leaf and keeps its statistics. Returns the number of nodes kept.
    """
    kept = np.int64(0)
    for node in range(tree.used[NODES]):
        links = tree.links[node]
        parent = parent_of(links)
        if node != new_root and (node <= new_root or parent == _NOBODY):
            _adopt(tree, links, _NOBODY)
            continue
        if node == new_root:
            parent = ROOT
        elif first_child_of(tree.links[parent]) == node:
            family = tree.links[parent]
            tree.links[parent] = pack_links(parent_of(family), kept, child_count_of(family))
        if visits_of(tree.stats[node]) >= least_visits or node == new_root:
            _adopt(tree, links, kept)
            tree.links[kept] = pack_links(parent, first_child_of(links), child_count_of(links))
        else:
            _adopt(tree, links, _NOBODY)
            tree.links[kept] = pack_links(parent, 0, 0)
        tree.payload0[kept] = tree.payload0[node]
        tree.payload1[kept] = tree.payload1[node]
        tree.stats[kept] = tree.stats[node]
        move_extras(tree, node, kept)
        kept += 1
    tree.used[NODES] = kept
    return kept


def visits_that_free(tree: Tree, share: float) -> int:
    """The least v such that dropping the children of all nodes with fewer than v visits frees that share of nodes."""
    return int(_visits_that_free(tree, share, np.zeros(_HISTOGRAM_SIZE, np.int64)))


@jit
def _visits_that_free(tree, share, freed):
    """As `visits_that_free`; `freed` is int64[_HISTOGRAM_SIZE], all zero."""
    for node in range(1, tree.used[NODES]):
        visits = min(visits_of(tree.stats[node]), _HISTOGRAM_SIZE - 1)
        freed[visits] += child_count_of(tree.links[node])
    wanted, total = np.int64(share * tree.used[NODES]), np.int64(0)
    for visits in range(_HISTOGRAM_SIZE):
        total += freed[visits]
        if total >= wanted:
            return visits + 1
    return _HISTOGRAM_SIZE
