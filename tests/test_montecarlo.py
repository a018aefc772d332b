"""Flat Monte Carlo: how playouts are spread and what they are worth. Best-first growth: the slow twin's trees."""

import math

import pytest

import game
from agents.best_first.flat import FlatSearcher
from agents.best_first.searcher import UNLIMITED, Searcher
from agents.best_first.tree import ROOT
from agents.limits import Clock
from jit import new_rng
from tests import contract
from tests.searches import agent_of, tactics
from tests.slow.best_first import BestFirst

TICTACTOE, NIM = game.load_game("tictactoe"), game.load_game("extra_turn_nim")


def searcher_of(the_game, position, playouts, by_bound=True, x=1, y=1, c=0.5, seed=1):
    searcher = FlatSearcher(the_game, by_bound, x, y, c, True, seed)
    searcher.begin(position)
    searcher.run(playouts)
    return searcher


def visits_scores_wins(searcher, count):
    """Visits, scores and wins of the root's moves, whose nodes follow the root."""
    visits, scores = (array[1 : count + 1] for array in (searcher.tree.visits, searcher.tree.scores))
    return visits, scores, searcher.spread.wins[:count]


# --- Where playouts go ----------------------------------------------------------------------------------------------


def test_mcs_pure_gives_every_move_as_many_playouts_but_for_one():
    searcher = searcher_of(TICTACTOE, TICTACTOE.initial(), 1000, by_bound=False)
    visits = sorted(visits_scores_wins(searcher, 9)[0])
    assert sum(visits) == searcher.work == 1000
    assert visits[-1] - visits[0] == 1


def slow_mcs_ucb(the_game, position, playouts, x, y, c, seed):
    """The results of each move's playouts by MCS_UCB(x, y), written as on the slides."""
    children, rng = contract.children_of(the_game, position), new_rng(seed)
    results = [[] for _ in children]

    def trial(chosen):
        state = contract.copied(the_game, the_game.state(position))
        contract.step(the_game.kernel, state, children[chosen].word0, children[chosen].word1)
        results[chosen].append(1 - float(contract.playout(the_game.kernel, state, rng)))

    trials = [chosen for _ in range(x) for chosen in range(len(children))]
    for made in range(playouts):
        if not trials:
            bounds = [sum(one) / len(one) + c * math.sqrt(math.log(made) / len(one)) for one in results]
            trials = [bounds.index(max(bounds))] * y
        trial(trials.pop(0))
    return results


@pytest.mark.parametrize("c", [0.0, 0.5, 1.41])
@pytest.mark.parametrize(("x", "y"), [(1, 1), (5, 1), (3, 7), (100, 1)])
def test_mcs_ucb_gives_each_move_x_playouts_then_y_at_a_time_to_the_largest_bound(x, y, c):
    position = TICTACTOE.parse_position("x.o/.../... x")
    searcher = searcher_of(TICTACTOE, position, 307, x=x, y=y, c=c, seed=4)
    results = slow_mcs_ucb(TICTACTOE, position, 307, x, y, c, seed=4)
    count = len(results)
    assert searcher.work == 307
    visits, scores, wins = visits_scores_wins(searcher, count)
    assert visits.tolist() == [len(one) for one in results]
    assert scores.tolist() == [sum(one) for one in results]
    assert wins.tolist() == [one.count(1.0) for one in results]
    shares = [one.count(1.0) / len(one) for one in results]
    assert shares[searcher.best_child(0) - 1] == max(shares)


def test_the_same_playouts_in_pieces_are_the_same_playouts():
    whole, pieces = (searcher_of(TICTACTOE, TICTACTOE.initial(), 0, x=3, y=5) for _ in range(2))
    whole.run(200)
    for _ in range(100):
        pieces.run(2)
    for one, other in zip(visits_scores_wins(whole, 9), visits_scores_wins(pieces, 9), strict=True):
        assert one.tolist() == other.tolist()


def test_what_is_played_is_the_share_of_wins_or_the_mean_score_and_not_the_number_of_visits():
    searcher = searcher_of(TICTACTOE, TICTACTOE.initial(), 0)
    visits, scores, wins = visits_scores_wins(searcher, 9)
    visits[:], wins[:], scores[:] = 10, 0, 1
    visits[3], wins[3], scores[3] = 100, 20, 40
    wins[5], scores[5] = 4, 4  # no draws
    wins[7], scores[7] = 2, 6  # eight draws
    assert searcher.best_child(0) == 1 + 5
    searcher.by_wins = False
    assert searcher.best_child(0) == 1 + 7


def test_a_move_that_lost_all_its_playouts_goes_before_one_that_is_known_to_lose():
    the_game = game.load_game("pentago")
    searcher = searcher_of(the_game, the_game.parse_position(tactics("safe", 1)[0]["position"]), 500)
    assert "loss" in {searcher.candidate(move).outcome for move in searcher.children_of(0)}
    searcher.spread.wins[:] = searcher.tree.scores[:] = 0.0
    assert searcher.candidate(searcher.best_child(0)).outcome is None


def chance_at_random(position, player):
    """A player's exact chance to win from a position if both players move at random."""
    if position.result is not None:
        return float(position.result.winner == player)
    after = [position.play(move) for move in position.legal_moves()]
    return sum(chance_at_random(child, player) for child in after) / len(after)


@pytest.mark.parametrize("misere", [False, True])
def test_scores_are_for_the_player_who_moves_also_when_the_turn_does_not_pass(misere):
    nim = game.load_game("extra_turn_nim", misere=misere)
    position = nim.parse_position("8 second")
    searcher = searcher_of(nim, position, 60_000, by_bound=False)
    for child in searcher.children_of(0):
        exact = chance_at_random(position.play(searcher.move_to(child, position)), position.to_move)
        assert searcher.candidate(child).chance == pytest.approx(exact, abs=0.02)  # five standard errors


# --- Best-first growth ----------------------------------------------------------------------------------------------


def searched(the_game, position, *pieces, x=3, seed=1):
    """A search by best-first growth, in pieces of so many playouts."""
    searcher = Searcher(the_game, 5000, x, seed)
    searcher.search(position, pieces, UNLIMITED)
    return searcher


def compare(tree, number, node):
    """Compare a subtree of the compiled tree with the twin's."""
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
    searcher = searched(the_game, position, playouts, x=x, seed=7)
    twin = BestFirst(the_game, position, x, seed=7, playouts=playouts)
    assert (searcher.work, searcher.figures["expanded"]) == (twin.playouts, twin.expanded)
    compare(searcher.tree, ROOT, twin.root)


def test_a_search_in_pieces_is_the_same_search():
    whole = searched(TICTACTOE, TICTACTOE.initial(), 300)
    pieces = searched(TICTACTOE, TICTACTOE.initial(), 1, 2, 97, 100, 100)
    for one, other in zip(whole.tree, pieces.tree, strict=True):
        assert one[: whole.figures["nodes"]].tolist() == other[: whole.figures["nodes"]].tolist()


def test_a_full_tree_ends_the_search():
    long_nim = game.load_game("extra_turn_nim", heap=300)  # long without proofs; NIM's compiled code serves
    agent = agent_of("mcts_basic_agent:simulations=100000,capacity=1000", long_nim)
    assert agent.step(agent.game.initial(), Clock(0.0)) in agent.game.initial().legal_moves()
    found = agent.analysis()
    assert found["nodes"] <= found["capacity"] == 1000
    assert found["playouts"] < 100000


def test_a_move_that_loses_at_once_is_not_played():
    agent = agent_of("mcts_basic_agent:simulations=300,capacity=20000", TICTACTOE)
    position = TICTACTOE.parse_position("xx./o../... o")
    assert TICTACTOE.format_move(agent.step(position, Clock(0.0))) == "c1"
