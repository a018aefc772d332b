"""The search grows the tree that the method's definition grows, node by node, and proves what is true."""

import random

import numpy as np
import pytest

from agents.outcomes import name_for_chooser
from agents.uct.searcher import Searcher
from agents.uct.selection import FEW, choose_ucb1, ucb1
from agents.uct.settings import TreeSettings
from agents.uct.tree import ROOT, allocate, pack_stats, score_of, visits_of
from game import OPEN, WON, load_game
from jit import new_rng
from tests.extra_turn_nim import mover_wins
from tests.searches import exact_value, position_after, searched
from tests.slow.uct import Float32Search, SlowSearch
from tests.trees import assert_same_tree, payload_of


@pytest.mark.parametrize(
    ("name", "plies", "simulations", "capacity"),
    [
        ("pentago", 0, 1000, 50_000),
        ("pentago", 18, 3000, 50_000),
        ("pentago", 30, 2000, 50_000),
        ("pentago", 6, 700, 1_200),  # the array becomes full on the way
        ("tictactoe", 0, 1000, 10_000),
        ("tictactoe", 3, 500, 10_000),
        ("extra_turn_nim", 0, 500, 10_000),
        ("kalah", 4, 3000, 10_000),
    ],
)
def test_tree_equals_the_slow_twins(name, plies, simulations, capacity):
    game = load_game(name, **({"pits": 4, "stones": 3} if name == "kalah" else {}))
    for seed in (1,) if name == "pentago" else (1, 2):  # Pentago's four cases already differ
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
    """Here playouts and random numbers are plain Python too: `agents/plain/uct.py` as it is, except for float32."""
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


def proofs_of(game, positions, known):
    """The results that a search proves of some positions; checks that they and the moves to play are exact."""
    searcher, proved = Searcher(game, 200_000, 1), set()
    for position in positions:
        exact_value(position, known)
        searcher.begin(position)
        searcher.search(simulations=100_000)
        if searcher.proven is None:  # it stops as well when all moves but one are proved to lose
            others = [child.outcome for child in searcher.children()]
            assert others.count("loss") == len(others) - 1
        else:
            for_mover = known[position] if position.to_move == 0 else -known[position]
            assert searcher.proven == {1: "win", 0: "draw", -1: "loss"}[for_mover]
        assert known[position.play(searcher.best_move())] == known[position]
        proved.add(searcher.proven)
    return proved - {None}


def test_every_proof_in_tictactoe_is_the_exact_value():
    game, known = load_game("tictactoe"), {}
    exact_value(game.initial(), known)
    open_positions = [position for position in known if position.result is None]
    assert len(proofs_of(game, [game.initial(), *random.Random(3).sample(open_positions, 300)], known)) == 3


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
    game, rng = load_game("pentago"), random.Random(4)
    assert len(proofs_of(game, [position_after(game, 34, rng.random()) for _ in range(12)], {})) >= 2


# --- Selection ------------------------------------------------------------------------------------------------------


def tree_of(*children):
    """A tree whose first nodes have these scores, flags and visits."""
    tree = allocate(max(2, len(children)))
    tree.stats[: len(children)] = [pack_stats(score, flags, visits) for score, flags, visits in children]
    return tree


def random_children(rng, count, most_visits):
    """Open children: visits, and scores in sixteenths."""
    visits = rng.integers(1, most_visits, count)
    return visits, (rng.random(count) * visits * 16).astype(np.int64)


@pytest.mark.parametrize("parent_visits", [300, 70_000])
def test_choice_is_the_argmax_of_the_formula(parent_visits):
    rng = np.random.default_rng(1)
    for _ in range(200):
        count = int(rng.integers(1, 290))
        visits, scores = random_children(rng, count, 200)
        tree = tree_of(*((s, OPEN, v) for s, v in zip(scores, visits, strict=True)))
        c = float(rng.random() * 2)
        bounds = scores / visits / 16 + c * np.sqrt(np.log(parent_visits) / visits)
        chosen = choose_ucb1(ucb1(c), tree, 0, count, parent_visits)
        assert bounds[chosen] == pytest.approx(bounds.max(), rel=1e-5)


@pytest.mark.parametrize("most_visits", [200, 1_000_000])
def test_few_children_are_chosen_among_as_many_are(most_visits):
    rng = np.random.default_rng(2)
    for _ in range(200):
        visits, scores = random_children(rng, int(rng.integers(2, FEW)), most_visits)
        few = [(s, OPEN, v) for s, v in zip(scores, visits, strict=True)]
        many = few + [(0, WON, 1)] * FEW  # the others are resolved
        chosen = {
            choose_ucb1(ucb1(0.3), tree_of(*children), 0, len(children), int(visits.sum())) for children in (few, many)
        }
        assert len(chosen) == 1
