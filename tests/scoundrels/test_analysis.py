"""What an agent says of its moves is neither a place to think nor a way into what is written of the game."""

import json
import sys
from typing import Any

import pytest

from agents.agent import parse_agent
from simulator.records.sgf_writer import sgf_of
from simulator.referee.conditions import Conditions
from simulator.referee.game_record import GameRecord, Reason
from simulator.referee.referee import play_game
from tests.scoundrels.environments import FULL, PLAIN, modes
from tests.scoundrels.games import PATIENT, PLAYS_ON, QUICK, SCOUNDRELS, play, quiet_opening, scoundrel

DEEPEST = 3  # an object, a list in it, an element of that


def gtp_liar(said: str) -> str:
    return f"gtp:{sys.executable} -I {SCOUNDRELS / 'gtp_player.py'} --said {said} --moves 'a1/0r resign'"


def depth(said: Any) -> int:
    """How deep it is nested, without recursion."""
    level, deepest = [said], 0
    while level:
        deepest += 1
        inside: list[Any] = []
        for value in level:
            inside += value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else []
        level = inside
    return deepest


def assert_plain(record: GameRecord) -> None:
    """What was said can be written, read again, printed, and carries no control character."""
    for move in record.moves:
        assert depth(move.analysis.to_json()) <= DEEPEST
    text = json.dumps(record.to_json(), allow_nan=False, ensure_ascii=False)
    text.encode("utf-8")  # no half of a pair of surrogates
    assert GameRecord.from_json(json.loads(text)) == record
    assert all(word.isprintable() for move in record.moves for word in _words(move.analysis.to_json()))


def _words(said: Any) -> list[str]:
    if isinstance(said, dict):
        return [word for pair in said.items() for value in pair for word in _words(value)]
    if isinstance(said, list | tuple):
        return [word for value in said for word in _words(value)]
    return [said] if isinstance(said, str) else []


@pytest.mark.parametrize("deed", ["numbers", "nested", "nested_names", "surrogate", "escape", "formula", "truths"])
def test_agent_says_nothing_that_cannot_be_written(deed: str) -> None:
    record = play(scoundrel("lies_in_analysis", f"deed={deed}"), QUICK, PATIENT)
    assert record.verdict.loser != 0, record.verdict
    assert_plain(record)


@pytest.mark.parametrize("said", ["nested", "deeper", "surrogate", "escape", "digits", "keys"])
def test_program_says_nothing_that_cannot_be_written(said: str) -> None:
    record = play(gtp_liar(said), QUICK, PATIENT)
    assert record.verdict.reason == Reason.RESIGNATION, record.verdict
    assert_plain(record)


@pytest.mark.parametrize("said", ["nested", "surrogate", "escape"])
def test_what_is_said_of_a_game_of_go_can_be_saved(said: str) -> None:
    agents = (parse_agent(gtp_liar(said).replace("a1/0r", "C3")), parse_agent(QUICK.replace("f6/3f", "D4")))
    record = play_game(agents, Conditions("go", {"size": 5}, PATIENT))
    assert record.verdict.reason == Reason.RESIGNATION, record.verdict
    assert b"\x1b" not in sgf_of(record)


@pytest.mark.parametrize("deed", ["thinks", "thinks_in_thread"])
@modes(FULL, PLAIN)
def test_who_thinks_when_it_is_asked_what_it_thought_is_not_asked_again(deed: str, environment: str) -> None:
    record = play(scoundrel("lies_in_analysis", f"deed={deed}"), PLAYS_ON, PATIENT, opening=quiet_opening(30))
    said = [move.analysis.nodes for move in record.moves if move.player == 0]
    assert said[0] in (1, None)  # None: it took too long, on a busy machine
    assert said[1:] and set(said[1:]) == {None}
