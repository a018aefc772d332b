"""GTP for Go: every command and its errors, the clock of a controller, live analysis on a real descriptor."""

import itertools
import json
import os
import re
import threading
import time
from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.agent import Agent, Clock, Limits
from agents.random_agent import RandomAgent
from agents.uct_agent import UctAgent
from game import Game, load_game
from simulator.gtp.agent_host import AgentHost, AgentMaker
from simulator.gtp.commands import analysis as analysis_commands
from simulator.gtp.commands import command_sets
from simulator.gtp.commands.analysis import GOGUI_COMMANDS, kata_figures, lower_bound, lz_figures
from simulator.gtp.commands.go import chains_of, free_handicap
from simulator.gtp.engine import Engine
from simulator.gtp.server import LineReader, Server
from simulator.gtp.syntax import MAX_LINE_BYTES, GtpError
from simulator.gtp.time_control import RESERVE_SECONDS, TimeControl


class Report(NamedTuple):
    """What `Agent.study` says of a move."""

    move: Any
    visits: int
    value: float
    prior: float
    pv: tuple[Any, ...]


class Scholar(Agent):
    """Plays its favourite move while it is legal, else the first legal one; sleeps when it studies; remembers all."""

    favourite = "E5"
    made: ClassVar[list["Scholar"]] = []

    def setup(self) -> None:
        self.made.append(self)
        self.clocks: list[float] = []
        self.studied: list[tuple[str, float]] = []

    def step(self, position: Any, clock: Clock) -> Any:
        self.clocks.append(clock.seconds)
        move = self.game.parse_move(self.favourite, position)
        return move if move in position.legal_moves() else position.legal_moves()[0]

    def study(self, position: Any, seconds: float) -> list[Report]:
        self.studied.append((str(position), seconds))
        time.sleep(seconds)
        moves = position.legal_moves()
        visits = len(self.studied) * 100
        return [
            Report(moves[0], visits, 0.625, 0.25, (moves[0], moves[-1])),
            Report(moves[1], 50, 0.5, 0.125, (moves[1],)),
            Report(moves[2], 0, 0.0, 0.0625, ()),
        ]

    def ownership(self) -> np.ndarray:
        owners = np.zeros((self.game.size, self.game.size), np.float32)  # type: ignore[attr-defined]
        owners[0, 0], owners[-1, -1] = 1, -0.5
        return owners


class Silent(Agent):
    """Does not analyse, as agents that say nothing of it."""

    def step(self, position: Any, clock: Clock) -> Any:
        return position.legal_moves()[0]

    def study(self, position: Any, seconds: float) -> list[Any]:
        raise NotImplementedError

    def ownership(self) -> Any:
        return None


@pytest.fixture(autouse=True)
def _short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_commands, "SEARCH_SECONDS", 0.01)


def go_engine(make_agent: AgentMaker, options: dict[str, Any], **settings: Any) -> Engine:
    return Engine("go", AgentHost(make_agent, **settings), command_sets("go"), options)


@pytest.fixture
def engine() -> Engine:
    Scholar.made.clear()
    return go_engine(Scholar, {"size": 5, "komi": 0.5}, limits=Limits(30, 2), name="scholar")


def say(engine: Engine, line: str) -> str:
    """The answer to a line, without its blank line."""
    answer = "".join(engine.pieces(line))
    assert answer.endswith("\n\n") and "\n\n" not in answer[:-2]
    return answer[:-2]


def run(engine: Engine, *lines: str) -> list[str]:
    return [say(engine, line) for line in lines]


def board(engine: Engine) -> str:
    return say(engine, "unforced-position").removeprefix("= ")


# --- The table and the errors ---------------------------------------------------------------------------------------


def test_every_command_of_go_is_known_and_listed(engine: Engine) -> None:
    required = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
    common = "undo showboard time_settings time_left final_score reg_genmove final_status_list cputime"
    handicap = "fixed_handicap place_free_handicap set_free_handicap kgs-genmove_cleanup kgs-time_settings"
    clocks = "kata-time_settings kata-list_time_settings"
    live = "lz-analyze kata-analyze lz-genmove_analyze kata-genmove_analyze gogui-analyze_commands"
    own = "legal_moves result position set_position search_stats perft winrate_map ownership pv"
    words = " ".join((required, common, handicap, clocks, live)).split()
    commands = [*words, *(f"unforced-{name}" for name in own.split())]
    assert sorted(commands) == say(engine, "list_commands").removeprefix("= ").split("\n")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("boardsize 1", "? unacceptable size"),
        ("boardsize 20", "? unacceptable size"),
        ("boardsize 9 9", "? syntax error"),
        ("boardsize nine", "? syntax error"),
        ("boardsize 19", "="),
        ("komi", "? syntax error"),
        ("komi inf", "? syntax error"),
        ("komi -3.75", "="),
        ("play b", "? syntax error"),
        ("play b I3", "? syntax error"),
        ("play b F1", "? syntax error"),
        ("play b A6", "? syntax error"),
        ("play b resign", "? syntax error"),
        ("play green A1", "? syntax error"),
        ("PLAY b A1", "? unknown command"),
        ("play B a1", "="),
        ("play WHITE Pass", "="),
        ("genmove", "? syntax error"),
        ("genmove e", "? syntax error"),
        ("undo", "? cannot undo"),
        ("fixed_handicap", "? syntax error"),
        ("fixed_handicap two", "? syntax error"),
        ("fixed_handicap 2", "? invalid number of stones"),
        ("place_free_handicap 1", "? invalid number of stones"),
        ("place_free_handicap 25", "? invalid number of stones"),
        ("place_free_handicap x", "? syntax error"),
        ("set_free_handicap", "? bad vertex list"),
        ("set_free_handicap A1", "? bad vertex list"),
        ("set_free_handicap A1 A1", "? bad vertex list"),
        ("set_free_handicap A1 pass", "? bad vertex list"),
        ("set_free_handicap A1 Z9", "? bad vertex list"),
        ("set_free_handicap A1 e5", "="),
        ("final_score", "= W+0.5"),
        ("final_status_list", "? syntax error"),
        ("final_status_list undead", "? syntax error"),
        ("final_status_list dead", "="),
        ("kgs-genmove_cleanup", "? syntax error"),
        ("kgs-time_settings", "? syntax error"),
        ("kgs-time_settings none 5", "? syntax error"),
        ("kgs-time_settings absolute", "? syntax error"),
        ("kgs-time_settings fischer 5", "? syntax error"),
        ("kgs-time_settings canadian 5 5", "? syntax error"),
        ("kgs-time_settings absolute -1", "? syntax error"),
        ("kgs-time_settings none", "="),
        ("kata-list_time_settings", "= none absolute byoyomi canadian fischer"),
        ("lz-analyze b 10 20", "? syntax error"),
        ("lz-analyze interval", "? syntax error"),
        ("lz-analyze avoid b A1,B1 3", "? syntax error"),
        ("kata-analyze ownership maybe", "? syntax error"),
        ("loadsgf x.sgf", "? unknown command"),
        ("castle", "? unknown command"),
    ],
)
def test_answer_from_the_start(engine: Engine, line: str, answer: str) -> None:
    assert say(engine, line) == answer


@pytest.mark.parametrize(
    ("line", "answer", "reason"),
    [
        ("boardsize 1", "unacceptable size", "size"),
        ("boardsize abc", "syntax error", "'abc' is not a whole number"),
        ("boardsize 5 5", "syntax error", "expected one argument, got 2"),
        ("komi nan", "syntax error", "'nan' is not a finite number"),
        ("komi abc", "syntax error", "'abc' is not a number"),
        ("play b", "syntax error", "expected a colour and a move"),
        ("genmove e", "syntax error", "'e' is not a colour: b or w"),
        ("undo", "cannot undo", "no move has been played"),
        ("time_settings a b c", "syntax error", "'a' is not a number"),
        ("time_settings 1 2", "syntax error", "expected main time, period and stones"),
        ("time_left b -5 0", "syntax error", "a time cannot be negative: -5 s"),
        ("time_left b 5", "syntax error", "expected a colour, seconds and stones"),
        ("kgs-time_settings sudden 5 5", "syntax error", "expected one of: none, absolute MAIN, byoyomi"),
        ("fixed_handicap 3", "invalid number of stones", "handicap"),
        ("place_free_handicap 25", "invalid number of stones", "from 2 to 24 stones, not 25"),
        ("set_free_handicap D4", "bad vertex list", "from 2 to 24 stones, not 1"),
        ("set_free_handicap D4 A1 d4", "bad vertex list", "D4 is there twice"),
        ("set_free_handicap D4 Pass", "bad vertex list", "a handicap stone cannot pass"),
        ("final_status_list foo", "syntax error", "'foo' is not a status: alive, dead, seki"),
        ("lz-analyze b allow b D4 1", "syntax error", "allow b: not one of interval, maxmoves"),
        ("lz-analyze b 10 interval", "syntax error", "'interval' has no value"),
        ("kata-analyze ownership maybe", "syntax error", "ownership maybe: not one of"),
    ],
)
def test_reason_of_an_error_is_a_line_on_stderr(
    engine: Engine, line: str, answer: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert say(engine, line) == f"? {answer}"
    said = capsys.readouterr().err
    assert said.startswith(f"{answer}: ") and reason in said and said.count("\n") == 1


def test_handicap_on_stones_says_what_to_do(engine: Engine, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(engine, "play b A1", "fixed_handicap 2")[1] == "? board not empty"
    assert "clear_board first" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("12 play b A1\n", "=12"),
        ("  7\tplay\tb \t A1  \r\n", "=7"),
        ("3 play b A1 # a comment", "=3"),
        ("4 pl\x00ay b \x07A1", "=4"),
        ("5", "?5 unknown command"),
        ("٣ name", "? unknown command"),
        ("0 play w a1", "=0"),
    ],
)
def test_lines_are_read_as_gtp_says(engine: Engine, line: str, answer: str) -> None:
    assert say(engine, line) == answer


@pytest.mark.parametrize("line", ["", "\n", " \t\r\n", "# play b A1\n", "\x01\n"])
def test_lines_without_a_request_have_no_answer(engine: Engine, line: str) -> None:
    assert not list(engine.pieces(line)) and board(engine) == "...../...../...../...../..... b - 0.5"


# --- Moves ----------------------------------------------------------------------------------------------------------


def test_either_colour_plays_at_any_time_and_after_two_passes(engine: Engine) -> None:
    assert set(run(engine, "play b A1", "play b B1", "play w pass", "play b pass")) == {"="}
    assert say(engine, "unforced-result") == "= B+24.5"
    assert set(run(engine, "play b E5", "play w E1")) == {"="}
    assert board(engine) == "....b/...../...../...../bb..w b - 0.5"
    assert run(engine, *["undo"] * 7) == ["="] * 6 + ["? cannot undo"]


def test_genmove_answers_for_either_colour_and_after_two_passes(engine: Engine) -> None:
    assert run(engine, "genmove w", "genmove w") == ["= E5", "= A5"]
    run(engine, "play b pass", "play w pass")
    assert say(engine, "genmove b") == "= B5" and board(engine).startswith("wb..w")


def test_reg_genmove_leaves_the_board_alone(engine: Engine) -> None:
    before = board(engine)
    assert say(engine, "reg_genmove w") == "= E5" and board(engine) == before


@pytest.mark.parametrize(
    ("moves", "illegal"),
    [
        ("b A1", "w A1"),  # taken
        ("b A2 b B1", "w A1"),  # suicide
        ("b A2 b B2 b C1 w A1", "w B1"),  # suicide of two
    ],
)
def test_illegal_moves_leave_the_board_alone(engine: Engine, moves: str, illegal: str) -> None:
    words = moves.split()
    run(engine, *(f"play {colour} {point}" for colour, point in zip(words[::2], words[1::2], strict=True)))
    before = board(engine)
    assert say(engine, f"play {illegal}") == "? illegal move" and board(engine) == before


def test_ko_may_not_be_taken_back_at_once(engine: Engine) -> None:
    stones = ["b B3", "b A2", "b B1", "w C3", "w D2", "w C1", "w B2", "b C2"]
    assert set(run(engine, *(f"play {stone}" for stone in stones))) == {"="}
    assert board(engine).endswith("w B2 0.5")
    assert say(engine, "play w B2") == "? illegal move"
    assert set(run(engine, "play w E5", "play b E1", "play w B2")) == {"="}


def test_agent_that_resigns_leaves_the_board_alone(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scholar, "step", lambda self, position, clock: "resign")
    before = board(engine)
    assert say(engine, "genmove b") == "= resign" and board(engine) == before


# --- Size and komi --------------------------------------------------------------------------------------------------


def test_size_changes_the_board_and_keeps_the_komi(engine: Engine) -> None:
    run(engine, "play b A1")
    assert say(engine, "boardsize 2") == "=" and board(engine) == "../.. b - 0.5"
    assert run(engine, "boardsize 30", "unforced-position") == ["? unacceptable size", "= ../.. b - 0.5"]


def test_size_without_komi_brings_its_own() -> None:
    engine = go_engine(Scholar, {})
    assert board(engine).endswith(" 7") and say(engine, "boardsize 19") == "=" and board(engine).endswith(" 7.5")


def test_komi_counts_for_the_game_on_the_board_and_all_that_undo_brings_back(engine: Engine) -> None:
    run(engine, "play b A1", "play w pass", "komi 30", "play b pass")
    assert say(engine, "unforced-result") == "= W+5"
    assert run(engine, "komi 25", "unforced-result", "komi 7.25", "undo") == ["=", "= 0", "=", "="]
    assert board(engine) == "...../...../...../...../b.... b - 7.25 1"


def test_komi_that_is_no_number_of_points_changes_nothing(engine: Engine) -> None:
    assert run(engine, "komi nan", "komi 1e99") == ["? syntax error"] * 2 and board(engine).endswith(" 0.5")


def test_agent_learns_a_new_komi_and_a_new_size(engine: Engine) -> None:
    engine.host.prepare()
    run(engine, "komi 0.5", "boardsize 5", "genmove b", "komi 3.5", "genmove w", "boardsize 3", "komi 3.5")
    engine.host.prepare()
    games: list[Any] = [agent.game for agent in Scholar.made]
    assert [(game.size, game.komi) for game in games] == [(5, 0.5), (5, 3.5), (3, 3.5)]


# --- Handicap -------------------------------------------------------------------------------------------------------


def test_fixed_handicap_stands_and_white_is_to_move(engine: Engine) -> None:
    run(engine, "boardsize 9")
    assert say(engine, "fixed_handicap 2") == "= C3 G7"
    assert (
        board(engine)
        == "........./........./......b../........./........./........./..b....../........./......... w - 0.5"
    )
    assert (
        run(engine, "fixed_handicap 2", "place_free_handicap 2", "set_free_handicap A1 B1") == ["? board not empty"] * 3
    )
    assert run(engine, "clear_board", "fixed_handicap 10", "fixed_handicap 1") == [
        "=",
        "? invalid number of stones",
        "? invalid number of stones",
    ]


def test_set_free_handicap_stands_and_white_is_to_move(engine: Engine) -> None:
    assert say(engine, "set_free_handicap a1 E5 c3") == "="
    assert board(engine) == "....b/...../..b../...../b.... w - 0.5"


def test_set_free_handicap_takes_no_chain_without_a_liberty() -> None:
    engine = go_engine(Scholar, {"size": 2})
    assert run(engine, "set_free_handicap A1 A2 B1 B2", "set_free_handicap A1 A2 B1") == ["? bad vertex list", "="]


@pytest.mark.parametrize(
    ("size", "number"), [(2, 2), (2, 3), (3, 2), (3, 8), (4, 2), (5, 9), (9, 9), (9, 30), (19, 25)]
)
def test_free_handicap_has_two_stones_at_least_and_no_more_than_asked(size: int, number: int) -> None:
    game: Any = load_game("go", size=size)
    points = free_handicap(game, number)
    assert 2 <= len(set(points)) == len(points) <= number
    assert all(abs(a.row - b.row) + abs(a.column - b.column) > 1 for a, b in itertools.combinations(points, 2))


def test_free_handicap_begins_with_the_fixed_one(engine: Engine) -> None:
    run(engine, "boardsize 9")
    assert set(say(engine, "place_free_handicap 4").split()[1:]) == {"C3", "C7", "G3", "G7"}


# --- The end --------------------------------------------------------------------------------------------------------

# All is black's: the white stone at E4 is dead.
SETTLED = "...b./...bw/...bb/..bb./..b.. b - 0.5"


def test_score_is_counted_without_dead_stones(engine: Engine) -> None:
    say(engine, f"unforced-set_position {SETTLED}")
    assert say(engine, "final_status_list dead") == "= E4"
    assert say(engine, "final_score") == "= B+24.5"


def test_status_list_has_a_chain_a_line(engine: Engine) -> None:
    say(engine, f"unforced-set_position {SETTLED}")
    assert say(engine, "final_status_list alive").split("\n") == ["= D5 D4 D3 E3 C2 D2 C1"]
    assert say(engine, "final_status_list seki") == "="


def test_chains_are_told_apart_by_colour_and_by_touching() -> None:
    board = np.array([[1, 1, 0], [2, 0, 1], [2, 2, 1]])
    stones = {(int(row), int(column)) for row, column in np.argwhere(board)}
    assert list(chains_of(stones, board)) == [[(0, 0), (0, 1)], [(1, 0), (2, 0), (2, 1)], [(1, 2), (2, 2)]]
    assert list(chains_of({(0, 0), (0, 1)}, board)) == [[(0, 0), (0, 1)]]


def test_cleanup_does_not_pass_while_the_opponent_has_dead_stones(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Scholar, "favourite", "pass")
    run(engine, f"unforced-set_position {SETTLED}", "play b pass", "play w pass")
    assert say(engine, "genmove b") == "= pass" and say(engine, "undo") == "="
    assert say(engine, "kgs-genmove_cleanup b") == "= A5"
    run(engine, "undo")
    assert say(engine, "kgs-genmove_cleanup w") == "= pass", "only its own stone is dead"


def test_cleanup_passes_when_nothing_is_dead(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scholar, "favourite", "pass")
    assert run(engine, "play b C3", "kgs-genmove_cleanup w")[-1] == "= pass"


def test_cputime_grows(engine: Engine) -> None:
    before = float(say(engine, "cputime")[2:])
    sum(i * i for i in range(300_000))
    assert float(say(engine, "cputime")[2:]) > before >= 0


# --- Time -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "seconds"),
    [
        ([], 30.0),
        (["time_settings 0 2 1"], 2.0),  # Canadian: one stone in two seconds
        (["time_settings 0 20 10"], 2.0),
        (["time_settings 80 0 0"], 10.0),  # absolute, `moves_ahead` is 8 on 5x5
        (["time_settings 80 0 5"], 10.0),
        (["time_settings 80 20 10"], 12.0),
        (["time_settings 0 2 0"], 30.0),  # a period without stones: no limit
        (["time_settings 600 2 0"], 30.0),
        (["time_settings 0 0 0"], 30.0),
        (["time_settings 80 20 10", "time_left b 40 0"], 7.0),  # stones 0: main time
        (["time_settings 80 20 10", "time_left w 40 0"], 12.0),  # the other player's
        (["time_settings 80 20 10", "time_left b 9 3"], 3.0),
        (["time_settings 80 20 10", "time_left b 0 0"], 2.0),
        (["time_settings 80 0 0", "time_left b 0 0"], 0.0),
        (["time_left b 16 0"], 2.0),
        (["time_left w 16 0"], 30.0),
        (["kgs-time_settings none"], 30.0),
        (["kgs-time_settings absolute 80"], 10.0),
        (["kgs-time_settings canadian 0 20 10"], 2.0),
        (["kata-time_settings fischer 80 3"], 13.0),
        (["kata-time_settings fischer 80 3", "time_left b 8 0"], 4.0),
        (["kata-time_settings fischer 80 3", "time_left b 2 0"], 2.0),
        (["kgs-time_settings byoyomi 0 4 5"], 4.0),  # five periods of four seconds, one for each move
        (["kgs-time_settings byoyomi 80 4 5"], 14.0),
        (["kgs-time_settings byoyomi 80 4 5", "time_left b 3 2"], 3.0),  # two periods are left, of this one 3 s
        (["kgs-time_settings absolute 80", "kgs-time_settings none"], 30.0),
        (["time_left b 16 0", "clear_board"], 30.0),
        (["time_settings 80 0 0", "time_left b 8 0", "clear_board"], 10.0),
    ],
)
def test_controllers_clock_is_obeyed_with_a_reserve(engine: Engine, lines: list[str], seconds: float) -> None:
    engine.host.prepare()
    run(engine, *lines, "genmove b")
    reserve = 0.0 if seconds == 30 else min(RESERVE_SECONDS, seconds / 10)
    assert seconds - reserve - 0.5 < Scholar.made[-1].clocks[0] <= seconds - reserve


def test_agents_limits_are_the_controllers_while_it_has_a_clock(engine: Engine) -> None:
    run(engine, "time_settings 0 10 1", "genmove b")
    assert Scholar.made[0].limits.move_seconds == pytest.approx(9.9)
    run(engine, "time_settings 0 10 0", "genmove w")
    assert Scholar.made[0].limits == engine.host.timer.limits and Scholar.made[0].clocks[1] <= 2


@given(
    main=st.floats(0.01, 1000),
    period=st.floats(0, 100),
    stones=st.integers(1, 30),
    moves_ahead=st.integers(1, 100),
    used=st.lists(st.floats(0, 1), max_size=60),
)
def test_moves_never_take_more_than_is_left(
    main: float, period: float, stones: int, moves_ahead: int, used: list[float]
) -> None:
    """With an increment too, and with overtime while there is main time; `used` are shares of the time allowed."""
    absolute, overtime = TimeControl(main), TimeControl(main, period, stones)
    fischer = TimeControl(main, increment=period)
    left = main
    for share in used:
        seconds = absolute.seconds(0, moves_ahead)
        assert seconds is not None and seconds <= left * (1 + 1e-9)
        absolute.spend(0, seconds * share)
        left = max(0.0, left - seconds * share)
        longer = overtime.seconds(0, moves_ahead)
        assert longer is not None and longer <= overtime.left.get(0, (main, 0))[0] + period / stones + 1e-9
        overtime.spend(0, longer * share)
        with_increment = fischer.seconds(0, moves_ahead)
        assert with_increment is not None and with_increment <= fischer.left.get(0, (main, 0))[0]
        fischer.spend(0, with_increment * share)


@given(seconds=st.floats(0, 1000), stones=st.integers(1, 50))
def test_stones_of_a_period_fit_into_what_is_left_of_it(seconds: float, stones: int) -> None:
    control = TimeControl(0, 30, 25, left={0: (seconds, stones)})
    each = control.seconds(0)
    assert each is not None and each * stones <= seconds * (1 + 1e-9)
    control.spend(0, 5)
    assert control.left[0] == (seconds, stones), "the controller counts periods"


# --- Analysis -------------------------------------------------------------------------------------------------------


def test_figures_of_a_report_as_both_programs_write_them() -> None:
    report = Report(None, 100, 0.5, 0.012, ())
    assert lz_figures(report) == "winrate 5000 prior 120 lcb 4020"
    assert kata_figures(report) == "winrate 0.500000 prior 0.012000 lcb 0.402000"
    assert lower_bound(0.01, 1) == 0 == lower_bound(0.9, 0) and lower_bound(1.0, 10) == 1.0


def test_analysis_that_nobody_can_interrupt_is_one_report(engine: Engine) -> None:
    answer = say(engine, "7 lz-analyze w 5")
    lines = answer.split("\n")
    assert lines[0] == "=7" and len(lines) == 2
    assert re.fullmatch(
        r"info move A5 visits \d+ winrate 6250 prior 2500 lcb \d+ order 0 pv A5 pass "
        r"info move B5 visits 50 winrate 5000 prior 1250 lcb 3614 order 1 pv B5",
        lines[1],
    )
    assert {text.split()[1] for text, _ in Scholar.made[0].studied} == {"w"}


@pytest.mark.parametrize(("colour", "sign"), [("b", 1), ("w", -1)])
def test_ownership_is_for_the_player_to_move_row_by_row(engine: Engine, colour: str, sign: int) -> None:
    line = say(engine, f"kata-analyze {colour} interval 5 ownership true").split("\n")[1]
    moves, _, owners = line.partition(" ownership ")
    assert "winrate 0.625000 prior 0.250000" in moves
    figures = [float(word) for word in owners.split()]
    assert len(figures) == 25 and figures[0] == sign and figures[24] == -0.5 * sign and not any(figures[1:24])


def test_options_of_an_analysis(engine: Engine) -> None:
    assert say(engine, "lz-analyze interval 5 maxmoves 1 minmoves 3").count("info move") == 1
    assert "ownership" not in say(engine, "kata-analyze 5 ownership false rootInfo true")


def test_agent_that_does_not_analyse_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    engine = go_engine(Silent, {"size": 5}, name="silent")
    for command in ("lz-analyze 5", "kata-genmove_analyze b 5", "unforced-pv b", "unforced-winrate_map b"):
        assert say(engine, command) == "? silent does not analyse"
    assert "Traceback" not in capsys.readouterr().err and board(engine).startswith("...../")


def test_genmove_with_analysis_ends_with_the_move_and_plays_it(engine: Engine) -> None:
    run(engine, "time_settings 0 1 1")
    lines = say(engine, "kata-genmove_analyze w 20").split("\n")
    assert lines[0] == "=" and lines[-1] == "play E5" and len(lines) >= 3
    assert all(line.startswith("info move A5 visits") for line in lines[1:-1])
    assert board(engine).startswith("....w/")
    agent = Scholar.made[0]
    assert sum(seconds for _, seconds in agent.studied) < 1 and agent.clocks[0] < 0.5


def counting_agent(game: Game, limits: Limits, seed: int) -> UctAgent:
    return UctAgent(game, limits, seed, {"simulations": "300", "capacity": "20000"})


def counting_engine() -> Engine:
    return go_engine(counting_agent, {"size": 5}, seed=3)


def stats_of(engine: Engine) -> dict[str, Any]:
    stats: dict[str, Any] = json.loads(say(engine, "unforced-search_stats").removeprefix("= "))
    return {key: value for key, value in stats.items() if key not in ("seconds", "peak_rss_mb")}


def test_fixed_simulations_give_the_same_move_and_figures_with_a_report() -> None:
    plain, live = counting_engine(), counting_engine()
    for colour in "bwb":
        move = say(plain, f"genmove {colour}").removeprefix("= ")
        lines = say(live, f"lz-genmove_analyze {colour} 10").split("\n")
        assert [lines[0], lines[2]] == ["=", f"play {move}"] and len(lines) == 3
        assert lines[1].startswith(f"info move {move} visits ")
        assert stats_of(live) == stats_of(plain)
    assert board(live) == board(plain)


def test_figures_of_a_move_outlast_an_analysis() -> None:
    engine = counting_engine()
    run(engine, "genmove b")
    before = stats_of(engine)
    assert before["simulations"] > 0
    run(engine, "lz-analyze w 5")
    assert stats_of(engine) == before


def test_fixed_simulations_without_reports_play_no_move(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scholar, "default_options", {"simulations": 5})
    monkeypatch.setattr(Scholar, "study", Agent.study)
    before = board(engine)
    assert say(engine, "lz-genmove_analyze b") == "? scholar does not analyse" and board(engine) == before


def test_analysis_does_not_count_as_thinking(engine: Engine) -> None:
    engine.host.prepare()
    for line in ("lz-analyze 100", "unforced-pv b", "genmove b"):
        say(engine, line)
    assert Scholar.made[0].clocks[0] > 29.2


def test_what_fails_in_the_middle_of_a_live_answer_ends_it(capsys: pytest.CaptureFixture[str]) -> None:
    def lines(error: Exception) -> Iterator[str]:
        yield "first\n\nline"
        raise error

    server = Server({"a": lambda arguments: lines(GtpError("bad luck")), "b": lambda arguments: lines(KeyError(1))})
    assert list(server.pieces("1 a")) == ["=1\n", "first line\n", "\n"]
    assert "".join(server.pieces("2 b")) == "=2\nfirst line\n\n"
    errors = capsys.readouterr().err
    assert "bad luck" in errors and "KeyError" in errors


# --- GoGui ----------------------------------------------------------------------------------------------------------


def test_every_analyze_command_of_gogui_is_served(engine: Engine) -> None:
    assert say(engine, "gogui-analyze_commands") == "= " + "\n".join(GOGUI_COMMANDS)
    types = {"gfx", "varc", "dboard", "pstring", "plist", "string", "hstring"}
    run(engine, "genmove b")
    for entry in GOGUI_COMMANDS:
        kind, _, command = entry.split("/")
        assert kind in types
        assert say(engine, command.replace("%c", "w").replace("%m", "w")).startswith("="), command


def test_win_rates_are_labels_and_colours(engine: Engine) -> None:
    assert say(engine, "unforced-winrate_map").split("\n") == [
        "= COLOR #00ff00 A5",
        "COLOR #ffbf00 B5",
        "LABEL A5 62 B5 50",
        "TEXT A5 wins 62.5% in 100 visits",
    ]


def test_variation_is_a_list_of_moves(engine: Engine) -> None:
    assert say(engine, "unforced-pv w") == "= A5 pass"


def test_ownership_is_a_board_of_numbers_of_the_agents_or_else_of_playouts(engine: Engine) -> None:
    rows = say(engine, "unforced-ownership").removeprefix("= ").split("\n")
    assert rows[0].split() == ["1.000", *["0.000"] * 4] and len(rows) == 5
    silent = go_engine(Silent, {"size": 5})
    run(silent, "play b C3", "play b C2", "play b C4", "play b D3", "play b B3")
    figures = [float(word) for word in say(silent, "unforced-ownership")[2:].split()]
    assert len(figures) == 25 and min(figures) > 0.5


# --- The stream -----------------------------------------------------------------------------------------------------


class Pipes:
    """An engine that serves two pipes in a thread, and the other ends of them."""

    def __init__(self, engine: Engine) -> None:
        self.read_fd, write_fd = os.pipe()
        read_fd, self.write_fd = os.pipe()
        self.thread = threading.Thread(target=self._serve, args=(engine, read_fd, write_fd))
        self.thread.start()
        self.received = ""

    @staticmethod
    def _serve(engine: Engine, read_fd: int, write_fd: int) -> None:
        with os.fdopen(read_fd, "rb") as reader, os.fdopen(write_fd, "wb") as writer:
            engine.serve(reader, writer)

    def write(self, text: str) -> None:
        os.write(self.write_fd, text.encode())

    def read_until(self, ending: str) -> str:
        """What was received, up to the first such text, which has to come."""
        while ending not in self.received:
            data = os.read(self.read_fd, 1 << 16)
            assert data, f"the engine ended; it said {self.received!r}"
            self.received += data.decode()
        found, end, self.received = self.received.partition(ending)
        return found + end

    def close(self) -> str:
        """Everything else that the engine says when its input ends."""
        if self.write_fd >= 0:
            os.close(self.write_fd)
            self.write_fd = -1
        while data := os.read(self.read_fd, 1 << 16):
            self.received += data.decode()
        self.thread.join()
        return self.received


@pytest.fixture
def pipes(engine: Engine) -> Iterator[Pipes]:
    pipes = Pipes(engine)
    yield pipes
    pipes.close()
    os.close(pipes.read_fd)


def test_analysis_goes_on_until_the_next_line_which_is_then_served(pipes: Pipes) -> None:
    pipes.write("1 lz-analyze b 5\n")
    assert pipes.read_until("\n") == "=1\n"
    for _ in range(3):
        assert pipes.read_until("\n").startswith("info move A5 visits ")
    pipes.write("2 play b C3\n3 unforced-position\n")
    ending = pipes.read_until("=3 ...../...../..b../...../..... w - 0.5\n\n")
    assert re.search(r"order 1 pv B5\n\n=2\n\n=3 ", ending)


@pytest.mark.parametrize("line", ["\n", "# interrupt\n", "stop\n"])
def test_any_line_ends_an_analysis(pipes: Pipes, line: str) -> None:
    pipes.write("lz-analyze 5\n")
    pipes.read_until("\ninfo ")
    pipes.write(line)
    pipes.read_until("\n\n")
    pipes.write("9 protocol_version\n")
    assert pipes.read_until("=9 2\n\n").startswith("? unknown" if line == "stop\n" else "=9")


def test_lines_that_came_together_with_an_analysis_end_it_after_one_report(pipes: Pipes) -> None:
    pipes.write("1 lz-analyze 100\n2 name\n3 quit\n")
    answers = pipes.close()
    assert answers.count("info move A5") == 1 and answers.endswith("\n\n=2 Unforced scholar\n\n=3\n\n")


def test_half_a_line_does_not_end_an_analysis(pipes: Pipes) -> None:
    pipes.write("lz-analyze 5\n4 na")
    for _ in range(4):
        pipes.read_until("\n")
    pipes.write("me\n")
    assert pipes.read_until("=4 Unforced scholar\n\n").count("\n\n") == 2


def test_end_of_input_ends_an_analysis(pipes: Pipes) -> None:
    pipes.write("lz-analyze 5\n")
    pipes.read_until("\ninfo ")
    assert pipes.close().endswith("\n\n")


def test_last_line_may_lack_its_newline(pipes: Pipes) -> None:
    pipes.write("1 name\r\n2 version")
    assert pipes.close().startswith("=1 Unforced scholar\n\n=2 ")


def test_long_lines_do_not_break_the_stream(pipes: Pipes) -> None:
    for line in ("1 " + "x" * 300_000, "2 set_free_handicap " + "A1 " * 30_000, "# " + "y" * 200_000):
        for start in range(0, len(line), 50_000):
            pipes.write(line[start : start + 50_000])
        pipes.write("\n")
    pipes.write("3 play b A1 " + "# a long comment" * 10_000 + "\n")
    pipes.write("4 name\n")
    answers = pipes.read_until("=4 Unforced scholar\n\n")
    assert answers == ("?1 unknown command\n\n?2 a line of more than 65536 bytes\n\n=3\n\n=4 Unforced scholar\n\n")


def test_line_of_the_longest_length_is_served(pipes: Pipes) -> None:
    line = "1 play b A1" + " " * (MAX_LINE_BYTES - 11)
    pipes.write(line + "\n")
    assert pipes.read_until("\n\n") == "=1\n\n"


def test_lines_know_whether_there_is_another() -> None:
    read_fd, write_fd = os.pipe()
    lines = LineReader(read_fd)
    assert not lines.wait(0)
    os.write(write_fd, b"one\ntwo\nthr")
    assert lines.read() == b"one\n" and lines.wait(0) and lines.read() == b"two\n" and not lines.wait(0.01)
    os.close(write_fd)
    assert lines.wait(60) and lines.read() == b"thr" and lines.read() == b""
    os.close(read_fd)


def test_random_agent_plays_whole_games_over_gtp() -> None:
    engine = go_engine(RandomAgent, {"size": 3}, seed=1)
    colours = itertools.cycle("bw")
    for _ in range(200):
        assert say(engine, f"genmove {next(colours)}").startswith("= ")
        if say(engine, "unforced-result") != "= none":
            break
    assert say(engine, "final_score").startswith("= ")
