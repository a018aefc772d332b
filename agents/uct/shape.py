"""The shape of a tree: how many nodes, how deep, how wide."""

from agents.uct.base import Shape
from agents.uct.tree import NODES, ROOT, Tree, child_count_of, parent_of
from jit import jit  # first: it decides where compiled code is kept


@jit
def _depth(tree, node):
    depth = 0
    while node != ROOT:
        node = parent_of(tree.links[node])
        depth += 1
    return depth


@jit
def _shape(tree):
    """Leaves, sum of their depths, largest depth, inner nodes, links; in one pass over the nodes with children."""
    inner, links, depths, deepest = 0, 0, 0, 0
    for node in range(tree.used[NODES]):
        count = child_count_of(tree.links[node])
        if count > 0:
            depth = _depth(tree, node)
            inner += 1
            links += count
            depths += count * (depth + 1) - depth
            deepest = max(deepest, depth + 1)
    return tree.used[NODES] - inner, depths, deepest, inner, links


def measure(tree: Tree) -> Shape:
    """The shape of a tree."""
    leaves, depths, deepest, inner, links = map(int, _shape(tree))
    return Shape(leaves + inner, leaves, depths / max(1, leaves), deepest, links / max(1, inner))
