"""Checks of the trees of compiled searches: that they equal the slow twins' and are consistent."""

from typing import Any

import numpy as np

from agents.uct.tree import ROOT, child_count_of, children_of, parent_of, score_of, visits_of
from game import IMPLIED, RESOLVED, SAME_MOVER
from studies.literature.wide_tree import WideTree
from tests.slow.uct import Node, flags_of

ALL_FLAGS = int(RESOLVED | IMPLIED | SAME_MOVER)


def payload_of(tree: Any, node: int) -> tuple[int, int]:
    """The payload of a node."""
    return int(tree.payload0[node]), int(tree.payload1[node])


def assert_same_tree(searcher: Any, twin: Any) -> None:
    """Check that the trees of two searches are equal, with AMAF counts and the sums of wide trees."""
    assert visits_of(searcher.tree.stats[ROOT]) == twin.root.visits
    assert _same_nodes(searcher.tree, ROOT, twin, twin.root) == searcher.tree.used[0] == twin.nodes


def _same_nodes(tree: Any, node: int, twin: Any, of_twin: Node) -> int:
    """Compare from a node down; returns the number of nodes compared."""
    word, score = tree.stats[node], 16 * of_twin.score
    if isinstance(tree, WideTree):
        sums = twin.sums[of_twin]
        score = sums.score
        assert not len(tree.rest) or tree.rest[node] == sums.rest
        assert not len(tree.squares) or tree.squares[node] == sums.squares
        assert not len(tree.values) or tree.values[node] == sums.value or node == ROOT  # nobody chose the root
    assert (visits_of(word), score_of(word), int(word) & ALL_FLAGS) == (of_twin.visits, score, flags_of(of_twin))
    if node != ROOT:
        assert payload_of(tree, node) == _payload_with_amaf(tree, node, twin, of_twin)
    children = children_of(tree, node)
    compared = 1
    for child, twin_child in zip(children, of_twin.children, strict=True):
        assert parent_of(tree.links[child]) == node
        compared += _same_nodes(tree, child, twin, twin_child)
    return compared


def _payload_with_amaf(tree: Any, node: int, twin: Any, of_twin: Node) -> tuple[int, int]:
    """The payload that a node should have: the twin's, with AMAF counts unless these have an array of their own."""
    visits, score = twin.amaf[of_twin] if hasattr(twin, "amaf") else (0, 0)
    payload: tuple[int, int] = of_twin.move
    amaf = score << 32 | visits
    if isinstance(tree, WideTree) and len(tree.amaf):
        assert tree.amaf[node] == amaf
        return payload
    return (payload[0], amaf) if amaf else payload


def assert_links_are_consistent(tree: Any) -> None:
    """Every node but the root is in its parent's family, at a later place; families cover the array without overlap."""
    used = int(tree.used[0])
    assert parent_of(tree.links[ROOT]) == ROOT
    seen = np.zeros(used, np.int64)
    for node in range(used):
        for child in children_of(tree, node):
            assert node < child < used
            assert parent_of(tree.links[child]) == node
            seen[child] += 1
    assert seen[ROOT] == 0
    assert np.all(seen[1:] == 1)


def assert_visits_add_up(tree: Any) -> None:
    """An open node with children has as many visits as all children together, and one from before they were made."""
    for node in range(int(tree.used[0])):
        if child_count_of(tree.links[node]) and not tree.stats[node] & RESOLVED:
            below = sum(int(visits_of(tree.stats[child])) for child in children_of(tree, node))
            assert visits_of(tree.stats[node]) == below + 1
