"""The commands that only Go has, and the reasons of errors."""

import itertools

import numpy as np
import pytest

from game import load_game
from simulator.gtp.commands.go import chains_of, free_handicap
from tests.gtp_engines import Scholar, board, engine_of, go_engine, last_answer, run, say


@pytest.fixture
def engine():
    return go_engine()


# --- The table and the errors -----------------------------------------------------------------------------------------


def test_what_go_adds_to_the_commands_of_every_game_is_listed(engine):
    handicap = "fixed_handicap place_free_handicap set_free_handicap kgs-genmove_cleanup final_status_list"
    clocks = "kgs-time_settings kata-time_settings kata-list_time_settings cputime"
    live = "lz-analyze kata-analyze lz-genmove_analyze kata-genmove_analyze gogui-analyze_commands"
    own = "unforced-winrate_map unforced-ownership unforced-pv"
    wanted = {*" ".join((handicap, clocks, live, own)).split()}
    assert wanted <= {*say(engine, "list_commands").removeprefix("= ").split("\n")}


SYNTAX, NUMBER, VERTEX = "? syntax error", "? invalid number of stones", "? bad vertex list"
KO = "play b B3; play b A2; play b B1; play w C3; play w D2; play w C1; play w B2; play b C2"
CAPTURED = "play b A1; play b B1; play w pass; play b pass; play b E5; play w E1"
NINE = "boardsize 9; fixed_handicap 2"
SETTING = "play b A1; play w pass; komi 30; play b pass"
SETTLED = "...b./...bw/...bb/..bb./..b.. b - 0.5"  # all is black's: the white stone at E4 is dead
AT_ITS_END = f"unforced-set_position {SETTLED}"


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        ("komi -3.75", "="),
        ("play b I3", SYNTAX),
        ("PLAY b A1", "? unknown command"),
        ("play B a1", "="),
        ("play WHITE Pass", "="),
        ("fixed_handicap two", SYNTAX),
        ("place_free_handicap 1", NUMBER),
        ("set_free_handicap A1 Z9", VERTEX),
        ("final_score", "= W+0.5"),
        ("final_status_list", SYNTAX),
        ("final_status_list dead", "="),
        ("kgs-genmove_cleanup", SYNTAX),
        *((f"kgs-time_settings{more}", SYNTAX) for more in ("", " none 5", " canadian 5 5", " absolute -1")),
        ("kgs-time_settings none", "="),
        ("kata-list_time_settings", "= none absolute byoyomi canadian fischer"),
        ("lz-analyze b 10 20", SYNTAX),
        ("lz-analyze interval", SYNTAX),
        ("lz-analyze avoid b A1,B1 3", SYNTAX),
        ("loadsgf x.sgf", "? unknown command"),
        # Either colour plays at any time, and after two passes
        ("play b A1; play b B1; play w pass; play b pass; unforced-result", "= B+24.5"),
        (f"{CAPTURED}; unforced-position", "= ....b/...../...../...../bb..w b - 0.5"),
        (CAPTURED + 6 * "; undo", "="),
        (CAPTURED + 7 * "; undo", "? cannot undo"),
        ("genmove w; genmove w; play b pass; play w pass; genmove b", "= B5"),
        ("genmove w; genmove w; unforced-position", "= w...w/...../...../...../..... b - 0.5"),
        ("reg_genmove w", "= E5"),
        ("reg_genmove w; unforced-position", "= ...../...../...../...../..... b - 0.5"),
        # Illegal moves leave the board alone
        ("play b A1; play w A1; unforced-position", "= ...../...../...../...../b.... w - 0.5"),
        ("play b A2; play b B1; play w A1", "? illegal move"),  # suicide
        ("play b A2; play b B2; play b C1; play w A1; play w B1", "? illegal move"),  # suicide of two
        (f"{KO}; unforced-position", "= ...../...../.bw../b.bw./.bw.. w B2 0.5"),
        (f"{KO}; play w B2", "? illegal move"),
        (f"{KO}; play w E5; play b E1; play w B2", "="),
        # Size and komi
        ("play b A1; boardsize 2; unforced-position", "= ../.. b - 0.5"),
        ("boardsize 2; boardsize 30; unforced-position", "= ../.. b - 0.5"),
        (f"{SETTING}; unforced-result", "= W+5"),
        (f"{SETTING}; komi 25; unforced-result", "= 0"),
        (f"{SETTING}; komi 7.25; undo; unforced-position", "= ...../...../...../...../b.... b - 7.25 1"),
        ("komi 1e99; unforced-position", "= ...../...../...../...../..... b - 1000"),
        ("komi -1001; unforced-position", "= ...../...../...../...../..... b - -1000"),
        # Handicap
        (NINE, "= C3 G7"),
        (
            f"{NINE}; unforced-position",
            "= ........./........./......b../........./........./........./..b....../........./......... w - 0.5",
        ),
        (f"{NINE}; place_free_handicap 2", "? board not empty"),
        (f"{NINE}; set_free_handicap A1 B1", "? board not empty"),
        (f"{NINE}; clear_board; fixed_handicap 10", NUMBER),
        ("set_free_handicap a1 E5 c3; unforced-position", "= ....b/...../..b../...../b.... w - 0.5"),
        ("boardsize 2; set_free_handicap A1 A2 B1 B2", VERTEX),  # no chain without a liberty
        ("boardsize 2; set_free_handicap A1 A2 B1", "="),
        # The score is counted without dead stones
        (f"{AT_ITS_END}; final_status_list dead", "= E4"),
        (f"{AT_ITS_END}; final_status_list alive", "= D5 D4 D3 E3 C2 D2 C1"),
        (f"{AT_ITS_END}; final_status_list seki", "="),
        (f"{AT_ITS_END}; final_score", "= B+24.5"),
    ],
)
def test_answer_to_the_last_line(engine, lines, answer):
    assert last_answer(engine, lines) == answer


@pytest.mark.parametrize(
    ("lines", "answer", "reason"),
    [
        ("boardsize 1", "unacceptable size", "size"),
        ("boardsize abc", "syntax error", "'abc' is not a whole number"),
        ("boardsize 5 5", "syntax error", "expected one argument, got 2"),
        ("komi nan", "syntax error", "'nan' is not a finite number"),
        ("play b", "syntax error", "expected a colour and a move"),
        ("genmove e", "syntax error", "'e' is not a colour: b or w"),
        ("undo", "cannot undo", "no move has been played"),
        ("time_settings a b c", "syntax error", "'a' is not a finite number"),
        ("time_settings 1 2", "syntax error", "expected main time, period and stones"),
        ("time_left b -5 0", "syntax error", "a time cannot be negative: -5 s"),
        ("time_left b 5", "syntax error", "expected a colour, seconds and stones"),
        ("kgs-time_settings sudden 5 5", "syntax error", "expected one of: none, absolute MAIN, byoyomi"),
        ("fixed_handicap 3", "invalid number of stones", "handicap"),
        ("place_free_handicap 25", "invalid number of stones", "a handicap has 2 to 24 stones, not 25"),
        ("set_free_handicap D4", "bad vertex list", "a handicap has 2 to 24 stones, not 1"),
        ("set_free_handicap D4 A1 d4", "bad vertex list", "D4 is there twice"),
        ("set_free_handicap D4 Pass", "bad vertex list", "a handicap stone cannot pass"),
        ("final_status_list foo", "syntax error", "'foo' is not a status: alive, dead, seki"),
        ("lz-analyze b allow b D4 1", "syntax error", "allow b: not one of interval, maxmoves"),
        ("lz-analyze b 10 interval", "syntax error", "'interval' has no value"),
        ("kata-analyze ownership maybe", "syntax error", "ownership maybe: not one of"),
        ("play b A1; fixed_handicap 2", "board not empty", "clear_board first"),
    ],
)
def test_reason_of_an_error_is_a_line_on_stderr(engine, lines, answer, reason, capsys):
    assert last_answer(engine, lines) == f"? {answer}"
    said = capsys.readouterr().err
    assert said.startswith(f"{answer}: ") and reason in said and said.count("\n") == 1


# --- Moves ----------------------------------------------------------------------------------------------------------


def test_agent_that_resigns_leaves_the_board_alone(engine, monkeypatch):
    monkeypatch.setattr(Scholar, "step", lambda self, position, clock: "resign")
    before = board(engine)
    assert say(engine, "genmove b") == "= resign" and board(engine) == before


# --- Size and komi --------------------------------------------------------------------------------------------------


def test_size_without_komi_brings_its_own():
    engine = engine_of(game="go")
    assert board(engine).endswith(" 7") and say(engine, "boardsize 19") == "=" and board(engine).endswith(" 7.5")


def test_a_komi_that_was_set_stays_though_it_was_the_boards_own():
    engine = engine_of(game="go", options={"size": 9})
    assert last_answer(engine, "komi 7; boardsize 19; unforced-position").endswith(" b - 7")


def test_agent_learns_a_new_komi_and_a_new_size(engine):
    engine.host.prepare()
    run(engine, "komi 0.5", "boardsize 5", "genmove b", "komi 3.5", "genmove w", "boardsize 3", "komi 3.5")
    engine.host.prepare()
    games = [agent.game for agent in Scholar.made]
    assert [(game.size, game.komi) for game in games] == [(5, 0.5), (5, 3.5), (3, 3.5)]


# --- Handicap -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "number"), [(2, 2), (2, 3), (3, 2), (3, 8), (4, 2), (5, 9), (9, 9), (9, 30), (19, 25)]
)
def test_free_handicap_has_two_stones_at_least_and_no_more_than_asked(size, number):
    game = load_game("go", size=size)
    points = free_handicap(game, number)
    assert 2 <= len(set(points)) == len(points) <= number
    assert all(abs(a.row - b.row) + abs(a.column - b.column) > 1 for a, b in itertools.combinations(points, 2))


def test_free_handicap_begins_with_the_fixed_one(engine):
    run(engine, "boardsize 9")
    assert set(say(engine, "place_free_handicap 4").split()[1:]) == {"C3", "C7", "G3", "G7"}


# --- The end --------------------------------------------------------------------------------------------------------


def test_chains_are_told_apart_by_colour_and_by_touching():
    board = np.array([[1, 1, 0], [2, 0, 1], [2, 2, 1]])
    stones = {(int(row), int(column)) for row, column in np.argwhere(board)}
    assert list(chains_of(stones, board)) == [[(0, 0), (0, 1)], [(1, 0), (2, 0), (2, 1)], [(1, 2), (2, 2)]]
    assert list(chains_of({(0, 0), (0, 1)}, board)) == [[(0, 0), (0, 1)]]


def test_cleanup_does_not_pass_while_the_opponent_has_dead_stones(engine, monkeypatch):
    monkeypatch.setattr(Scholar, "favourite", "pass")
    run(engine, f"unforced-set_position {SETTLED}", "play b pass", "play w pass")
    assert say(engine, "genmove b") == "= pass" and say(engine, "undo") == "="
    assert say(engine, "kgs-genmove_cleanup b") == "= A5"
    run(engine, "undo")
    assert say(engine, "kgs-genmove_cleanup w") == "= pass", "only its own stone is dead"


def test_cleanup_passes_when_nothing_is_dead(engine, monkeypatch):
    monkeypatch.setattr(Scholar, "favourite", "pass")
    assert run(engine, "play b C3", "kgs-genmove_cleanup w")[-1] == "= pass"


def test_cputime_grows(engine):
    before = float(say(engine, "cputime")[2:])
    sum(i * i for i in range(300_000))
    assert float(say(engine, "cputime")[2:]) > before >= 0
