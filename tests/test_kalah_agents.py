"""Searches of Kalah, on a tree and on a graph, come to the results of perfect play; GTP and pages know the game."""

import pytest

import game
from agents.alphabeta.searcher import Searcher as AlphaBeta
from agents.uct.settings import Settings
from mancala.game import Kalah
from simulator.gtp.agent_host import AgentHost
from simulator.gtp.commands import command_sets
from simulator.gtp.engine import Engine
from simulator.report.boards import board_json, positions_json
from tests.gtp_engines import Scholar, run
from tests.leagues import random_game
from tests.searches import new_searcher
from tests.slow.kalah_margins import margin

RESULTS = {1: "win", 0: "draw", -1: "loss"}


def result_of(kalah, position):
    """What perfect play gives the player to move, by exact margins."""
    lead = margin(kalah, position, table_bits=16) * (1 if position.to_move == 0 else -1)
    return RESULTS[(lead > 0) - (lead < 0)]


def positions_of(kalah):
    """The start, and every position up to two moves later; both players may be to move twice."""
    first = [kalah.initial().play(move) for move in kalah.initial().legal_moves()]
    return [kalah.initial(), *first, *(p.play(move) for p in first for move in p.legal_moves())]


@pytest.mark.parametrize("search", ["tree", pytest.param("graph", marks=pytest.mark.slow)])  # 20 s to compile
def test_what_a_search_proves_is_true(search):
    kalah, found = Kalah(3, 2), []
    searcher = new_searcher(search, kalah, 60_000)
    for position in positions_of(kalah):
        if position.result is None:
            searcher.begin(position)
            searcher.search(simulations=20_000)
            assert searcher.proven in (None, result_of(kalah, position))
            found.append(searcher.proven)
    assert found.count(None) <= 2
    assert {"win", "loss"} <= set(found)


@pytest.mark.slow  # compiled for Kalah by itself
def test_alphabeta_proves_what_is_true():
    kalah = Kalah(3, 2)
    searcher, proved = AlphaBeta(kalah, table_entries=1 << 16), 0
    for position in positions_of(kalah)[:5]:
        searcher.search(position, depth=24)
        assert searcher.proven in (None, result_of(kalah, position))
        proved += searcher.proven is not None
    assert proved >= 3


def test_a_wide_board_is_searched_on_a_tree():
    wide, narrow = game.load_game("kalah", pits=10, stones=12), game.load_game("kalah")
    assert Settings.for_game(wide).search == "tree"
    assert Settings.for_game(narrow).search == "graph"


# --- GTP and pages --------------------------------------------------------------------------------------------------


@pytest.fixture
def engine():
    return Engine("kalah", AgentHost(Scholar), command_sets("kalah"))


def test_boardsize_sets_the_pits(engine):
    assert run(engine, "boardsize 3", "unforced-position") == ["=", "= 4 4 4 0 4 4 4 0 b"]
    assert run(engine, "boardsize 11")[0].startswith("? unacceptable size")


def test_players_have_their_names_and_move_again(engine):
    assert run(engine, "play South 3", "play north 1", "play b 6", "unforced-legal_moves black") == [
        "=",
        "? illegal move",
        "=",
        "=",
    ]
    assert run(engine, "play black 2", "play north 1", "unforced-perft 1") == ["? illegal move", "=", "= 4"]


def test_the_page_has_every_position_and_the_pit_that_was_sown():
    record = random_game(("a", "b"), game="kalah", opening=("3", "6", "1", "2"), plies=0)
    said = positions_json(record)
    assert board_json(game.load_game("kalah")) == {"kind": "kalah", "pits": 6, "names": ("South", "North")}
    assert said["start"] == [4, 4, 4, 4, 4, 4, 0] * 2
    assert said["players"] == "0010"
    assert said["marks"] == [[2], [5], [7], [1]]
    assert said["changes"][0] == [2, 0, 3, 5, 4, 5, 5, 5, 6, 1]
