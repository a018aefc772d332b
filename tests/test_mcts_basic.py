"""Best-first growth: the same tree as the slow twin's, exact budgets, wins and draws as they are."""

import pytest

import game
from agents.best_first.searcher import UNLIMITED, Searcher
from agents.best_first.tree import ROOT
from agents.limits import Clock
from tests.searches import agent_of
from tests.slow.best_first import BestFirst

TICTACTOE = game.load_game("tictactoe")
NIM = game.load_game("extra_turn_nim")
LONG_NIM = game.load_game("extra_turn_nim", heap=300)  # nothing is proved for a long time; compiled as NIM is


def searched(the_game, position, playouts, x=3, seed=1, expansions=UNLIMITED, pieces=None):
    searcher = Searcher(the_game, 5000, x, seed)
    searcher.search(position, pieces or (playouts,), expansions)
    return searcher


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


def test_a_full_tree_ends_the_search():
    agent = agent_of("mcts_basic_agent:simulations=100000,capacity=1000", LONG_NIM)
    assert agent.step(agent.game.initial(), Clock(0.0)) in agent.game.initial().legal_moves()
    found = agent.analysis()
    assert found["nodes"] <= found["capacity"] == 1000
    assert found["playouts"] < 100000


def test_a_move_that_loses_at_once_is_not_played():
    agent = agent_of("mcts_basic_agent:simulations=300,capacity=20000", TICTACTOE)
    position = TICTACTOE.parse_position("xx./o../... o")
    assert TICTACTOE.format_move(agent.step(position, Clock(0.0))) == "c1"
