"""The search on a graph grows the graph that its definition grows, move by move."""

import pytest

from agents.uct.graph import NOBODY, NODES
from game import SAME_MOVER, load_game
from jit import new_rng
from tests.graphs import ATTACK, DEFENCE, PENTAGO, node_view
from tests.searches import new_searcher, position_after
from tests.slow.graph import SlowGraph

POSITIONS = {
    "empty": PENTAGO.initial(),
    "middle": position_after(PENTAGO, 12, 3),
    "late": position_after(PENTAGO, 29, 1),
    "attack": ATTACK,
    "defence": DEFENCE,
}


# --- The slow twin --------------------------------------------------------------------------------------------------


def assert_same_node(view, twin):
    assert view.state == twin.state
    assert (view.visits, view.flags, view.mean) == (twin.visits, twin.flags, twin.average)
    assert (view.edges is not None, view.truncated) == (twin.expanded, twin.truncated)
    assert (len(view.edges or ()), view.tried) == (len(twin.edges), twin.tried)


def assert_same_edge(view, twin):
    assert (view.number, view.flags, view.visits) == (twin.number, twin.flags, twin.visits)
    assert (view.mean, view.minimax, view.prior) == (twin.mean, twin.minimax, float(twin.prior))
    assert (view.child == NOBODY) == (twin.child is None)


def assert_same_graph(searcher, twin):
    """Compare all nodes and edges that can be reached from the root; returns the number of nodes."""
    graph, twins, waiting = searcher.graph, {}, [(int(searcher.graph.root[0]), twin.root)]
    while waiting:
        index, node = waiting.pop()
        if index in twins:
            assert twins[index] is node, "one of them has a position once, the other twice"
            continue
        twins[index] = node
        view = node_view(graph, index, searcher._work.odds)
        assert_same_node(view, node)
        for edge, twin_edge in zip(view.edges or (), node.edges, strict=True):
            assert_same_edge(edge, twin_edge)
            if twin_edge.child is not None:
                waiting.append((edge.child, twin_edge.child))
    assert len(set(map(id, twins.values()))) == len(twins)
    return len(twins)


def grown_alike(searcher, position, *totals):
    """Let a searcher and its twin search a position, and compare them at each of these totals of simulations."""
    twin = SlowGraph(searcher.game, searcher.settings, new_rng(1))
    searcher.begin(position)
    twin.plant(position)
    done = 0
    for total in totals:
        searcher.search(simulations=total - done)
        for _ in range(searcher.simulations):
            twin.simulate()
        done += searcher.simulations
        assert assert_same_graph(searcher, twin) <= searcher.graph.used[NODES] - 1 == twin.made
    return twin


LINES = {"evaluation": "lines"}
SETTINGS = [
    {"stored": 4},
    {"stored": 1},
    {"expand_at": 3},
    {"minimax": 0.0},
    {"minimax": 1.0},
    {"temperature": 2.0},
    {"temperature": 0.5},
    {"transpositions": False},
    {"puct": 0.0},
    {"puct": 3.0},
    {"leaf": "playout"},
    {"leaf": "mixture", "mixture": 0.3},
    {"leaf": "playout", "expand_at": 4},
    {"foresight": False},
]


@pytest.mark.parametrize(
    ("name", "settings", "simulations"),
    [
        ("empty", {}, 150),  # the last test searches the middle
        ("late", {}, 400),
        ("attack", {}, 400),
        ("defence", {}, 150),
        *(pytest.param(name, {}, 1000, marks=pytest.mark.slow) for name in POSITIONS),
        *(pytest.param(name, LINES, 1000, marks=pytest.mark.slow) for name in ("empty", "middle", "attack")),
        *(pytest.param(name, each, 400, marks=pytest.mark.slow) for each in SETTINGS for name in ("middle", "attack")),
    ],
    ids=str,
)
def test_graph_equals_the_slow_twins(name, settings, simulations):
    searcher = new_searcher(**settings)
    twin = grown_alike(searcher, POSITIONS[name], 1, 10, 100, simulations)
    assert searcher.proven == (None if twin.root.outcome == "open" else twin.root.outcome)


@pytest.mark.slow  # the search is compiled for Nim, which takes 20 s
@pytest.mark.parametrize("settings", [{}, {"leaf": "playout"}, {"minimax": 0.0, "expand_at": 2}])
def test_graph_of_a_game_with_extra_turns_equals_the_slow_twins(settings):
    nim = load_game("extra_turn_nim", heap=60)
    twin = grown_alike(new_searcher(game=nim, capacity=2_000, **settings), nim.initial(), 1, 10, 300, 2000)
    assert any(edge.flags & int(SAME_MOVER) for edge in twin.root.edges)


@pytest.mark.parametrize(
    ("name", "first", "others"),
    [
        ("middle", 400, 200),
        pytest.param("middle", 600, 400, marks=pytest.mark.slow),
        pytest.param("empty", 600, 400, marks=pytest.mark.slow),
    ],
)
def test_graph_of_the_next_positions_equals_the_slow_twins(name, first, others):
    """What is known of a position that was reached before is kept, and the search goes on from there."""
    searcher = new_searcher(capacity=60_000, reuse=True)
    twin, position = grown_alike(searcher, POSITIONS[name], 1, 10, first), POSITIONS[name]
    for plies in (1, 2, 2):
        for _ in range(plies):
            state = tuple(map(int, searcher.game.state(position)))
            best = max(twin.positions[state].edges, key=lambda edge: edge.visits)
            position = position.play(searcher.game.move_of(position, *best.payload))
        assert searcher.advance(position)
        twin.plant(position)
        searcher.search(simulations=others)
        for _ in range(searcher.simulations):
            twin.simulate()
        assert_same_graph(searcher, twin)
