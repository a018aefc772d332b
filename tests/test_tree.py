"""A node's words hold what is packed into them, up to the limits of every field."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import game
from agents.uct import graph, tree
from jit import U64

PARENTS = st.integers(0, tree.MAX_NODES - 1)
COUNTS = st.integers(0, tree.MAX_CHILDREN)
VISITS = st.integers(0, tree.MAX_VISITS)
FLAGS = st.sampled_from([0, int(game.WON), int(game.LOST | game.IMPLIED), int(game.DRAWN | game.SAME_MOVER)])


@given(PARENTS, PARENTS, COUNTS)
def test_links_word_round_trips_at_its_limits(parent, first, count):
    word = U64(tree.pack_links(parent, first, count))
    assert (tree.parent_of(word), tree.first_child_of(word), tree.child_count_of(word)) == (parent, first, count)


@given(st.data(), FLAGS, VISITS)
def test_stats_word_round_trips_at_its_limits(data, flags, visits):
    score = data.draw(st.integers(0, visits * tree.SCORE_OF_WIN))
    word = U64(tree.pack_stats(score, U64(flags), visits))
    assert (tree.score_of(word), tree.visits_of(word)) == (score, visits)
    all_flags = int(game.RESOLVED | game.IMPLIED | game.SAME_MOVER)
    assert int(word) & all_flags == flags


def test_a_node_is_256_bits():
    small = tree.allocate(100)
    assert sum(array.itemsize for array in small[:4]) == tree.NODE_BYTES == 32
    assert all(array.shape == (100,) and array.dtype == np.uint64 for array in small[:4])
    assert small.used[0] == 1


@pytest.mark.parametrize("arrays", [tree, graph], ids=["tree", "graph"])
def test_capacities_that_links_cannot_address_are_refused(arrays):
    for capacity in (-1, 0, 1, arrays.MAX_NODES, 1 << 40):
        with pytest.raises(ValueError, match=r"a (tree|graph) has 2 to"):
            arrays.allocate(capacity)


def test_value_is_the_mean_score_and_one_half_before_any_visit():
    assert tree.value_of(0) == 0.5
    assert tree.value_of(int(tree.pack_stats(16 + 8, U64(0), 2))) == 0.75
