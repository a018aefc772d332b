"""An agent in its process that a person plays against: it follows moves taken back, and its faults are told."""

import pytest

from agents.agent import parse_agent
from agents.limits import Limits
from game import load_game
from simulator.play.thinker import AgentFailed, Thinker
from simulator.player.faults import Fault
from simulator.player.player import Player
from simulator.records.saved_game import SavedGame, replay
from simulator.referee.game_record import Reason
from tests.playing import ONE_SHORT, PENTAGO

GO = load_game("go", size=5, komi=3.5)
READER = """
from pathlib import Path
from agents.agent import Agent, register_agent

@register_agent("reader_agent")
class Reader(Agent):
    def step(self, position, clock):
        Path(__file__).with_name("notes.txt").read_text()
        return position.legal_moves()[0]
"""


def test_an_opponent_follows_moves_taken_back_and_positions_set_up():
    start = replay(PENTAGO, ONE_SHORT)
    with Thinker(PENTAGO, parse_agent("random_agent"), Limits()) as opponent:
        for moves in ((), ("c3/1r",), ("c3/1r", "d4/0f"), ("d4/0f",)):
            positions = replay(PENTAGO, SavedGame(moves=moves))
            assert opponent.move(positions).result().move in positions[-1].legal_moves()
        assert opponent.move(start).result().move in start[-1].legal_moves()
        assert opponent.move(replay(PENTAGO, SavedGame())).result().move is not None


def test_an_agent_that_cannot_be_loaded_is_a_fault_with_its_traceback(tmp_path):
    file = tmp_path / "broken.py"
    file.write_text("import no_such_module_anywhere\n")
    with Thinker(PENTAGO, parse_agent(str(file)), Limits()) as opponent, pytest.raises(AgentFailed) as fault:
        opponent.move([PENTAGO.initial()]).result()
    assert any("no_such_module_anywhere" in line for line in fault.value.stderr)


def test_an_agent_that_was_started_before_its_first_question_is_asked_in_the_same_process(tmp_path):
    file = tmp_path / "reader.py"
    (tmp_path / "notes.txt").write_text("its files are there until its first move")
    file.write_text(READER)
    with Thinker(PENTAGO, parse_agent(str(file)), Limits()) as opponent:
        opponent.start().result()
        process = opponent._player.sandbox._process
        opponent.start().result()
        assert opponent.move([PENTAGO.initial()]).result().move is not None
        assert opponent._player.sandbox._process is process


def test_an_agent_that_keeps_a_file_open_is_a_fault_that_names_it(monkeypatch):
    def pause(_):
        raise Fault(Reason.FILES, "kept a file open", "notes.txt")

    monkeypatch.setattr(Player, "pause", pause)
    with Thinker(PENTAGO, parse_agent("random_agent"), Limits()) as opponent:
        with pytest.raises(AgentFailed, match=r"random_agent kept a file open: notes\.txt"):
            opponent.move([PENTAGO.initial()]).result()
        assert opponent._player is None


def test_an_opponent_plays_on_the_board_that_the_game_has():
    with Thinker(GO, parse_agent("random_agent"), Limits()) as opponent:
        positions = [GO.initial()]
        positions.append(positions[-1].play(GO.parse_move("C3")))
        assert opponent.move(positions).result().move in positions[-1].legal_moves()
