"""The search grows the tree that the method's definition grows, node by node, and proves what is true."""

import random

import numpy as np
import pytest

from agents.outcomes import name_for_chooser
from agents.uct import search
from agents.uct.searcher import Searcher
from agents.uct.selection import FEW, choose_ucb1, ucb1
from agents.uct.settings import TreeSettings
from agents.uct.tree import ROOT, allocate, pack_stats, parent_of, score_of, visits_of
from game import DRAWN, IMPLIED, LOST, VISIT_BITS, WON, load_game
from jit import U64, new_rng
from tests.extra_turn_nim import mover_wins
from tests.searches import exact_value, position_after, searched
from tests.slow.uct import Float32Search, SlowSearch
from tests.trees import assert_same_tree, payload_of


@pytest.mark.parametrize(
    ("name", "plies", "simulations", "capacity"),
    [
        ("pentago", 0, 3000, 50_000),
        ("pentago", 18, 3000, 50_000),
        ("pentago", 30, 2000, 50_000),
        ("pentago", 6, 2000, 2_000),  # the array is full on the way
        ("tictactoe", 0, 3000, 10_000),
        ("tictactoe", 3, 500, 10_000),
        ("extra_turn_nim", 0, 500, 10_000),
        ("kalah", 4, 3000, 10_000),
    ],
)
def test_tree_equals_the_slow_twins(name, plies, simulations, capacity):
    game = load_game(name, **({"pits": 4, "stones": 3} if name == "kalah" else {}))
    for seed in (1, 2):
        position = position_after(game, plies, seed)
        searcher = Searcher(game, capacity, seed, TreeSettings(c=0.8, memory="stop"))
        searcher.begin(position)
        twin = SlowSearch(game, position, 0.8, new_rng(seed), capacity)
        for _ in range(4):
            before = visits_of(searcher.tree.stats[ROOT])
            searcher.search(simulations=simulations // 4)
            for _ in range(int(visits_of(searcher.tree.stats[ROOT]) - before)):
                twin.simulate()
        assert_same_tree(searcher, twin)
        assert payload_of(searcher.tree, searcher.best_child().node) == twin.best_child(twin.root).move


@pytest.mark.parametrize("name", ["tictactoe", "extra_turn_nim"])
def test_tree_equals_that_of_plain_python_on_positions_for_people(name):
    """With playouts and random numbers in plain Python too: `agents/plain/uct.py` as it is, but for float32."""
    game = load_game(name)
    searcher = Searcher(game, 10_000, 3, TreeSettings(memory="stop"))
    searcher.begin(game.initial())
    searcher.search(simulations=1_000)
    plain = Float32Search(game, seed=3)
    plain.begin(game.initial())
    plain.run(1_000)

    def look(node, twin):
        word, children = searcher.tree.stats[node], searcher.children_of(node)
        yield (visits_of(word), score_of(word) / 16, name_for_chooser(word)) == (twin.visits, twin.score, twin.outcome)
        for child, twin_child in zip(children, twin.children, strict=True):
            assert game.move_of(twin.position, *payload_of(searcher.tree, child)) == twin_child.move
            yield from look(child, twin_child)

    found = list(look(ROOT, plain.root))
    assert all(found)
    assert len(found) == plain.nodes == searcher.tree.used[0] > 100
    assert (searcher.simulations, searcher.playouts) == (plain.simulations, plain.playouts)
    assert searcher.best_move() == plain.best_child(plain.root).move


def test_every_proof_in_tictactoe_is_the_exact_value():
    game, known = load_game("tictactoe"), {}
    exact_value(game.initial(), known)
    open_positions = [position for position in known if position.result is None]
    rng = random.Random(3)
    searcher = Searcher(game, 200_000, 1)
    for position in [game.initial(), *rng.sample(open_positions, 300)]:
        searcher.begin(position)
        searcher.search(simulations=50_000)
        value = known[position] if position.to_move == 0 else -known[position]
        if searcher.proven is None:  # it stops as well when all moves but one are proved to lose
            others = [child.outcome for child in searcher.children()]
            assert others.count("loss") == len(others) - 1
        else:
            assert searcher.proven == {1: "win", 0: "draw", -1: "loss"}[value]
        after = known[position.play(searcher.best_move())]
        assert (after if position.to_move == 0 else -after) == value


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize(
    ("search", "leaf"),
    [("tree", "auto"), *(pytest.param("graph", leaf, marks=pytest.mark.slow) for leaf in ("evaluation", "playout"))],
)
def test_proofs_are_right_where_a_player_may_move_again(search, leaf, misere):
    proofs = 0
    for heap in range(1, 22):
        game = load_game("extra_turn_nim", heap=heap, misere=misere)
        searcher = searched(None, 40_000, search=search, game=game, capacity=100_000, seed=heap, leaf=leaf)
        assert searcher.is_settled
        assert searcher.proven in (None, "win" if mover_wins(heap, misere) else "loss")
        proofs += searcher.proven is not None
    assert proofs >= 15  # for the others, all moves but one are proved to lose, which ends the search as well


@pytest.mark.slow
def test_pentago_endings_are_proved_as_the_rules_say():
    game = load_game("pentago")
    rng = random.Random(4)
    proofs = set()
    for seed in range(12):
        position = position_after(game, 34, rng.random())
        known = {}
        value = exact_value(position, known)
        value = value if position.to_move == 0 else -value
        searcher = Searcher(game, 200_000, seed)
        searcher.begin(position)
        searcher.search(simulations=100_000)
        after = known[position.play(searcher.best_move())]
        assert (after if position.to_move == 0 else -after) == value
        if searcher.proven:
            assert searcher.proven == {1: "win", 0: "draw", -1: "loss"}[value]
            proofs.add(searcher.proven)
    assert len(proofs) >= 2


# --- Selection ------------------------------------------------------------------------------------------------------


def tree_of(*children):
    """A tree whose first nodes have these scores, flags and visits."""
    tree = allocate(max(2, len(children)))
    tree.stats[: len(children)] = [pack_stats(score, flags, visits) for score, flags, visits in children]
    return tree


def test_untried_children_come_before_all_tried_ones():
    tree = tree_of((0, WON, 0), (160, U64(0), 10), (0, U64(0), 0), (0, U64(0), 0))
    assert choose_ucb1(ucb1(1.0), tree, 0, 4, 11) == 2


def test_resolved_children_are_never_chosen():
    tree = tree_of((1600, LOST, 100), (0, U64(0), 50), (800, DRAWN, 100), (160, WON | IMPLIED, 10))
    assert choose_ucb1(ucb1(1.0), tree, 0, 4, 261) == 1


@pytest.mark.parametrize("parent_visits", [300, 70_000])
def test_choice_is_the_argmax_of_the_formula(parent_visits):
    rng = np.random.default_rng(1)
    for _ in range(200):
        count = int(rng.integers(1, 290))
        visits = rng.integers(1, 200, count)
        scores = (rng.random(count) * visits * 16).astype(np.int64)
        tree = tree_of(*((s, U64(0), v) for s, v in zip(scores, visits, strict=True)))
        c = float(rng.random() * 2)
        bounds = scores / visits / 16 + c * np.sqrt(np.log(parent_visits) / visits)
        chosen = choose_ucb1(ucb1(c), tree, 0, count, parent_visits)
        assert bounds[chosen] == pytest.approx(bounds.max(), rel=1e-5)


@pytest.mark.parametrize("most_visits", [200, 1_000_000])
def test_few_children_are_chosen_among_as_many_are(most_visits):
    rng = np.random.default_rng(2)
    for _ in range(200):
        count = int(rng.integers(2, FEW))
        visits = rng.integers(1, most_visits, count)
        scores = (rng.random(count) * visits * 16).astype(np.int64)
        few = [(s, U64(0), v) for s, v in zip(scores, visits, strict=True)]
        many = few + [(0, WON, 1)] * FEW  # which are resolved
        chosen = {
            choose_ucb1(ucb1(0.3), tree_of(*children), 0, len(children), int(visits.sum())) for children in (few, many)
        }
        assert len(chosen) == 1


def test_flags_stand_above_the_visits():
    assert int(WON) == 1 << VISIT_BITS


def test_a_path_never_grows_beyond_its_array():
    game = load_game("pentago")
    searcher = Searcher(game, 100_000, 1)
    searcher._path = np.zeros(4, np.int64)
    searcher.begin(game.initial())
    searcher.search(simulations=50_000)
    deepest = max(
        _depth(searcher, node) for node in range(int(searcher.tree.used[0])) if visits_of(searcher.tree.stats[node])
    )
    assert deepest == 2
    assert search.select(searcher.formula, searcher.tree, searcher._path) <= 3


def _depth(searcher, node):
    depth = 0
    while node != ROOT:
        node, depth = int(parent_of(searcher.tree.links[node])), depth + 1
    return depth
