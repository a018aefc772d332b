"""Moving subtrees together keeps exactly what it should, and a full array stays within its bounds."""

from functools import partial

import pytest

from agents.uct.recycling import compact, visits_that_free
from agents.uct.tree import MAX_VISITS, ROOT, child_count_of, children_of, visits_of
from tests import searches
from tests.trees import assert_links_are_consistent, assert_visits_add_up, payload_of

searched = partial(searches.searched, search="tree", simulations=6_000)


def nested(tree, node=ROOT):
    """The tree below a node as nested dictionaries, without any index."""
    return {
        "payload": payload_of(tree, node),
        "stats": int(tree.stats[node]),
        "children": [nested(tree, child) for child in children_of(tree, node)],
    }


def pruned(twin, least_visits, is_root=True):
    """The slow twin of `compact`, on nested dictionaries."""
    keeps = is_root or twin["stats"] & MAX_VISITS >= least_visits
    children = [pruned(child, least_visits, False) for child in twin["children"]] if keeps else []
    return twin | {"children": children}


def size(twin):
    return 1 + sum(size(child) for child in twin["children"])


def most_visited(tree, node=ROOT):
    return max(children_of(tree, node), key=lambda child: int(visits_of(tree.stats[child])))


@pytest.mark.parametrize("least_visits", [0, 1, 5, 10**6])
@pytest.mark.parametrize("generations", [0, 2])
def test_compacting_keeps_exactly_the_subtree(generations, least_visits):
    tree = searched().tree
    new_root = ROOT
    for _ in range(generations):
        new_root = most_visited(tree, new_root)
    expected = pruned(nested(tree, new_root), least_visits)
    kept = compact(tree, new_root, least_visits)
    assert nested(tree) == expected
    assert kept == tree.used[0] == size(expected)
    assert_links_are_consistent(tree)


def test_searching_goes_on_in_a_compacted_tree_and_its_visits_add_up():
    searcher = searched(capacity=100_000)
    position = searcher.position.play(searcher.best_move())
    expected = int(visits_of(searcher.tree.stats[searcher.best_child().node]))
    compact(searcher.tree, searcher.best_child().node, 0)
    searcher._enter(position)
    searcher.search(simulations=8_000)
    tree = searcher.tree
    assert searcher.simulations == 8_000
    assert visits_of(tree.stats[ROOT]) == expected + 8_000
    assert_visits_add_up(tree)
    assert_links_are_consistent(tree)


def test_a_pruned_leaf_is_expanded_again_when_it_is_visited_again():
    searcher = searched(capacity=100_000)
    before = nested(searcher.tree)["stats"] & MAX_VISITS
    compact(searcher.tree, ROOT, 10**6)
    assert searcher.tree.used[0] == 1 + len(searcher.children())
    searcher.search(simulations=4_000)
    tree = searcher.tree
    assert visits_of(tree.stats[ROOT]) == before + 4_000
    assert any(child_count_of(tree.links[child]) for child in children_of(tree, ROOT))
    assert_links_are_consistent(tree)


@pytest.mark.parametrize("share", [0.1, 0.25, 0.5, 0.75, 0.9])
def test_dropping_below_the_least_visits_frees_at_least_the_asked_share_and_one_visit_less_would_not(share):
    tree, other = searched().tree, searched().tree
    used, least = int(tree.used[0]), visits_that_free(tree, share)
    compact(tree, ROOT, least)
    compact(other, ROOT, least - 1)
    assert 1 - int(tree.used[0]) / used >= share - 1 / used > 0
    assert 1 - int(other.used[0]) / used < share
    assert tree.used[0] > 1
