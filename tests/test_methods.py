"""Searches by a `Method`: whole trees against the slow twin, proofs, and what is refused."""

import random

from jit import new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip
import pytest

from agents.uct.base import MOST_IDLE, BaseSearcher
from agents.uct.presets import preset_for
from agents.uct.searcher import Searcher
from agents.uct.searchers import make_searcher, warm_up
from agents.uct.settings import Settings
from agents.uct.tree import ROOT, WideTree, parent_of, score_of, visits_of
from game import IMPLIED, RESOLVED, SAME_MOVER, load_game
from tests.extra_turn_nim import mover_wins
from tests.slow.methods import SlowMethods, SlowRaveMethods
from tests.slow.uct import Node

ALL_FLAGS = int(RESOLVED | IMPLIED | SAME_MOVER)

# One of each formula, leaf and backup. Each line is compiled by itself, which takes 12 s; most are for the slow set.
METHODS = {
    "implicit": {"backup": "implicit", "minimax": 0.4},
}
WITHOUT_PROOFS = {
    "playouts": {},
    "uctmax_h": {"leaf": "evaluation", "backup": "minimax", "c": 0.3},
    "mean_to_minimax": {"backup": "mean_to_minimax"},
}
SLOW_METHODS = {
    "mixture": {"leaf": "mixture", "mixture": 0.3, "playouts": 3, "backup": "mean_to_minimax", "mean_weight": 20.0},
    "uct_h": {"leaf": "evaluation", "c": 0.3, "trust": 3, "prune": 0.48, "prune_visits": 8},
    "uctmax_h": {"leaf": "evaluation", "backup": "minimax", "c": 0.3},
    "ucb1_tuned": {"formula": "ucb1_tuned", "c": 1.0, "trust": 3, "prune": 0.45, "prune_visits": 8},
    "dailey": {"formula": "dailey"},
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


def position_after(game, plies, seed):
    """An open position some random plies from the start."""
    rng = random.Random(seed)
    while True:
        position = game.initial()
        for _ in range(plies):
            if position.result is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.result is None:
            return position


def assert_same_tree(searcher: Searcher, twin: SlowMethods, node: int, of_twin: Node) -> int:
    """Compare two trees from a node down, extra arrays too; returns the number of nodes compared."""
    tree, sums = searcher.tree, twin.of(of_twin)
    assert isinstance(tree, WideTree)
    word = tree.stats[node]
    assert (visits_of(word), score_of(word), int(word) & ALL_FLAGS) == (of_twin.visits, of_twin.score, of_twin.flags)
    assert not len(tree.rest) or tree.rest[node] == sums.rest
    assert not len(tree.squares) or tree.squares[node] == sums.squares
    if node != ROOT:  # nobody chose the root
        assert not len(tree.values) or tree.values[node] == sums.value
        payload_bits = 32 if twin.settings.formula == "rave" else 64  # the others hold AMAF counts
        assert (int(tree.payload0[node]), int(tree.payload1[node]) % (1 << payload_bits)) == (
            of_twin.payload[0],
            of_twin.amaf_visits or of_twin.payload[1],
        )
    children = searcher.children_of(node)
    assert len(children) == len(of_twin.children)
    compared = 1
    for child, twin_child in zip(children, of_twin.children, strict=True):
        assert parent_of(tree.links[child]) == node
        compared += assert_same_tree(searcher, twin, child, twin_child)
    return compared


@pytest.mark.parametrize(("plies", "capacity"), [(0, 4_000), (2, 400)], ids=["roomy", "full"])
@pytest.mark.parametrize("settings", SETTINGS)
def test_tree_equals_the_slow_twins(settings, plies, capacity):
    assert_grows_as_the_twin("tictactoe", settings, plies, capacity)


@pytest.mark.slow
@pytest.mark.parametrize("settings", WITHOUT_EVALUATION.values(), ids=WITHOUT_EVALUATION)
def test_tree_equals_the_slow_twins_where_a_player_may_move_again(settings):
    assert_grows_as_the_twin("extra_turn_nim", settings, 0, 10_000)


def assert_grows_as_the_twin(name, settings, plies, capacity):
    """Let a searcher and its twin search a position, and compare their trees."""
    game = load_game(name)
    chosen = Settings(memory="stop", **settings)
    position = position_after(game, plies, 1)
    searcher = Searcher(game, capacity, 1, chosen)
    searcher.begin(position)
    kind = SlowRaveMethods if chosen.formula == "rave" else SlowMethods
    twin = kind(game, position, chosen, new_rng(1), capacity)
    for _ in range(2):
        searcher.search(simulations=300)
        before = twin.expanded
        for _ in range(searcher.simulations):
            twin.simulate()
        assert searcher.expanded == twin.expanded - before
    assert visits_of(searcher.tree.stats[ROOT]) == twin.root.visits > 50  # unless it is proved before
    assert assert_same_tree(searcher, twin, ROOT, twin.root) == searcher.tree.used[0] == twin.used


# --- No proofs ------------------------------------------------------------------------------------------------------


def test_tree_without_proofs_equals_the_slow_twins_where_a_player_may_move_again():
    assert_grows_as_the_twin("extra_turn_nim", {"proofs": False}, 0, 10_000)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "plies"), [("tictactoe", 2), ("kalah", 20)]
)  # in Kalah much is decided before its end
@pytest.mark.parametrize("settings", WITHOUT_PROOFS.values(), ids=WITHOUT_PROOFS)
def test_tree_without_proofs_equals_the_slow_twins(name, plies, settings):
    assert_grows_as_the_twin(name, settings | {"proofs": False}, plies, 10_000)


def searcher_without_proofs(heap):
    """A searcher for Nim with an extra turn, at the start."""
    game = load_game("extra_turn_nim", heap=heap)
    searcher = Searcher(game, 10_000, 1, Settings(memory="stop", proofs=False))
    searcher.begin(game.initial())
    return searcher


def test_without_proofs_nothing_is_resolved_and_the_end_of_a_game_is_worth_its_result():
    searcher = searcher_without_proofs(heap=3)
    searcher.search(simulations=1000)
    assert searcher.simulations == 1000
    assert searcher.proven is None
    assert not any(int(word) & int(RESOLVED | IMPLIED) for word in searcher.tree.stats)
    start, children = searcher.position, searcher.children()
    afters = {child: start.play(searcher.move_to(start, child.node)) for child in children}
    (last,) = [child for child, after in afters.items() if after.result is not None]
    assert (last.value, last.outcome) == (1, None)


def test_without_proofs_a_search_for_nodes_ends_when_none_is_left_to_expand():
    searcher = searcher_without_proofs(heap=8)
    searcher.search(nodes=10_000)
    assert searcher.expanded > 8
    assert MOST_IDLE <= searcher.simulations <= 3 * MOST_IDLE
    assert not searcher.was_full


def test_a_warm_up_without_proofs_does_not_go_on_after_the_end():
    game = load_game("extra_turn_nim", heap=3)
    assert warm_up(game, game.initial(), Settings(proofs=False)).position == game.initial()


# --- Proofs ---------------------------------------------------------------------------------------------------------


def minimax(position, known):
    """The exact value for the first player, by looking at everything."""
    if position not in known:
        if position.result is not None:
            known[position] = {None: 0, 0: 1, 1: -1}[position.result.winner]
        else:
            values = [minimax(position.play(move), known) for move in position.legal_moves()]
            known[position] = max(values) if position.to_move == 0 else min(values)
    return known[position]


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("final", ["value", "lcb"])
def test_every_proof_is_the_exact_value_and_comes_before_what_the_search_has_counted(settings, final):
    game, known, proofs = load_game("tictactoe"), {}, 0
    minimax(game.initial(), known)
    rng = random.Random(3)
    open_positions = [position for position in known if position.result is None and position.ply > 2]
    searcher = Searcher(game, 50_000, 1, Settings(final=final, **settings))
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
        searcher = Searcher(game, 100_000, heap, Settings(**settings))
        searcher.begin(game.initial())
        searcher.search(simulations=20_000)
        assert searcher.is_settled
        assert searcher.proven in (None, "win" if mover_wins(heap) else "loss")


# --- Nodes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nodes", [1, 7, 150])
@pytest.mark.parametrize(
    "settings",
    [
        {"search": "tree"},
        {"search": "tree", "expand_at": 3},
        {"search": "tree", "memory": "pace"},
        pytest.param({"search": "graph"}, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_a_search_expands_as_many_nodes_as_it_may(settings, nodes):
    game = load_game("extra_turn_nim", heap=300)
    searcher = make_searcher(game, 5_000, settings=Settings(**settings))
    searcher.begin(game.initial())
    before = searcher.shape()
    searcher.search(nodes=nodes)
    assert searcher.expanded == nodes
    assert searcher.simulations >= nodes
    shape = searcher.shape()
    if settings["search"] == "tree":
        assert (shape.nodes - shape.leaves) - (before.nodes - before.leaves) <= nodes  # a winning child stays alone
    else:
        assert shape.nodes - before.nodes == nodes


def test_a_full_array_ends_a_search_for_a_number_of_nodes():
    game = load_game("extra_turn_nim", heap=300)
    searcher = Searcher(game, 200, 1, Settings(memory="stop"))
    searcher.begin(game.initial())
    searcher.search(nodes=10_000)
    assert searcher.was_full
    assert 50 < searcher.expanded < 200


def test_a_search_has_to_know_when_to_end():
    searcher: BaseSearcher = Searcher(load_game("tictactoe"), 1_000)
    searcher.begin(searcher.game.initial())
    with pytest.raises(ValueError, match="seconds, simulations or nodes"):
        searcher.search()


@pytest.mark.slow
def test_each_new_child_gets_its_playouts_once():
    """As in MCTS(x): with the preset, a leaf is never visited twice before it is expanded."""
    game, of_agent = load_game("tictactoe"), ("book", "resign")
    preset = {key: value for key, value in preset_for("mcts", game).items() if key not in of_agent}
    searcher = Searcher(game, 20_000, 1, Settings.for_game(game, **preset))
    searcher.begin(searcher.game.initial())
    searcher.search(simulations=400)
    words = searcher.tree.stats[1 : searcher.tree.used[0]]
    visited = sum(int(visits_of(word)) > 0 for word in words)
    assert searcher.playouts == preset["playouts"] * visited > 1000
    leaves = [node for node in range(1, int(searcher.tree.used[0])) if not searcher.children_of(node)]
    assert max(int(visits_of(searcher.tree.stats[node])) for node in leaves) == 1


@pytest.mark.slow
def test_wins_draws_and_losses_of_all_nodes_are_told_by_ucb1_tuned():
    searcher = Searcher(load_game("tictactoe"), 20_000, 1, Settings(**SLOW_METHODS["ucb1_tuned"]))
    searcher.begin(searcher.game.initial())
    searcher.search(simulations=2_000)
    for node in range(1, int(searcher.tree.used[0])):
        word, (won, drawn, lost) = searcher.tree.stats[node], searcher.results_of(node)
        assert min(won, drawn, lost) >= 0
        assert won + drawn + lost == visits_of(word)
        assert 16 * won + 8 * drawn == score_of(word)


# --- A graph with playouts ------------------------------------------------------------------------------------------


@pytest.mark.slow  # compiled for Nim by itself
def test_a_graph_works_with_playouts_in_a_game_without_an_evaluation():
    proofs = 0
    for heap in range(1, 14):
        game = load_game("extra_turn_nim", heap=heap)
        searcher = make_searcher(game, 2_000, 1, Settings(search="graph", leaf="playout"))
        searcher.begin(game.initial())
        searcher.search(simulations=2_000)
        assert searcher.is_settled
        assert searcher.proven in (None, "win" if mover_wins(heap) else "loss")
        assert searcher.playouts == searcher.simulations
        proofs += searcher.proven is not None
    assert proofs > 6


# --- Arrays ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(SLOW_METHODS["mixture"], id="mixture", marks=pytest.mark.slow),
        pytest.param(METHODS["implicit"], id="implicit"),
    ],
)
def test_a_recycled_tree_keeps_the_extra_arrays_of_its_nodes(settings):
    game = load_game("tictactoe")
    searcher = Searcher(game, 20_000, 1, Settings(memory="recycle", reuse=True, **settings))
    searcher.begin(game.initial())
    searcher.search(simulations=500)
    best = searcher.best_child().node
    before = {child.visits: child.value for child in searcher.children(best)}
    position = searcher.position.play(searcher.best_move())
    assert searcher.advance(position)
    assert {child.visits: child.value for child in searcher.children()} == before
    assert np.count_nonzero(searcher.tree.values[: searcher.tree.used[0]]) > 50


@pytest.mark.parametrize(
    ("settings", "extra_bytes"),
    [
        ({}, 0),
        ({"formula": "valkyria"}, 0),
        ({"formula": "dailey"}, 0),
        ({"leaf": "evaluation"}, 4),
        ({"playouts": 2}, 4),
        ({"backup": "minimax"}, 4),
        ({"leaf": "evaluation", "backup": "minimax"}, 8),
        ({"formula": "ucb1_tuned"}, 8),
        ({"formula": "rave"}, 8),
    ],
    ids=str,
)
def test_a_node_has_the_arrays_that_its_search_wants_and_no_others(settings, extra_bytes):
    assert Settings(**settings).node_bytes(load_game("pentago")) == 32 + extra_bytes
    assert Settings(formula="rave").node_bytes(load_game("go", size=5)) == 32  # in the payload


# --- What is refused ------------------------------------------------------------------------------------------------

NUMBERS_OF_A_TREE = ("c", "uctk", "c1", "c2", "equivalence", "even", "mean_weight", "trust", "prune", "prune_visits")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"formula": "luck"}, "formula=luck: there is ucb1, valkyria, dailey, ucb1_tuned, rave"),
        ({"leaf": "luck"}, "leaf=luck: there is auto, playout, evaluation, mixture"),
        ({"backup": "luck"}, "backup=luck: there is mean, minimax, mean_to_minimax, implicit"),
        ({"final": "luck"}, "final=luck: there is visits, value, lcb"),
        ({"playouts": 0}, "playouts=0: a number from 1 on"),
        ({"trust": -1}, "trust=-1: a number from 0 on"),
        ({"prune": 1.5}, "prune=1.5: a share from 0 to 1"),
        ({"c1": -1.0}, "c1=-1.0: a number from 0 on"),
        ({"mean_weight": float("inf")}, "mean_weight=inf: a number from 0 on"),
        ({"c_by_phase": "1/2"}, "c_by_phase=1/2: three numbers from 0 on"),
        ({"c_by_phase": "1/2/-3"}, "c_by_phase=1/2/-3: three numbers from 0 on"),
        ({"c_by_phase": "1/2/3", "formula": "dailey"}, "c_by_phase=1/2/3: formula=dailey has no c"),
        ({"formula": "rave", "leaf": "evaluation"}, "formula=rave counts moves of playouts: leaf=evaluation has none"),
        ({"search": "graph", "formula": "rave"}, "formula=rave is for search=tree, not for search=graph"),
        ({"search": "graph", "playouts": 2}, "playouts=2 is for search=tree"),
        ({"search": "graph", "backup": "minimax"}, "backup=minimax is for search=tree"),
        *(({"search": "graph", name: 0.3}, f"^{name}=0.3 is for search=tree") for name in NUMBERS_OF_A_TREE),
        ({"search": "graph", "proofs": False}, "proofs=no is for search=tree, not for search=graph: add search=tree"),
        ({"formula": "rave", "proofs": False}, "proofs=no is not for formula=rave: add formula=ucb1"),
        ({"search": "graph", "c_by_phase": "1/2/3"}, "c_by_phase=1/2/3 is for search=tree"),
    ],
    ids=str,
)
def test_settings_that_make_no_sense_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        Settings(**settings)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"leaf": "evaluation"}, "leaf=evaluation: extra_turn_nim has no evaluation; there is leaf=playout"),
        ({"leaf": "mixture"}, "leaf=mixture: extra_turn_nim has no evaluation"),
        ({"backup": "implicit"}, "backup=implicit: extra_turn_nim has no evaluation"),
        ({"formula": "rave"}, "formula=rave: this game keeps no AMAF counts"),
    ],
)
def test_a_game_without_what_a_search_needs_is_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        Searcher(load_game("extra_turn_nim"), 1_000, settings=Settings(**settings))
