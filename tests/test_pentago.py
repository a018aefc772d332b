"""The rules of Pentago Twist, compared with recorded games, known counts and a slow twin."""

import json
import random
import re
from collections import Counter
from pathlib import Path

from jit import U64, new_rng  # first: it decides where compiled code is kept

import numpy as np  # isort: skip
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import game
from game import DRAW, FIRST, SECOND, Result
from pentago import boards as bitboards
from pentago import foresight, rules, tables
from pentago.game import Pentago, PentagoMove
from pentago.lines import LINE_COUNT, line_evaluation
from studies.random_play import count_results
from tests import contract
from tests.searches import played, position_after
from tests.slow import pentago as slow

TWIST = Pentago()
CLASSIC = Pentago(tables.make_kernel(LINE_COUNT, tables.clockwise, lambda row, column: (2 - column, row)))
RECORDED = [
    json.loads(line) for line in (Path(__file__).parent / "data/pentago_twist_games.jsonl").read_text().splitlines()
]
RESULTS = {"W": Result(FIRST), "B": Result(SECOND), "D": DRAW, None: None}


def position_of(rows, side="w", the_game=TWIST):
    return the_game.parse_position("/".join(rows) + " " + side)


@st.composite
def boards(draw, turns=slow.TWIST):
    """An open board of the slow twin, some random moves from the start."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    board = slow.Board(turns=turns)
    for _ in range(draw(st.integers(0, 35))):
        next_board = board.play(rng.choice(list(board.moves())))
        if next_board.result is not None:
            break
        board = next_board
    return board


def rows_of(stones_to_move, stones_other, mover):
    """A state as rows; `mover` is the symbol of the player to move."""
    assert int(stones_to_move) & int(stones_other) == 0
    symbols = np.full((6, 6), ".")
    for stones, symbol in ((int(stones_to_move), mover), (int(stones_other), "bw"[mover == "b"])):
        for cell in (cell for cell in range(36) if stones >> cell & 1):
            symbols[tables.row_and_column(cell)] = symbol
    return "/".join("".join(row) for row in symbols)


# --- Recorded games -------------------------------------------------------------------------------------------------


def test_recorded_games_replay_move_by_move():
    assert len(RECORDED) == 200
    assert {record["result"] for record in RECORDED} == {"W", "B", "D"}
    for record in RECORDED:
        position = TWIST.initial()
        for ply, (move, rows) in enumerate(zip(record["moves"], record["rows"], strict=True)):
            assert position.result is None
            position = position.play(TWIST.parse_move(move, position))
            assert str(position) == f"{rows} {'bw'[ply % 2]}"
            assert position.ply == ply + 1
        assert position.result == RESULTS[record["result"]]


# --- Known counts ---------------------------------------------------------------------------------------------------


def test_sequences_of_three_moves_counted_by_distinct_first_moves():
    start = TWIST.initial()
    first = Counter(start.play(move) for move in start.legal_moves())
    assert len(first) == 36  # of 288 moves
    assert sum(times * game.perft(position, 2) for position, times in first.items()) == 21_934_080


def test_random_play_has_the_known_share_of_wins_and_draws():
    games = 200_000
    start, counts = TWIST.state(TWIST.initial()), np.zeros(3, np.int64)
    count_results(TWIST.kernel, start, np.empty_like(start), new_rng(5), games, counts)
    for count, share in zip(counts, (0.409, 0.091, 0.4995), strict=True):  # lost, drawn, won
        known_within = 0.001  # the shares come from 2,000,000 games and are rounded
        assert abs(count / games - share) < 5 * (share * (1 - share) / games) ** 0.5 + known_within


def test_a_position_of_random_play_has_134_distinct_successors_on_the_mean():
    """The mean over 150 games was 134.0; the course's report of 2021 says some 90."""
    rng, counts = random.Random(1), []
    for _ in range(40):
        position = TWIST.initial()
        while position.result is None:
            counts.append(len(contract.children_of(TWIST, position)))
            position = position.play(rng.choice(position.legal_moves()))
    assert abs(np.mean(counts) - 134) < 5 * np.std(counts) / len(counts) ** 0.5


# --- The slow twin --------------------------------------------------------------------------------------------------


def fast_successors(the_game, board):
    """The children that `children` writes for a board, in the slow twin's form: results by rows."""
    mover, other = board.mover, {"w": "b", "b": "w"}[board.mover]
    results = {
        int(game.OPEN): None,
        int(game.LOST): mover.upper(),
        int(game.WON): other.upper(),
        int(game.DRAWN): "D",
    }
    found = {}
    for child in contract.children_of(the_game, position_of(board.rows, mover, the_game)):
        rows = rows_of(child.word0 & bitboards.FULL, child.word1, other)
        assert rows not in found, "a successor was written twice"
        foreseen = child.flags & game.IMPLIED != U64(0)
        found[rows] = None if foreseen else results[int(child.flags)]
    return found


@settings(deadline=None, max_examples=30)
@given(board=boards())
def test_successors_flags_duplicates_and_wins_at_once_agree_with_the_slow_twin(board):
    successors = board.successors()
    assert fast_successors(TWIST, board) == successors
    mine, theirs = TWIST.state(position_of(board.rows, board.mover))
    assert foresight.can_win_at_once(TWIST.kernel, mine, theirs) == (board.mover.upper() in successors.values())


@settings(deadline=None, max_examples=20)
@given(board=boards())
def test_foresight_marks_just_the_open_successors_that_the_next_player_wins_at_once(board):
    position = position_of(board.rows, board.mover)
    if position.result is None:
        blind = Pentago(TWIST.kernel._replace(foresight=False))
        pairs = zip(contract.children_of(TWIST, position), contract.children_of(blind, position), strict=True)
        for seen, unseen in pairs:
            assert (seen.word0, seen.word1) == (unseen.word0, unseen.word1)
            wins = foresight.can_win_at_once(TWIST.kernel, seen.word0 & bitboards.FULL, seen.word1)
            marked = unseen.flags == game.OPEN and wins
            assert seen.flags == (game.WON | game.IMPLIED if marked else unseen.flags)


@pytest.mark.parametrize("kernel", [TWIST.kernel, CLASSIC.kernel], ids=["twist", "classic"])
def test_a_stone_prevents_every_win_at_once_just_where_it_stands_on_a_spoiler(kernel):
    rng = random.Random(3)
    seen = set()
    for stones in [2 * rng.randint(4, 15) for _ in range(400)]:
        cells = [1 << cell for cell in rng.sample(range(36), 36)]
        mine, theirs = sum(cells[: stones // 2]), sum(cells[stones // 2 : stones])
        if rules.status(U64(mine), U64(theirs)) == game.OPEN:
            expected = [not foresight.can_win_at_once(kernel, U64(mine), U64(theirs | cell)) for cell in cells[stones:]]
            found = int(foresight.spoilers(kernel, U64(mine), U64(theirs)))
            assert [found & cell != 0 for cell in cells[stones:]] == expected
            seen.add(sum(expected))
    assert {0, 1, 2} <= seen


@settings(deadline=None, max_examples=15)
@given(board=boards(turns=slow.CLASSIC))
def test_successors_of_classic_pentago_agree_with_the_slow_twin(board):
    assert fast_successors(CLASSIC, board) == board.successors()


@pytest.mark.parametrize(
    "rows",
    [
        ["wbw...", "b.b...", "wbw...", "......", "......", "......"],  # a full symmetry in quadrant 0
        ["w.w...", "......", "b.b...", "...w.w", "......", "...b.b"],  # symmetric under the flip only
        ["......", ".w....", "......", "......", "....b.", "......"],  # two stones that no turn moves
        ["...w..", "...b..", "...w..", "b.....", "w.....", "b....."],
        ["wbwbwb", "bwbwbw", "bwbwbw", "wbwbwb", "wbwbwb", "bw.w.."],
    ],
)
def test_successors_of_symmetric_positions_agree_with_the_slow_twin(rows):
    board = slow.Board(rows)
    assert fast_successors(TWIST, board) == board.successors()
    assert fast_successors(CLASSIC, slow.Board(rows, slow.CLASSIC)) == slow.Board(rows, slow.CLASSIC).successors()


@settings(deadline=None, max_examples=20)
@given(board=boards(), data=st.data())
def test_playing_agrees_with_the_slow_twin(board, data):
    position = position_of(board.rows, board.mover)
    assert [str(move) for move in position.legal_moves()] == list(board.moves())
    text = data.draw(st.sampled_from(list(board.moves())))
    played, expected = position.play(TWIST.parse_move(text, position)), board.play(text)
    assert str(played).split()[0] == "/".join(expected.rows)
    assert played.result == RESULTS[expected.result]


@pytest.mark.parametrize("number", [np.int8, np.uint8, np.int64, float])
def test_a_move_is_the_same_whichever_type_its_numbers_have(number):
    for move in TWIST.initial().legal_moves():
        played = TWIST.initial().play(PentagoMove(*map(number, move)))
        assert (str(played), repr(played.last_move)) == (str(TWIST.initial().play(move)), repr(move))


def test_each_of_the_32_lines_is_a_line_and_four_of_its_cells_are_none():
    lines = tables.line_cells()
    assert len({frozenset(line) for line in lines}) == 32
    for number, line in enumerate(lines):
        stones = sum(1 << cell for cell in line)
        assert bitboards.complete_lines(U64(stones)) == 1 << number
        assert slow.Board(rows_of(stones, 0, "w").split("/")).has_five("w")
        for cell in line:
            assert bitboards.complete_lines(U64(stones ^ 1 << cell)) == 0


def test_the_evaluation_by_open_lines_agrees_with_the_slow_twin_on_any_stones():
    rng = random.Random(4)
    for cells in [rng.sample(range(36), 2 * rng.randint(0, 18)) for _ in range(500)]:
        mine, theirs = (U64(sum(1 << cell for cell in half)) for half in (cells[::2], cells[1::2]))
        board = slow.Board(rows_of(mine, theirs, "w").split("/"))
        value = line_evaluation(LINE_COUNT, mine, theirs)
        assert value == pytest.approx(board.evaluation(), rel=1e-6), board.rows


# --- AMAF -----------------------------------------------------------------------------------------------------------


def test_a_move_of_pentago_has_the_number_of_its_cell_and_turn():
    position = position_after(TWIST, 7, 1)
    for child in contract.children_of(TWIST, position):
        number = int(contract.move_number(TWIST.kernel, child.word0, child.word1))
        move = TWIST.move_of(position, int(child.word0), int(child.word1))
        assert number == move.code


def test_the_last_move_of_a_game_is_traced_by_its_number():
    """With one empty cell left, a playout is one of eight moves, and this move on the board has the same result."""
    rng, results = random.Random(5), set()
    for seed in range(60):
        position = position_after(TWIST, 35, rng.random())
        trace = np.zeros(TWIST.amaf_moves, np.uint8)
        state = contract.copied(TWIST, TWIST.state(position))
        value = contract.traced_playout(TWIST.kernel, state, new_rng(seed), trace)
        (number,) = np.flatnonzero(trace)
        (move,) = (move for move in position.legal_moves() if move.code == number)
        winner = position.play(move).result.winner
        assert trace[number] == 1
        assert value == (0.5 if winner is None else float(winner == position.to_move))
        results.add(float(value))
    assert len(results) >= 2


# --- How a game ends ------------------------------------------------------------------------------------------------


def test_the_36th_stone_can_win_and_can_lose():
    before = TWIST.parse_position("wwbbwb/bwbwwb/bbwbww/wbbwww/bw.wbb/bwbwwb b")
    assert (before.ply, before.result) == (35, None)
    results = {str(move): before.play(move).result for move in before.legal_moves()}
    wins, losses = {"c5/0f", "c5/2f"}, {"c5/1r"}
    assert {move for move, result in results.items() if result == Result(SECOND)} == wins
    assert {move for move, result in results.items() if result == Result(FIRST)} == losses
    assert {result for move, result in results.items() if move not in wins | losses} == {DRAW}


# --- Text -----------------------------------------------------------------------------------------------------------


def test_both_notations_name_the_same_288_moves():
    moves = TWIST.initial().legal_moves()
    assert len(set(moves)) == 288
    for move in moves:
        course = f"{move.row} {move.column} {move.quadrant} {move.turn}"
        assert TWIST.parse_move(course) == TWIST.parse_move(str(move)) == move
        assert TWIST.parse_move(course.replace(" ", ", ")) == move


def test_a_move_says_its_cell_quadrant_and_turn():
    assert TWIST.parse_move("f5/1r") == PentagoMove(row=4, column=5, quadrant=1, turn=0)
    assert TWIST.parse_move(" A1/3F ") == PentagoMove(row=0, column=0, quadrant=3, turn=1)


def test_the_board_of_students_has_row_0_at_the_top():
    board = TWIST.parse_position("w....b/....../....../....../....../b....w w").board
    assert (board[0, 0], board[0, 5], board[5, 0], board[5, 5], board[2, 2]) == (1, 2, 2, 1, 0)
    assert board.shape == (6, 6)


@pytest.mark.parametrize("colour", [False, True])
def test_a_drawing_names_coordinates_beside_what_they_name(colour):
    position = played(TWIST, "f1/3r", TWIST.parse_position("wb..../bw..../....../....../....../...... w"))
    picture = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in TWIST.draw(position, colour).splitlines()]
    places = [picture[0].index(letter) for letter in "abcdef"]
    assert picture[-1] == picture[0] and picture[0].split() == list("abcdef")
    rows = [line for line in picture if line[0].isdigit()]
    assert [line[0] for line in rows] == list("123456")
    for line in rows:
        assert [place for place, symbol in enumerate(line) if symbol in "WB."] == places


def test_a_drawing_marks_the_last_stone_where_the_turn_put_it():
    picture = TWIST.draw(played(TWIST, "a1/0r")).splitlines()
    assert picture[2].index("(W)") > picture[2].index(".")  # rotated from a1 to c1
    assert "[0]" in picture[1]


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("wwwww./bbbb../....../....../....../...... b", "a1 b1 c1 d1 e1"),
        ("wwwwww/bbbbb./....../....../....../...... b", "a1 b1 c1 d1 e1 f1 a2 b2 c2 d2 e2"),  # both have five: a draw
        ("wbb.bb/ww.b../w.w.../w..w../w...w./bb.b.. b", "a1 a2 b2 a3 c3 a4 d4 a5 e5"),
        ("wwww../bbbb../....../....../....../...... w", ""),
        ("w.w.w./.bbb../....../....../....../...... w", ""),
    ],
)
def test_the_stones_of_complete_lines_are_the_winning_cells(text, cells):
    board = TWIST.parse_position(text)
    found = " ".join(f"{'abcdef'[column]}{row + 1}" for row, column in TWIST.winning_cells(board))
    assert found == cells
    assert bool(cells) == (board.result is not None)


@pytest.mark.parametrize("colour", [False, True])
def test_a_drawing_marks_the_winning_five_and_the_last_stone_among_them(colour):
    won = played(TWIST, "e1/3f", TWIST.parse_position("wwww../bbbb../....../....../....../...... w"))
    row = TWIST.draw(won, colour).splitlines()[2]
    letters = re.sub(r"\x1b\[[\d;]*m", "", row)
    assert letters == ("1 |[W] [W] [W]|[W] [W]  . | 1" if colour else "1 |[W] [W] [W]|[W] {W}  . | 1")
    assert row.count("\x1b[7m") == colour
    assert "[B]" not in re.sub(r"\x1b\[[\d;]*m", "", TWIST.draw(won, colour))
