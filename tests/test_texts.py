"""What is said of texts that cannot be read, in every game; and moves as people type them."""

import re

import pytest

from agents.human_agent import read_move
from game import IllegalMove, NotationError, load_game, play_moves
from go.position import GoMove
from pentago.game import PentagoMove

PENTAGO, GO, GO_5, KALAH = load_game("pentago"), load_game("go"), load_game("go", size=5), load_game("kalah")
FOUR = load_game("examples/games/connect_four.py", columns=3)
AFTER_C1 = PENTAGO.initial().play(PENTAGO.parse_move("a1/0f"))  # the stone stands on c1 now
AFTER_C3 = GO.initial().play(GO.parse_move("C3"))
EMPTY = "...../...../...../...../....."  # of Go
FIVE_ROWS = "....../....../....../....../......"  # of Pentago
KO = ".bw../b.bw./.bw../...../..... w B4 7"  # black has just taken on C4


# --- Moves as programs write them -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        *(
            (PENTAGO, text, "f5/1r")
            for text in ("", "g1/0r", "a7/0r", "a0/0r", "a1/4r", "a1/0x", "a1", "a1/0r a2/0r", "6 0 0 0", "0 0 0 2")
        ),
        (PENTAGO, "b a1/0r", "f5/1r"),
        *((GO, text, "D4") for text in ("", "I5", "i1", "K1", "A10", "A0", "D04", "A-1", "4D", "AA1", "D4 D5")),
        *((GO, text, "D4") for text in ("resign", "pas", "D", "D4\u00b2", "pa\u017f\u017f")),
        (GO_5, "F1", "5x5"),
        (KALAH, "0", "there is no pit '0'"),
        (KALAH, "7", "there is no pit '7'. Type the number of a pit, 1 to 6"),
        (KALAH, "-1", "can't read '-1'"),
        (KALAH, "3.0", "can't read '3.0'"),
        (KALAH, "\N{ARABIC-INDIC DIGIT THREE}", "can't read"),
        (KALAH, "pass", "can't read 'pass'"),
        (KALAH, "c3", "in sowing order from your left"),
        *((FOUR, text, "is no move of connect_four. Moves here are 0, 1, 2") for text in ("c4", "pass", "1-2")),
    ],
)
def test_a_text_that_is_no_move_is_refused_with_what_was_expected(game, text, reason):
    with pytest.raises(NotationError) as caught:
        game.parse_move(text, game.initial())
    assert reason in str(caught.value)
    assert repr(text) in str(caught.value)


NO_PITS = [0, 7, -1, True, 3.0, "3", None]
NO_POINTS = [GoMove(5, 0), GoMove(0, -1), GoMove(-1, 0), (0, 0), "A1", None, GoMove("a", 1)]


@pytest.mark.parametrize(
    ("game", "before", "move", "reason"),
    [
        (PENTAGO, "a3/3r", PentagoMove(2, 0, 0, 1), "a3 is taken"),
        (PENTAGO, "", PentagoMove(0, 6, 0, 0), "is not a Pentago move: take one of legal_moves()"),
        (KALAH, "3", 3, "pit 3 of South is empty"),
        (FOUR, "", FOUR.parse_move("7", FOUR.initial()), "7 is no legal move here"),
        *((KALAH, "", move, f"{move!r} is no Kalah move: take a pit from 1 to 6") for move in NO_PITS),
        *((GO_5, "", move, f"{move!r} is no move on this board") for move in NO_POINTS),
    ],
)
def test_an_illegal_move_says_what_is_wrong(game, before, move, reason):
    with pytest.raises(IllegalMove, match=re.escape(reason)):
        play_moves(game, before.split())[-1].play(move)


# --- Positions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        *((PENTAGO, f"{FIVE_ROWS}{more} w", "six rows of six") for more in ("", "/.....", "/.....x")),
        *((PENTAGO, f"{FIVE_ROWS}/......{side}", "side to move") for side in ("", " g")),
        (PENTAGO, f"{FIVE_ROWS}/...... b", "0 white and 0 black stones"),
        (PENTAGO, "w...../....../....../....../....../...... w", "1 white and 0 black stones"),
        (PENTAGO, "b...../....../....../....../....../...... b", "0 white and 1 black stones"),
        (GO_5, "", "rows joined by '/'"),
        (GO_5, EMPTY, "side"),
        (GO_5, f"{EMPTY} b", "ko point"),
        (GO_5, f"{EMPTY} b -", "komi"),
        (GO_5, f"{EMPTY} b - 7 1 1", "passes"),
        (GO_5, "...../...../...../..... b - 7", "5 rows of 5"),
        (GO_5, f"{EMPTY}/..... b - 7", "5 rows of 5"),
        *((GO_5, f"...../...../{row}/...../..... b - 7", "5 rows of 5") for row in ("....", "......")),
        *((GO_5, f"...../...../{row}/...../..... b - 7", "b w") for row in ("..x..", "..1..", "5")),
        *((GO_5, f"{EMPTY} {side} - 7", f"'{side}' is no side") for side in ("x", "black")),
        *((GO_5, f"{EMPTY} b {ko} 7", f"'{ko}' is no ko") for ko in ("0", "I1", "F6", "pass")),
        (GO_5, KO.replace("B4", "C4"), "'C4' is no ko.*empty"),
        (GO_5, KO.replace("B4", "A1"), "'A1' is no ko"),
        (GO_5, KO.replace(" w ", " b "), "'B4' is no ko"),
        (GO_5, ".bw../b.bb./.bw../...../..... w B4 7", "'B4' is no ko.*alone"),
        (GO_5, ".b.../b.bw./.bw../...../..... w B4 7", "'B4' is no ko.*this liberty only"),
        (GO_5, f"{KO} 1", "'B4' is no ko.*pass"),
        (GO_5, f"{EMPTY} b - 1e6", "'1e6' is no komi.*1000"),
        *((GO_5, f"{EMPTY} b - {komi}", f"'{komi}' is no komi") for komi in ("7_0", "\u0667", "seven", "nan", "inf")),
        *((GO_5, f"{EMPTY} b - 7 {passes}", f"'{passes}' is no number of passes") for passes in "03-"),
        (GO_5, "bw.../w..../...../...../..... b - 7", "without a liberty"),
        (GO_5, ".bwb./..b../...../...../..... w - 7", "without a liberty"),
        (GO_5, "bbbbb/bbbbb/bbbbb/bbbbb/bbbbb b - 7", "without a liberty"),
        (KALAH, "4 4 4 4 4 4 0 4 4 4 4 4 4 b", "14 numbers"),
        (KALAH, "4 4 4 4 4 4 0 4 4 4 4 4 4 0", "14 numbers"),
        (KALAH, "4 4 4 4 4 4 0 4 4 4 4 4 4 0 s", "does not end with the side to move, 'b' .South. or 'w' .North."),
        (KALAH, "4 4 4 4 4 4 1 4 4 4 4 4 4 0 b", "has 49 stones; with 4 in each of 12 pits there are 48"),
        (KALAH, "4 4 4 4 4 4 -1 4 4 4 4 4 4 1 b", "14 numbers"),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_what_was_expected(game, text, reason):
    with pytest.raises(NotationError, match=reason):
        game.parse_position(text)


# --- Moves as people type them --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "texts", "move"),
    [
        (PENTAGO, "d4/1r|d4 1 r|d41r|D4/1R| d4 1r |d4 r1|d4-1-r|d4 1 rotate|3 3 1 0|3,3,1,0", "d4/1r"),
        (GO, "D4|d4|d 4|D-4|4 4", "D4"),
        (GO, "pass|PASS|p", "pass"),
        (KALAH, "3|pit 3|Pit3|3.", "3"),
    ],
)
def test_a_move_can_be_spelled_in_many_ways(game, texts, move):
    for text in texts.split("|"):
        assert game.format_move(read_move(game, game.initial(), text)) == move


def test_every_move_is_read_in_its_own_text_and_those_of_pentago_in_the_courses():
    for game in (PENTAGO, GO):
        for move in game.initial().legal_moves():
            assert read_move(game, game.initial(), game.format_move(move)) == move
    for move in PENTAGO.initial().legal_moves():
        assert read_move(PENTAGO, PENTAGO.initial(), " ".join(map(str, move))) == move
        assert read_move(PENTAGO, PENTAGO.initial(), str(move).replace("/", "")) == move


@pytest.mark.parametrize(
    ("game", "position", "text", "reason"),
    [
        (
            PENTAGO,
            AFTER_C1,
            "d4",
            "after d4, type the quadrant to turn, 0 to 3, and r (rotate clockwise) or f (flip left",
        ),
        *((PENTAGO, AFTER_C1, text, "c1 is taken") for text in ("c1", "c1/1r", "0 2 1 0")),
        (PENTAGO, AFTER_C1, "d4/4r", "there is no quadrant 4: they are 0 to 3"),
        (PENTAGO, AFTER_C1, "d4/1", "d4/1: add r (rotate clockwise) or f"),
        (PENTAGO, AFTER_C1, "d4/r", "d4 and r: which quadrant turns? 0 to 3, as in d4/1r"),
        (PENTAGO, AFTER_C1, "d4/1l", "there is no turn 'l': type r (rotate clockwise) or f"),
        *((PENTAGO, AFTER_C1, text, "there is no turn 'x': type r") for text in ("d4/1x", "d4 x")),
        (PENTAGO, AFTER_C1, "d10/1r", "there is no cell d10: columns are a to f, rows 1 to 6"),
        (PENTAGO, AFTER_C1, "d1" + "0" * 5000 + "/1r", "there is no cell d1000"),
        (PENTAGO, AFTER_C1, "d9/1r", "there is no cell d9: columns are a to f, rows 1 to 6"),
        (PENTAGO, AFTER_C1, "g4/1r", "there is no cell g4: columns are a to f, rows 1 to 6"),
        (PENTAGO, AFTER_C1, "7 0 0 0", "there is no row 7: in 'row column quadrant turn' it is 0 to 5"),
        (PENTAGO, AFTER_C1, "0 0 0 2", "there is no turn 2: in 'row column quadrant turn' it is 0 to 1"),
        (PENTAGO, AFTER_C1, "3 3 1", "'3 3 1' has 3 numbers: as numbers, a move is row column quadrant turn"),
        (PENTAGO, AFTER_C1, "d4/1r!", "can't read '/1r!' after d4"),
        (PENTAGO, AFTER_C1, "hello", "can't read 'hello'"),
        (PENTAGO, AFTER_C1, "", "can't read ''"),
        (PENTAGO, AFTER_C1, "\u0664\u0664", "can't read"),
        (PENTAGO, AFTER_C1, "d4/1" + "r" * 5000, "turn 'rrr"),
        (PENTAGO, AFTER_C1, "9" * 5000, "has 1 number"),
        (GO, AFTER_C3, "I4", "there is no column I: columns are A to J without I, rows 1 to 9"),
        (GO, AFTER_C3, "D", "D alone: add the row, 1 to 9 from the bottom"),
        (GO, AFTER_C3, "K3", "K3 is not on this board: columns are A to J without I, rows 1 to 9"),
        (GO, AFTER_C3, "D0", "D0 is not on this board"),
        (GO, AFTER_C3, "10 4", "10 4 is not on this board"),
        (GO, AFTER_C3, "44", "can't read '44'"),
        (GO, AFTER_C3, "C3", "C3 is taken"),
        (KALAH, KALAH.initial(), "7", "there is no pit '7'"),
        (KALAH, KALAH.initial(), "pit", "can't read ''"),
    ],
)
def test_what_is_wrong_with_a_typed_move_is_said_exactly(game, position, text, reason):
    with pytest.raises((NotationError, IllegalMove)) as error:
        read_move(game, position, text)
    assert reason in str(error.value)
    assert len(str(error.value)) < 250
