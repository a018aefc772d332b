"""MM-k and its budget of expanded positions; search traps; the hybrid of minimax and UCT."""

from itertools import repeat

import pytest

import game
from agents.alphabeta.searcher import Searcher
from agents.limits import Clock
from studies.forced_losses import plies_to_loss, trap_level
from tests.searches import agent_of, played
from tests.slow.minimax import Minimax, plies_to_win

TICTACTOE = game.load_game("tictactoe")
NIM = game.load_game("extra_turn_nim")
PENTAGO = game.load_game("pentago")
TRAPS = TICTACTOE.parse_position("xx./o../... o")


# --- minimax_agent --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("depth", "least", "most"), [(1, 1, 1), (2, 10, 19), (3, 10, 9 * 8 * 7), (4, 10, 9**4)])
def test_a_fixed_depth_plays_a_move_that_plain_minimax_finds_best(depth, least, most):
    """Positions one ply above the horizon are expanded, some of them a second time with the whole window."""
    agent, position = agent_of(f"minimax_agent:depth={depth}", TICTACTOE), TICTACTOE.initial()
    values = Minimax(TICTACTOE).move_values(position, depth)
    assert values[agent.step(position, Clock(60.0))] == max(values.values())
    assert agent.analysis()["depth_max"] == depth
    assert least <= agent.analysis()["expanded"] <= most


@pytest.mark.parametrize("name", ["alphabeta_agent", "minimax_agent"])
def test_without_a_table_the_value_is_the_same_and_more_positions_are_expanded(name):
    found = {}
    for table in ("yes", "no"):
        agent = agent_of(f"{name}:depth=7,table={table}", TICTACTOE)
        agent.step(TICTACTOE.parse_position("x../.../... o"), Clock(60.0))
        found[table] = agent.analysis()
    assert found["yes"]["value"] == found["no"]["value"]
    assert found["yes"]["depth_max"] == found["no"]["depth_max"] == 7
    assert found["yes"]["expanded"] < found["no"]["expanded"]


def test_a_budget_ends_a_search_of_chunks_too():
    searcher = Searcher(PENTAGO, 1 << 10)
    searcher.search(PENTAGO.initial(), chunks=repeat(7), expansions=25)
    assert searcher.expanded == 25
    assert searcher.best_move() in PENTAGO.initial().legal_moves()


def test_a_larger_budget_looks_deeper_and_one_that_is_large_enough_changes_nothing():
    found = []
    for options in ("depth=3", "depth=3,nodes=1000000", *(f"depth=0,nodes={nodes}" for nodes in (1, 30, 3000))):
        agent = agent_of(f"minimax_agent:{options}", TICTACTOE)
        move = agent.step(TICTACTOE.initial(), Clock(60.0))
        found.append((move, agent.analysis()["expanded"], agent.analysis()["depth_max"]))
    assert found[0] == found[1]
    depths = [depth for _, _, depth in found[2:]]
    assert depths[0] == 1
    assert depths == sorted(set(depths))


# --- Traps ----------------------------------------------------------------------------------------------------------


def slow_trap_levels(position, most):
    """The levels of all traps among the moves, where turns alternate."""
    after = [position.play(move) for move in position.legal_moves()]
    return {plies_to_win(child, most) for child in after if child.result is None} - {None}


@pytest.mark.parametrize("level", [1, 3])
@pytest.mark.parametrize(
    "text",
    [
        *(".../.../... x", "x../.../... o", "xx./o../... o", "x../.o./..x o"),
        *("xo./.../... x", "xo./.x./... o", "xox/.../... o"),
    ],
)
def test_traps_are_found_as_slowly_counted(text, level):
    position = TICTACTOE.parse_position(text)
    found = trap_level(Searcher(TICTACTOE, 1 << 10), position, level)
    levels = slow_trap_levels(position, level)
    assert found == min(levels, default=None)


def test_both_kinds_of_positions_are_among_them_and_an_extra_turn_that_loses_is_a_trap_too():
    assert slow_trap_levels(TICTACTOE.initial(), 3) == set()
    assert 1 in slow_trap_levels(TRAPS, 3)
    # With two stones left, taking both leaves the same player without a move; with one left, the other player.
    assert trap_level(Searcher(NIM, 1 << 10), NIM.parse_position("4 first"), 3) is not None
    assert trap_level(Searcher(TICTACTOE, 1 << 10), TRAPS, 3, deadline=0.0) is None  # once the time is over


@pytest.mark.slow
def test_more_than_half_of_all_stones_ends_the_count_of_plies():
    kalah = game.load_game("kalah", pits=2, stones=2)
    searcher = Searcher(kalah, 1 << 10)
    assert plies_to_loss(searcher, kalah.parse_position("2 1 4 1 0 0 b"), False, 1, None) == 1


# --- hybrid_agent ---------------------------------------------------------------------------------------------------


def hybrid(options, the_game=TICTACTOE):
    return agent_of(f"studies/hybrid_agent.py:capacity=20000,{options}", the_game)


def said_by(agent):
    """An agent's analysis without the memory of the process, which is measured anew each time."""
    return agent.analysis() | {"peak_rss_mb": None}


def test_among_traps_minimax_plays_and_elsewhere_uct():
    agent = hybrid("preset=playouts,simulations=100,depth=9")
    agent.step(TRAPS, Clock(60.0))
    assert agent.trap in slow_trap_levels(TRAPS, 3)
    assert said_by(agent) == said_by(agent.minimax) != {}
    agent.step(TICTACTOE.initial(), Clock(60.0))
    assert agent.trap is None
    assert said_by(agent) == said_by(agent.uct)
    assert agent.analysis()["simulations"] == 100
    agent.close()


@pytest.mark.slow
def test_the_level_says_which_traps_count():
    position = TICTACTOE.parse_position("x../.../... o")  # most replies lose in five
    assert slow_trap_levels(position, 5) == {5}
    for level, is_trap in ((3, False), (5, True)):
        agent = hybrid(f"preset=playouts,simulations=100,level={level},depth=9")
        agent.step(position, Clock(60.0))
        assert (agent.trap == 5) is is_trap


@pytest.mark.slow
def test_the_hybrid_plays_a_game_by_the_clock():
    agent, position = hybrid("preset=playouts,depth=4", PENTAGO), played(PENTAGO, "c3/0r d4/1f")
    agent.setup()
    for _ in range(3):
        position = position.play(agent.step(position, Clock(0.2)))
    assert position.ply == 5


def test_uctmax_h_is_what_plays_unless_told_otherwise():
    agent = hybrid("nodes=20,depth=9")
    agent.step(TICTACTOE.initial(), Clock(60.0))
    assert agent.trap is None
    assert agent.uct.options["preset"] == "uctmax_h"
    assert agent.uct.options["backup"] == "minimax"
    assert agent.analysis()["expanded"] == 20
    agent.step(TRAPS, Clock(0.0))
    assert agent.trap is not None
    assert agent.analysis()["expanded"] == 20 > agent.minimax.analysis()["expanded"] >= 15


def test_a_budget_of_a_few_nodes_is_kept_too_also_one_that_is_set_later():
    for nodes in range(1, 9):
        agent = hybrid(f"preset=playouts,nodes={nodes},depth=9")
        for position in (TICTACTOE.initial(), TRAPS):
            agent.step(position, Clock(0.0))
            assert agent.analysis()["expanded"] == nodes
    agent = hybrid("nodes=1,depth=9")
    agent.set_nodes(15)
    agent.step(TICTACTOE.initial(), Clock(0.0))
    assert (agent.analysis()["expanded"], agent.analysis()["capacity"]) == (15, 20_000)
    agent.step(TRAPS, Clock(0.0))
    assert agent.analysis()["expanded"] == 15
