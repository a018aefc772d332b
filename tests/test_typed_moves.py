"""Moves as people type them: what is read, and what is said of what cannot be."""

import pytest

from agents.human_agent import read_move
from game import IllegalMove, NotationError, load_game

PENTAGO, GO, KALAH = load_game("pentago"), load_game("go", size=9), load_game("kalah")
AFTER_C1 = PENTAGO.initial().play(PENTAGO.parse_move("a1/0f"))  # the stone stands on c1 now


def said(game, position, text):
    with pytest.raises((NotationError, IllegalMove)) as error:
        read_move(game, position, text)
    return str(error.value)


@pytest.mark.parametrize(
    "text", ["d4/1r", "d4 1 r", "d41r", "D4/1R", " d4 1r ", "d4 r1", "d4-1-r", "d4 1 rotate", "3 3 1 0", "3,3,1,0"]
)
def test_a_move_of_pentago_can_be_spelled_in_many_ways(text):
    assert str(read_move(PENTAGO, AFTER_C1, text)) == "d4/1r"


def test_every_move_of_pentago_is_read_in_its_own_text_and_in_the_courses():
    position = PENTAGO.initial()
    for move in position.legal_moves():
        assert read_move(PENTAGO, position, str(move)) == move
        assert read_move(PENTAGO, position, " ".join(map(str, move))) == move
        assert read_move(PENTAGO, position, str(move).replace("/", "")) == move


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("d4", "d4 alone: add the quadrant to turn, 0 to 3, and r (rotate clockwise) or f (flip left to right)"),
        ("c1", "c1 is taken"),
        ("c1/1r", "c1 is taken"),
        ("0 2 1 0", "c1 is taken"),
        ("d4/4r", "quadrant 4: they are 0 to 3"),
        ("d4 9 r", "quadrant 9: they are 0 to 3"),
        ("d4/1", "d4/1: add r (rotate clockwise) or f"),
        ("d4/r", "d4 and r: which quadrant turns? 0 to 3, as in d4/1r"),
        ("d4/1x", "turn 'x': it is r (rotate clockwise) or f"),
        ("d4/1l", "turn 'l': it is r (rotate clockwise) or f"),
        ("d4 x", "turn 'x': it is r (rotate clockwise) or f"),
        ("d10/1r", "there is no cell d10: columns are a to f, rows 1 to 6"),
        ("d23/1r", "there is no cell d23"),
        ("d1" + "0" * 5000 + "/1r", "there is no cell d1000"),
        ("d9/1r", "there is no cell d9: columns are a to f, rows 1 to 6"),
        ("g4/1r", "there is no cell g4: columns are a to f, rows 1 to 6"),
        ("7 0 0 0", "row 7: in row column quadrant turn it is 0 to 5"),
        ("0 0 0 2", "turn 2: in row column quadrant turn it is 0 to 1"),
        ("3 3 1", "'3 3 1' has 3 numbers: as numbers, a move is row column quadrant turn"),
        ("d4/1r!", "can't read '/1r!' behind d4"),
        ("hello", "can't read 'hello'"),
        ("", "can't read ''"),
        ("\u0664\u0664", "can't read"),
        ("d4/1" + "r" * 5000, "turn 'rrr"),
        ("9" * 5000, "has 1 number"),
    ],
)
def test_what_is_wrong_with_a_move_of_pentago_is_said_exactly(text, reason):
    message = said(PENTAGO, AFTER_C1, text)
    assert reason in message
    assert len(message) < 250


@pytest.mark.parametrize("text", ["D4", "d4", "d 4", "D-4", "4 4"])
def test_a_point_of_go_can_be_spelled_in_many_ways(text):
    assert GO.format_move(read_move(GO, GO.initial(), text)) == "D4"


@pytest.mark.parametrize("text", ["pass", "PASS", "p"])
def test_a_pass_is_read(text):
    assert GO.format_move(read_move(GO, GO.initial(), text)) == "pass"


def test_every_move_of_go_is_read_in_its_own_text():
    position = GO.initial()
    assert all(read_move(GO, position, GO.format_move(move)) == move for move in position.legal_moves())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I4", "there is no column I: columns are A to J without I, rows 1 to 9"),
        ("D", "D alone: add the row, 1 to 9 from the bottom"),
        ("K3", "K3 is not on this board: columns are A to J without I, rows 1 to 9"),
        ("Z3", "Z3 is not on this board"),
        ("D0", "D0 is not on this board"),
        ("10 4", "10 4 is not on this board"),
        ("44", "can't read '44'"),
        ("C3", "C3 is taken"),
    ],
)
def test_what_is_wrong_with_a_move_of_go_is_said_exactly(text, reason):
    position = GO.initial().play(GO.parse_move("C3"))
    assert reason in said(GO, position, text)


@pytest.mark.parametrize("text", ["3", "pit 3", "Pit3", "3."])
def test_a_pit_is_read(text):
    assert read_move(KALAH, KALAH.initial(), text) == 3


@pytest.mark.parametrize(("text", "reason"), [("7", "there is no pit '7'"), ("pit", "can't read ''")])
def test_what_is_no_pit_is_said(text, reason):
    assert reason in said(KALAH, KALAH.initial(), text)
