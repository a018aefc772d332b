"""A person against an agent in lines of text: what is printed, what is read, and how one leaves."""

import os
import pty
import select
import sys
from contextlib import nullcontext

import pytest

from agents.human_agent import HumanAgent
from agents.limits import Clock, Limits
from commands.errors import NOT_PLAYED
from simulator.gtp.analysis import Analysis
from simulator.play.settings import PlaySettings
from simulator.play.thinker import AgentFailed, Request
from simulator.records.saved_game import SavedGame
from simulator.terminal.screen import Screen
from simulator.terminal.texts import analysis_text, how_to_continue, moves_text
from tests.command_line import invoke
from tests.playing import CTRL_C, ONE_SHORT, PENTAGO, SECOND, TWO_AGENTS, TWO_PEOPLE, FirstMoveOpponent, Oracle, play
from tests.programs import AGENTS, PATIENCE_SECONDS, PYTHON, command, interrupted, read_until
from tests.scoundrels.games import PLAYS_ON

pytestmark = pytest.mark.usefixtures("games_of_the_user_are_left_alone")

BOARD = "    a   b   c   d   e   f"


# --- Boards, moves and prompts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "more", "boards"),
    [
        ([], {}, 1),
        (["c3/1r"], {}, 2),
        (["c3/1r", "d4/1r", "e5/1r"], {}, 4),
        ([], {"players": SECOND}, 1),  # the first board shows the agent's move
        (["c3/1r", "d4/1r"], {"players": TWO_PEOPLE}, 3),
        ([], {"players": TWO_AGENTS, "saved": ONE_SHORT}, None),  # a board after every move
    ],
)
def test_there_is_one_board_for_a_move_and_its_answer(lines, more, boards):
    session = play(*lines, **more)
    assert sum(line.count(BOARD) for line in session.screen.said) // 2 == (boards or len(session.played.moves))


def test_the_agent_answers_a_move_and_the_end_of_input_ends_politely():
    session = play("c3/1r")
    assert session.played.moves == ["c3/1r", "a1/0r"] and session.left
    assert "first_agent plays a1/0r   (0.1 s)" in session.screen.said


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["c9/1r"], "There is no cell c9: columns are a to f, rows 1 to 6. Or type help."),
        (["e1/3r", "f1/3r"], "The game is over. Type undo, new, summary, save FILE or quit."),
        (["e1/3r"], "Game over: you win. Type undo"),
        (["c3/1r", "back"], "Position after move 1 of 2. Type forward, back or end. move 1 of 2>"),
        (["pause"], "Paused: the agents' clocks stand still. Type go, now, or any command. paused>"),
        (["e1/3r"], "over>"),
        (["agent randon_agent"], "did you mean random_agent? w>"),
        (["list"], "No move has been played."),
        (["c3/1r", "list"], "1. c3/1r 2. a1/0r"),
        (["moves"], "each with /0r /0f /1r /1f /2r /2f /3r /3f"),
        (["thoughts"], "No agent has said what it thinks of its last move."),
        (["c3/1r", "thoughts"], "first_agent: it gives no analysis."),
        (["analyze"], "first_agent's moves for White (W), the best first:"),
        (["analyze"], "a1/0r - 10 a1/0r"),  # too few visits for a percentage
        (["sides"], "You play Black (B) against first_agent."),
        (["help"], "coach [on|off] switch the coach on or off; it names your"),
    ],
)
def test_what_is_typed_brings_up_these_words(lines, words):
    saved = None if any(word in line for line in lines for word in ("c3", "moves", "analyze")) else ONE_SHORT
    assert words in play(*lines, saved=saved).screen.words


def test_a_paused_game_waits_for_go():
    session = play("pause", "c3/1r", "list", "go", "d4/1r")
    assert "  1. c3/1r" in session.screen.said
    assert len(session.played.moves) == 4


def test_what_agents_thought_before_sides_were_changed_is_not_said_of_others():
    text = play("c3/1r", "sides", "thoughts").screen.text
    assert "first_agent: it gives no analysis." in text and "you: " not in text


def test_the_agents_view_is_shown_when_asked_for():
    opponent = FirstMoveOpponent(analysis=Analysis(value=0.25, pv=("a1/0r",), simulations=1000))
    expected = "It expects to score 25.0%. Expected line: a1/0r. 1,000 simulations."
    for lines, settings, is_shown in (
        (["c3/1r"], {}, 0),
        (["c3/1r", "thoughts"], {}, 1),
        (["c3/1r"], {"show_analysis": True}, 1),
    ):
        assert (expected in play(*lines, opponent=opponent, settings=settings).screen.words) == is_shown
    hinting = FirstMoveOpponent(analysis=Analysis(proven="win"))
    assert "first_agent would play a1/0r. It has proved a win." in play("hint", opponent=hinting).screen.words


def test_an_agent_without_an_analysis_has_no_view_and_what_was_wrong_in_one_is_said():
    assert analysis_text(Analysis()) == analysis_text(Analysis(pv=(), simulations=0)) == ""
    assert analysis_text(Analysis(value=1.0, simulations=1)) == "1 simulation."
    assert analysis_text(Analysis(note="left out: mood")) == "(Left out: mood.)"
    assert moves_text([]) == "none"


def test_an_agent_that_fails_is_quoted_and_can_be_asked_again():
    opponent = FirstMoveOpponent(AgentFailed("first_agent fell over", ("last words",)))
    session = play("c3/1r", "hint", "undo", "hint", opponent=opponent)
    assert session.screen.said.count("    | last words") == 1  # of the player, not of the adviser
    assert "Game over: first_agent fell over; you win" in session.screen.text
    assert "No advice: first_agent fell over" in session.screen.text


def test_the_coach_says_what_was_wrong_and_sums_the_game_up_once():
    silent = play("f1/3r", saved=ONE_SHORT, opponent=Oracle())
    assert "Coach:" not in silent.screen.text
    words = play("coach on", "f1/3r", saved=ONE_SHORT, opponent=Oracle()).screen.words
    assert "Coach: f1/3r threw away a proved win. Better: e1/3r, then a1/0r. (undo takes it back)" in words
    over = play("coach on", "e1/3r", "sides", "board", "agent random_agent", saved=ONE_SHORT, opponent=Oracle())
    assert "Coach:" not in over.screen.text and over.screen.text.count("turning point") == 1


def test_the_summary_names_the_turning_points_by_their_number():
    words = play("f1/3r", "summary", saved=ONE_SHORT, opponent=Oracle()).screen.words
    assert "2 moves, 1 turning point." in words
    assert "1. you: f1/3r threw away a proved win." in words
    assert "as in look 1." in words
    alone = play("f1/3r", "summary", saved=ONE_SHORT, opponent=Oracle(), players=TWO_PEOPLE)
    assert "1 move, 1 turning point." in alone.screen.words


# --- Asking ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("answer", "is_saved"), [("y", True), ("YES", True), ("n", False), ("", False), (None, False)])
def test_on_a_terminal_save_asks_before_it_writes_over_a_file(tmp_path, answer, is_saved):
    file = tmp_path / "game.json"
    file.write_text("a poem")
    session = play(f"save {file}", *([] if answer is None else [answer]), interactive=True)
    assert f"{file} exists. Overwrite it? (y/n) " in session.screen.said
    assert (file.read_text() != "a poem") is is_saved
    assert ("Not saved" in session.screen.text) is not is_saved


def test_over_a_pipe_nobody_is_asked_and_what_is_refused_says_how_it_is_done(tmp_path):
    file = tmp_path / "my game.json"
    file.write_text("a poem")
    words = play(f"save {file}", "c3/1r", "new").screen.words
    assert f"Not saved: {file} exists. To overwrite it: save {file} --force" in words
    assert file.read_text() == "a poem"
    assert play("c3/1r", "new").played.moves == []
    words = play("e1/3r", "level 2", saved=ONE_SHORT).screen.words
    assert "Not done: the game is over, and keeps its players. To begin a new game with these: new level 2." in words


@pytest.mark.parametrize(("line", "ends"), [("pause", True), ("now", False), ("undo", False)])
def test_while_an_agent_thinks_it_can_be_hurried_or_paused(line, ends):
    session = play()
    session.controller.thinking = request = Request("first_agent", True)
    assert session._typed_while_waiting(request, line) is ends
    assert (request.is_paused, request.hurries) == (line == "pause", line == "now")
    assert ("ignored" in session.screen.text) is (line == "undo")


# --- How to go on ---------------------------------------------------------------------------------------------------


def test_save_says_what_was_written_and_the_command_that_goes_on(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    words = play("save ~/x.txt", settings={"limits": Limits(move_seconds=0.25)}).screen.words
    file = f"{tmp_path}/x.txt --move-time=0.25 --hints=first_agent"
    assert f"Saved as JSON. To continue: python runner.py play --load {file}" in words


@pytest.mark.parametrize(
    ("saved", "settings", "options"),
    [
        (
            SavedGame(agent="gtp:prog --flag", side="b", moves=("c3/1r", "d4/0f")),
            PlaySettings(),
            "'--agent=gtp:prog --flag' --side=b '--moves=c3/1r d4/0f'",
        ),
        (
            SavedGame(side="w"),
            PlaySettings(Limits(9.0, 0.25, 0.5, 300), "random_agent", 7, show_analysis=True, isolation="none"),
            "--agent=uct_agent --side=w --move-time=0.25 --first-move-time=9.0 --cushion=0.5 --memory=300 "
            "--isolation=none --seed=7 --hints=random_agent --analysis",
        ),
        (
            SavedGame("go", moves=("D4",), options={"size": 13, "komi": 0.5}),
            PlaySettings(),
            "--agent=uct_agent --moves=D4 --game=go --size=13 --komi=0.5",
        ),
        (
            SavedGame("go", position="...../...../..b../...../..... w - 0.5", options={"size": 5, "komi": 0.5}),
            PlaySettings(),
            "--agent=uct_agent '--position=...../...../..b../...../..... w - 0.5' --game=go --size=5",
        ),
    ],
)
def test_the_command_to_go_on_can_be_pasted_and_has_what_is_not_usual(saved, settings, options):
    assert how_to_continue(saved, settings.flags()) == f"To continue this game:\n  python runner.py play {options}"


@pytest.mark.parametrize(
    ("lines", "more", "asks"),
    [(["c3/1r"], {}, True), ([], {}, False), (["e1/3r"], {"saved": ONE_SHORT}, False)],
    ids=["open", "not begun", "over"],
)
def test_ctrl_c_at_a_terminal_asks_before_it_leaves_an_open_game(lines, more, asks):
    with nullcontext() if asks else pytest.raises(KeyboardInterrupt):
        assert "Leave the game?" in play(*lines, CTRL_C, "n", interactive=True, **more).screen.text


# --- Programs -------------------------------------------------------------------------------------------------------


def test_a_broken_agent_is_noticed_before_the_first_board():
    result = invoke("play", "--agent", AGENTS / "raises_in_import.py", text="c3/1r\n")
    assert result.exit_code == NOT_PLAYED
    assert result.stdout == ""
    assert "raises_in_import could not be loaded: ImportError: no module named genius" in result.stderr
    assert "    | ImportError: no module named genius" in result.stderr.splitlines()


THIS_GAME = ("play", "--agent", PLAYS_ON, "--hints", "random_agent")


def test_a_game_over_a_pipe_has_no_escapes_takes_any_bytes_and_ends_with_the_input(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    with command(*THIS_GAME, "--seed", "3") as process:
        process.stdin.buffer.write(b"\xff\xfe\n")
        out, err = process.communicate("c3/1r\nhint\nmoves\n", timeout=PATIENCE_SECONDS)
    assert (process.returncode, err) == (0, "")
    assert "Type a cell, then" in out
    assert f"{PYTHON} plays" in out
    assert "random_agent would play" in out
    assert "\x1b" not in out
    assert "To continue this game" in out
    assert max(map(len, out.splitlines()[:-1])) <= 80  # the last is a command, to be pasted as it is
    assert out.rstrip().endswith("--seed=3 --hints=random_agent")


def test_ctrl_c_leaves_with_130_and_says_how_to_go_on():
    with command(*THIS_GAME, "--moves", "c3/1r d4/0f") as process:
        read_until(process, "stdout", "6 |")
        out, _ = interrupted(process)
    assert "--side=w '--moves=c3/1r d4/0f'" in out


# --- The screen -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ends", [pty.openpty, os.pipe], ids=["terminal", "pipe"])
def test_what_is_typed_on_a_terminal_while_an_agent_thinks_is_ignored_and_nothing_that_comes_over_a_pipe(
    monkeypatch, capsys, ends
):
    one, other = ends()
    keyboard, terminal = (one, other) if ends is pty.openpty else (other, one)
    with open(terminal, encoding="utf-8") as stdin, monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", stdin)
        screen = Screen()
        with screen.waiting("it thinks"):
            os.write(keyboard, b"resign\nc3/")
            assert select.select([terminal], [], [], 30)[0]
        os.write(keyboard, b"d4/0r\n")
        assert screen.ask("w> ") == ("d4/0r" if ends is pty.openpty else "resign")
        with screen.waiting("it thinks"):
            pass
    os.close(keyboard)
    assert capsys.readouterr().out.count("(what you typed while waiting is ignored)") == (ends is pty.openpty)


# --- The person as an agent -----------------------------------------------------------------------------------------


def test_human_agent_asks_until_the_move_is_legal():
    answers, told = iter(["z9", "c3/1r", "d4/0f"]), []
    person = HumanAgent(PENTAGO)
    person.ask = lambda game, position: next(answers)
    person.tell = told.append
    position = PENTAGO.initial().play(PENTAGO.parse_move("c3/1r"))
    assert str(person.step(position, Clock(1))) == "d4/0f"
    assert len(told) == 2


def test_the_last_lines_of_an_agent_that_cannot_be_started_are_below_the_reason():
    session = play()
    session.cannot_play(AgentFailed("ann lost on time (its log says where its threads stood)", ("in step", "in think")))
    assert session.screen.said[-2:] == ["    | in step", "    | in think"]
