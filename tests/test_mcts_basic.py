"""Best-first growth: the same tree as the slow twin's, exact budgets, wins and draws as they are."""

import json

import pytest

import game
from agents.agent import AgentError, load_agent
from agents.best_first.searcher import UNLIMITED, Searcher
from agents.best_first.tree import ROOT
from agents.limits import Clock, Limits
from agents.process_memory import held_bytes
from tests.slow.best_first import BestFirst

TICTACTOE = game.load_game("tictactoe")
NIM = game.load_game("extra_turn_nim")
LONG_NIM = game.load_game("extra_turn_nim", heap=300)  # nothing is proved for a long time; compiled as NIM is


def searched(the_game, position, playouts, x=3, seed=1, expansions=UNLIMITED, pieces=None):
    searcher = Searcher(the_game, 5000, x, seed)
    searcher.search(position, pieces or (playouts,), expansions)
    return searcher


def agent_of(options, the_game=TICTACTOE, seed=1):
    limits = Limits(memory_mb=held_bytes() // 1_000_000 + 300)
    return load_agent("mcts_basic_agent")(the_game, limits, seed, {"capacity": "20000", **options})


def compare(tree, number, node):
    """A subtree of the compiled tree with the twin's."""
    assert (tree.visits[number], tree.scores[number]) == (len(node.results), pytest.approx(sum(node.results)))
    assert tree.children[number] == len(node.children)
    for i, child in enumerate(node.children):
        compare(tree, tree.first[number] + i, child)


@pytest.mark.parametrize("x", [1, 3])
@pytest.mark.parametrize("playouts", [5, 100, 301])
@pytest.mark.parametrize(
    ("the_game", "text"),
    [(TICTACTOE, ".../.../... x"), (TICTACTOE, "x.o/.x./..o x"), (NIM, "11 first"), (NIM, "9 second")],
    ids=["start", "middle", "nim11", "nim9"],
)
def test_the_tree_is_the_twins_node_by_node(the_game, text, playouts, x):
    position = the_game.parse_position(text)
    searcher = searched(the_game, position, playouts, x, seed=7)
    twin = BestFirst(the_game, position, x, seed=7, playouts=playouts)
    assert (searcher.work, searcher.figures["expanded"]) == (twin.playouts, twin.expanded)
    compare(searcher.tree, ROOT, twin.root)


def test_a_search_in_pieces_is_the_same_search():
    whole = searched(TICTACTOE, TICTACTOE.initial(), 300)
    pieces = searched(TICTACTOE, TICTACTOE.initial(), 300, pieces=(1, 2, 97, 100, 100))
    for one, other in zip(whole.tree, pieces.tree, strict=True):
        assert one[: whole.figures["nodes"]].tolist() == other[: whole.figures["nodes"]].tolist()


@pytest.mark.parametrize("playouts", [1, 17, 250])
def test_so_many_playouts_are_made_as_were_asked_for(playouts):
    agent = agent_of({"simulations": str(playouts)}, LONG_NIM)
    agent.step(agent.game.initial(), Clock(0.0))
    assert agent.analysis()["playouts"] == agent.analysis()["simulations"] == playouts


@pytest.mark.parametrize("nodes", [1, 2, 9])
def test_so_many_positions_are_expanded_as_were_asked_for(nodes):
    agent = agent_of({"simulations": "100000", "nodes": str(nodes), "x": "2"}, LONG_NIM)
    agent.step(agent.game.initial(), Clock(0.0))
    found = agent.analysis()
    assert found["expanded"] == nodes
    assert found["playouts"] == 2 * (found["nodes"] - 1)  # each new child, nothing being decided yet


def test_a_budget_can_be_set_for_the_next_moves():
    agent = agent_of({"simulations": "100000", "nodes": "9", "x": "2"}, LONG_NIM)
    agent.set_nodes(3)
    agent.step(agent.game.initial(), Clock(0.0))
    assert agent.analysis()["expanded"] == 3


def test_a_full_tree_ends_the_search():
    agent = agent_of({"simulations": "100000", "capacity": "1000"}, LONG_NIM)
    assert agent.step(agent.game.initial(), Clock(0.0)) in agent.game.initial().legal_moves()
    found = agent.analysis()
    assert found["nodes"] <= found["capacity"] == 1000
    assert found["playouts"] < 100000


def test_a_win_at_once_is_played_without_a_playout():
    agent = agent_of({"simulations": "100"})
    position = TICTACTOE.parse_position("xx./oo./... x")
    assert TICTACTOE.format_move(agent.step(position, Clock(0.0))) == "c1"
    found = agent.analysis()
    assert (found["proven"], found["value"], found["playouts"], found["pv"]) == ("win", 1.0, 0, ["c1"])


def test_a_move_that_loses_at_once_is_not_played():
    agent = agent_of({"simulations": "300"})
    position = TICTACTOE.parse_position("xx./o../... o")
    assert TICTACTOE.format_move(agent.step(position, Clock(0.0))) == "c1"


@pytest.mark.parametrize("heap", range(1, 8))
def test_small_games_with_extra_turns_are_proved(heap):
    from tests.extra_turn_nim import mover_wins

    agent = agent_of({"simulations": "2000"}, NIM)
    agent.step(NIM.parse_position(f"{heap} second"), Clock(0.0))
    assert agent.analysis()["proven"] == ("win" if mover_wins(heap) else "loss")


def test_the_same_seed_gives_the_same_game_and_another_another():
    games = []
    for seed in (3, 3, 4):
        agent, position, found = agent_of({"simulations": "150"}, seed=seed), None, []
        position = agent.game.initial()
        for _ in range(3):
            position = position.play(agent.step(position, Clock(0.0)))
            found.append((str(position), agent.analysis()["value"]))
        games.append(found)
    assert games[0] == games[1] != games[2]


def test_it_plays_by_the_clock_and_says_what_it_did():
    agent = agent_of({})
    assert agent.analysis() == {}
    move = agent.step(TICTACTOE.initial(), Clock(0.1))
    found = agent.analysis()
    assert json.loads(json.dumps(found)) == found
    assert found["pv"][0] == TICTACTOE.format_move(move)
    assert found["depth_pv"] == len(found["pv"])
    assert found["playouts"] > 0
    agent.close()
    assert agent.analysis() == {}


@pytest.mark.parametrize(
    ("option", "value", "wanted"),
    [("x", "0", "a whole number from 1 on"), ("nodes", "-1", "a whole number from 0 on"), ("simulations", "many", "a")],
)
def test_wrong_options_are_refused_with_what_is_right(option, value, wanted):
    with pytest.raises(AgentError, match=f"mcts_basic_agent: {option} must be {wanted}"):
        agent_of({option: value})
