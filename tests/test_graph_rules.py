"""Rules of the search on a graph: a position is one node, visits add up, and proofs are true and shared."""

import numpy as np
import pytest

from agents.uct.graph import NOBODY
from game import LOST, RESOLVED, WON, move_number
from pentago.game import PentagoPosition
from tests import contract
from tests.graphs import (
    BUSY,
    DEFENCE,
    PENTAGO,
    all_nodes,
    assert_consistent,
    assert_every_node_is_found,
    node_view,
)
from tests.searches import good_ends, position_after, searched, tactics
from tests.slow.minimax import Minimax

AS_PLAYED = {"solve": 64, "effort": 0.125, "temperature": 0.3, "evaluation": "learned"}  # with the game's solver
ENDINGS = [
    PENTAGO.parse_position(text)
    for text in (
        ".wbbbw/wbbwbb/wbwbww/wbwwb./.wbwbw/bwbb.w w",
        "wwbwwb/.bbwbw/bbwbww/.www.b/b.bbwb/bbwwwb w",
        "bbbwbw/b.wbwb/wwbwbw/wwbwbb/bbwwww/..bbw. w",
        "wb.wwb/bbwwbb/b.wbbb/bbwwww/wwbbw./.bwwwb w",
    )
]


# --- Positions and visits -------------------------------------------------------------------------------------------


def parents_of_several(graph):
    """For each node to which several edges lead, these edges."""
    edges = {}
    for view in all_nodes(graph):
        for edge in view.edges or ():
            edges.setdefault(edge.child, []).append(edge)
    return {child: found for child, found in edges.items() if child != NOBODY and len(found) > 1}


def test_a_position_reached_by_two_move_orders_is_one_node_and_two_without_transpositions():
    graph, tree = searched(BUSY).graph, searched(BUSY, transpositions=False).graph
    assert len({view.state for view in all_nodes(graph)}) == len(all_nodes(graph))
    assert len({view.state for view in all_nodes(tree)}) < len(all_nodes(tree))
    assert len(parents_of_several(graph)) > 10
    assert parents_of_several(tree) == {}
    assert_consistent(graph, PENTAGO)
    assert_every_node_is_found(graph)


def test_visits_of_an_edge_are_its_own():
    """An edge counts only visits through itself; the edges to an open position together have that position's visits."""
    searcher = searched(BUSY, simulations=4_000)
    nodes, several = all_nodes(searcher.graph), parents_of_several(searcher.graph)
    unequal = 0
    for child, edges in several.items():
        assert nodes[child - 1].flags or sum(edge.visits for edge in edges) == nodes[child - 1].visits
        unequal += len({edge.visits for edge in edges}) > 1
    assert unequal > 10


@pytest.mark.parametrize("settings", [{}, {"expand_at": 10}, {"leaf": "playout", "expand_at": 2}, {"stored": 2}])
def test_visits_of_a_position_are_those_of_its_moves_and_those_before_it_was_expanded(settings):
    searcher = searched(position_after(PENTAGO, 12, 3), 2_500, **settings)
    expand_at = searcher.settings.expand_at
    root, *others = all_nodes(searcher.graph)
    assert root.visits == 1 + searcher.simulations == 1 + sum(edge.visits for edge in root.edges)
    expanded = 0
    for view in others:
        below = sum(edge.visits for edge in view.edges or ())
        assert view.visits == expand_at + below if below else 1 <= view.visits <= expand_at
        expanded += below > 0
    assert expanded > 50


# --- Proofs ---------------------------------------------------------------------------------------------------------


def outcome_for_mover(flags):
    return {int(WON): 1, int(LOST): -1}.get(flags & int(RESOLVED), 0)


@pytest.fixture(scope="module")
def minimax():
    return Minimax(PENTAGO)


def exact_value(minimax, state):
    """1, 0 or -1 for the player to move, from a search to the end."""
    position = PentagoPosition(PENTAGO, np.array(state, np.uint64), (int(state[0]) | int(state[1])).bit_count())
    value = minimax.value(position, 36 - position.ply)
    return (value > 0) - (value < 0)


@pytest.mark.parametrize("settings", [{}, {"stored": 2}, {"leaf": "playout"}, {"foresight": False}])
def test_every_proof_in_a_late_position_is_true(settings, minimax):
    proofs = set()
    for position in ENDINGS:
        searcher = searched(position, **settings)
        for view in all_nodes(searcher.graph):
            if view.flags & int(RESOLVED):
                proofs.add(outcome_for_mover(view.flags))
                assert outcome_for_mover(view.flags) == exact_value(minimax, view.state)
    assert proofs == {1, 0, -1}


def test_the_value_of_a_late_position_is_proved(minimax):
    for position in [*ENDINGS, *(position_after(PENTAGO, 32, seed) for seed in range(8))]:
        searcher = searched(position, simulations=20_000)
        value = exact_value(minimax, tuple(searcher.game.state(searcher.position)))
        assert searcher.is_settled
        assert searcher.proven in (None, {1: "win", 0: "draw", -1: "loss"}[value])
        after = searcher.position.play(searcher.best_move())
        if after.result is None:
            assert exact_value(minimax, tuple(searcher.game.state(after))) == -value


def test_a_proof_found_through_one_parent_is_seen_by_the_others():
    searcher = searched(BUSY, simulations=4_000)
    nodes, several = all_nodes(searcher.graph), parents_of_several(searcher.graph)
    proved = [child for child, edges in several.items() if nodes[child - 1].flags and any(e.visits for e in edges)]
    assert len(proved) > 10
    for child in proved:
        edge_flags = {edge.flags for edge in several[child] if edge.visits}
        assert nodes[child - 1].flags in edge_flags
    late = [e for child in proved for e in several[child] if e.visits == 1 and e.flags == nodes[child - 1].flags]
    assert late, "no parent took over what was proved before it came"


@pytest.mark.parametrize("stored", [1, 2, 32])
def test_nothing_is_lost_or_drawn_while_moves_are_not_stored(stored):
    searcher = searched(BUSY, stored=stored, temperature=1.0)
    nodes = all_nodes(searcher.graph)
    truncated = [view for view in nodes if view.truncated]
    assert len(truncated) >= 4
    assert all(outcome_for_mover(view.flags) == 1 for view in truncated if view.flags)
    refuted = [view for view in nodes[1:] if view.edges and outcome_for_mover(view.flags) == -1]
    for view in refuted:
        state = searcher.game.state(searcher.position)
        state[:] = view.state
        children = contract.children_at(searcher.kernel, state)
        assert len(view.edges) >= len([child for child in children if not int(child.flags) & int(WON)])


def test_wins_in_five_plies_are_proved():
    positions = [PENTAGO.parse_position(case["position"]) for case in tactics("win", 5)]
    found = [searched(position, 10_000, **AS_PLAYED).proven for position in positions]
    assert found.count("win") >= 35 and "loss" not in found and "draw" not in found


@pytest.mark.parametrize(("plies", "every"), [(3, 4), (5, 8)])
def test_the_soonest_win_is_played_whatever_was_proved_first(plies, every):
    for case in tactics("win", plies)[::every]:
        position = PENTAGO.parse_position(case["position"])
        searcher = searched(position, 5_000, **AS_PLAYED)
        assert position.play(searcher.best_move()) in good_ends(position, case), case["position"]


@pytest.mark.parametrize("settings", [{}, {"leaf": "playout"}, {"stored": 3}])
def test_a_move_that_loses_is_played_only_if_all_do(settings):
    tried = 0
    for case in (tactics("safe", 1) + tactics("safe", 3))[::4]:
        for simulations in (1, 30, 300):
            searcher = searched(PENTAGO.parse_position(case["position"]), simulations, **settings)
            outcomes = {child.outcome for child in searcher.children()}
            assert outcomes == {"loss"} or searcher.best_child().outcome != "loss"
            tried += "loss" in outcomes
    assert tried > 30


# --- Expansion ------------------------------------------------------------------------------------------------------


def test_priors_of_all_moves_add_up_to_one_and_those_that_lose_at_once_have_none():
    searcher = searched(DEFENCE, simulations=1)
    root = node_view(searcher.graph, int(searcher.graph.root[0]), searcher._work.odds)
    assert sum(edge.prior for edge in root.edges) == pytest.approx(1, abs=1e-4)
    children = contract.children_of(PENTAGO, searcher.position, searcher.kernel)
    lost = {int(move_number(searcher.kernel, a, b)) for a, b, flags in children if int(flags) & int(WON)}
    assert lost == {edge.number for edge in root.edges if edge.prior == 0} and lost


def test_a_higher_temperature_makes_priors_more_alike():
    def priors(temperature):
        searcher = searched(simulations=1, temperature=temperature)
        return np.array([child.prior for child in searcher.children()])

    spreads = [float(priors(temperature).std()) for temperature in (0.5, 1.0, 2.0, 8.0)]
    assert spreads == sorted(spreads, reverse=True)
