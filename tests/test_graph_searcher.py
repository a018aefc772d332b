"""The searcher on a graph keeps to its clock and its memory, and keeps what it knows from one move to the next."""

import numpy as np
import pytest

from agents.uct import graph_searcher as module
from agents.uct.graph import allocate, count_visit, from_fixed, to_fixed
from agents.uct.graph_proofs import ASKED_SHIFT, DEPTH, MOST_ASKED, NO_DEPTH, SHOWING_POSITIONS
from agents.uct.graph_search import update_edge
from agents.uct.tree import MAX_VISITS
from game import IMPLIED, WON
from jit import jit
from tests.graphs import (
    ATTACK,
    DEFENCE,
    PENTAGO,
    all_nodes,
    assert_consistent,
    index_of,
    node_view,
    used_arrays,
)
from tests.searches import new_searcher, reply_of, searched

SEVEN_PLIES = PENTAGO.parse_position("....../bwww.b/...b../...w.b/.wbwb./...w.b w")  # a win in seven


def view_of(searcher, position):
    """The node of a position; None if the graph has none."""
    index = index_of(searcher.graph, searcher.game.state(position))
    return node_view(searcher.graph, index) if index else None


# --- When nothing can change the move -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("asked", [0, MOST_ASKED])
def test_a_win_that_the_solver_proved_before_is_shown_by_a_move_when_the_position_becomes_the_root(asked):
    searcher = searched(SEVEN_PLIES, 1, solve=64, effort=0.5, reuse=True)
    root = searcher.graph.nodes[searcher.graph.root[0]]
    root["stats"] = 20_000 | int(WON | IMPLIED)
    root["count"] = int(root["count"]) | asked << ASKED_SHIFT
    searcher.advance(SEVEN_PLIES)
    assert searcher.proven is None  # no move is known to win
    searcher.search(simulations=4)
    assert (searcher.proven, [child.outcome for child in searcher.children()].count("win")) == ("win", 1)
    assert str(searcher.best_move()) in {"e1/1r", "b4/1r", "a5/1r"}


@pytest.mark.parametrize(("position", "proven", "value"), [(ATTACK, "win", 1.0), (DEFENCE, "loss", 0.0)])
def test_a_search_ends_when_its_root_is_proved(position, proven, value):
    searcher = searched(position, 10_000, evaluation="learned")
    assert searcher.simulations < 3_000
    assert (searcher.proven, searcher.value, searcher.is_settled, searcher.was_full) == (proven, value, True, False)
    assert searcher.best_move() in position.legal_moves()
    assert "win" in outcomes_of(searcher) if proven == "win" else outcomes_of(searcher) == {"loss"}


def outcomes_of(searcher):
    """What is proved of the moves from the root."""
    return {child.outcome for child in searcher.children()}


# --- Values ---------------------------------------------------------------------------------------------------------


def test_values_stay_within_their_bounds_whatever_rounding_has_added():
    assert [int(to_fixed(np.float32(value))) for value in (-1e-3, 0, 1, 1.001)] == [0, 0, 65535, 65535]
    assert all(to_fixed(from_fixed(np.uint16(value))) == value for value in range(65536))


@jit
def visit_in_turns(graph, edges, visits):
    for i in range(visits):
        update_edge(graph, graph.nodes[1], graph.edges[1 + i % edges], graph.nodes[2])


@pytest.mark.parametrize("edges", [1, 3, 8])
def test_the_mean_of_millions_of_visits_is_that_of_their_values(edges):
    """Each edge has the value 0.7 all the time, and so has the node above the edges."""
    graph = allocate(10)
    node, child = graph.nodes[1], graph.nodes[2]
    for record, value in ((node, 0.7), (child, 0.3)):
        record["stats"], record["mean"] = 1, int(value * (2**32 - 1))
    visit_in_turns(graph, edges, 8_000_000)
    assert node["stats"] == 8_000_001
    assert node["mean"] / (2**32 - 1) == pytest.approx(0.7, abs=2e-5)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_a_childs_value_weighs_its_mean_against_its_minimax_value(share):
    searcher = searched(minimax=share)
    root = node_view(searcher.graph, int(searcher.graph.root[0]))
    for child, edge in zip(searcher.children(), root.edges, strict=True):
        assert child.value == pytest.approx(((1 - share) * edge.mean + share * edge.minimax) / 65535, abs=1e-6)


def test_the_value_of_a_move_that_was_hardly_searched_is_searched():
    searcher = searched(DEFENCE, simulations=5)
    values = [searcher.value_of_move(move, 1_000) for move in DEFENCE.legal_moves()[::16]]
    assert values == [0.0] * len(values)


# --- From one move to the next --------------------------------------------------------------------------------------


@pytest.mark.parametrize("memory", ["stop", "recycle"])
def test_a_game_is_played_on_one_graph(memory):
    """What earlier searches found is kept through the whole game, even if there is room for a part of it only."""
    searcher = new_searcher(capacity=2_500, memory=memory, reuse=True)
    position, kept = PENTAGO.initial(), []
    for ply in range(6):
        known = view_of(searcher, position)
        advanced = searcher.advance(position)
        assert not advanced or (known is not None and searcher._root_visits == known.visits)
        kept.append(advanced)
        searcher.search(simulations=1_000)
        if ply in (2, 5):
            assert_consistent(searcher.graph, PENTAGO)
        position = position.play(searcher.best_move())
        if position.result is not None or searcher.proven:
            break
    assert kept[0] is False and all(kept[1:]) and len(kept) > 4


def test_advance_keeps_a_proof():
    """After any answer to a winning move, the win is still known, or found again with ease."""
    searcher = searched(ATTACK, 10_000, temperature=1.0)
    position = searcher.position.play(searcher.best_move())
    kept = 0
    answers = [position.play(move) for move in position.legal_moves()[::9]]
    for after in [after for after in answers if after.result is None]:
        other = searched(ATTACK, 10_000, reuse=True, temperature=1.0)
        other.advance(after)
        kept += other.proven == "win"
        other.search(simulations=2_000)
        assert other.proven == "win"
    assert kept > 10


def test_a_graph_full_of_positions_of_earlier_moves_has_room_for_the_next_search():
    searcher = searched(simulations=20_000, capacity=3_000, stored=1, reuse=True)
    assert searcher.was_full
    searcher.advance(reply_of(searcher)[0])
    searcher.search(simulations=1_000)
    assert searcher.simulations > 500


# --- The solver and the clock ---------------------------------------------------------------------------------------

OFTEN_ASKED = {"evaluation": "learned", "solve": 4, "effort": 20.0}


def positions_a_chunk(monkeypatch, searcher, **limits):
    """How many positions the solver looks at in each chunk of a search."""
    found, plain = [], module.operate

    def operate(operation, kernel, policy, graph, work, *rest):
        before = int(work.solver.counters[0])
        done = plain(operation, kernel, policy, graph, work, *rest)
        found.append(int(work.solver.counters[0]) - before)
        return done

    with monkeypatch.context() as patch:
        patch.setattr(module, "operate", operate)
        searcher.search(**limits)
    return found


@pytest.mark.parametrize("position", [PENTAGO.initial(), SEVEN_PLIES])
def test_a_clock_interrupts_the_solver_and_changes_nothing_else(monkeypatch, position):
    whole, sliced = new_searcher(**OFTEN_ASKED), new_searcher(**OFTEN_ASKED)
    for searcher in (whole, sliced):
        searcher.begin(position)
    in_all = positions_a_chunk(monkeypatch, whole, simulations=1_500)
    monkeypatch.setattr(module, "SOLVER_POSITIONS", 50)
    slices = positions_a_chunk(monkeypatch, sliced, simulations=1_500, seconds=1_000)
    assert sum(slices) == sum(in_all) > 400
    assert max(slices) <= 50 + SHOWING_POSITIONS[-1] < max(in_all) and sliced.simulations == whole.simulations
    for one, other in zip(used_arrays(whole.graph), used_arrays(sliced.graph), strict=True):
        assert one.tobytes() == other.tobytes()


@pytest.fixture
def waiting(monkeypatch):
    """A searcher with a simulation that waits for the solver."""
    searcher = searched(simulations=300, reuse=True, **OFTEN_ASKED)
    monkeypatch.setattr(module, "SOLVER_POSITIONS", 1)
    searcher.end = 1e9
    while searcher._work.asking[DEPTH] == NO_DEPTH:
        searcher._run(16)
    return searcher


def test_a_simulation_that_waits_for_the_solver_is_ended_when_the_game_goes_on(waiting):
    searcher = waiting
    searcher.advance(PENTAGO.initial().play(searcher.best_move()))
    assert searcher._work.asking[DEPTH] == NO_DEPTH
    assert_consistent(searcher.graph, PENTAGO)
    searcher.search(simulations=300)
    assert searcher.simulations == 300
    assert_consistent(searcher.graph, PENTAGO)


def test_a_simulation_that_waits_for_the_solver_is_ended_before_moves_are_shown(waiting):
    """Showing a move may make a block of edges larger, and then the block moves to another place."""
    waiting.children(waiting.children()[0].node)
    assert waiting._work.asking[DEPTH] == NO_DEPTH
    assert_consistent(waiting.graph, PENTAGO)


def test_visits_end_where_one_more_would_run_into_the_flags():
    searcher = searched()
    node = searcher.graph.nodes[searcher.graph.root[0]]
    node["stats"] = MAX_VISITS - 1
    for _ in range(3):
        count_visit(node, 0.5)
    assert node["stats"] == MAX_VISITS


# --- What it says ---------------------------------------------------------------------------------------------------


def test_the_shape_counts_what_is_there():
    searcher = searched()
    shape, nodes = searcher.shape(), all_nodes(searcher.graph)
    edges = [len(view.edges) for view in nodes if view.tried]
    assert (shape.nodes, shape.leaves) == (len(nodes), len(nodes) - len(edges))
    assert shape.branching_mean == pytest.approx(sum(edges) / len(edges))
    assert 1 <= shape.depth_mean <= shape.depth_max < 20


# --- What can be searched -------------------------------------------------------------------------------------------


def test_a_game_whose_positions_may_recur_is_refused(monkeypatch):
    monkeypatch.setattr(type(PENTAGO), "positions_recur", True)
    with pytest.raises(ValueError, match="search=graph: the positions of pentago may recur in a game"):
        new_searcher()
