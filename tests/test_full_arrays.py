"""Full arrays: no search writes outside of them, each search fills them, and recycling frees enough places."""

import numpy as np
import pytest

from agents.uct.graph import graph_of
from agents.uct.graph_searcher import GraphSearcher
from agents.uct.tree import NODE_ARRAYS
from tests.graphs import PENTAGO, assert_consistent, units_in_use
from tests.searches import new_searcher, position_after, searched
from tests.trees import assert_links_are_consistent

GUARD = 0xDE
GUARDS = 600  # records, more than any position has moves
memories = pytest.mark.parametrize("memory", ["stop", "recycle"])


def guarded(searcher):
    """Put a searcher's arrays between guard bytes; return the arrays with their guards."""
    is_graph = isinstance(searcher, GraphSearcher)
    arrays = searcher.graph if is_graph else searcher.tree
    count = 2 if is_graph else NODE_ARRAYS
    whole = [
        np.full((len(array) + 2 * GUARDS) * array.itemsize, GUARD, np.uint8).view(array.dtype)
        for array in arrays[:count]
    ]
    inner = [array[GUARDS:-GUARDS] for array in whole]
    for array, old in zip(inner, arrays[:count], strict=True):
        array[:] = old
    made = graph_of(*inner) if is_graph else type(arrays)(*inner, *arrays[count:])
    setattr(searcher, "graph" if is_graph else "tree", made)
    return whole


def assert_sound(searcher, capacity):
    """Check that links lead where they should, and that no more places are used than exist."""
    if isinstance(searcher, GraphSearcher):
        assert units_in_use(searcher.graph) <= len(searcher.graph.edges)
        assert_consistent(searcher.graph, PENTAGO)
    else:
        assert searcher.tree.used[0] <= capacity
        assert_links_are_consistent(searcher.tree)


@memories
@pytest.mark.parametrize(
    ("search", "capacity", "settings"),
    [
        *(("tree", capacity, {}) for capacity in (289, 290, 577, 1_000, 3_000)),
        *(("graph", capacity, {}) for capacity in (292, 1_200)),
        ("graph", 293, {"stored": 1}),
        ("graph", 700, {"transpositions": False}),
    ],
)
def test_full_arrays_never_exceed_their_capacity_nor_are_others_written(search, capacity, settings, memory):
    searcher = new_searcher(search, capacity=capacity, memory=memory, reuse=True, **settings)
    arrays = guarded(searcher)
    position = PENTAGO.initial()
    for _ in range(3):
        searcher.advance(position)
        searcher.search(simulations=1_500)
        assert (searcher.simulations == 1_500) == (memory == "recycle" or search == "tree")
        position = position.play(searcher.best_move())
    assert_sound(searcher, capacity)
    for array in arrays:
        assert np.all(array[:GUARDS].view(np.uint8) == GUARD)
        assert np.all(array[-GUARDS:].view(np.uint8) == GUARD)


@memories
def test_small_arrays_are_used_to_the_full(memory):
    tree = searched(None, 20_000, search="tree", capacity=3_000, memory=memory)
    graph = searched(position_after(PENTAGO, 6, 1), 10_000, capacity=2_000, memory=memory)
    for searcher in (tree, graph):
        assert (searcher.recyclings > 0) == (memory == "recycle")
    if memory == "stop":
        assert tree.tree.used[0] > 3_000 - 2 * 288
        assert len(graph.graph.edges) - units_in_use(graph.graph) < 5 * 288 + 12


@pytest.mark.parametrize(("search", "capacity"), [("tree", 700), ("graph", 400)])
def test_freeing_places_again_and_again_never_overflows_tiny_arrays(search, capacity):
    how = {"search": search, "capacity": capacity, "memory": "recycle"}
    searcher, recyclings = searched(position_after(PENTAGO, 6, 1), 1, **how), 0
    for _ in range(20):
        searcher.search(simulations=2_000)
        assert (searcher.simulations, searcher.was_full) == (2_000, False)
        recyclings += searcher.recyclings
        assert_sound(searcher, capacity)
    assert recyclings > 20
    if search == "tree":  # a graph's root may be visited by what is below it
        assert searcher._root_visits == 40_001


@pytest.mark.parametrize(("search", "plies", "simulations", "depth"), [("tree", 0, 50_000, 2), ("graph", 12, 3_000, 3)])
def test_a_path_never_grows_beyond_its_array(search, plies, simulations, depth):
    """The path has four places between guards, and the search writes to no guard."""
    searcher, whole = new_searcher(search, capacity=100_000), np.full((2, 12), GUARD)
    if search == "tree":
        searcher._path = whole[0, 4:8]
    else:
        searcher._work = searcher._work._replace(nodes=whole[0, 4:8], edges=whole[1, 4:8])
    searcher.begin(position_after(PENTAGO, plies, 3))
    searcher.search(simulations=simulations)
    assert searcher.shape().depth_max == depth
    assert np.all(np.delete(whole, range(4, 8), axis=1) == GUARD)
    assert_sound(searcher, 100_000)


@pytest.mark.parametrize(("search", "least"), [("tree", 289), ("graph", 292)])
def test_arrays_without_room_for_the_children_of_the_root_are_refused(search, least):
    for capacity in (2, 96, least - 1):
        with pytest.raises(ValueError, match=f"at least {least}"):
            new_searcher(search, capacity=capacity)
