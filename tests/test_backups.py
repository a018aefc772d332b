"""The value of a node follows from the nodes below it, on trees small enough to work out by hand."""

from jit import U64  # first: it decides where compiled code is kept

import numpy as np  # isort: skip
import pytest

from agents.uct.tree import pack_links, score_of, visits_of
from game import DRAWN, LOST, SAME_MOVER, WON, load_game
from studies.literature import LiteratureSearcher, LiteratureSettings
from studies.literature.backups import Implicit, Mean, MeanToMinimax, Minimax, count_value, renew_values, value_of
from studies.literature.wide_tree import EXTRAS, allocate_wide

OPEN = U64(0)
IMPLICIT = Implicit(np.float32(0.25), np.zeros(1, np.uint64))


def family(*flags):
    """A tree: root 0, its child 1, and the children of 1 from index 2 on, one for each of these flags."""
    tree = allocate_wide(10, EXTRAS)
    tree.links[0], tree.links[1] = pack_links(0, 1, 1), pack_links(0, 2, len(flags))
    for i, flag in enumerate(flags):
        tree.links[2 + i], tree.stats[2 + i] = pack_links(1, 0, 0), flag
    return tree


def play(backup, tree, *simulations):
    """Simulations through node 1: each ends at a child, with a value for the player to move there."""
    for child, value in simulations:
        path = np.array([0, 1, child], np.int64)
        count_value(tree, path, 2, np.float32(value))
        renew_values(backup, tree, path, 2, np.float32(value))


def test_means_are_seen_by_the_player_who_chose_the_node():
    tree = family(OPEN, OPEN)
    play(Mean(0), tree, (2, 0.3), (3, 0.8), (2, 0.1))
    assert [value_of(Mean(0), tree, node) for node in (1, 2, 3)] == pytest.approx(
        [(0.3 + 0.8 + 0.1) / 3, 1 - 0.2, 1 - 0.8]
    )
    assert visits_of(tree.stats[0]) == 3


def test_values_that_are_no_sixteenths_are_summed_to_the_last_bit():
    tree = family(OPEN)
    play(Mean(0), tree, *((2, 0.99) for _ in range(1000)))
    assert score_of(tree.stats[2]) + tree.rest[2] == pytest.approx(160, abs=0.01)
    assert 0 <= tree.rest[2] < 1
    assert value_of(Mean(0), tree, 2) == pytest.approx(0.01, abs=1e-6)


def test_squares_are_those_of_the_values_for_the_chooser():
    tree = family(OPEN)
    play(Mean(0), tree, (2, 0.25), (2, 1.0))
    assert tree.squares[2] == pytest.approx(0.75**2)
    assert tree.squares[1] == pytest.approx(0.25**2 + 1)


def test_wins_draws_and_losses_follow_from_the_sums_of_results_and_of_their_squares():
    searcher = LiteratureSearcher(load_game("tictactoe"), 100, 1, LiteratureSettings(formula="ucb1_tuned"))
    rng = np.random.default_rng(1)
    for won, drawn, lost in (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (300, 41, 7), (2, 999, 50):
        values = rng.permutation([0.0] * won + [0.5] * drawn + [1.0] * lost)  # for the player to move there
        searcher.tree.stats[:3], searcher.tree.squares[:3] = 0, 0
        play(Mean(0), searcher.tree, *((2, value) for value in values))
        assert searcher.results_of(2) == (won, drawn, lost)
        assert searcher.results_of(1) == (lost, drawn, won)


@pytest.mark.parametrize("settings", [{}, {"backup": "minimax"}, {"formula": "ucb1_tuned", "playouts": 2}], ids=str)
def test_where_results_are_not_told_apart_nothing_is_said_of_them(settings):
    assert LiteratureSearcher(load_game("tictactoe"), 100, 1, LiteratureSettings(**settings)).results_of(2) is None


def test_minimax_is_the_best_childs_value_whatever_the_visits_and_of_a_leaf_their_mean():
    tree = family(OPEN, OPEN, OPEN)
    play(Minimax(0), tree, (2, 0.2), (2, 0.3), (2, 0.4), *[(3, 0.9)] * 9)
    assert value_of(Minimax(0), tree, 2) == pytest.approx(0.7)
    assert value_of(Minimax(0), tree, 1) == pytest.approx(
        1 - 0.7
    )  # who moves in node 1 plays 2; node 4 was not visited
    play(Minimax(0), tree, (4, 0.0))
    assert value_of(Minimax(0), tree, 1) == pytest.approx(0)


def test_minimax_keeps_the_players_where_one_moves_again():
    tree = family(SAME_MOVER, OPEN)
    play(Minimax(0), tree, (2, 0.9), (3, 0.9))
    assert value_of(Minimax(0), tree, 2) == pytest.approx(0.9)
    assert value_of(Minimax(0), tree, 1) == pytest.approx(1 - 0.9)


@pytest.mark.parametrize("backup", [Minimax(0), MeanToMinimax(np.float32(0)), IMPLICIT], ids=lambda b: type(b).__name__)
def test_what_is_resolved_counts_with_its_exact_value_a_child_though_it_was_never_visited(backup):
    for flag, value in ((WON, 0.0), (DRAWN, 0.5), (LOST, 1.0), (WON | SAME_MOVER, 1.0)):
        tree = family(OPEN, flag)
        tree.values[2] = 0.1
        play(backup, tree, (2, 0.9))
        assert tree.values[1] == pytest.approx(1 - max(0.1, value))
    tree.stats[1] |= LOST
    play(backup, tree, (2, 0.5))
    assert tree.values[1] == 1


def test_the_mean_goes_over_into_minimax_as_visits_grow():
    """With weight m and n visits, a node's value is (m mean + n best) / (m + n)."""
    backup, tree = MeanToMinimax(np.float32(4)), family(OPEN, OPEN)
    play(backup, tree, (2, 0.2), (3, 0.6))
    mean, best = (0.2 + 0.6) / 2, 1 - 0.8
    assert value_of(backup, tree, 1) == pytest.approx((4 * mean + 2 * best) / 6)
    play(backup, tree, *((3, 0.6) for _ in range(398)))
    mean = (0.2 + 399 * 0.6) / 400
    assert value_of(backup, tree, 1) == pytest.approx((4 * mean + 400 * best) / 404)


def test_implicit_minimax_weighs_the_mean_of_playouts_and_the_minimax_of_evaluations():
    """The value is (1 - a) Q + a v; v is the best evaluation of all children, visited or not: Lanctot et al. 2014."""
    tree = family(OPEN, OPEN, OPEN)
    tree.values[2:5] = 0.3, 0.8, 0.4  # the game's evaluations
    play(IMPLICIT, tree, (2, 0.0), (2, 0.5))
    assert tree.values[1] == pytest.approx(1 - 0.8)
    assert tree.values[2] == pytest.approx(0.3)  # a playout does not change an evaluation
    assert value_of(IMPLICIT, tree, 2) == pytest.approx(0.75 * 0.75 + 0.25 * 0.3)
    assert value_of(IMPLICIT, tree, 1) == pytest.approx(0.75 * 0.25 + 0.25 * 0.2)
