"""Requests, answers and error texts; the commands of every game, on Pentago."""

import json

import pytest

from agents.agent import Agent
from game import RulesError
from simulator.gtp.agent_host import AgentHost
from simulator.gtp.analysis import STATS_KEYS
from simulator.gtp.commands import command_sets
from simulator.gtp.engine import Engine
from simulator.gtp.server import Server
from simulator.gtp.syntax import GtpError, format_answer, parse_request
from tests.gtp_engines import Scholar, engine_of, last_answer, run, say
from tests.programs import PROJECT, command, interrupted
from tests.submissions import agent

# --- Lines ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("name", ("", "name", [])),
        ("12 name\n", ("12", "name", [])),
        (" 12\tplay\tw  a1/0r \r\n", ("12", "play", ["w", "a1/0r"])),
        ("play w a1/0r # the corner", ("", "play", ["w", "a1/0r"])),
        ("7# only a number", ("7", "", [])),
        ("na\x00me\x07", ("", "name", [])),
        ("2nd", ("", "2nd", [])),
        ("٣ name", ("", "٣", ["name"])),
    ],
)
def test_request_is_taken_apart(line, expected):
    assert parse_request(line) == expected


@pytest.mark.parametrize("line", ["", "\n", "  \t\r\n", "# comment", "\x01\x02\n"])
def test_line_without_request_is_ignored(line):
    assert parse_request(line) is None
    assert not list(Server({}).pieces(line))


def test_answer_holds_no_blank_line_and_no_control_character():
    assert format_answer("3", "\na\n\n\nb\x00\x1b\n") == "=3 \na\nb\n\n"
    assert format_answer("", "") == "=\n\n"
    assert format_answer("9", "unknown command", success=False) == "?9 unknown command\n\n"


def test_server_survives_its_own_bugs(capsys):
    def fail(arguments):
        raise ZeroDivisionError("a\n\nb")

    server = Server({"fail": fail})
    answer = "".join(server.pieces("5 fail"))
    assert answer.startswith("?5 internal error") and answer.count("\n") == 2
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert list(server.pieces("protocol_version")) == ["= 2\n\n"]


def test_a_failure_of_a_games_file_is_answered_without_our_traceback(capsys):
    def fail(arguments):
        raise RulesError("nim: play fails\nIndexError")

    assert list(Server({"fail": fail}).pieces("fail")) == ["? nim: play fails\n\n"]
    assert capsys.readouterr().err == "nim: play fails\nIndexError\n"


# --- The commands -----------------------------------------------------------------------------------------------------


@pytest.fixture
def engine():
    return engine_of(seed=42)


def test_every_command_of_the_table_is_known_and_listed(engine):
    required = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
    common = "undo showboard time_settings time_left final_score reg_genmove"
    own = "legal_moves result position set_position search_stats study perft"
    commands = [*required.split(), *common.split(), *(f"unforced-{name}" for name in own.split())]
    assert sorted(commands) == say(engine, "list_commands").removeprefix("= ").split("\n")
    assert {say(engine, f"known_command {command}") for command in commands} == {"= true"}


PLAYED = "play w F5/3F; play black 0 0 2 1"
SET = "unforced-set_position wwwww./bbbb../....../....../....../......"


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        ("castle", "? unknown command"),
        ("4 castle", "?4 unknown command"),
        ("4", "?4 unknown command"),
        ("play green a1/0r", "? syntax error"),
        ("play w a7/0r", "? syntax error"),
        ("play w pass", "? syntax error"),
        ("play b a1/0r", "? illegal move"),
        ("genmove w w", "? syntax error"),
        ("genmove b", "? illegal move: w is to move"),
        ("final_score", "? cannot score"),
        ("boardsize 9", "? unacceptable size"),
        ("boardsize 6", "="),
        ("komi 6.5", "="),
        ("time_settings 0 2 1", "="),
        ("time_settings -1 2 1", "? syntax error"),
        ("time_left w 30 0", "="),
        ("unforced-result", "= none"),
        ("unforced-set_position nonsense", "? syntax error"),
        ("unforced-perft 0", "= 1"),
        ("unforced-perft 1", "= 288"),
        ("unforced-perft -1", "? syntax error"),
        ("unforced-perft 99999999999", "? syntax error"),
        ("unforced-search_stats", "? no move has been generated"),
        ("unforced-legal_moves b", "="),
        ("clear_board", "="),
        ("protocol_version", "= 2"),
        ("unforced-position", "= ....../....../....../....../....../...... w"),
        ("known_command castle", "= false"),
        ("known_command", "= false"),
        (f"{PLAYED}; unforced-position", "= b...../....../....../....../...w../...... w"),
        (f"{PLAYED}; play w a1/0r", "? illegal move"),
        (f"{PLAYED}; undo; undo", "="),
        (f"{PLAYED}; undo; undo; undo", "? cannot undo"),
        ("reg_genmove w; unforced-position", "= ....../....../....../....../....../...... w"),
        # A finished game has a result and no moves
        (f"{SET} w", "? syntax error"),
        (f"{SET} B", "="),
        (f"{SET} B; unforced-result", "= W+"),
        (f"{SET} B; final_score", "= W+"),
        (f"{SET} B; unforced-legal_moves b", "="),
        (f"{SET} B; play b f6/0r", "? illegal move"),
        (f"{SET} B; genmove b", "? the game is over"),
        (f"{SET} B; unforced-perft 1", "= 0"),
        (f"{SET} B; undo", "? cannot undo"),
    ],
)
def test_answer_to_the_last_line(engine, lines, answer):
    assert last_answer(engine, lines) == answer


def test_engine_of_another_game_says_how_to_start_one_for_go(engine, capsys):
    assert say(engine, "boardsize 9") == "? unacceptable size"
    assert "plays pentago, whose board is 6x6; start it with --game go for Go" in capsys.readouterr().err


def test_a_board_that_is_not_square_has_no_size(capsys):
    engine = engine_of(game=str(PROJECT / "examples/games/connect_four.py"))
    assert run(engine, "boardsize 6", "boardsize 7") == ["? unacceptable size"] * 2
    assert capsys.readouterr().err.count("whose board is 6x7") == 2


def test_legal_moves_are_all_eight_turns_of_each_cell(engine):
    moves = say(engine, "unforced-legal_moves white").removeprefix("= ").split(" ")
    assert len(moves) == len(set(moves)) == 288 and "f5/1r" in moves


def test_search_stats_have_exactly_the_documented_keys(engine):
    say(engine, "genmove w")
    stats = json.loads(say(engine, "unforced-search_stats").removeprefix("= "))
    assert tuple(stats) == STATS_KEYS
    assert stats["seconds"] >= 0 and stats["peak_rss_mb"] > 1 and stats["value"] is None


def test_board_is_shown(engine):
    assert "a   b   c   d   e   f" in say(engine, "showboard")


def test_quit_answers_first(engine):
    say(engine, "genmove w")
    assert say(engine, "8 quit") == "=8"
    assert engine.finished and Scholar.made[0].closed


def test_a_new_agent_for_every_game_with_seeds_that_follow(engine):
    engine.host.prepare()
    for line in ("boardsize 6", "clear_board", "genmove w", "clear_board", "genmove w", "clear_board"):
        say(engine, line)
    first, second = Scholar.made
    assert first.seed == 42 != second.seed and first.closed
    again = engine_of(seed=42)
    for line in ("genmove w", "clear_board", "genmove w"):
        say(again, line)
    assert [agent.seed for agent in Scholar.made] == [first.seed, second.seed]


class Failing(Agent):
    """Fails as it is told to."""

    failure: BaseException = ValueError()

    def step(self, position, clock):
        raise self.failure


@pytest.mark.parametrize(
    ("failure", "text"),
    [
        (ValueError("one\n\ntwo"), "two"),
        (SystemExit(0), "SystemExit: 0"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
        (MemoryError(), "MemoryError"),
        (GtpError("resign"), "resign"),
    ],
)
def test_agent_that_raises_gives_one_line(failure, text, capsys):
    Failing.failure = failure
    engine = engine_of(Failing)
    answer = say(engine, "genmove w")
    assert answer.startswith("? agent failed: ") and text in answer and "\n" not in answer
    assert "Traceback" in capsys.readouterr().err
    assert say(engine, "unforced-position").endswith(" w")


@pytest.mark.parametrize(
    ("line", "sign"), [("genmove w\n", "I think\n"), ("boardsize 1\n", "unacceptable size: ")], ids=["busy", "idle"]
)
def test_interrupt_ends_an_engine_at_once_and_quietly(tmp_path, line, sign):
    (tmp_path / "sleeper.py").write_text(agent("print('I think', flush=True); time.sleep(60)"))
    with command("gtp", "--agent", tmp_path / "sleeper.py") as engine:
        engine.stdin.write(line)
        engine.stdin.flush()
        assert engine.stderr.readline().startswith(sign)
        said, complaints = interrupted(engine)
    assert complaints == "" and "failed" not in said


def test_later_set_of_commands_overrides_earlier_ones():
    own = {"komi": lambda engine, arguments: f"{engine.game_name} has none"}
    engine = Engine("pentago", AgentHost(Scholar), (*command_sets("pentago"), own))
    assert say(engine, "komi") == "= pentago has none" and say(engine, "unforced-result") == "= none"
