"""The lines of the course's protocol, and log files of these lines."""

from datetime import datetime

import pytest

from options import InputError
from simulator.course.connection import LONGEST_LINE, LineBuffer
from simulator.course.log_file import is_log, read_log
from simulator.course.protocol import (
    LONGEST_NAME,
    GameOver,
    MoveLine,
    Play,
    ProtocolError,
    Start,
    name_in_start,
    read_move,
    read_server_line,
)
from simulator.referee.game_record import Reason
from tests.course_clients import write_log

JAVA_LOG = """\
# Server version 0.08 running on lab2-11.cs.example:8123
# Game ID: 12
# Board class: pentago_twist.PentagoBoard
# Timeout: 2000
# First Move Timeout: 30000
# Date: Thu Apr 01 10:11:12 EDT 2021
# Player 1: Player-0, '260000001', running on lab2-12.cs.example
# Player 2: Player-1, 'Random Player', running on lab2-13.cs.example
START Player-0 260000001
START Player-1 Random Player
0 0 2 0 0
5 5 1 0 1
GAMEOVER {}
# Game ended: Thu Apr 01 10:12:13 EDT 2021
"""


# --- Lines ----------------------------------------------------------------------------------------------------------


def test_what_a_server_says_can_be_shown():
    assert read_server_line("GAMEOVER \x1b]0;x\x07 UNDECIDED").reason.isprintable()
    assert read_server_line("START Player-0 \x1b]0;x\x07").name.isprintable()


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("START Player-0 alice", Start(0, "alice")),
        ("START Player-1 my agent, v2", Start(1, "my agent, v2")),
        ("START Player-1 ", Start(1, "")),
        ("PLAY Player-1", Play(1)),
        ("5 4 3 1 0", MoveLine(5, 4, 3, 1, 0)),
        ("GAMEOVER WINNER 0", GameOver("WINNER", 0)),
        ("GAMEOVER DRAW", GameOver("DRAW")),
        ("GAMEOVER TIMEOUT WINNER 1", GameOver("WINNER", 1, "TIMEOUT")),
        ("GAMEOVER DISCONNECTION Player-0 WINNER 1", GameOver("WINNER", 1, "DISCONNECTION Player-0")),
        ("GAMEOVER USER CANCEL UNDECIDED", GameOver("UNDECIDED", None, "USER CANCEL")),
        ("GAMEOVER CANCELLED 1", GameOver("CANCELLED", 1)),
        (
            "GAMEOVER ILLEGAL MOVE: Player 0, Move: (1, 2), R/F: (3, 0) WINNER 1",
            GameOver("WINNER", 1, "ILLEGAL MOVE: Player 0, Move: (1, 2), R/F: (3, 0)"),
        ),
    ],
)
def test_every_line_of_the_server_is_read_and_written(line, value):
    assert read_server_line(line) == value
    assert str(value) == line


@pytest.mark.parametrize(
    "line",
    ["", "hello", "1 2 3 0", "1  2 3 0 0", " 1 2 3 0 0", "a b c d e", "1 2 3 0 x", "1,2,3,0,0", "9999999999 2 3 0 0",
     "START", "START Player-2 eve", "PLAY", "PLAY Player-7", "GAMEOVER", "GAMEOVER WINNER", "GAMEOVER WINNER 3",
     "1.0 2 3 0 0", "\N{ARABIC-INDIC DIGIT ONE} 2 3 0 0"],
)  # fmt: skip
def test_other_lines_are_none_of_the_server(line):
    with pytest.raises(ProtocolError):
        read_server_line(line)


def test_a_move_is_read_as_the_java_server_reads_it():
    assert read_move("4 5 1 0 0").text == "4 5 1 0"
    assert read_move("4 5 1 0 0 and what follows") == MoveLine(4, 5, 1, 0, 0)
    assert read_move("-1 +5 9 0 0") == MoveLine(-1, 5, 9, 0, 0)  # it can be read, and is an illegal move


def test_names_are_fit_to_be_shown_and_logged():
    assert name_in_start("START alice") == "alice"
    assert name_in_start("START  my agent, v2\x1b[2J\t") == "my agent; v2 [2J"
    assert name_in_start("START") == ""
    assert len(name_in_start("START " + 1000 * "x")) == LONGEST_NAME
    assert name_in_start("1 2 3 0 0") is None


# --- Packets --------------------------------------------------------------------------------------------------------


def test_lines_are_found_wherever_packets_begin_and_end():
    text = "START alice\r\n1 2 3 0 0\n\nPLAY Player-0\n"
    expected = ["START alice", "1 2 3 0 0", "", "PLAY Player-0"]
    for size in (1, 2, 3, 7, 1000):
        buffer = LineBuffer()
        data = text.encode()
        packets = [data[i : i + size] for i in range(0, len(data), size)]
        assert [line for packet in packets for line in buffer.add(packet)] == expected


def test_of_an_endless_line_the_beginning_is_kept_and_no_more():
    buffer = LineBuffer()
    for _ in range(100):
        assert buffer.add(b"x" * 4096) == []
    assert len(buffer.rest) == LONGEST_LINE
    assert buffer.add(b"\n1 2 3 0 0\n") == ["x" * LONGEST_LINE, "1 2 3 0 0"]


def test_bytes_that_are_no_text_are_a_line_that_is_no_move():
    (line,) = LineBuffer().add(b"\xff\xfe\x00\n")
    with pytest.raises(ProtocolError):
        read_move(line)


# --- Logs -----------------------------------------------------------------------------------------------------------


def log_of(tmp_path, ending):
    path = tmp_path / "game00012.log"
    path.write_text(JAVA_LOG.format(ending))
    return path


def test_a_log_of_the_java_server_is_read(tmp_path):
    path = log_of(tmp_path, "TIMEOUT WINNER 1")
    assert is_log(path.read_bytes())
    record = read_log(path)
    assert record.agents == ("260000001", "Random Player")
    assert [move.move for move in record.moves] == ["a1/2r", "f6/1r"]
    assert (record.result, record.date) == ("B+", "2021-04-01T10:11:12")
    assert record.limits is not None
    assert (record.limits[0].first_move_seconds, record.limits[1].move_seconds) == (30, 2)
    assert record.verdict.text == "260000001 (w) lost on time at move 3: the server says TIMEOUT"
    assert record.times_of(0) == ([], [])


@pytest.mark.parametrize(
    ("ending", "result", "reason", "loser"),
    [
        ("TIMEOUT WINNER 0", "W+", Reason.TIMEOUT, 1),
        ("ILLEGAL MOVE: Player 0, Move: (0, 0), R/F: (3, 0) WINNER 1", "B+", Reason.ILLEGAL, 0),
        ("DISCONNECTION Player-1 WINNER 0", "W+", Reason.CRASH, 1),
        ("something new WINNER 0", "W+", Reason.CRASH, 1),
        ("WINNER 0", "W+", Reason.NORMAL, None),
        ("DRAW", "0", Reason.NORMAL, None),
        ("USER CANCEL UNDECIDED", "none", Reason.VOID, None),
        ("CANCELLED 0", "none", Reason.VOID, None),
    ],
)
def test_every_end_in_a_log_has_its_verdict(tmp_path, ending, result, reason, loser):
    record = read_log(log_of(tmp_path, ending))
    assert (record.result, record.verdict.reason, record.verdict.loser) == (result, reason, loser)


def test_a_result_that_the_board_does_not_show_is_named(tmp_path):
    assert "but the board does not show that" in read_log(log_of(tmp_path, "WINNER 0")).verdict.text


def test_a_log_that_was_cut_off_is_of_a_void_game(tmp_path):
    path = tmp_path / "game00001.log"
    path.write_text(JAVA_LOG.partition("GAMEOVER")[0])
    record = read_log(path)
    assert record.is_void
    assert record.verdict.text == "the log ends after 2 moves, before the game did"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("5 5 1 0 1", "0 0 1 0 1"), r"game00012.log, line 12: 0 0 1 0 1: a1 is taken"),
        (("5 5 1 0 1", "5 5 1 0 0"), r"line 12: 5 5 1 0 0: it is the turn of Random Player \(b\)"),
        (("5 5 1 0 1", "5 5 1"), r"line 12: '5 5 1' is no move: expected five whole numbers"),
        (("pentago_twist.PentagoBoard", "tablut.TablutBoard"), "is the log of another game, tablut.TablutBoard"),
        (("Timeout: ", f"Timeout: {'9' * 5000}"), "a timeout has more than 12 digits"),
        (("START Player-1", "# Player-1"), "expected a line START Player-0 and then START Player-1"),
    ],
)
def test_what_is_wrong_with_a_log_is_said_with_its_line(tmp_path, change, complaint):
    path = log_of(tmp_path, "DRAW")
    path.write_text(path.read_text().replace(*change))
    with pytest.raises(InputError, match=complaint):
        read_log(path)


def test_what_is_written_is_read_back_and_outcomes_have_a_line_for_each_game(tmp_path):
    folder = tmp_path / "logs"
    first = write_log(folder, GameOver("WINNER", 0))
    second = write_log(folder, GameOver("UNDECIDED", None, "USER CANCEL"))
    assert (first.path.name, second.path.name) == ("game00001.log", "game00002.log")
    record = read_log(first.path)
    assert (record.agents, len(record.moves), record.result) == (("alice", "bob"), 9, "W+")
    assert abs((datetime.now() - datetime.fromisoformat(record.date)).total_seconds()) < 24 * 3600
    assert (folder / "outcomes.txt").read_text().splitlines() == [
        "1,alice,bob,0,alice,4,game00001.log,",
        "2,alice,bob,GAMEOVER USER CANCEL UNDECIDED,NOBODY,4,game00002.log,USER CANCEL",
    ]


def test_a_log_begins_and_ends_like_the_java_servers(tmp_path):
    lines = write_log(tmp_path, GameOver("DRAW")).path.read_text().splitlines()
    java = JAVA_LOG.splitlines()
    assert [line.partition(":")[0] for line in lines[1:8]] == [line.partition(":")[0] for line in java[1:8]]
    assert lines[0].startswith("# Server version ")
    assert lines[-2] == "GAMEOVER DRAW"
    assert lines[-1].startswith("# Game ended: ")
