"""Making room in a graph keeps what is reached along well-visited moves, and a full graph stays within its bounds."""

import pytest

from agents.uct.graph import EDGES, NODES
from agents.uct.graph_recycling import compact, visits_that_free
from game import RESOLVED
from tests.graphs import (
    BUSY,
    DEFENCE,
    PENTAGO,
    all_nodes,
    assert_consistent,
    assert_every_node_is_found,
    index_of,
    lists_and_blocks,
    owners_of,
    units_in_use,
)
from tests.searches import position_after, searched


def by_state(graph):
    """Every node by its state; edges name the state of their child, not its place."""
    nodes = all_nodes(graph)
    states = [None, *(view.state for view in nodes)]
    return {
        view.state: view._replace(edges=view.edges and tuple(e._replace(child=states[e.child]) for e in view.edges))
        for view in nodes
    }


def pruned(nodes, root, least_visits):
    """The slow twin of `compact`, on the nodes that `by_state` returns."""
    kept, waiting = {}, [root]
    while waiting:
        state = waiting.pop()
        if state in kept:
            continue
        view = nodes[state]
        if state != root and (view.visits < least_visits or view.flags & int(RESOLVED)):
            view = view._replace(edges=None, tried=0, truncated=False)
        kept[state] = view
        waiting += [edge.child for edge in view.edges or () if edge.child is not None]
    return kept


def assert_sound(searcher):
    assert_consistent(searcher.graph, searcher.game)
    assert_every_node_is_found(searcher.graph)


@pytest.mark.parametrize("least_visits", [0, 2, 5, 40, 10**6])
@pytest.mark.parametrize("plies", [0, *(pytest.param(more, marks=pytest.mark.slow) for more in (1, 2))])
def test_compacting_keeps_exactly_what_is_reached(plies, least_visits):
    searcher = searched(BUSY, 4_000)
    graph, nodes = searcher.graph, by_state(searcher.graph)
    root = tuple(map(int, searcher.game.state(searcher.position)))
    for _ in range(plies):
        root = max((e for e in nodes[root].edges if e.child), key=lambda edge: edge.visits).child
    graph.root[0] = index_of(graph, root)
    expected = pruned(nodes, root, least_visits)
    compact(graph, least_visits)
    assert by_state(graph) == expected
    assert index_of(graph, root) == graph.root[0]
    assert_sound(searcher)


def test_compacting_leaves_no_edges_that_nobody_has():
    graph = searched(BUSY, 4_000, stored=2).graph  # where both are refuted, other edges replace them
    assert set(owners_of(graph)) > places_in_use(graph)
    compact(graph, 0)
    assert set(owners_of(graph)) == places_in_use(graph)


def places_in_use(graph):
    """The places of all lists and blocks that belong to a node."""
    return {place for index in range(1, int(graph.used[NODES])) for place, _ in lists_and_blocks(graph, index)}


def test_a_search_goes_on_after_making_room():
    searcher = searched(position_after(PENTAGO, 8, 1), 1_500)
    compact(searcher.graph, 10)
    kept = {state: view.visits for state, view in by_state(searcher.graph).items()}
    searcher.search(simulations=1_500)
    assert searcher.simulations == 1_500
    nodes = by_state(searcher.graph)
    assert all(nodes[state].visits >= visits for state, visits in kept.items())
    regrown = [state for state, view in nodes.items() if state in kept and view.edges and view.visits > kept[state]]
    assert len(regrown) > 20
    assert_sound(searcher)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_dropping_below_the_least_visits_frees_about_the_asked_share_and_no_less_would_do(share):
    graph, other = (searched(position_after(PENTAGO, 6, 2), 4_000).graph for _ in range(2))
    used, least = units_in_use(graph), visits_that_free(graph, share)
    compact(graph, least)
    compact(other, least - 1)

    assert 1 - units_in_use(other) / used < share
    assert 1 - units_in_use(graph) / used >= 0.8 * share
    assert graph.used[EDGES] > 1


# --- Bounds ---------------------------------------------------------------------------------------------------------


def test_a_full_graph_that_is_to_stop_ends_its_search_and_says_so():
    searcher = searched(position_after(PENTAGO, 6, 1), 10_000, capacity=1_000)
    assert 500 < searcher.simulations < 10_000
    assert searcher.was_full
    move = searcher.best_move()
    searcher.search(simulations=10)
    assert (searcher.simulations, searcher.was_full, searcher.best_move()) == (0, True, move)
    searcher.begin(PENTAGO.initial())
    searcher.search(simulations=10)
    assert (searcher.simulations, searcher.was_full) == (10, False)


def test_a_recycled_graph_plays_no_move_that_is_known_to_lose():
    searcher = searched(DEFENCE, 600, capacity=292, memory="recycle")
    assert searcher.recyclings > 0
    outcomes = {child.outcome for child in searcher.children()}
    assert outcomes == {"loss"} or searcher.best_child().outcome != "loss"
