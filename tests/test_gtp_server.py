"""An engine on a pair of pipes: lines, live answers, and what interrupts them."""

import os
import re

import pytest

from simulator.gtp.server import LineReader, Server
from simulator.gtp.syntax import MAX_LINE_BYTES, GtpError
from tests.gtp_engines import Pipes, go_engine


@pytest.fixture
def pipes():
    pipes = Pipes(go_engine())
    yield pipes
    pipes.close()
    os.close(pipes.read_fd)


def test_what_fails_in_the_middle_of_a_live_answer_ends_it(capsys):
    def lines(error):
        yield "first\n\nline"
        raise error

    server = Server({"a": lambda arguments: lines(GtpError("bad luck")), "b": lambda arguments: lines(KeyError(1))})
    assert list(server.pieces("1 a")) == ["=1\n", "first line\n", "\n"]
    assert "".join(server.pieces("2 b")) == "=2\nfirst line\n\n"
    errors = capsys.readouterr().err
    assert "bad luck" in errors and "KeyError" in errors


def test_analysis_goes_on_until_the_next_line_which_is_then_served(pipes):
    pipes.write("1 lz-analyze b 5\n")
    assert pipes.read_until("\n") == "=1\n"
    for _ in range(3):
        assert pipes.read_until("\n").startswith("info move A5 visits ")
    pipes.write("2 play b C3\n3 unforced-position\n")
    ending = pipes.read_until("=3 ...../...../..b../...../..... w - 0.5\n\n")
    assert re.search(r"order 1 pv B5\n\n=2\n\n=3 ", ending)


@pytest.mark.parametrize("line", ["\n", "# interrupt\n", "stop\n"])
def test_any_line_ends_an_analysis(pipes, line):
    pipes.write("lz-analyze 5\n")
    pipes.read_until("\ninfo ")
    pipes.write(line)
    pipes.read_until("\n\n")
    pipes.write("9 protocol_version\n")
    assert pipes.read_until("=9 2\n\n").startswith("? unknown" if line == "stop\n" else "=9")


def test_lines_that_came_together_with_an_analysis_end_it_after_one_report(pipes):
    pipes.write("1 lz-analyze 100\n2 name\n3 quit\n")
    answers = pipes.close()
    assert answers.count("info move A5") == 1 and answers.endswith("\n\n=2 Unforced scholar\n\n=3\n\n")


def test_half_a_line_does_not_end_an_analysis(pipes):
    pipes.write("lz-analyze 5\n4 na")
    for _ in range(4):
        pipes.read_until("\n")
    pipes.write("me\n")
    assert pipes.read_until("=4 Unforced scholar\n\n").count("\n\n") == 2


def test_end_of_input_ends_an_analysis(pipes):
    pipes.write("lz-analyze 5\n")
    pipes.read_until("\ninfo ")
    assert pipes.close().endswith("\n\n")


def test_last_line_may_lack_its_newline(pipes):
    pipes.write("1 name\r\n2 version")
    assert pipes.close().startswith("=1 Unforced scholar\n\n=2 ")


def test_long_lines_do_not_break_the_stream(pipes):
    for line in ("1 " + "x" * 300_000, "2 set_free_handicap " + "A1 " * 30_000, "# " + "y" * 200_000):
        for start in range(0, len(line), 50_000):
            pipes.write(line[start : start + 50_000])
        pipes.write("\n")
    pipes.write("3 play b A1 " + "# a long comment" * 10_000 + "\n")
    pipes.write("4 name\n")
    answers = pipes.read_until("=4 Unforced scholar\n\n")
    assert answers == ("?1 unknown command\n\n?2 a line of more than 65536 bytes\n\n=3\n\n=4 Unforced scholar\n\n")


def test_line_of_the_longest_length_is_served(pipes):
    line = "1 play b A1" + " " * (MAX_LINE_BYTES - 11)
    pipes.write(line + "\n")
    assert pipes.read_until("\n\n") == "=1\n\n"


def test_lines_know_whether_there_is_another():
    read_fd, write_fd = os.pipe()
    lines = LineReader(read_fd)
    assert not lines.wait(0)
    os.write(write_fd, b"one\ntwo\nthr")
    assert lines.read() == b"one\n" and lines.wait(0) and lines.read() == b"two\n" and not lines.wait(0.01)
    os.close(write_fd)
    assert lines.wait(60) and lines.read() == b"thr" and lines.read() == b""
    os.close(read_fd)
