"""Game clocks with increment, alone or beside a limit for each move; and limits for one player only."""

import json
import math

import pytest

from agents.limits import Limits
from simulator.player.faults import Fault, Reason
from simulator.player.log import Transcript
from simulator.player.move_time import Answer, MoveTime
from simulator.player.player import Player
from simulator.referee.clocks import TOLERATED_SECONDS, HeldUp, PlayerClock
from simulator.referee.game_record import GameRecord
from tests.test_referee_go import play, player

ONLY_CLOCK = Limits(first_move_seconds=60, move_seconds=math.inf, clock_seconds=10, increment_seconds=0.5)


def answer(seconds, unsure=0.0):
    return Answer("a1/0r", seconds, 0.0, unsure)


# --- One player's clock ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "answers", "left", "next_move"),
    [
        (ONLY_CLOCK, [], 10, MoveTime(60, 1, None)),
        (ONLY_CLOCK, [answer(40)], 10, MoveTime(math.inf, 1, 10)),
        (ONLY_CLOCK, [answer(5), answer(4), answer(0.25)], 10 - 4 + 0.5 - 0.25 + 0.5, MoveTime(math.inf, 1, 6.75)),
        (ONLY_CLOCK, [answer(1), answer(4, unsure=3)], 10 - 1 + 0.5, MoveTime(math.inf, 1, 9.5)),
        (Limits(), [answer(1), answer(1)], None, MoveTime(2, 1, None)),
    ],
    ids=["the first move", "is not on the clock", "increments", "a referee that was late", "no clock"],
)
def test_what_is_left_on_a_clock(limits, answers, left, next_move):
    clock = PlayerClock(limits)
    for each in answers:
        clock.moved(each)
    assert (clock.left, clock.for_move()) == (left, next_move)


@pytest.mark.parametrize(
    ("time", "at_most", "announced", "text"),
    [
        (MoveTime(2, 1), 3, 2, "2 s and the cushion of 1 s"),
        (MoveTime(2, 1, 100), 3, 2, "2 s and the cushion of 1 s"),
        (MoveTime(2, 1, 2.5), 2.5, 2, "the 2.500 s left on its clock"),
        (MoveTime(2, 1, 0.5), 0.5, 0.5, "the 0.500 s left on its clock"),
        (MoveTime(math.inf, 1, 7), 7, 7, "the 7.000 s left on its clock"),
    ],
)
def test_a_move_has_the_smaller_of_its_limit_and_the_clock(time, at_most, announced, text):
    assert (time.at_most, time.announced, str(time)) == (at_most, announced, text)


def test_a_flag_that_falls_loses_without_cushion_or_replacement():
    clock = PlayerClock(Limits(move_seconds=2, clock_seconds=10))
    assert not clock.is_late(answer(1.9), MoveTime(2, 1, 5), is_strict=False)
    assert clock.is_late(answer(2.4), MoveTime(2, 1, 5), is_strict=False)
    with pytest.raises(Fault, match=r"lost on time: it answered after 2\.400 s, its clock had 2\.100 s left") as fault:
        clock.is_late(answer(2.4), MoveTime(2, 1, 2.1), is_strict=False)
    assert (fault.value.reason, fault.value.measured, fault.value.limit) == (Reason.TIMEOUT, 2.4, 2.1)


@pytest.mark.parametrize(
    ("seconds", "unsure", "is_late"),
    [
        (2 + TOLERATED_SECONDS / 2, TOLERATED_SECONDS * 0.9, False),  # in doubt by a little
        (1.9, 1.5, False),  # in time in spite of a long stall
        (2.5, 0.4, True),  # late without doubt
    ],
)
def test_what_the_referee_was_late_by_may_be_why_an_answer_seems_late(seconds, unsure, is_late):
    clock, allowed = PlayerClock(Limits(move_seconds=2)), MoveTime(2, 1)
    assert clock.is_late(answer(seconds, unsure), allowed, is_strict=False) == is_late
    words = r"itself was held up for 2\.50 s: nobody can say whether the answer, seen after 2\.90 s, was within 2 s"
    with pytest.raises(HeldUp, match=words):
        clock.is_late(answer(2.9, 2.5), allowed, is_strict=False)


# --- Games ----------------------------------------------------------------------------------------------------------


def test_a_game_on_a_clock_alone_tells_engines_and_records_what_is_left(tmp_path):
    second = player("D4 E5")  # a random opponent might take B2
    record = play(player("C3 B2", log=tmp_path / "log"), second, ONLY_CLOCK, isolation="none")
    log = (tmp_path / "log").read_text().splitlines()
    assert "time_settings 10 0 0" in log
    assert not log[log.index("genmove b") - 1].startswith("time_left")
    first, later = (move.clock_seconds for move in record.moves if move.player == 0 and move.ply < 4)
    assert first == 10 and later is not None and 9 < later <= 10.5
    assert record.limits == (ONLY_CLOCK, ONLY_CLOCK)
    assert record.transcripts == ("", "")  # unless they are asked for
    assert json.loads(json.dumps(record.to_json(), allow_nan=False))["limits"][0]["move_seconds"] is None
    assert GameRecord.from_json(json.loads(json.dumps(record.to_json()))) == record


def test_a_game_is_lost_when_the_clock_runs_out(monkeypatch):
    real = Player.ask

    def ask(asked, *what):
        seconds = 6.0 if asked._launch.name == "Ann" else 0.1
        return real(asked, *what)._replace(seconds=seconds, unsure_seconds=0.0, delay_seconds=0.25)

    monkeypatch.setattr(Player, "ask", ask)
    record = play(player("A1 B2 C3 D4"), player("E5 E4 E3 E2"), ONLY_CLOCK)
    assert [move.clock_seconds for move in record.moves if move.player == 0] == [10, 4.5]
    assert {move.delay_seconds for move in record.moves} == {0.25}
    assert (record.verdict.reason, record.verdict.loser, record.verdict.limit) == (Reason.TIMEOUT, 0, 4.5)
    assert (
        record.verdict.text == "Ann (b) lost on time at move 5: it answered after 6.000 s, its clock had 4.500 s left"
    )


def test_each_player_has_limits_of_its_own(tmp_path):
    limits = Limits(first_move_seconds=60, move_seconds=20)
    first, second = player(log=tmp_path / "a"), player(log=tmp_path / "b")
    record = play(first, second, limits, isolation="none", limits_of={"Bob": {"move_seconds": 7.0}})
    assert record.limits == (limits, Limits(first_move_seconds=60, move_seconds=7))
    told = [(tmp_path / name).read_text() for name in "ab"]
    assert "time_settings 0 20 1" in told[0] and "time_settings 0 7 1" in told[1]


# --- Transcripts ----------------------------------------------------------------------------------------------------


def test_transcripts_have_both_ways_with_times():
    record = play(player(), player(), ONLY_CLOCK, transcripts=True)
    words = [line.split(maxsplit=2)[1:] for line in record.transcripts[0].splitlines()]
    assert words[0] == [">", "1 list_commands"] and words[1] == ["<", "=1 list_commands"]
    assert any(sign == ">" and text.endswith("genmove b") for sign, text in words)
    times = [float(line.split()[0]) for line in record.transcripts[1].splitlines()]
    assert times == sorted(times)


def test_a_transcript_is_bounded():
    transcript = Transcript()
    for _ in range(100):
        transcript.write("<", b"x" * 20_000)
    text = transcript.text()
    assert len(text) < 1_050_000 and "bytes left out]" in text
