"""What an agent may print, close or claim without losing by it: nothing of it reaches the game."""

import shutil
import sys
from pathlib import Path

import pytest

from agents.agent import parse_agent
from agents.limits import Limits
from game import load_game
from simulator.player.launch import launch_for
from simulator.player.log import KEPT_LOG_BYTES, SHOWN_LINES
from simulator.player.move_time import MoveTime
from simulator.player.player import Player
from simulator.referee.game_record import Reason
from tests.scoundrels.environments import FULL, NAMESPACES, PLAIN, everywhere
from tests.scoundrels.games import PATIENT, PLAYS_ON, QUICK, SCOUNDRELS, play, quiet_opening, scoundrel


def noise(deed: str) -> str:
    return scoundrel("makes_noise", f"deed={deed}")


@pytest.mark.parametrize(
    "agent",
    [noise("prints_gtp"), noise("closes_stdout"), scoundrel("lies_in_analysis")],
    ids=["prints", "closes", "lies"],
)
def test_what_an_agent_prints_closes_or_claims_does_not_reach_the_game(agent: str) -> None:
    record = play(agent, PLAYS_ON, PATIENT, opening=quiet_opening(30))
    assert record.verdict.reason == Reason.NORMAL
    assert not any(move.replaced for move in record.moves)


def test_flood_on_stderr_is_drained_and_its_end_kept() -> None:
    game = load_game("pentago")
    player = Player(launch_for(parse_agent(noise("floods_stderr")), game, Limits(60, 60, memory_mb=300)))
    try:
        player.ask([game.initial()], MoveTime(60))
    finally:
        player.close()
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
def test_the_name_of_a_process_is_read_as_no_figure(name: str, environment: str) -> None:
    record = play(noise(f"names_itself,name={name}"), QUICK, PATIENT)
    assert record.verdict.loser == 1, record.verdict  # which passes at its second move
    assert 20 < record.peak_memory_mb[0] < 300


def test_folders_of_an_engine_within_others_of_its_own_are_taken_away_together(tmp_path: Path) -> None:
    settings = tmp_path / "engine" / "settings"
    settings.mkdir(parents=True)
    shutil.copy(SCOUNDRELS / "gtp_player.py", settings.parent)
    engine = f"gtp:{sys.executable} -I {settings.parent / 'gtp_player.py'} --moves f6/3f --error {settings} --refuse no"
    record = play(engine, PLAYS_ON, PATIENT)
    assert record.verdict.reason is not Reason.VOID, record.verdict
    assert len(record.moves) > 1
