"""Searches by the methods of the literature: whole trees against the slow twin, proofs, and budgets."""

import random

from jit import new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip
import pytest

from agents.uct.choice import Child
from agents.uct.searchers import warm_up
from agents.uct.tree import visits_of
from game import IMPLIED, RESOLVED, load_game
from studies.literature import LiteratureSearcher, LiteratureSettings
from studies.literature.presets import PRESETS
from studies.literature.searcher import MOST_IDLE
from tests.extra_turn_nim import mover_wins
from tests.searches import exact_value, position_after
from tests.slow.methods import SlowMethods, SlowRaveMethods
from tests.trees import assert_same_tree

# One of each formula, leaf and backup. To compile one of these lines takes 12 s, so most are in the slow set.
METHODS = {"implicit": {"backup": "implicit", "minimax": 0.4}}
WITHOUT_PROOFS = {
    "playouts": {},
    "uctmax_h": {"leaf": "evaluation", "backup": "minimax", "c": 0.3},
    "mean_to_minimax": {"backup": "mean_to_minimax"},
}
SLOW_METHODS = {
    "mixture": {"leaf": "mixture", "mixture": 0.3, "playouts": 3, "backup": "mean_to_minimax", "mean_weight": 20.0},
    "uct_h": {"leaf": "evaluation", "c": 0.3, "trust": 3, "prune": 0.48, "prune_visits": 8},
    "uctmax_h": {"leaf": "evaluation", "backup": "minimax", "c": 0.3},
    "ucb1_tuned": {"formula": "ucb1_tuned", "c": 1.0, "trust": 3, "prune_margin": 0.3, "prune_visits": 8},
    "dailey": {"formula": "dailey"},
    "epsilon_greedy": {"formula": "epsilon_greedy"},
    "rave": {"formula": "rave", "c": 0.1, "equivalence": 50.0, "backup": "mean_to_minimax"},
}
SETTINGS = [
    *(pytest.param(settings, id=name) for name, settings in METHODS.items()),
    *(pytest.param(settings, id=name, marks=pytest.mark.slow) for name, settings in SLOW_METHODS.items()),
]
WITHOUT_EVALUATION = {
    "valkyria": {"formula": "valkyria", "uctk": 2.0, "playouts": 2, "expand_at": 3},
    "minimax": {"backup": "minimax", "c": 1.0},
}
IN_PENTAGO = {"formula": "rave", "c": 0.2, "equivalence": 300.0}  # AMAF counts in an array: a payload is a position
CASES = [
    *(("tictactoe", settings, *size, "") for settings in METHODS.values() for size in ((0, 4_000), (2, 400))),
    ("extra_turn_nim", {"proofs": False}, 0, 10_000, "slow"),
    *(("tictactoe", settings, *size, "slow") for settings in SLOW_METHODS.values() for size in ((0, 4_000), (2, 400))),
    *(("extra_turn_nim", settings, 0, 10_000, "slow") for settings in WITHOUT_EVALUATION.values()),
    *(("pentago", IN_PENTAGO, plies, 60_000, "slow") for plies in (0, 20)),
    *(("tictactoe", settings | {"proofs": False}, 2, 10_000, "slow") for settings in WITHOUT_PROOFS.values()),
    # In Kalah much is decided before its end.
    *(("kalah", settings | {"proofs": False}, 20, 10_000, "slow") for settings in WITHOUT_PROOFS.values()),
]


@pytest.mark.parametrize(
    ("name", "settings", "plies", "capacity"),
    [pytest.param(*case, marks=[pytest.mark.slow] if slow else []) for *case, slow in CASES],
    ids=str,
)
def test_tree_equals_the_slow_twins(name, settings, plies, capacity):
    """The array may become full on the way or not, and in some games a player may move again."""
    game = load_game(name)
    chosen = LiteratureSettings(memory="stop", **settings)
    position = position_after(game, plies, 1)
    searcher = LiteratureSearcher(game, capacity, 1, chosen)
    searcher.begin(position)
    kind = SlowRaveMethods if chosen.formula == "rave" else SlowMethods
    twin = kind(game, position, chosen, new_rng(1), capacity)
    for _ in range(2):
        searcher.search(simulations=300)
        before = twin.expanded
        for _ in range(searcher.simulations):
            twin.simulate()
        assert searcher.expanded == twin.expanded - before
    assert twin.root.visits > 50  # or less, if it had been proved before
    assert_same_tree(searcher, twin)
    assert searcher.ownership() is None  # nobody owns points in these games


# --- No proofs ------------------------------------------------------------------------------------------------------


def searched(position, simulations, **settings):
    """A searcher that has searched a position by these settings."""
    settings = METHODS["implicit"] | settings  # other tests compile these anyway
    searcher = LiteratureSearcher(position.game, 50_000, 1, LiteratureSettings(**settings))
    searcher.begin(position)
    searcher.search(simulations=simulations)
    return searcher


def test_without_proofs_nothing_is_resolved_and_the_end_of_a_game_is_worth_its_result():
    searcher = searched(load_game("tictactoe").parse_position("xx./oo./x.o x"), 1000, memory="stop", proofs=False)
    assert searcher.simulations == 1000
    assert searcher.proven is None
    assert not any(int(word) & int(RESOLVED | IMPLIED) for word in searcher.tree.stats)
    start, children = searcher.position, searcher.children()
    afters = {child: start.play(searcher.move_to(start, child.node)) for child in children}
    (last,) = [child for child, after in afters.items() if after.result is not None]
    assert (last.value, last.outcome) == (1, None)


def test_without_proofs_a_search_for_nodes_ends_when_none_is_left_to_expand():
    searcher = searched(load_game("tictactoe").parse_position("xo./ox./... x"), 0, memory="stop", proofs=False)
    searcher.search(nodes=10_000)
    assert searcher.expanded > 8
    assert MOST_IDLE <= searcher.simulations <= 5 * MOST_IDLE
    assert not searcher.was_full and not searcher.is_settled


def test_a_warm_up_without_proofs_does_not_go_on_after_the_end():
    game = load_game("tictactoe")
    last = game.parse_position("xox/oxo/ox. x")
    assert warm_up(game, last, LiteratureSettings(proofs=False, **METHODS["implicit"])).position == last


# --- Proofs ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("final", ["value", "lcb"])
def test_every_proof_is_the_exact_value_and_comes_before_what_the_search_has_counted(settings, final):
    game, known, proofs = load_game("tictactoe"), {}, 0
    exact_value(game.initial(), known)
    rng = random.Random(3)
    open_positions = [position for position in known if position.result is None and position.ply > 2]
    searcher = LiteratureSearcher(game, 50_000, 1, LiteratureSettings(final=final, **settings))
    for position in rng.sample(open_positions, 40):
        searcher.begin(position)
        searcher.search(simulations=20_000)
        sign = 1 if position.to_move == 0 else -1
        if searcher.proven is not None:
            assert searcher.proven == {1: "win", 0: "draw", -1: "loss"}[sign * known[position]]
            proofs += 1
        assert known[position.play(searcher.best_move())] == known[position]
    assert proofs > 20


@pytest.mark.slow
@pytest.mark.parametrize("settings", WITHOUT_EVALUATION.values(), ids=WITHOUT_EVALUATION)
def test_proofs_are_right_where_a_player_may_move_again(settings):
    for heap in range(1, 14):
        game = load_game("extra_turn_nim", heap=heap)
        searcher = searched(game.initial(), 20_000, **{"backup": "mean"} | settings)
        assert searcher.is_settled
        assert searcher.proven in (None, "win" if mover_wins(heap) else "loss")


# --- Nodes ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_each_new_child_gets_its_playouts_once():
    """With the preset of MCTS(x), a leaf is never visited twice before it is expanded."""
    known = LiteratureSettings.declared()
    preset = {key: value for key, value in PRESETS["mcts"].options.items() if key in known}
    searcher = searched(load_game("tictactoe").initial(), 400, **preset)
    words = searcher.tree.stats[1 : searcher.tree.used[0]]
    visited = sum(int(visits_of(word)) > 0 for word in words)
    assert searcher.playouts == preset["playouts"] * visited > 1000
    leaves = [node for node in range(1, int(searcher.tree.used[0])) if not searcher.children_of(node)]
    assert max(int(visits_of(searcher.tree.stats[node])) for node in leaves) == 1


def test_a_tree_with_a_limit_of_plies_grows_no_deeper_and_a_search_for_nodes_ends_there():
    searcher = searched(load_game("tictactoe").initial(), 0, memory="stop", plies=2)
    searcher.search(nodes=10_000)
    shape = searcher.shape()
    assert (searcher.expanded, shape.depth_max, shape.leaves) == (9, 2, 72)
    assert MOST_IDLE <= searcher.simulations <= 5 * MOST_IDLE


# --- The move -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lcb_above", "place"), [(1.0, 1), (0.8, 1), (0.75, 0)])
def test_the_move_has_the_best_lower_bound_only_if_the_most_visited_is_worth_more_than_a_limit(lcb_above, place):
    searcher = searched(load_game("tictactoe").initial(), 0, lcb_above=lcb_above)
    children = [Child(1, 80, 0.95, None, False, 0.5), Child(2, 90, 0.8, None, False, 0.5)]
    assert searcher.best_of(children) is children[place]
    assert searcher.best_of(children[1:]) is children[1]


# --- Arrays ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(SLOW_METHODS["mixture"], id="mixture", marks=pytest.mark.slow),
        pytest.param(METHODS["implicit"], id="implicit"),
    ],
)
def test_a_recycled_tree_keeps_the_extra_arrays_of_its_nodes(settings):
    searcher = searched(load_game("tictactoe").initial(), 500, memory="recycle", reuse=True, **settings)
    best = searcher.best_child().node
    before = {child.visits: child.value for child in searcher.children(best)}
    position = searcher.position.play(searcher.best_move())
    assert searcher.advance(position)
    assert {child.visits: child.value for child in searcher.children()} == before
    assert np.count_nonzero(searcher.tree.values[: searcher.tree.used[0]]) > 50
