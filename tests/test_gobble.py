"""Gobble: the same averages as the slow twin's, and the move with the best one."""

import numpy as np
import pytest

import game
from agents.agent import AgentError
from agents.best_first.tree import ROOT
from agents.gobble.searcher import Chunk, Searcher
from agents.limits import Clock
from go.tables import point_at
from tests.searches import agent_of, played
from tests.slow.gobble import Gobble

GO = game.load_game("go", size=5)
TICTACTOE, PENTAGO = game.load_game("tictactoe"), game.load_game("pentago")
DEFAULTS = {"order": "swap", "temperature": 10.0, "width": 1.0, "random": 20}


def searched(position, games, options=None, the_game=TICTACTOE, seed=1):
    chosen = DEFAULTS | (options or {})
    by_interval = chosen["order"] == "interval"
    searcher = Searcher(the_game, by_interval, chosen["temperature"], chosen["width"], chosen["random"], seed)
    searcher.search(position, (Chunk(games, games),))
    return searcher


# --- The twin -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [{}, {"order": "interval"}, {"temperature": 0.5}, {"temperature": 0.0, "random": 1}],
    ids=["swap", "interval", "cold", "frozen"],
)
@pytest.mark.parametrize(
    ("the_game", "texts"),
    [
        (TICTACTOE, "b2"),
        pytest.param(GO, "", marks=pytest.mark.slow),  # to compile it takes 12 s more
        pytest.param(GO, "C3 B2 D4", marks=pytest.mark.slow),
        pytest.param(PENTAGO, "c3/0r", marks=pytest.mark.slow),
    ],
    ids=["tictactoe", "black", "white", "pentago"],
)
def test_averages_are_the_twins(options, the_game, texts):
    position = played(the_game, texts)
    searcher = searched(position, 120, options, the_game, seed=5)
    twin = Gobble(the_game, searcher.kernel, position, DEFAULTS | options, 120, seed=5)
    assert searcher.work == 120
    for row in (0, 1):
        count = searcher.averages.counters[row]
        assert count == len(twin.scores[row]) >= 2
        for move, scores in twin.scores[row].items():
            assert searcher.averages.visits[row, move] == len(scores)
            assert searcher.averages.scores[row, move] == sum(scores)
            assert searcher.averages.results[row, move] == sum(twin.results[row][move])
    means = [twin.mean(0, move) for move in twin.scores[0] if move in numbers(searcher)]
    assert searcher.candidate(searcher.best_child(ROOT)).merit == max(means)


def numbers(searcher):
    return {searcher.number_of(child) for child in searcher.children_of(ROOT)}


def test_games_in_pieces_are_the_same_games():
    start = TICTACTOE.initial()
    whole, pieces = searched(start, 100), Searcher(TICTACTOE, False, 10.0, 1.0, 20, 1)
    pieces.search(start, [Chunk(1, 100)] * 100)
    assert np.array_equal(whole.averages.scores, pieces.averages.scores)


# --- The agent ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_eyes_are_not_filled():
    position = GO.parse_position(str(played(GO, "A4 C2 B5 C4 B4 D3 D5 B3")))  # black has an eye at A5
    searcher = searched(position, 10, the_game=GO)
    assert position.to_move == game.FIRST
    assert point_at(0, 0) not in numbers(searcher)


@pytest.mark.parametrize("the_game", [TICTACTOE, pytest.param(GO, marks=pytest.mark.slow)], ids=lambda game: game.name)
@pytest.mark.parametrize("order", ["swap", "interval"])
def test_a_game_is_played_to_its_end(order, the_game):
    agent, position = agent_of(f"gobble_agent:order={order},simulations=60", the_game), the_game.initial()
    while position.result is None and position.ply < 200:
        position = position.play(agent.step(position, Clock(0.0)))
    assert position.result is not None


def test_a_game_without_numbers_of_moves_is_refused_with_those_that_have_them():
    with pytest.raises(
        AgentError, match=r"gobble_agent: extra_turn_nim has no numbers for .* have them: go, .*pentago"
    ):
        agent_of("gobble_agent", game.load_game("extra_turn_nim"))
