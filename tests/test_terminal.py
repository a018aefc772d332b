"""A person against an agent: what can be typed, what comes back, and how one leaves."""

import json
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from agents.agent import parse_agent
from agents.human_agent import HumanAgent
from agents.limits import Clock, Limits
from commands.errors import NOT_PLAYED
from game import NotationError, load_game
from runner import main
from simulator.gtp.analysis import Analysis
from simulator.play.game_in_progress import GameInProgress
from simulator.play.settings import PlaySettings
from simulator.play.thinker import AgentFailed, AgentMove, RankedMove, Task, Thinker
from simulator.player.faults import Fault
from simulator.player.player import Player
from simulator.records.saved_game import SavedGame, load_game_file, replay, save_game, write_file
from simulator.referee.game_record import Reason
from simulator.terminal.play import Session
from simulator.terminal.play_commands import COMMANDS
from simulator.terminal.screen import Screen
from simulator.terminal.texts import analysis_text, moves_text, resume_command

PENTAGO = load_game("pentago")
RUNNER = str(Path(__file__).resolve().parent.parent / "runner.py")
AGENTS = Path(__file__).resolve().parent / "agents"
READER = """
from pathlib import Path
from agents.agent import Agent, register_agent

@register_agent("reader_agent")
class Reader(Agent):
    def step(self, position, clock):
        Path(__file__).with_name("notes.txt").read_text()
        return position.legal_moves()[0]
"""
ONE_SHORT = SavedGame(position="wwww../bbb.../....../....../....../b..... w")


class ScriptedScreen(Screen):
    """Types the lines it was given, then ends the input; keeps what is said."""

    def __init__(self, *lines, interactive=False):
        super().__init__()
        self.colour = self.can_erase = False
        self.is_interactive = interactive
        self.lines = list(lines)
        self.said = []

    def say(self, text=""):
        self.said.append(text)

    def _ignore_what_was_typed(self):
        """The lines of a test are not typed while an agent thinks."""

    def _typed_line(self):
        return ""

    def ask(self, prompt):
        self.said.append(prompt)
        return self.lines.pop(0) if self.lines else None

    @property
    def text(self):
        return "\n".join(self.said)


class FirstMoveOpponent:
    """Plays the first legal move, or what it was told to do instead, and thinks what it was told to think."""

    game = PENTAGO
    text = name = "first_agent"
    spec = parse_agent("first_agent")

    def __init__(self, instead=None, analysis=None):
        self.instead = instead
        self.thoughts = analysis or Analysis()

    def start(self):
        return self._task(lambda task: None)

    def move(self, positions):
        return self._task(lambda task: self.answer(positions))

    def study(self, positions, seconds):
        return self._task(lambda task: self.ranked(positions))

    def answer(self, positions):
        if isinstance(self.instead, Exception):
            raise self.instead
        move = None if self.instead == "resign" else positions[-1].legal_moves()[0]
        return AgentMove(move, 0.1, self.thoughts)

    def ranked(self, positions):
        move = positions[-1].legal_moves()[0]
        text = str(move)
        return [RankedMove(move, text, 10, 0.6, None, (text,))]

    def _task(self, work):
        task = Task(self.name, True)
        task.run(work)
        return task


class FakeAgents:
    """One opponent for every side, who also gives advice."""

    def __init__(self, opponent, settings):
        self.opponent = self.adviser = opponent
        self.settings = settings

    def player(self, side):
        return self.opponent

    def start(self):
        return []

    def spec(self, text):
        return parse_agent(text)


class FakeSession(Session):
    """Has nothing to compile."""

    def compile(self, text):
        self.agents.spec(text)


def session_of(game, positions, lines, side=0, opponent=None, result="none", interactive=False, players=None, **more):
    """A session that has read these lines."""
    screen = ScriptedScreen(*lines, interactive=interactive)
    players = players or (("human_agent", "first_agent") if side == 0 else ("first_agent", "human_agent"))
    agents = FakeAgents(opponent or FirstMoveOpponent(), PlaySettings(**{"hints": "first_agent", **more}))
    session = FakeSession(GameInProgress(game, positions, players, result), agents, screen)
    session.run()
    return session


def play(*lines, saved=None, **more):
    """A session of Pentago that has read these lines."""
    return session_of(PENTAGO, replay(PENTAGO, saved or SavedGame()), lines, **more)


def moves_of(session):
    return session.played.moves


# --- Moves ----------------------------------------------------------------------------------------------------------


def test_the_agent_answers_a_move_and_the_end_of_input_ends_politely():
    session = play("c3/1r")
    assert moves_of(session) == ["c3/1r", "a1/0r"]
    assert session.left
    assert "first_agent plays a1/0r" in session.screen.text


def test_the_agent_begins_when_the_person_moves_second():
    assert moves_of(play(side=1)) == ["a1/0r"]


def test_bad_input_is_explained_and_changes_nothing():
    session = play("c9/1r", "d4/1r", "d4/0f", "")
    assert moves_of(session) == ["d4/1r", "a1/0r"]
    assert "There is no cell c9: columns are a to f, rows 1 to 6. Or type help." in session.screen.text
    assert "d4 is taken" in session.screen.text


def test_a_won_game_says_so_and_takes_no_more_moves():
    session = play("e1/3r", "f1/3r", "undo", saved=ONE_SHORT)
    assert "you win" in session.screen.text
    assert "The game is over" in session.screen.text
    assert moves_of(session) == []


# --- Commands -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [*COMMANDS, "?", "QUIT", "exit"])
def test_every_command_works_at_any_time(command):
    for saved in (SavedGame(), ONE_SHORT):
        assert play(command, "e1/3r", command, saved=saved).screen.text


def test_undo_takes_back_ones_own_move_and_the_answer():
    assert moves_of(play("c3/1r", "d4/1r", "undo")) == ["c3/1r", "a1/0r"]
    assert moves_of(play("c3/1r", "undo", "undo")) == []
    assert "no move to take back" in play("undo", side=1).screen.text


def test_undo_with_a_number_takes_back_as_many_of_ones_own_moves():
    assert moves_of(play("c3/1r", "d4/0f", "e5/0f", "undo 2")) == ["c3/1r", "a1/0r"]
    assert moves_of(play("c3/1r", "d4/0f", "undo 2")) == []
    assert moves_of(play("c3/1r", "d4/0f", "resign", "undo 2")) == ["c3/1r", "a1/0r"]


def test_undo_of_more_moves_than_there_are_is_refused_and_changes_nothing():
    session = play("c3/1r", "d4/0f", "undo 3")
    assert len(moves_of(session)) == 4
    assert "You have only 2 moves to take back." in session.screen.said
    assert "You have only 1 move to take back." in play("c3/1r", "undo 2").screen.said


@pytest.mark.parametrize("number", ["0", "-1", "1.5", "x", "1 2", "\u00b2", "9" * 5000])
def test_undo_of_what_is_no_positive_number_is_refused_in_words(number):
    session = play("c3/1r", f"undo {number}")
    assert len(moves_of(session)) == 2
    assert "Type a number from 1 on" in session.screen.text


@pytest.mark.parametrize("name", [name for name, command in COMMANDS.items() if not command.argument])
def test_a_command_that_takes_nothing_says_so_and_is_not_run(name):
    session = play(f"{name} now", "c3/1r")
    assert f"Not done: type {name} alone, without 'now'." in session.screen.text
    assert len(moves_of(session)) == 2


def test_hint_names_a_move_without_playing_it():
    session = play("hint", opponent=FirstMoveOpponent(analysis=Analysis(proven="win")))
    assert "first_agent would play a1/0r. It has proved a win." in session.screen.text
    assert moves_of(session) == []


def test_moves_lists_every_legal_move_in_few_lines():
    text = moves_text([str(move) for move in PENTAGO.initial().legal_moves()])
    assert "each with /0r /0f /1r /1f /2r /2f /3r /3f" in text
    assert len(text.splitlines()) <= 4
    assert moves_text([]) == "none"


def test_the_agents_view_is_shown_when_asked_for():
    opponent = FirstMoveOpponent(analysis=Analysis(value=0.25, pv=("a1/0r",), simulations=1000))
    expected = "It expects to score 25.0%. Expected line: a1/0r. 1,000 simulations."
    assert expected not in play("c3/1r", opponent=opponent).screen.text.replace("\n  ", " ")
    assert expected in play("c3/1r", "thoughts", opponent=opponent).screen.text.replace("\n  ", " ")
    assert expected in play("c3/1r", opponent=opponent, show_analysis=True).screen.text.replace("\n  ", " ")


def test_an_agent_without_an_analysis_has_no_view_and_what_was_wrong_in_one_is_said():
    assert analysis_text(Analysis()) == analysis_text(Analysis(pv=(), simulations=0)) == ""
    assert analysis_text(Analysis(value=1.0, simulations=1)) == "1 simulation."
    assert analysis_text(Analysis(note="left out: mood")) == "(Left out: mood.)"


def test_resigning_ends_the_game_and_undo_takes_only_that_back():
    session = play("c3/1r", "resign", "undo", "d4/0f")
    assert "you resign; first_agent wins" in session.screen.text
    assert moves_of(session)[:3] == ["c3/1r", "a1/0r", "d4/0f"]
    assert moves_of(play("c3/1r", "resign", "undo", "undo")) == []
    assert moves_of(play("resign", "undo", "c3/1r")) == ["c3/1r", "a1/0r"]


def test_undo_of_an_agents_resignation_takes_back_the_move_that_it_resigned_after():
    assert moves_of(play("c3/1r", "undo", opponent=FirstMoveOpponent("resign"))) == []


def test_an_agent_that_resigns_loses():
    assert "first_agent resigns; you win" in play("c3/1r", opponent=FirstMoveOpponent("resign")).screen.text


def test_an_agent_that_fails_is_quoted_and_can_be_asked_again():
    opponent = FirstMoveOpponent(AgentFailed("first_agent fell over", ("last words",)))
    session = play("c3/1r", "hint", "undo", "hint", opponent=opponent)
    assert session.screen.said.count("    | last words") == 1  # of the player, not of the adviser
    assert "Game over: first_agent fell over; you win" in session.screen.text
    assert "No hint: first_agent fell over" in session.screen.text


def test_a_hint_is_for_the_position_that_is_looked_at():
    text = play("e1/3r", "hint", "back", "hint", saved=ONE_SHORT).screen.text
    assert "The game is over." in text and "first_agent would play e1/0r" in text


# --- Saving ---------------------------------------------------------------------------------------------------------


def test_a_saved_game_comes_back(tmp_path):
    file = tmp_path / "game.json"
    session = play("c3/1r", f"save {file}", side=0)
    loaded = load_game_file(file)
    assert replay(PENTAGO, loaded) == session.played.positions
    assert (loaded.agent, loaded.side) == ("first_agent", "w")
    assert str(file) in session.screen.text


def test_a_game_from_the_middle_is_saved_with_its_beginning(tmp_path):
    play("e1/3r", f"save {tmp_path / 'game.json'}", saved=ONE_SHORT)
    content = json.loads((tmp_path / "game.json").read_text())
    assert (content["position"], content["moves"], content["result"]) == (ONE_SHORT.position, ["e1/3r"], "W+")


def test_save_says_what_is_wrong(tmp_path):
    text = play("save", f"save {tmp_path}/none/game.json").screen.text
    assert "Save where?" in text
    assert f"Not saved: cannot write {tmp_path}/none/game.json: no such folder" in " ".join(text.split())
    assert "Not saved: there is no SGF for pentago" in play(f"save {tmp_path}/game.sgf").screen.text
    assert "Not saved" in play("save ~nobody-of-that-name/game.json").screen.text


def test_save_says_what_was_written_and_where(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert (
        f"Saved as JSON. To continue: python runner.py play --load {tmp_path}/x.txt" in play("save ~/x.txt").screen.text
    )
    assert load_game_file(tmp_path / "x.txt").game == "pentago"


@pytest.mark.parametrize(("instead", "lines", "result"), [(None, ["resign"], "B+R"), ("resign", [], "W+R")])
def test_a_resignation_is_saved_and_told_when_the_game_is_loaded(tmp_path, instead, lines, result):
    file = tmp_path / "game.json"
    play("c3/1r", *lines, f"save {file}", opponent=FirstMoveOpponent(instead))
    loaded = load_game_file(file)
    assert loaded.result == result
    session = play("d4/0f", "undo", "d4/0f", saved=loaded, result=loaded.result)
    assert f"Game over: the game ended by resignation: {result}. Type undo" in session.screen.text
    assert session.played.saved().result == "none"
    assert moves_of(session)[-2] == "d4/0f"


@pytest.mark.parametrize("result", ["none", "0", "W+", "B+3.5", "x+R", "?"])
def test_a_result_that_is_no_forfeit_leaves_a_game_open(result):
    assert moves_of(play("c3/1r", result=result)) == ["c3/1r", "a1/0r"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (
            '{"unforced": 1, "game": "", "agent": "", "side": "", "position": "", "moves": [], "result": 1}',
            "'result' should be a text",
        ),
        ("[]", 'has no "unforced"'),
        ('{"unforced": 1}', "'game' should be a text"),
        (
            '{"unforced": 1, "game": "", "agent": "", "side": "", "position": "", "moves": "a"}',
            "'moves' should be a list",
        ),
    ],
)
def test_a_file_that_is_no_saved_game_is_refused_with_the_reason(tmp_path, content, complaint):
    (tmp_path / "game.json").write_text(content)
    with pytest.raises(NotationError, match=complaint):
        load_game_file(tmp_path / "game.json")


def test_replay_names_the_move_that_cannot_be_played():
    with pytest.raises(NotationError, match="move 2, c3/0r: c3 is taken"):
        replay(PENTAGO, SavedGame(moves=("c3/1r", "c3/0r")))


def test_the_command_to_go_on_can_be_pasted_into_a_shell():
    command = resume_command(SavedGame(agent="gtp:prog --flag", side="b", moves=("c3/1r", "d4/0f")))
    assert command == "python runner.py play '--agent=gtp:prog --flag' --side=b '--moves=c3/1r d4/0f'"


def test_the_command_to_go_on_has_the_settings_that_are_not_the_usual_ones():
    assert PlaySettings().flags() == ()
    flags = PlaySettings(Limits(9.0, 0.25, 0.5, 300), "random_agent", 7, show_analysis=True).flags()
    told = "--move-time=0.25 --first-move-time=9.0 --cushion=0.5 --memory=300 --seed=7 --hints=random_agent --analysis"
    assert resume_command(SavedGame(side="w"), flags).endswith(f"play --agent=uct_agent --side=w {told}")


def test_the_command_to_go_on_after_saving_has_them_too(tmp_path):
    text = play(f"save {tmp_path / 'game.json'}", limits=Limits(move_seconds=0.25)).screen.text
    assert text.rstrip().splitlines()[-2].endswith("game.json --move-time=0.25 --hints=first_agent")


def test_a_file_is_written_over_only_if_that_is_wanted(tmp_path):
    file = tmp_path / "game.json"
    save_game(file, SavedGame(moves=("c3/1r",) * 9))
    with pytest.raises(OSError, match="there is a file of that name"):
        save_game(file, SavedGame(side="w"))
    assert load_game_file(file).moves
    save_game(file, SavedGame(side="w"), over=True)
    assert load_game_file(file) == SavedGame(side="w")


def test_what_is_written_over_stays_as_it_is_if_writing_fails(tmp_path, monkeypatch):
    path, link = tmp_path / "game.json", tmp_path / "link.json"
    path.write_text("before")
    path.chmod(0o640)
    link.symlink_to(path)
    monkeypatch.setattr(shutil, "copymode", lambda old, new: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_file(path, b"after", over=True)
    assert (path.read_text(), len(list(tmp_path.iterdir()))) == ("before", 2)
    monkeypatch.undo()
    write_file(link, b"after", over=True)
    assert (path.read_text(), link.is_symlink(), path.stat().st_mode & 0o777) == ("after", True, 0o640)


def test_over_a_pipe_save_refuses_a_file_that_is_there_and_says_how_to_write_over_it(tmp_path):
    file = tmp_path / "my game.json"
    file.write_text("a poem")
    text = " ".join(play(f"save {file}", "c3/1r").screen.text.split())
    assert f"Not saved: {file} exists. To overwrite it: save {file} --force" in text
    assert file.read_text() == "a poem"
    assert "Saved as JSON" in play("c3/1r", f"save {file} --force").screen.text
    assert load_game_file(file).moves == ("c3/1r", "a1/0r")


@pytest.mark.parametrize(("answer", "is_saved"), [("y", True), ("YES", True), ("n", False), ("", False), (None, False)])
def test_on_a_terminal_save_asks_before_it_writes_over_a_file(tmp_path, answer, is_saved):
    file = tmp_path / "game.json"
    file.write_text("a poem")
    session = play(f"save {file}", *([] if answer is None else [answer]), interactive=True)
    assert f"{file} exists. Overwrite it? (y/n) " in session.screen.said
    assert (file.read_text() != "a poem") is is_saved
    assert ("Not saved" in session.screen.text) is not is_saved


def test_save_needs_a_name_beside_force():
    assert "Save where?" in play("save --force").screen.text


# --- A real agent in a process ---------------------------------------------------------------------------------------


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


def test_a_broken_agent_is_noticed_before_the_first_board():
    broken = str(AGENTS / "raises_in_import.py")
    result = CliRunner().invoke(main, ["play", "--agent", broken], input="c3/1r\n")
    assert result.exit_code == NOT_PLAYED
    assert result.stdout == ""
    assert "raises_in_import could not be loaded: ImportError: no module named genius" in result.stderr
    assert "    | ImportError: no module named genius" in result.stderr.splitlines()


def runner_play(*options, **more):
    environment = {**os.environ, "TERM": "dumb", **more.pop("env", {})}
    command = [sys.executable, RUNNER, "play", "--agent", "random_agent", "--hints", "random_agent", *options]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        **more,
    )


def test_a_game_over_a_pipe_has_no_escapes_and_ends_with_the_input():
    process = runner_play("--seed", "3", env={"TERM": "xterm-256color"})
    out, err = process.communicate("c3/1r\nhint\nmoves\n", timeout=60)
    assert (process.returncode, err) == (0, "")
    assert "random_agent plays" in out
    assert "random_agent would play" in out
    assert "\x1b" not in out
    assert "To continue this game" in out
    assert max(map(len, out.splitlines()[:-1])) <= 80  # the last is a command, to be pasted as it is
    assert out.rstrip().endswith("--seed=3 --hints=random_agent")


def test_ctrl_c_leaves_with_130_and_says_how_to_go_on():
    process = runner_play("--moves", "c3/1r d4/0f")
    assert process.stdin
    assert process.stdout
    while not process.stdout.readline().startswith("6 |"):
        pass
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "--side=w '--moves=c3/1r d4/0f'" in out


# --- The screen -----------------------------------------------------------------------------------------------------


@contextmanager
def typed_from(descriptor, monkeypatch):
    """A screen whose person types at this end."""
    with open(descriptor, encoding="utf-8") as stdin, monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", stdin)
        yield Screen()


def wait_for_input(descriptor):
    assert select.select([descriptor], [], [], 30)[0]


def test_what_is_typed_on_a_terminal_while_an_agent_thinks_is_ignored_and_that_is_said(monkeypatch, capsys):
    keyboard, terminal = pty.openpty()
    with typed_from(terminal, monkeypatch) as screen:
        with screen.waiting("it thinks"):
            os.write(keyboard, b"resign\nc3/")
            wait_for_input(terminal)
        os.write(keyboard, b"d4/0r\n")
        assert screen.ask("w> ") == "d4/0r"
        with screen.waiting("it thinks"):
            pass
    os.close(keyboard)
    assert capsys.readouterr().out.count("(what you typed while waiting is ignored)") == 1


def test_nothing_that_comes_over_a_pipe_is_ignored(monkeypatch, capsys):
    reader, writer = os.pipe()
    with typed_from(reader, monkeypatch) as screen:
        with screen.waiting("it thinks"):
            os.write(writer, b"resign\n")
            wait_for_input(reader)
        assert screen.ask("w> ") == "resign"
    os.close(writer)
    assert "ignored" not in capsys.readouterr().out


def test_input_that_is_no_text_is_no_move():
    process = runner_play()
    process.stdin.buffer.write(b"\xff\xfe\n")
    out, err = process.communicate("quit\n", timeout=60)
    assert (process.returncode, err) == (0, "")
    assert "Type a cell, then" in out


# --- The person as an agent -----------------------------------------------------------------------------------------


def test_human_agent_asks_until_the_move_is_legal():
    answers, told = iter(["z9", "c3/1r", "d4/0f"]), []
    person = HumanAgent(PENTAGO)
    person.ask = lambda game, position: next(answers)
    person.tell = told.append
    position = PENTAGO.initial().play(PENTAGO.parse_move("c3/1r"))
    assert str(person.step(position, Clock(1))) == "d4/0f"
    assert len(told) == 2
