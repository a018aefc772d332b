"""What agents write and say reaches records, files and screens as text that can be shown, and stops nothing."""

import json

import pytest

from agents.agent import parse_agent
from simulator.play.replay import Replay
from simulator.player import faults
from simulator.player.faults import LONGEST_FAULT
from simulator.records.reader import PlayedGame
from simulator.records.sgf_reader import read_sgf
from simulator.records.sgf_writer import sgf_of
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import GameRecord, Reason
from simulator.referee.referee import play_game
from simulator.terminal.replay import page
from tests.programs import PASSES
from tests.scoundrels.environments import FULL, PLAIN, modes
from tests.scoundrels.games import PATIENT, PLAYS_ON, QUICK, assert_lost, play, program, quiet_opening, scoundrel

BROKEN = 'print("about to fail")\nif True:\n\tx = [1, 2,, 3]\n'


def test_what_an_agent_prints_is_kept_of_every_game_with_its_columns():
    noisy = scoundrel("makes_noise", "deed=prints")
    record = play(noisy, PLAYS_ON, PATIENT, opening=quiet_opening(31))
    assert record.verdict.reason is Reason.NORMAL and record.verdict.stderr == ()
    lines, moves = record.logs[0].splitlines(), len([move for move in record.moves if move.player == 0])
    assert lines[:2] == ["depth  value", "    4   0.25    | [2J"]
    assert lines[2].startswith("x" * 1000 + " of ")
    assert len(lines) == 3 * moves
    replayed = Replay(PlayedGame(1, record))
    assert page(replayed, replayed.last, logs=True).count("  depth  value\n      4   0.25    | [2J\n") == moves
    assert not any("depth" in page(replayed, ply) for ply in range(replayed.last + 1))


def test_the_mark_under_a_mistake_points_at_it(tmp_path):
    (tmp_path / "broken.py").write_text(BROKEN)
    record = play(str(tmp_path / "broken.py"), QUICK)
    assert_lost(record, Reason.CRASH, "could not be loaded")
    lines = record.verdict.stderr
    mark = next(number for number, line in enumerate(lines) if "^" in line)
    assert lines[mark - 1][lines[mark].index("^")] == ",", lines
    assert record.logs[0].endswith("\n".join(lines))


@pytest.mark.parametrize("name", ["\x1b[2J", "\ud800", "\u202e", "a\nb", "x" * 10_000])
def test_a_fault_names_an_agents_files_in_a_line_that_can_be_shown(name):
    fault = faults.still_held("3", f"/srv/{name}")
    for text in (str(fault), fault.at_move(3)):
        assert text.isprintable() and len(text) <= LONGEST_FAULT
    assert str(fault).startswith("kept a file open: /srv/")


# --- What is said of a move when that is asked for --------------------------------------------------------------------


LIES = 10  # lies_in_analysis.py tells one in each move
DEEPEST = 3  # an object, a list in it, an element of that


def depth(said):
    """How deep an object is nested, counted without recursion."""
    level, deepest = [said], 0
    while level:
        deepest += 1
        inside = []
        for value in level:
            inside += value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else []
        level = inside
    return deepest


def assert_plain(record):
    """Check that what was said can be written, read again and printed, and has no control character."""
    for move in record.moves:
        assert depth(move.analysis.to_json()) <= DEEPEST
    text = json.dumps(record.to_json(), allow_nan=False, ensure_ascii=False)
    text.encode("utf-8")  # no lone surrogate
    assert GameRecord.from_json(json.loads(text)) == record
    assert all(word.isprintable() for move in record.moves for word in _words(move.analysis.to_json()))


def _words(said):
    if isinstance(said, dict):
        return [word for pair in said.items() for value in pair for word in _words(value)]
    if isinstance(said, list | tuple):
        return [word for value in said for word in _words(value)]
    return [said] if isinstance(said, str) else []


@pytest.fixture
def patient_with_reports(monkeypatch):
    """No report is too late even on a busy machine: after a late one, no more would be asked for."""
    monkeypatch.setattr("simulator.player.player.ANALYSIS_SECONDS", 30)
    monkeypatch.setattr("simulator.player.player.ANALYSIS_BUSY_SECONDS", 30)


@pytest.mark.usefixtures("patient_with_reports")
def test_agent_says_nothing_that_cannot_be_written():
    record = play(scoundrel("lies_in_analysis"), PLAYS_ON, PATIENT)
    assert record.verdict.reason is Reason.NORMAL, record.verdict
    said = [move.analysis for move in record.moves if move.player == 0]
    assert len(said) >= LIES and sum(analysis.note.startswith("left out: ") for analysis in said) > len(said) / 2, said
    assert not any(move.replaced for move in record.moves)
    assert_plain(record)


@pytest.mark.usefixtures("patient_with_reports")
def test_program_says_nothing_that_cannot_be_written_or_saved_as_sgf(tmp_path):
    agents = [parse_agent(f"{PASSES}{more}") for more in (" --lies --moves 'A1 A3 A5 C1 C3 C5 resign'", "")]
    record = play_game(agents, Conditions("go", {"size": 5}, PATIENT))
    assert (record.verdict.reason, len(record.moves)) == (Reason.RESIGNATION, 12), record.verdict
    said = [move.analysis for move in record.moves if move.player == 0]
    assert len(said) == 6 and all(analysis.to_json() for analysis in said), said  # each lie left something
    assert_plain(record)
    sgf = tmp_path / "game.sgf"
    sgf.write_bytes(sgf_of(record))
    assert "\x1b" not in sgf.read_text(encoding="utf-8")
    assert len(read_sgf(sgf).moves) == 12


@pytest.mark.parametrize("deed", ["thinks", "thinks_in_thread"])
@modes(FULL, PLAIN)
def test_who_thinks_when_it_is_asked_what_it_thought_is_asked_less_often(deed, environment, monkeypatch):
    monkeypatch.setattr("simulator.player.player.ANALYSIS_SECONDS", 30)  # a late agent is never asked again
    record = play(program("lies_in_analysis", f"deed={deed}"), PLAYS_ON, PATIENT, opening=quiet_opening(14))
    said = [move.analysis.nodes for move in record.moves if move.player == 0]
    assert said[:3] == [1, None, None] and 2 in said, said  # 0.15 s each, and 0.05 s a move are granted
