"""The time for a move: limits, time settings of a controller, and what is left."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.limits import Limits
from simulator.gtp.time_control import RESERVE_SECONDS, TimeControl, moves_expected
from tests.gtp_engines import Scholar, engine_of, go_engine, run, say


@pytest.fixture
def engine():
    return engine_of(seed=42)


def test_first_move_has_the_first_move_time_less_what_was_spent():
    engine = engine_of(limits=Limits(30, 2), started=time.monotonic() - 10)
    for line in ("genmove w", "genmove b", "clear_board", "genmove w"):
        say(engine, line)
    first, second = Scholar.made
    assert 19 < first.clocks[0] <= 20 and 1.9 < first.clocks[1] <= 2
    assert 29 < second.clocks[0] <= 30


@pytest.mark.parametrize(("at_start", "played", "expected"), [(20, 0, 20), (20, 11, 9), (20, 50, 8), (90, 85, 22)])
def test_moves_expected_fall_to_a_least_number(at_start, played, expected):
    assert moves_expected(at_start, played) == expected


def test_moves_of_the_game_so_far_are_expected_no_more(engine):
    for line in ("time_settings 36 0 0", "play w a1/0r", "play b f6/0r", "genmove w"):
        say(engine, line)
    assert 36 / 19 - 0.4 < Scholar.made[0].clocks[0] <= 36 / 19 - 0.1


def test_extra_turns_count_as_own_moves():
    engine = engine_of(game="extra_turn_nim")
    first = engine.game.players[0]
    for line in ("time_settings 38 0 0", f"play {first} 2", f"play {first} 2", f"play {first} 2", f"genmove {first}"):
        say(engine, line)
    assert len(engine.positions) == 5
    expected = 38 / (engine.game.moves_ahead - 3)
    assert expected - 0.4 < Scholar.made[0].clocks[0] <= expected - 0.1


@pytest.mark.parametrize(
    ("main", "seconds"), [(1.0, 0.1), (0.3, 0.1), (0.15, 0.05), (100.0, 5.0)]
)  # with 20 moves ahead
def test_little_main_time_is_spent_a_third_at_a_time(main, seconds):
    assert TimeControl(main).seconds(0, 20) == pytest.approx(seconds)


def test_main_time_is_used_up():
    control = TimeControl(40.0)
    control.spend(0, 20.0)
    assert control.seconds(0, 20) == 1.0 and control.seconds(1, 20) == 2.0
    control.spend(0, 30.0)
    assert control.seconds(0, 20) == 0.0


def test_increment_is_added_to_the_time_for_a_move_but_never_beyond_what_is_left():
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
def test_referees_clock_and_limits_of_a_move_hold_together(lines, first, second):
    limits = Limits(first_move_seconds=10, move_seconds=2, clock_seconds=60, increment_seconds=2)
    engine = engine_of(limits=limits)
    for line in (*lines, "genmove w", "genmove b"):
        say(engine, line)
    found = Scholar.made[0].clocks
    assert first - 0.4 < found[0] <= first and second - 0.4 < found[1] <= second


# --- Go ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def go():
    return go_engine()


def test_a_move_that_is_only_asked_for_takes_no_time_from_the_game_clock(go):
    run(go, "time_settings 80 0 0", "reg_genmove b", "reg_genmove b")
    assert go.host.timer.control.left == {}
    run(go, "genmove b")
    assert go.host.timer.control.left != {}


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
        (["time_settings 80 0 0", "time_left b 8 0", "time_settings 80 0 0"], 10.0),
    ],
)
def test_controllers_clock_is_obeyed_with_a_reserve(go, lines, seconds):
    go.host.prepare()
    run(go, *lines, "genmove b")
    reserve = 0.0 if seconds == 30 else min(RESERVE_SECONDS, seconds / 10)
    assert seconds - reserve - 0.5 < Scholar.made[-1].clocks[0] <= seconds - reserve


def test_agents_limits_are_the_controllers_while_it_has_a_clock(go):
    run(go, "time_settings 0 10 1", "genmove b")
    assert Scholar.made[0].limits.move_seconds == pytest.approx(9.9) and Scholar.made[0].limits.clock_seconds == 0
    run(go, "time_settings 0 10 0", "genmove w")
    assert Scholar.made[0].limits == go.host.timer.limits and Scholar.made[0].clocks[1] <= 2
    run(go, "time_settings 80 10 1", "genmove b")  # the main time that is saved can be used later
    assert Scholar.made[0].limits.clock_seconds == 80
    for stones, saved in ((1, 0), (3, 9)):  # in overtime, only for the other moves of a period
        run(go, f"time_left b 9 {stones}", "genmove b")
        assert Scholar.made[0].limits.clock_seconds == saved


@given(
    main=st.floats(0.01, 1000),
    period=st.floats(0, 100),
    stones=st.integers(1, 30),
    moves_ahead=st.integers(1, 100),
    used=st.lists(st.floats(0, 1), max_size=60),
)
def test_moves_never_take_more_than_is_left(main, period, stones, moves_ahead, used):
    """That holds with an increment too, and with overtime during main time; `used` are shares of the time allowed."""
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
def test_stones_of_a_period_fit_into_what_is_left_of_it(seconds, stones):
    control = TimeControl(0, 30, 25, left={0: (seconds, stones)})
    each = control.seconds(0, 20)
    assert each is not None and each * stones <= seconds * (1 + 1e-9)
    control.spend(0, 5)
    assert control.left[0] == (seconds, stones), "the controller counts periods"
