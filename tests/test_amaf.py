"""All moves as first in games whose payload is the position: numbers of moves, traces of playouts, counts."""

import random

from jit import new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip
import pytest

import game
from agents.uct.tree import ROOT, visits_of
from game import load_game
from studies.literature import LiteratureSearcher, LiteratureSettings
from tests import contract
from tests.searches import position_after
from tests.slow.methods import SlowRaveMethods

PENTAGO = load_game("pentago")


def test_a_move_of_pentago_has_the_number_of_its_cell_and_turn():
    position = position_after(PENTAGO, 7, 1)
    for child in contract.children_of(PENTAGO, position):
        number = int(contract.move_number(PENTAGO.kernel, child.word0, child.word1))
        move = PENTAGO.move_of(position, int(child.word0), int(child.word1))
        assert number == move.code


def test_the_last_move_of_a_game_is_traced_by_its_number():
    """With one empty cell left, the playout is one of eight moves; played on the board it has the playout's result."""
    rng, results = random.Random(5), set()
    for seed in range(60):
        position = position_after(PENTAGO, 35, rng.random())
        trace = np.zeros(PENTAGO.amaf_moves, np.uint8)
        state = contract.copied(PENTAGO, PENTAGO.state(position))
        value = contract.traced_playout(PENTAGO.kernel, state, new_rng(seed), trace)
        (number,) = np.flatnonzero(trace)
        (move,) = (move for move in position.legal_moves() if move.code == number)
        winner = position.play(move).result.winner
        assert trace[number] == 1
        assert value == (0.5 if winner is None else float(winner == position.to_move))
        results.add(float(value))
    assert len(results) >= 2


def test_pentago_says_nothing_of_owners():
    assert not game.offers(PENTAGO.kernel, game.tally)
    searcher = LiteratureSearcher(PENTAGO, 20_000, 1, LiteratureSettings(formula="rave", c=0.0))
    assert searcher.ownership() is None


@pytest.mark.slow
def test_the_tree_of_rave_in_pentago_equals_the_slow_twins():
    settings = LiteratureSettings(formula="rave", c=0.2, equivalence=300.0, memory="stop")
    for plies in (0, 20):
        position = position_after(PENTAGO, plies, 1)
        searcher = LiteratureSearcher(PENTAGO, 60_000, 1, settings)
        searcher.begin(position)
        searcher.search(simulations=400)
        twin = SlowRaveMethods(PENTAGO, position, settings, new_rng(1), 60_000)
        for _ in range(searcher.simulations):
            twin.simulate()
        assert visits_of(searcher.tree.stats[ROOT]) == twin.root.visits == searcher.simulations > 100
        assert assert_same_counts(searcher, twin, ROOT, twin.root) > 1000


def assert_same_counts(searcher, twin, node, of_twin):
    """Compare visits, scores and AMAF counts from a node down; returns the number of nodes compared."""
    tree = searcher.tree
    amaf = int(tree.amaf[node])
    if node != ROOT:
        assert (amaf >> 32, amaf % 2**32) == tuple(reversed(twin.amaf[of_twin]))
    assert visits_of(tree.stats[node]) == of_twin.visits
    children = searcher.children_of(node)
    assert len(children) == len(of_twin.children)
    pairs = zip(children, of_twin.children, strict=True)
    return 1 + sum(assert_same_counts(searcher, twin, child, twin_child) for child, twin_child in pairs)
