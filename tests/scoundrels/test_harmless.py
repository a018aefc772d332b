"""What an agent may print, close or claim without losing: nothing of that reaches the game."""

import shutil
import sys
from contextlib import closing

import pytest

from agents.agent import parse_agent
from agents.limits import Limits
from game import load_game
from simulator.player.launch import launch_for
from simulator.player.log import KEPT_LOG_BYTES, SHOWN_LINES
from simulator.player.move_time import MoveTime
from simulator.player.player import Player
from simulator.referee.game_record import Reason
from tests.programs import AGENTS
from tests.scoundrels.environments import FULL, NAMESPACES, PLAIN, everywhere
from tests.scoundrels.games import (
    PATIENT,
    PLAYS_ON,
    QUICK,
    SHORT,
    assert_lost,
    assert_position_is_the_referees,
    play,
    program,
    quiet_opening,
    scoundrel,
)


def noise(deed, start=program):
    return start("makes_noise", f"deed={deed}")


@pytest.mark.parametrize("deed", ["prints_gtp", "closes_stdout"])
def test_what_an_agent_prints_or_closes_does_not_reach_the_game(deed):
    record = play(noise(deed, scoundrel), PLAYS_ON, PATIENT, opening=quiet_opening(30))
    assert record.verdict.reason == Reason.NORMAL
    assert not any(move.replaced for move in record.moves)


def test_flood_on_stderr_is_drained_and_its_end_kept():
    game = load_game("pentago")
    launch = launch_for(parse_agent(noise("floods_stderr")), game, Limits(60, 60, memory_mb=300))
    with closing(Player(launch)) as player:
        player.ask([game.initial()], MoveTime(60))
    lines, text = player.log.last_lines(), player.log.text()
    assert lines[-1] == "done"
    assert len(lines) <= SHOWN_LINES and max(map(len, lines)) <= 300
    assert text.startswith("y" * 99) and "bytes left out]" in text and text.endswith("\ndone")
    assert len(text) <= 2 * KEPT_LOG_BYTES + 100


@everywhere(
    "name",
    ("figure", "bytes", "lines", "brackets"),
    [("figure", PLAIN), ("bytes", PLAIN), ("lines", NAMESPACES), ("brackets", NAMESPACES), ("brackets", FULL)],
)
def test_the_name_of_a_process_is_read_as_no_figure(name, environment):
    record = play(noise(f"names_itself,name={name}"), QUICK, PATIENT)
    assert record.verdict.loser == 1, record.verdict  # the opponent passes at its second move
    assert 5 < record.peak_memory_mb[0] < 300


def test_folders_of_an_engine_within_others_of_its_own_are_taken_away_together(tmp_path):
    settings = tmp_path / "engine" / "settings"
    settings.mkdir(parents=True)
    shutil.copy(AGENTS / "gtp_player.py", settings.parent)
    engine = f"gtp:{sys.executable} -I {settings.parent / 'gtp_player.py'} --moves f6/3f --error {settings} --refuse no"
    record = play(engine, PLAYS_ON, PATIENT)
    assert record.verdict.reason is not Reason.VOID, record.verdict
    assert len(record.moves) > 1


# --- Its own process --------------------------------------------------------------------------------------------------


def test_time_that_stands_still_in_the_agent_does_not_for_the_referee():
    record = play(scoundrel("tampers", "deed=clocks"), QUICK, SHORT)
    assert_lost(record, Reason.TIMEOUT, "no answer within 0.4 s and the cushion of 0.6 s")
    assert record.verdict.measured is not None and record.verdict.measured >= 1.0


@pytest.mark.parametrize("deed", ["board", "attributes", "modules", "engine", "functions"])
def test_only_the_referees_position_counts(deed):
    record = play(scoundrel("tampers", f"deed={deed}"), PLAYS_ON, PATIENT, opening=quiet_opening(30))
    assert_position_is_the_referees(record)
    if record.verdict.reason != Reason.NORMAL:
        assert record.verdict.reason in (Reason.CRASH, Reason.ILLEGAL)
        assert deed != "board"  # the board is a copy
        assert_lost(record, record.verdict.reason, "")
