"""Settings declare what they may be; a search refuses settings of another search, and games that lack what it needs."""

import pytest

from agents.uct.settings import SEARCHES, GraphSettings, Settings, TreeSettings
from agents.uct.tree import NODE_BYTES
from game import load_game
from options import option_text
from studies.literature import LiteratureSettings

PENTAGO, GO = load_game("pentago"), load_game("go", size=5)
OF_SMALL_C = load_game("extra_turn_nim")
OF_SMALL_C.search_defaults = {"c": 0.1}  # for the usual formula
OF_ONE = [(kind, name) for kind in SEARCHES.values() for name in kind.declared() if name not in Settings.declared()]


@pytest.mark.parametrize(
    ("kind", "settings", "message"),
    [
        (TreeSettings, {"memory": "forget"}, "search=tree: memory must be recycle or stop, not 'forget'"),
        (GraphSettings, {"final": "luck"}, "search=graph: final must be visits, value or lcb"),
        (TreeSettings, {"c": -0.5}, "c must be a number from 0 on, not -0.5"),
        (TreeSettings, {"expand_at": 0}, "expand_at must be a whole number from 1 on"),
        (TreeSettings, {"equivalence": 0.0}, "equivalence must be a number from 1e-06 on"),
        (TreeSettings, {"even": -1.0}, "even must be a number from 0 on"),
        (TreeSettings, {"formula": "luck"}, "formula must be ucb1 or rave, not 'luck'"),
        (TreeSettings, {"leaf": "mixture"}, "leaf must be auto, playout or evaluation"),
        (GraphSettings, {"temperature": 0.0}, "temperature must be a number from 1e-06 on"),
        (GraphSettings, {"minimax": 1.5}, "minimax must be 0 to 1"),
        (LiteratureSettings, {"backup": "luck"}, "backup must be mean, minimax, mean_to_minimax or implicit"),
        (LiteratureSettings, {"playouts": 0}, "playouts must be a whole number from 1 on"),
        (LiteratureSettings, {"trust": -1}, "trust must be a whole number from 0 on"),
        (LiteratureSettings, {"prune": 1.5}, "prune must be 0 to 1"),
        (LiteratureSettings, {"c1": -1.0}, "c1 must be a number from 0 on"),
        (LiteratureSettings, {"mean_weight": float("inf")}, "mean_weight must be a number"),
        (LiteratureSettings, {"c_by_phase": "1/2"}, "c_by_phase=1/2: three numbers from 0 on"),
        (LiteratureSettings, {"c_by_phase": "1/2/-3"}, "c_by_phase=1/2/-3: three numbers from 0 on"),
        (LiteratureSettings, {"c_by_phase": "1/2/3", "formula": "dailey"}, "formula=dailey has no c"),
        (LiteratureSettings, {"formula": "rave", "leaf": "evaluation"}, "formula=rave counts moves of playouts"),
        (LiteratureSettings, {"formula": "rave", "proofs": False}, "proofs=no is not for formula=rave"),
    ],
    ids=str,
)
def test_settings_that_make_no_sense_are_refused_with_what_is_possible(kind, settings, message):
    with pytest.raises(ValueError, match=message):
        kind(**settings)


@pytest.mark.parametrize(("kind", "name"), OF_ONE, ids=lambda value: getattr(value, "search", value))
def test_a_setting_of_one_search_is_refused_by_the_others_that_do_not_have_it(kind, name):
    value = kind.declared()[name].default
    for other in SEARCHES.values():
        if name in other.declared():
            assert getattr(other(**{name: value}), name) == value
            continue
        message = f"^{name}={option_text(value)} is for search={kind.search}, not for search={other.search}$"
        with pytest.raises(ValueError, match=message):
            Settings.for_game(PENTAGO, search=other.search, **{name: value})


def test_what_a_game_recommends_to_another_search_is_no_setting_of_this_one():
    graph, tree = (Settings.for_game(PENTAGO, search=search) for search in ("graph", "tree"))
    assert (type(graph), graph.solve, graph.reuse) == (GraphSettings, 64, True)
    assert (type(tree), tree.reuse) == (TreeSettings, True)
    assert tree.switches == graph.switches == {"foresight": True, "evaluation": "learned"}
    assert Settings.for_game(PENTAGO) == graph


@pytest.mark.parametrize(
    ("kind", "game", "settings", "message"),
    [
        (TreeSettings, "extra_turn_nim", {"leaf": "evaluation"}, "leaf=evaluation: extra_turn_nim has no evaluation"),
        (TreeSettings, "go", {"leaf": "evaluation"}, "leaf=evaluation"),
        (TreeSettings, "extra_turn_nim", {"formula": "rave"}, "formula=rave: extra_turn_nim keeps no AMAF counts"),
        (TreeSettings, "pentago", {"formula": "rave"}, "formula=rave: the nodes of pentago have no room"),
        (GraphSettings, "tictactoe", {}, "search=graph: the positions of tictactoe do not fit.*there is search=tree"),
        (LiteratureSettings, "extra_turn_nim", {"leaf": "mixture"}, "leaf=mixture: extra_turn_nim has no evaluation"),
        (LiteratureSettings, "extra_turn_nim", {"backup": "implicit"}, "backup=implicit: .* has no evaluation"),
        (LiteratureSettings, "extra_turn_nim", {"formula": "rave"}, "keeps no AMAF counts"),
    ],
    ids=str,
)
def test_a_game_without_what_a_search_needs_is_refused(kind, game, settings, message):
    with pytest.raises(ValueError, match=message):
        kind.for_game(load_game(game), **settings)


def test_another_formula_than_the_game_recommends_has_its_own_exploration():
    chosen = [{}, {"formula": "rave"}, {"formula": "ucb1"}, {"formula": "ucb1", "c": 0.2}]
    assert [TreeSettings.for_game(GO, **settings).c for settings in chosen] == [0.002, 0.002, 0.5, 0.2]
    assert [TreeSettings.for_game(OF_SMALL_C, **settings).c for settings in chosen[::2]] == [0.1, 0.1]


def test_a_search_that_nobody_knows_and_a_setting_that_none_has_are_refused():
    with pytest.raises(ValueError, match="search=forest: there is tree, graph"):
        Settings.for_game(PENTAGO, search="forest")
    with pytest.raises(TypeError, match="no search has a setting 'speed'"):
        Settings.for_game(PENTAGO, speed=9)


@pytest.mark.parametrize(
    ("settings", "extra_bytes"),
    [
        ({}, 0),
        ({"formula": "valkyria"}, 0),
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
    assert LiteratureSettings(**settings).node_bytes(PENTAGO) == NODE_BYTES + extra_bytes
    assert LiteratureSettings(formula="rave").node_bytes(GO) == NODE_BYTES  # AMAF counts are in the payload
