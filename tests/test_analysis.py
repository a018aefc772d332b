"""The analysis of a finished search is true of its tree."""

import json
from dataclasses import replace
from functools import cache

import pytest

from agents.outcomes import OUTCOME_VALUES
from agents.uct.analysis import analyse, render
from agents.uct.tree import ROOT, child_count_of
from game import load_game
from tests import searches
from tests.searches import NEARLY_WON

OPEN_POSITION = "...b../.w..../...w../..b.../.w..b./...... w"
LOST = "xox/..o/x.. o"
POSITIONS = [
    ("pentago", "....../....../....../....../....../...... w", None),
    ("pentago", OPEN_POSITION, None),
    ("pentago", NEARLY_WON, "win"),
    ("tictactoe", ".../.../... x", "draw"),
    ("tictactoe", LOST, "loss"),
]
every_position = pytest.mark.parametrize(("name", "text", "proven"), POSITIONS)


@cache
def searched(name, text, simulations=None, foresight=True):
    """A searcher on a tree that has searched a position; tests only look at it."""
    game, foresees = load_game(name), {"foresight": foresight} if name == "pentago" else {}
    simulations = simulations or {"pentago": 5_000, "tictactoe": 100_000}[name]
    how = {"search": "tree", "capacity": 200_000, **foresees}
    return searches.searched(game.parse_position(text), simulations, game=game, **how)


def outcome_of(result, player):
    """The outcome of a finished game for a player: win, draw or loss."""
    return "draw" if result.winner is None else "win" if result.winner == player else "loss"


@every_position
def test_an_analysis_says_what_is_true_of_position_and_moves(name, text, proven):
    searcher = searched(name, text)
    game, position, analysis = searcher.game, searcher.position, analyse(searcher)
    assert (analysis.position, analysis.proven) == (text, proven)
    assert not proven or (analysis.settled and analysis.value == OUTCOME_VALUES[proven])
    reached = [str(position.play(game.parse_move(view.move, position))) for view in analysis.moves]
    assert len(set(reached)) == len(reached)
    assert set(reached) == {str(position.play(move)) for move in position.legal_moves()}
    assert analysis.best == analysis.moves[0].move == game.format_move(searcher.best_move())
    rank = {"win": 0, None: 1, "draw": 1, "loss": 2}
    keys = [(rank[view.resolved], -view.visits, -view.value) for view in analysis.moves[1:]]
    assert keys == sorted(keys)
    assert sum(view.visits for view in analysis.moves) == analysis.simulations
    for view in analysis.moves:
        assert 0 <= view.wins == pytest.approx(view.value * view.visits) and view.wins <= view.visits
    for move in analysis.pv:
        position = position.play(game.parse_move(move, position))  # raises for an illegal move
    if position.result is not None and proven:
        assert outcome_of(position.result, searcher.position.to_move) == proven


@every_position
def test_an_analysis_is_shown_on_a_terminal_and_survives_json(name, text, proven):
    analysis = analyse(searched(name, text))
    lines = render(analysis).splitlines()
    assert max(map(len, lines)) <= 100
    assert analysis.pv[0] == analysis.best == lines[1].split()[0]
    assert len(lines) >= 1 + len(analysis.moves) + 5
    assert not proven or any(f"a proved {proven}" in line for line in lines)
    found = analysis.to_json()
    again = json.loads(json.dumps(found))
    assert again["proven"] == proven
    assert [view["move"] for view in again["moves"]] == [view["move"] for view in found["moves"]]
    assert set(again["shape"]) == {"nodes", "leaves", "depth_mean", "depth_max", "branching_mean"}


@pytest.mark.parametrize("foresight", [False, True])
@pytest.mark.parametrize("text", [NEARLY_WON, "bw..b./.wbw../w.b..w/..wb../b.w.bw/...b.w b"])
def test_a_resolved_move_is_implied_exactly_if_the_game_goes_on_after_it(text, foresight):
    searcher = searched("pentago", text, foresight=foresight)
    position, resolved = searcher.position, []
    for view in analyse(searcher).moves:
        result = position.play(searcher.game.parse_move(view.move, position)).result
        if result is not None:
            assert (view.resolved, view.implied) == (outcome_of(result, position.to_move), False)
        else:
            assert view.implied == (view.resolved is not None)
        resolved.append(view.resolved)
    assert any(resolved)


def test_children_of_a_move_are_counted_with_those_that_are_resolved():
    searcher, found = searched("tictactoe", "x../.o./... x", simulations=60), {}
    for child in searcher.children():
        below = searcher.children(child.node)
        move = searcher.game.format_move(searcher.move_to(searcher.position, child.node))
        found[move] = len(below), sum(grandchild.outcome is not None for grandchild in below)
    assert {view.move: (view.children, view.children_resolved) for view in analyse(searcher).moves} == found


def depths_of_leaves(searcher, node=ROOT, depth=0):
    below = searcher.children_of(node)
    if not below:
        return [depth]
    return [leaf for child in below for leaf in depths_of_leaves(searcher, child, depth + 1)]


@every_position
def test_the_shape_is_that_of_a_slow_count(name, text, proven):
    searcher = searched(name, text)
    shape, leaves = searcher.shape(), depths_of_leaves(searcher)
    counts = [int(child_count_of(word)) for word in searcher.tree.links[: searcher.tree.used[0]]]
    inner = [count for count in counts if count]
    assert shape.nodes == len(counts) == sum(inner) + 1
    assert shape.leaves == len(leaves)
    assert shape.depth_max == max(leaves)
    assert shape.depth_mean == pytest.approx(sum(leaves) / len(leaves))
    assert shape.branching_mean == pytest.approx(sum(inner) / len(inner))


def test_a_long_variation_is_wrapped_and_only_as_many_moves_as_asked_for_are_shown():
    analysis = analyse(searched("pentago", OPEN_POSITION))
    lines = render(replace(analysis, pv=("f5/1r",) * 30), top=3).splitlines()
    assert max(map(len, lines)) <= 100
    assert "\n".join(lines).count("f5/1r") >= 30
    assert [line.split()[0] for line in lines[1:4]] == [view.move for view in analysis.moves[:3]]
    assert lines[4] == f"... and {len(analysis.moves) - 3} more"
