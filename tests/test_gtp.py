"""GTP at both ends: requests, answers, error texts, every command, and everything that can go wrong."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agents.agent import Agent, Clock, Limits
from agents.random_agent import RandomAgent
from game import Game
from simulator.gtp.agent_host import AgentHost
from simulator.gtp.analysis import STATS_KEYS
from simulator.gtp.client import Client, EngineClosed, EngineTimeout, MalformedAnswer, Refused
from simulator.gtp.commands import command_sets
from simulator.gtp.engine import Engine
from simulator.gtp.server import Server
from simulator.gtp.syntax import GtpError, format_answer, parse_request
from simulator.gtp.time_control import TimeControl, moves_expected
from simulator.player.worker import INTERRUPTED

PROJECT = Path(__file__).parent.parent

# --- Lines ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("name", ("", "name", [])),
        ("12 name\n", ("12", "name", [])),
        ("12\tplay\tw  a1/0r\r\n", ("12", "play", ["w", "a1/0r"])),
        ("play w a1/0r # the corner", ("", "play", ["w", "a1/0r"])),
        ("7# only a number", ("7", "", [])),
        ("na\x00me\x07", ("", "name", [])),
        ("2nd", ("", "2nd", [])),
    ],
)
def test_request_is_taken_apart(line: str, expected: tuple[str, str, list[str]]) -> None:
    assert parse_request(line) == expected


@pytest.mark.parametrize("line", ["", "\n", "  \t\r\n", "# comment", "\x01\x02\n"])
def test_line_without_request_is_ignored(line: str) -> None:
    assert parse_request(line) is None
    assert not list(Server({}).pieces(line))


def test_answer_holds_no_blank_line_and_no_control_character() -> None:
    assert format_answer("3", "\na\n\n\nb\x00\x1b\n") == "=3\na\nb\n\n".replace("=3\n", "=3 \n")
    assert format_answer("", "") == "=\n\n"
    assert format_answer("9", "unknown command", success=False) == "?9 unknown command\n\n"


def test_server_survives_its_own_bugs(capsys: pytest.CaptureFixture[str]) -> None:
    def fail(arguments: list[str]) -> str:
        raise ZeroDivisionError("a\n\nb")

    server = Server({"fail": fail})
    answer = "".join(server.pieces("5 fail"))
    assert answer.startswith("?5 internal error") and answer.count("\n") == 2
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert list(server.pieces("protocol_version")) == ["= 2\n\n"]


# --- The engine's commands ------------------------------------------------------------------------------------------


class Timekeeper(RandomAgent):
    """Remembers the clocks that it was handed."""

    made: list["Timekeeper"] = []  # noqa: RUF012

    def setup(self) -> None:
        self.made.append(self)
        self.seconds: list[float] = []
        self.closed = False

    def step(self, position: object, clock: Clock) -> object:
        self.seconds.append(clock.seconds)
        return super().step(position, clock)

    def close(self) -> None:
        self.closed = True


def make_timekeeper(game: Game, limits: Limits, seed: int) -> Agent:
    return Timekeeper(game, limits, seed)


def pentago_engine(**settings: Any) -> Engine:
    return Engine("pentago", AgentHost(make_timekeeper, **settings), command_sets("pentago"))


@pytest.fixture
def engine() -> Engine:
    Timekeeper.made = []
    return pentago_engine(seed=42)


def say(engine: Engine, line: str) -> str:
    """The answer to a line, without its blank line."""
    answer = "".join(engine.pieces(line))
    assert answer.endswith("\n\n") and "\n\n" not in answer[:-2]
    return answer[:-2]


def test_every_command_of_the_table_is_known_and_listed(engine: Engine) -> None:
    required = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
    common = "undo showboard time_settings time_left final_score reg_genmove"
    own = "legal_moves result position set_position search_stats perft"
    commands = [*required.split(), *common.split(), *(f"unforced-{name}" for name in own.split())]
    assert sorted(commands) == say(engine, "list_commands").removeprefix("= ").split("\n")
    assert {say(engine, f"known_command {command}") for command in commands} == {"= true"}
    assert say(engine, "known_command castle") == say(engine, "known_command") == "= false"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("castle", "? unknown command"),
        ("4 castle", "?4 unknown command"),
        ("4", "?4 unknown command"),
        ("play", "? syntax error"),
        ("play w", "? syntax error"),
        ("play green a1/0r", "? syntax error"),
        ("play w a7/0r", "? syntax error"),
        ("play w pass", "? syntax error"),
        ("play b a1/0r", "? illegal move"),
        ("genmove", "? syntax error"),
        ("genmove w w", "? syntax error"),
        ("genmove b", "? illegal move: w is to move"),
        ("undo", "? cannot undo"),
        ("final_score", "? cannot score"),
        ("boardsize 9", "? unacceptable size"),
        ("boardsize x", "? syntax error"),
        ("boardsize 6", "="),
        ("boardsize", "? syntax error"),
        ("komi 6.5", "="),
        ("komi -7", "="),
        ("komi much", "? syntax error"),
        ("komi nan", "? syntax error"),
        ("time_settings 0 2 1", "="),
        ("time_settings 0 2", "? syntax error"),
        ("time_settings -1 2 1", "? syntax error"),
        ("time_left w 30 0", "="),
        ("time_left w x 0", "? syntax error"),
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
    ],
)
def test_answer_from_the_start(engine: Engine, line: str, answer: str) -> None:
    assert say(engine, line) == answer


def test_engine_of_another_game_says_how_to_start_one_for_go(
    engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert say(engine, "boardsize 9") == "? unacceptable size"
    assert "plays pentago, whose board is 6x6; start it with --game go for Go" in capsys.readouterr().err


def test_moves_are_played_in_both_notations_and_taken_back(engine: Engine) -> None:
    assert say(engine, "play w F5/3F") == "="
    assert say(engine, "play black 0 0 2 1") == "="
    assert say(engine, "unforced-position") == "= b...../....../....../....../...w../...... w"
    assert say(engine, "play w a1/0r") == "? illegal move"
    assert [say(engine, "undo") for _ in range(3)] == ["=", "=", "? cannot undo"]


def test_legal_moves_are_all_eight_turns_of_each_cell(engine: Engine) -> None:
    moves = say(engine, "unforced-legal_moves white").removeprefix("= ").split(" ")
    assert len(moves) == len(set(moves)) == 288 and "f5/1r" in moves


def test_finished_game_has_a_result_and_no_moves(engine: Engine) -> None:
    assert say(engine, "unforced-set_position wwwww./bbbb../....../....../....../...... w") == "? syntax error"
    assert say(engine, "unforced-set_position wwwww./bbbb../....../....../....../...... B") == "="
    assert say(engine, "unforced-result") == say(engine, "final_score") == "= W+"
    assert say(engine, "unforced-legal_moves b") == "="
    assert say(engine, "play b f6/0r") == "? illegal move"
    assert say(engine, "genmove b") == "? the game is over"
    assert say(engine, "unforced-perft 1") == "= 0"
    assert say(engine, "undo") == "? cannot undo"


def test_genmove_plays_and_reg_genmove_does_not(engine: Engine) -> None:
    assert say(engine, "reg_genmove w").startswith("= ")
    assert say(engine, "unforced-position").endswith(" w")
    move = say(engine, "genmove w").removeprefix("= ")
    assert move in say(engine, "undo") + say(engine, "unforced-legal_moves w")


def test_search_stats_have_exactly_the_documented_keys(engine: Engine) -> None:
    say(engine, "genmove w")
    stats = json.loads(say(engine, "unforced-search_stats").removeprefix("= "))
    assert tuple(stats) == STATS_KEYS
    assert stats["seconds"] >= 0 and stats["peak_rss_mb"] > 1 and stats["value"] is None


def test_board_is_shown(engine: Engine) -> None:
    assert "a   b   c   d   e   f" in say(engine, "showboard")


def test_quit_answers_first(engine: Engine) -> None:
    say(engine, "genmove w")
    assert say(engine, "8 quit") == "=8"
    assert engine.finished and Timekeeper.made[0].closed


def test_a_new_agent_for_every_game_with_seeds_that_follow(engine: Engine) -> None:
    engine.host.prepare()
    for line in ("boardsize 6", "clear_board", "genmove w", "clear_board", "genmove w", "clear_board"):
        say(engine, line)
    first, second = Timekeeper.made
    assert first.seed == 42 != second.seed and first.closed
    again = pentago_engine(seed=42)
    for line in ("genmove w", "clear_board", "genmove w"):
        say(again, line)
    assert [agent.seed for agent in Timekeeper.made[2:]] == [first.seed, second.seed]


def test_first_move_has_the_first_move_time_less_what_was_spent() -> None:
    Timekeeper.made = []
    engine = pentago_engine(limits=Limits(30, 2), started=time.monotonic() - 10)
    for line in ("genmove w", "genmove b", "clear_board", "genmove w"):
        say(engine, line)
    first, second = Timekeeper.made
    assert 19 < first.seconds[0] <= 20 and 1.9 < first.seconds[1] <= 2
    assert 29 < second.seconds[0] <= 30


@pytest.mark.parametrize(
    ("lines", "seconds"),
    [
        (["time_settings 0 3 1"], 3),
        (["time_settings 0 30 10"], 3),
        (["time_settings 60 0 0"], 3),
        (["time_settings 40 1 1"], 3),
        (["time_settings 60 0 0", "time_left w 20 0"], 1),
        (["time_settings 0 30 10", "time_left w 8 4"], 2),
        (["time_left w 80 0"], 4),
        (["time_settings 0 5 0"], 30),
        (["time_settings 0 0 0"], 30),
    ],
)
def test_controllers_time_goes_before_ours(engine: Engine, lines: list[str], seconds: float) -> None:
    for line in lines:
        say(engine, line)
    say(engine, "genmove w")
    assert seconds - 0.5 < Timekeeper.made[0].seconds[0] <= seconds


@pytest.mark.parametrize(("at_start", "played", "expected"), [(20, 0, 20), (20, 11, 9), (20, 50, 8), (90, 85, 22)])
def test_moves_expected_fall_to_a_least_number(at_start: int, played: int, expected: int) -> None:
    assert moves_expected(at_start, played) == expected


def test_moves_of_the_game_so_far_are_expected_no_more(engine: Engine) -> None:
    for line in ("time_settings 36 0 0", "play w a1/0r", "play b f6/0r", "genmove w"):
        say(engine, line)
    assert 36 / 19 - 0.4 < Timekeeper.made[0].seconds[0] <= 36 / 19 - 0.1


def test_extra_turns_count_as_own_moves() -> None:
    Timekeeper.made = []
    engine = Engine("extra_turn_nim", AgentHost(make_timekeeper), command_sets("extra_turn_nim"))
    first = engine.game.players[0]
    for line in ("time_settings 38 0 0", f"play {first} 2", f"play {first} 2", f"play {first} 2", f"genmove {first}"):
        say(engine, line)
    assert len(engine.positions) == 5
    expected = 38 / (engine.game.moves_ahead - 3)
    assert expected - 0.4 < Timekeeper.made[0].seconds[0] <= expected - 0.1


@pytest.mark.parametrize(
    ("main", "seconds"), [(1.0, 0.1), (0.3, 0.1), (0.15, 0.05), (100.0, 5.0)]
)  # with 20 moves ahead
def test_little_main_time_is_spent_a_third_at_a_time(main: float, seconds: float) -> None:
    assert TimeControl(main).seconds(0, 20) == pytest.approx(seconds)


def test_new_time_settings_give_all_time_anew(engine: Engine) -> None:
    for line in ("time_settings 60 0 0", "time_left w 20 0", "time_settings 60 0 0", "genmove w"):
        say(engine, line)
    assert 2.5 < Timekeeper.made[0].seconds[0] <= 3


def test_main_time_is_used_up() -> None:
    control = TimeControl(40.0)
    control.spend(0, 20.0)
    assert control.seconds(0) == 1.0 and control.seconds(1) == 2.0
    control.spend(0, 30.0)
    assert control.seconds(0) == 0.0


def test_increment_is_added_to_the_time_for_a_move_but_never_beyond_what_is_left() -> None:
    control = TimeControl(40.0, increment=3.0)
    assert control.seconds(0, 20) == 5.0
    control.spend(0, 5.0)
    assert control.left[0] == (38.0, 0)
    control.left[0] = 2.0, 0
    assert control.seconds(0, 20) == 2.0


@pytest.mark.parametrize(
    ("lines", "first", "second"),
    [
        ([], 5.0, 2.0),  # 60 / 20 + 2, less than the first move may take; then the limit of a move
        (["time_settings 60 0 0"], 5.0, 2.0),
        (["time_left w 20 0", "time_left b 1 0"], 3.0, 1.0),
        (["time_left w 600 0", "time_left b 600 0"], 10.0, 2.0),
    ],
)
def test_referees_clock_and_limits_of_a_move_hold_together(lines: list[str], first: float, second: float) -> None:
    Timekeeper.made = []
    limits = Limits(first_move_seconds=10, move_seconds=2, clock_seconds=60, increment_seconds=2)
    engine = pentago_engine(limits=limits)
    for line in (*lines, "genmove w", "genmove b"):
        say(engine, line)
    found = Timekeeper.made[0].seconds
    assert first - 0.4 < found[0] <= first and second - 0.4 < found[1] <= second


class Failing(Agent):
    """Fails as it is told to."""

    failure: BaseException = ValueError()

    def step(self, position: object, clock: Clock) -> object:
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
def test_agent_that_raises_gives_one_line(
    failure: BaseException, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Failing.failure = failure
    engine = Engine("pentago", AgentHost(Failing), command_sets("pentago"))
    answer = say(engine, "genmove w")
    assert answer.startswith("? agent failed: ") and text in answer and "\n" not in answer
    assert "Traceback" in capsys.readouterr().err
    assert say(engine, "unforced-position").endswith(" w")


SLEEPER = """
import time
from agents.agent import Agent, register_agent

@register_agent("sleeper_agent")
class Sleeper(Agent):
    def step(self, position, clock):
        print("I think", flush=True)
        time.sleep(60)
"""


@pytest.mark.parametrize(
    ("line", "sign"), [("genmove w\n", "I think\n"), ("boardsize 1\n", "unacceptable size: ")], ids=["busy", "idle"]
)
def test_interrupt_ends_an_engine_at_once_and_quietly(tmp_path: Path, line: str, sign: str) -> None:
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    command = [sys.executable, str(PROJECT / "runner.py"), "gtp", "--agent", str(tmp_path / "sleeper.py")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as engine:
        assert engine.stdin is not None and engine.stderr is not None
        engine.stdin.write(line)
        engine.stdin.flush()
        assert engine.stderr.readline().startswith(sign)
        engine.send_signal(signal.SIGINT)
        said, complaints = engine.communicate(timeout=30)
    assert (engine.returncode, complaints) == (INTERRUPTED, "") and "failed" not in said


def test_later_set_of_commands_overrides_earlier_ones() -> None:
    own = {"komi": lambda engine, arguments: f"{engine.game_name} has none"}
    engine = Engine("pentago", AgentHost(make_timekeeper), (*command_sets("pentago"), own))
    assert say(engine, "komi") == "= pentago has none" and say(engine, "unforced-result") == "= none"


# --- The controller's end -------------------------------------------------------------------------------------------


class Line:
    """A client, and the ends of its two pipes that an engine would hold."""

    def __init__(self) -> None:
        read_fd, self.speak_fd = os.pipe()
        self.listen_fd, write_fd = os.pipe()
        self.client = Client(read_fd, write_fd)
        self.descriptors = {read_fd, write_fd, self.speak_fd, self.listen_fd}

    def ask(self, answer: bytes, seconds: float = 5.0) -> str:
        """What the client makes of an answer to its first request."""
        deadline = time.monotonic() + seconds
        request_id = self.client.send(["name"], deadline)[0]
        assert os.read(self.listen_fd, 100) == f"{request_id} name\n".encode()
        os.write(self.speak_fd, answer)
        return self.client.receive(request_id, deadline).text

    def close(self) -> None:
        for fd in self.descriptors:
            os.close(fd)


@pytest.fixture
def line() -> Iterator[Line]:
    line = Line()
    yield line
    line.close()


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (b"=1 Unforced\n\n", "Unforced"),
        (b"=1\n\n", ""),
        (b"=1 \n\n", ""),
        (b"\n\n=1 a\nb\n\n\n", "a\nb"),
        (b"=1 a\r\n\r\n", "a"),
        (b"=1 \xff\x00a\n\n", "\ufffda"),
    ],
)
def test_answer_is_read(line: Line, answer: bytes, text: str) -> None:
    assert line.ask(answer) == text


@pytest.mark.parametrize("answer", [b"hello\n\n", b"=2 a\n\n", b"= a\n\n", b"\x00\x01", b"= \n\n"])
def test_what_is_no_answer_is_malformed(line: Line, answer: bytes) -> None:
    with pytest.raises(MalformedAnswer):
        line.ask(answer)


def test_refusal_carries_its_text(line: Line) -> None:
    with pytest.raises(Refused, match="unknown command"):
        line.ask(b"?1 unknown command\n\n")


def test_half_an_answer_times_out(line: Line) -> None:
    with pytest.raises(EngineTimeout):
        line.ask(b"=1 a\n", seconds=0.1)


def test_end_of_output_is_told_apart_from_silence(line: Line) -> None:
    line.descriptors.discard(line.speak_fd)
    os.close(line.speak_fd)
    with pytest.raises(EngineClosed):
        line.client.send(["name"], time.monotonic() + 5)


def test_closed_input_is_noticed(line: Line) -> None:
    line.descriptors.discard(line.listen_fd)
    os.close(line.listen_fd)
    with pytest.raises(EngineClosed):
        line.client.send(["name"], time.monotonic() + 5)


def test_engine_that_does_not_read_times_out(line: Line) -> None:
    with pytest.raises(EngineTimeout):
        line.client.send(["x" * 60_000] * 40, time.monotonic() + 0.2)


def test_abandoned_answer_is_thrown_away(line: Line) -> None:
    with pytest.raises(EngineTimeout):
        line.ask(b"", seconds=0.05)
    line.client.abandon(1)
    os.write(line.speak_fd, b"=1 too late\n\n")
    deadline = time.monotonic() + 5
    request_id = line.client.send(["version"], deadline)[0]
    os.write(line.speak_fd, b"=2 now\n\n")
    assert line.client.receive(request_id, deadline).text == "now"


def test_waiting_calls_back_and_what_it_raises_ends_it(line: Line) -> None:
    class Enough(Exception):
        pass

    calls = 0

    def count() -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise Enough

    line.client.on_wait = count
    with pytest.raises(Enough):
        line.ask(b"", seconds=60)


def test_flood_ends_at_the_deadline(line: Line) -> None:
    stop = threading.Event()

    def flood() -> None:
        while not stop.is_set():
            os.write(line.speak_fd, b"\n" * 4096)

    thread = threading.Thread(target=flood)
    thread.start()
    try:
        with pytest.raises(EngineTimeout):
            line.ask(b"", seconds=0.3)
    finally:
        stop.set()
        os.set_blocking(line.speak_fd, False)
        while thread.is_alive():
            line.client._read()
        thread.join()
