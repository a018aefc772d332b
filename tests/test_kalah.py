"""Kalah, compared with OpenSpiel, a slow twin and published results; its texts and searches, and GTP."""

import random

import numpy as np
import pytest

import game
from agents.alphabeta.searcher import Searcher as AlphaBeta
from agents.uct.settings import Settings
from game import DRAW, FIRST, IMPLIED, OPEN, SAME_MOVER, SECOND, WON, Result
from mancala.game import Kalah
from mancala.tables import WideKalahKernel
from simulator.gtp.agent_host import AgentHost
from simulator.gtp.commands import command_sets
from simulator.gtp.engine import Engine
from tests import contract
from tests.gtp_engines import Scholar, run
from tests.searches import new_searcher, played
from tests.slow.kalah_margins import margin
from tests.slow.mancala import Board

# South's lead under perfect play, by the number of pits, for 1, 2... stones in each: with standard captures, and with
# empty captures (Irving, Donkers & Uiterwijk, "Solving Kalah", 2000).
MARGINS = {
    1: ((0, -2, 6, -2, 2, 0), (0, -2, 6, -2, 2, 0)),
    2: ((2, -2, -2, -10, 6, 8), (2, -2, -2, -12, 6, 8)),
    3: ((0, 4, 2, 2, 6, -8), (0, 4, 2, 2, 6, -10)),
    4: ((2, 6, 6, 2, 4), (2, 6, 8, 2, 2, 0)),
    5: ((0, 2, 6, 10), (0, 0, 8, 12, 2)),
    6: ((2, 6, 2, 8), (2, 10, 2, 10)),
}
SOLVED = [
    (pits, stones, bool(empty_capture), found)
    for pits, tables in MARGINS.items()
    for empty_capture, row in enumerate(tables)
    for stones, found in enumerate(row, 1)
]
MOST_AT_ONCE = 16  # stones of a player; with so many or fewer, a solution takes less than a second
TOO_LARGE = {(5, 5), (6, 4)}  # pits and stones: more than two minutes; the others take 4 s at most


# --- The rules ------------------------------------------------------------------------------------------------------


def test_random_games_are_those_of_openspiel_move_by_move():
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    theirs, kalah, rng, draws, extra = pyspiel.load_game("mancala"), Kalah(), random.Random(1), 0, 0
    for _ in range(300):
        state, position = theirs.new_initial_state(), kalah.initial()
        while not state.is_terminal():
            assert position.result is None
            assert position.to_move == state.current_player()
            actions = state.legal_actions()
            assert [move + 7 * position.to_move for move in position.legal_moves()] == actions
            action = rng.choice(actions)
            before, position = position, position.play(action - 7 * position.to_move)
            state.apply_action(action)
            north_store, *board = map(int, state.observation_tensor(FIRST)[:14])
            assert position.board.tolist() == [board[:7], [*board[7:], north_store]]
            extra += position.to_move == before.to_move
        lead = int(position.totals[0] - position.totals[1])
        assert state.returns()[0] == np.sign(lead)
        assert position.result == result_of(lead)
        draws += lead == 0
    assert min(draws, extra) > 0


BOARDS = [(1, 1), (1, 12), (2, 3), (3, 6), (6, 4), (6, 12), (7, 12), (8, 7), (8, 8), (9, 3), (9, 4), (10, 1), (10, 12)]


@pytest.mark.parametrize("empty_capture", [False, True])
@pytest.mark.parametrize(("pits", "stones"), BOARDS)
def test_random_games_are_those_of_the_slow_twin(pits, stones, empty_capture):
    kalah, rng, captures_of_nothing = Kalah(pits, stones, empty_capture), random.Random(2), 0
    for _ in range(20):
        board, position = Board(pits, stones, empty_capture), kalah.initial()
        while not board.is_over:
            assert list(position.legal_moves()) == board.moves()
            move = rng.choice(board.moves())
            board.play(move)
            before, position = position, position.play(move)
            assert str(position) == board.text
            captures_of_nothing += sum(position.stores) - sum(before.stores) == 1 and before.to_move != position.to_move
        assert (position.result, position.legal_moves()) == (result_of(board.lead), ())
    if empty_capture and pits > 2:
        assert captures_of_nothing > 0


def result_of(lead):
    return DRAW if lead == 0 else Result(FIRST if lead > 0 else SECOND, abs(lead))


def test_boards_that_fit_are_payloads_and_the_others_are_not():
    wide = {board: isinstance(Kalah(*board).kernel, WideKalahKernel) for board in BOARDS}
    assert [board for board in BOARDS if wide[board]] == [(8, 8), (9, 4), (10, 12)]


@pytest.mark.parametrize(
    ("pits", "stones", "empty_capture", "expected"),
    [
        pytest.param(pits, stones, *rest, marks=[pytest.mark.slow] if pits * stones > MOST_AT_ONCE else [])
        for pits, stones, *rest in SOLVED
        if (pits, stones) not in TOO_LARGE
    ],
)
def test_perfect_play_has_the_published_margin(pits, stones, empty_capture, expected):
    kalah = Kalah(pits, stones, empty_capture)
    assert margin(kalah, kalah.initial(), table_bits=18 if pits * stones <= MOST_AT_ONCE else 22) == expected


# --- Results that are known early -----------------------------------------------------------------------------------


def test_more_than_half_of_all_stones_in_a_store_is_a_win_before_the_end():
    kalah = Kalah(2, 2)
    half = contract.children_of(kalah, kalah.parse_position("1 0 4 0 3 0 b"))
    assert [child.flags for child in half] == [OPEN]
    more = contract.children_of(kalah, kalah.parse_position("2 1 4 1 0 0 b"))
    assert [child.flags for child in more] == [WON | SAME_MOVER | IMPLIED] * 2


def test_the_evaluation_grows_with_the_difference_of_the_stores_only():
    kalah = Kalah(2, 2)
    texts = ("2 1 0 2 0 3 b", "1 1 1 1 1 3 b", "0 2 2 1 1 2 b", "1 2 3 0 2 0 b")
    found = [float(contract.evaluate(kalah.kernel, kalah.state(kalah.parse_position(text)))) for text in texts]
    assert found == sorted(found)
    assert found[2] == 0.5
    assert found[0] == pytest.approx(1 - found[3])
    other = kalah.state(kalah.parse_position("1 2 3 0 2 0 w"))
    assert float(contract.evaluate(kalah.kernel, other)) == pytest.approx(found[0])


# --- Text -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pits", "stones"), [(0, 4), (11, 4), (6, 0), (6, 13)])
def test_boards_beyond_the_bounds_are_refused(pits, stones):
    with pytest.raises(ValueError, match=r"must be 1 to 1[02]"):
        game.load_game("kalah", pits=pits, stones=stones)


def test_the_board_is_drawn_with_the_pit_that_was_sown():
    lines = Kalah().draw(played(Kalah(), "3 6 1")).splitlines()
    assert lines[0].split() == ["6", "5", "4", "3", "2", "1", "North", "(w)"]
    assert lines[2].split() == ["|", "5", "5", "6", "6", "6", "(0)", "|"]
    assert lines[3].split() == ["0", "2"]
    assert lines[4].split() == ["|", "4", "4", "0", "5", "5", "0", "|"]
    assert lines[6].split() == ["1", "2", "3", "4", "5", "6", "South", "(b)"]
    over = Kalah(2, 2).parse_position("0 1 4 1 0 2 b").play(2)
    assert "South has 5, North 3" in over.game.draw(over)


# --- Searches -------------------------------------------------------------------------------------------------------


def proof_of(kalah, position):
    """The result of perfect play for the player to move, from the exact margin."""
    lead = margin(kalah, position, table_bits=16) * (1 if position.to_move == 0 else -1)
    return "win" if lead > 0 else "loss" if lead < 0 else "draw"


def positions_of(kalah):
    """The start and every position one or two moves later; in some, the same player has moved twice."""
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
            assert searcher.proven in (None, proof_of(kalah, position))
            found.append(searcher.proven)
    assert found.count(None) <= 2
    assert {"win", "loss"} <= set(found)


@pytest.mark.slow  # alpha-beta is compiled for Kalah
def test_alphabeta_proves_what_is_true():
    kalah = Kalah(3, 2)
    searcher, proved = AlphaBeta(kalah, table_entries=1 << 16), 0
    for position in positions_of(kalah)[:5]:
        searcher.search(position, depth=24)
        assert searcher.proven in (None, proof_of(kalah, position))
        proved += searcher.proven is not None
    assert proved >= 3


def test_a_wide_board_is_searched_on_a_tree():
    wide, narrow = game.load_game("kalah", pits=10, stones=12), game.load_game("kalah")
    assert Settings.for_game(wide).search == "tree"
    assert Settings.for_game(narrow).search == "graph"


# --- GTP ------------------------------------------------------------------------------------------------------------


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
