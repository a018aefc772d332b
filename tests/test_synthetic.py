"""Synthetic trees are games like others, and the values and moves that they call right are right."""

import random

import pytest

import studies.synthetic.game  # noqa: F401 (which registers the games)
from game import FIRST, load_game, perft
from studies.synthetic.minimax import EVALUATION, exact_values, leaves_of_alphabeta, minimax_move
from studies.synthetic.rules import mover_has_won
from tests import contract
from tests.searches import worth

TREES = {"critical_tree": {"branching": 3, "depth": 6, "rate": 0.5}, "p_game": {"branching": 3, "depth": 6}}


def tree_called(name, **options):
    return load_game(name, **TREES[name] | options)


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("name", TREES)
def test_contract(name, check):
    check(tree_called(name))


@pytest.mark.parametrize("name", TREES)
def test_exact_values_are_those_of_a_search_to_the_leaves(name):
    for seed in range(5):
        tree = tree_called(name, tree=seed)
        start, known = tree.initial(), {}
        assert exact_values(tree) == [1 - worth(start.play(move), known) for move in start.legal_moves()]


@pytest.mark.parametrize(("branching", "depth"), [(2, 1), (2, 6), (5, 3), (8, 4)])
def test_alphabeta_looks_at_some_leaves_of_a_p_game_and_never_at_one_twice(branching, depth):
    for seed in range(5):
        leaves = leaves_of_alphabeta(load_game("p_game", branching=branching, depth=depth, tree=seed))
        assert branching ** (depth // 2) <= leaves <= branching**depth


def test_nodes_of_a_critical_tree_say_who_wins():
    tree, rng, known = tree_called("critical_tree"), random.Random(1), {}
    for _ in range(50):
        position = tree.initial()
        while position.result is None:
            assert mover_has_won(position.words) == (worth(position, known) == 1)
            position = position.play(rng.choice(position.legal_moves()))


@pytest.mark.parametrize("rate", [0.0, 0.5, 1.0])
def test_only_one_move_at_the_root_is_right_and_elsewhere_as_many_as_the_critical_rate_says(rate):
    trees = [load_game("critical_tree", branching=4, depth=4, rate=rate, tree=seed) for seed in range(300)]
    assert all(sorted(exact_values(tree)) == [0, 0, 0, 1] for tree in trees)
    thrown_away = 0
    for tree in trees:
        right = tree.initial().play(exact_values(tree).index(1))
        reply = right.play(0)  # the second player has lost: all replies are alike
        assert worth(reply) == 1 and reply.to_move == FIRST
        thrown_away += sum(worth(reply.play(move)) == 1 for move in range(4))
    assert abs(thrown_away / len(trees) - 3 * rate) < 0.2


def test_minimax_to_the_end_and_minimax_of_true_values_are_right():
    for seed in range(20):
        tree = load_game("critical_tree", branching=3, depth=5, tree=seed)
        for depth in (1, 5):
            assert exact_values(tree)[minimax_move(tree, depth, EVALUATION, seed)] == 1


def test_noise_makes_minimax_of_one_ply_wrong_now_and_then():
    right = 0
    for seed in range(200):
        tree = load_game("critical_tree", branching=2, depth=20, tree=seed, noise=2.0)
        right += exact_values(tree)[minimax_move(tree, 1, EVALUATION, seed)] == 1
    assert 0.6 < right / 200 < 0.95  # P(two normal errors of deviation 2 differ by less than 2) = 0.76


def test_every_node_has_as_many_children_as_asked_for():
    assert perft(tree_called("p_game").initial(), 6) == 3**6
