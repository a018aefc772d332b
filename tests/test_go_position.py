"""Positions of Go for people: options, moves and positions as text, set-up stones, handicaps, boards, equality."""

import re
from pathlib import Path

import numpy as np  # isort: skip
import pytest

import game
from game import FIRST, SECOND, IllegalMove, NotationError, Result
from go.game import Go
from go.position import PASS, GoMove
from tests import contract
from tests.searches import played
from tests.test_go_rules import set_up

KO = ".bw../b.bw./.bw../...../..... w B4 7"  # black has just taken on C4
HANDICAPS = [
    line.split()
    for line in (Path(__file__).parent / "data/go_handicaps.txt").read_text().splitlines()
    if not line.startswith("#")
]


# --- Options --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", range(2, 20))
def test_every_size_from_2_to_19_can_be_played(size):
    the_game = Go(size)
    start = the_game.initial()
    assert (start.size, start.board.shape) == (size, (size, size))
    assert len(start.legal_moves()) == size * size + 1
    corners = [GoMove(0, 0), GoMove(0, size - 1), GoMove(size - 1, 0), GoMove(size - 1, size - 1)]
    assert set(corners) <= set(start.legal_moves())
    assert the_game.parse_position(str(start)) == start


STONES = [  # stones that cannot stand: black's, white's, and why
    ([GoMove(5, 0)], [], "5x5"),
    ([GoMove(0, -1)], [], "5x5"),
    ([PASS], [], "5x5"),
    ([GoMove(1, 1)], [GoMove(1, 1)], "both.*B4"),
    ([GoMove(0, 0)], [GoMove(0, 1), GoMove(1, 0)], "liberty"),
    ([GoMove(i, j) for i in range(5) for j in range(5)], [], "liberty"),
]
KOMI, KOMIS = "komi must be -1000 to 1000, not ", (float("nan"), float("inf"), 1e6, -1001, "7", [7], 7j, True)
OFF_THE_BOARD = [GoMove(5, 0), GoMove(0, 5), GoMove(-1, 0), GoMove(-2, -2), GoMove("a", 1)]
NONE_OF_GTP = ((9, 0, 1, 10), (19, 10), (13, -2), (7, 5), (8, 5), (18, 5), (6, 2), (5, 2), (3, 4), (2, 2))


@pytest.mark.parametrize(
    ("wrong", "argument", "reason"),
    [
        *(
            (lambda n: game.load_game("go", size=n), n, f"size must be 2 to 19, not {n!r}")
            for n in (1, 20, -9, "9", 9.5)
        ),
        *((lambda komi: Go(5, komi), komi, KOMI + re.escape(repr(komi))) for komi in KOMIS),
        *((Go(5).initial().with_komi, komi, KOMI + re.escape(repr(komi))) for komi in KOMIS),
        *((Go(5).format_move, move, "not on a board of 5x5") for move in OFF_THE_BOARD),
        *((lambda stones: Go(5).set_up(*stones), stones, reason) for *stones, reason in STONES),
        *((lambda player: Go(5).set_up(to_move=player), player, "player to move") for player in (-1, 2, 5, None)),
        *((Go(5).initial().with_to_move, player, "player to move") for player in (-1, 2, 5, None)),
        *((Go(size).handicap_points, number, "handicap") for size, *numbers in NONE_OF_GTP for number in numbers),
    ],
)
def test_what_makes_no_sense_is_refused(wrong, argument, reason):
    with pytest.raises(ValueError, match=reason):
        wrong(argument)


@pytest.mark.parametrize(
    ("komi", "text"), [(7, "7"), (0.1, "0.1"), (6.6666667, "6.6666667"), (-0.0, "0"), (1e-7, "1e-07"), (1000, "1000")]
)
def test_komi_keeps_all_its_digits_as_text(komi, text):
    line = str(Go(5, komi).initial())
    assert line.split()[3] == text
    assert Go(5).parse_position(line).komi == komi
    assert str(Go(5).initial().with_komi(komi)) == line


# --- Moves as text --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "text", "row", "column"),
    [
        (9, "A1", 8, 0), (9, "A9", 0, 0), (9, "J1", 8, 8), (9, "J9", 0, 8), (9, "D4", 5, 3), (9, "H8", 1, 7),
        (19, "T19", 0, 18), (19, "T1", 18, 18), (19, "Q16", 3, 15), (5, "E5", 0, 4), (13, "N10", 3, 12),
        (9, "pass", -1, -1),
    ],
)  # fmt: skip
def test_columns_go_from_a_without_i_and_rows_from_the_bottom(size, text, row, column):
    the_game = Go(size)
    assert the_game.parse_move(text) == GoMove(row, column)
    assert the_game.format_move(GoMove(row, column)) == text


# --- Positions as text ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "moves", "line"),
    [
        ("...../...../...../...../..... b - 7", "", "...../...../...../...../..... b - 7"),
        ("...../...../...../...../..... b - 7", "A1 E5", "....w/...../...../...../b.... b - 7"),
        (".bw../bw.w./.bw../...../..... b - 7", "C4", KO),
        (KO, "pass", ".bw../b.bw./.bw../...../..... b - 7 1"),
        (KO, "pass pass", ".bw../b.bw./.bw../...../..... w - 7 2"),
        ("...../...../...../...../..... w - -0.5", "C3", "...../...../..w../...../..... b - -0.5"),
    ],
)
def test_a_position_line_says_board_side_ko_komi_and_passes(text, moves, line):
    the_game = Go(5)
    position = played(the_game, moves, the_game.parse_position(text))
    assert str(position) == the_game.format_position(position) == line
    assert the_game.parse_position(line) == position


def test_a_ko_point_that_is_read_is_forbidden():
    the_game = Go(5)
    with pytest.raises(NotationError, match=r"B4.*\bko\b"):
        played(the_game, "B4", the_game.parse_position(KO))
    assert GoMove(1, 1) not in the_game.parse_position(KO).legal_moves()
    assert GoMove(1, 1) in the_game.parse_position(KO.replace("B4", "-")).legal_moves()


def test_a_line_is_read_in_any_case_and_with_more_spaces_and_cut_in_a_message_if_it_is_long():
    the_game = Go(5)
    assert the_game.parse_position("  " + KO.upper().replace(" ", "   ") + "\n") == the_game.parse_position(KO)
    with pytest.raises(NotationError) as caught:
        Go(5).parse_position("b" * 5000 + " b - 7")
    assert len(str(caught.value)) < 200


# --- Stones that are set up -----------------------------------------------------------------------------------------


def test_a_position_is_set_up_from_its_stones():
    position = Go(5, 0.5).set_up(black=[GoMove(0, 0), GoMove(4, 2)], white=[GoMove(2, 2)], to_move=SECOND)
    assert str(position) == "b..../...../..w../...../..b.. w - 0.5"
    assert (position.ply, position.last_move, position.captures, position.result) == (0, None, (0, 0), None)


def test_a_set_up_position_is_its_own_first_board():
    """Superko compares with the stones that were set up, and with nothing before."""
    position = set_up(Go(5), ["b.w..", "bbw..", "bww..", "bww..", ".b.w."])
    with pytest.raises(NotationError, match=r"B1.*repeat"):
        played(position.game, "C1 A1 B1", position)


@pytest.mark.parametrize(("size", "number", "points"), [(int(s), int(n), points) for s, n, *points in HANDICAPS])
def test_handicaps_stand_where_gtp_puts_them(size, number, points):
    the_game = Go(size)
    assert [the_game.format_move(move) for move in the_game.handicap_points(number)] == points


# --- Changing a position --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("player", [FIRST, SECOND])
@pytest.mark.parametrize(("moves", "result"), [("C3 pass", None), ("C3 pass pass", Result(FIRST, 18.0))])
def test_either_player_can_be_given_the_move_which_opens_a_finished_game_again(moves, result, player):
    before = played(Go(5), moves)
    position = before.with_to_move(player)
    assert (position.to_move, position.passes, position.ko, position.result) == (player, 0, None, None)
    assert (position.board == before.board).all()
    assert len(position.legal_moves()) == 25
    assert position.play(GoMove(0, 0)).board[0, 0] == player + 1
    assert position.play(PASS).result is None
    assert (before.passes, before.result) == (moves.count("pass"), result)


def test_giving_the_move_lifts_the_ko_but_not_superko():
    the_game = Go(5)
    before = the_game.parse_position(".bw../bw.w./.bw../...../..... b - 7")
    taken = played(the_game, "C4", before)
    assert taken.ko == GoMove(1, 1)
    same = taken.with_to_move(SECOND)
    assert same.ko is None
    with pytest.raises(NotationError, match=r"B4.*repeat"):
        played(the_game, "B4", same)
    assert played(the_game, "B4", taken.with_to_move(FIRST)).board[1, 1] == 1


def test_moves_can_be_forbidden_for_one_turn():
    the_game, moves = Go(5), [GoMove(0, 0), PASS]
    position = the_game.initial().forbidding(moves)
    assert set(the_game.initial().legal_moves()) - set(position.legal_moves()) == set(moves)
    for move in moves:
        with pytest.raises(IllegalMove, match=f"{the_game.format_move(move)} .*forbidden"):
            position.play(move)
    assert set(moves) <= set(position.play(GoMove(2, 2)).legal_moves())
    assert set(moves) <= set(position.forbidding([]).legal_moves())


def test_the_last_move_is_made_of_plain_integers():
    position = Go(5).initial().play(GoMove(np.int64(2), np.int8(3)))
    assert repr(position.last_move) == "GoMove(row=2, column=3)"


# --- Boards ---------------------------------------------------------------------------------------------------------


def test_the_board_has_row_0_at_the_top():
    position = played(Go(5), "A5 E1")
    assert position.board.dtype == np.int8
    assert position.board.tolist() == [[1, 0, 0, 0, 0], *([[0] * 5] * 3), [0, 0, 0, 0, 2]]


def symbols_in(picture, size):
    """The symbols of a picture's board, row by row, without coordinates and the marks of the last move."""
    lines = [line for line in picture.splitlines() if re.match(r"\s*\d+\b", line)]
    return [re.sub(r"[()\s\d]", "", line)[:size] for line in lines]


@pytest.mark.parametrize("size", [5, 9, 19])
def test_a_picture_shows_every_stone_where_it_stands(size):
    the_game = Go(size)
    for position in contract.sample(the_game, least=60)[:60]:
        picture = the_game.draw(position)
        stones = [[".XO".index(symbol) if symbol in "XO" else 0 for symbol in row] for row in symbols_in(picture, size)]
        assert (np.array(stones) == position.board).all()
        assert picture.splitlines()[0].split() == list("ABCDEFGHJKLMNOPQRST"[:size])
        assert "\x1b" not in picture
    marked = f"({'XO'[position.to_move - 1]})"
    assert (marked in picture) == (position.last_move != PASS)


def test_a_picture_of_the_area_shows_whose_each_point_is():
    the_game = Go(5)
    rows = symbols_in(the_game.draw_area(the_game.parse_position(".b.w./bb.w./.b.ww/.b.w./.b.w. b - 7")), 5)
    assert rows == ["xX.Oo", "XX.Oo", "xX.OO", "xX.Oo", "xX.Oo"]


# --- Equality -------------------------------------------------------------------------------------------------------


def test_positions_reached_in_another_order_are_equal():
    the_game = Go(5)
    one, other = played(the_game, "A1 E5 B1 D5"), played(the_game, "B1 D5 A1 E5")
    assert one == other
    assert hash(one) == hash(other)
    assert the_game.state_key(the_game.state(one)) == the_game.state_key(the_game.state(other))


NO_KO = KO.replace("B4", "-")


@pytest.mark.parametrize("line", [KO, NO_KO.replace(" w ", " b "), NO_KO[:-1] + "6", NO_KO + " 1", "b" + NO_KO[1:]])
def test_positions_that_differ_in_stones_side_ko_komi_passes_or_size_are_not_equal(line):
    assert Go(5).parse_position(line) != Go(5).parse_position(NO_KO)
    assert Go(5).initial() != Go(6).initial()
    assert Go(5).initial() != str(Go(5).initial())
