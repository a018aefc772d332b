"""The commands of a game in lines of text: back and forth, who plays, advice, loading; and one board a turn."""

import os
import pty
import select
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from game import load_game
from runner import main
from simulator.play.autosave import NotKept
from simulator.play.thinker import AgentFailed, RankedMove, Task
from simulator.records.saved_game import SavedGame, replay
from tests.test_terminal import ONE_SHORT, FirstMoveOpponent, moves_of, play, session_of

RUNNER = str(Path(__file__).resolve().parent.parent / "runner.py")
AGENTS = Path(__file__).resolve().parent / "agents"
BOARD = "    a   b   c   d   e   f"
TWO_PEOPLE = ("human_agent", "human_agent")
TWO_AGENTS = ("first_agent", "first_agent")


def boards(session):
    return sum(line.count(BOARD) for line in session.screen.said) // 2


class Oracle(FirstMoveOpponent):
    """Knows that one move wins, and that every answer to any other loses."""

    best = "e1/3r"

    def ranked(self, positions):
        position, game = positions[-1], load_game("pentago")
        if positions[-1].ply % 2:
            move = position.legal_moves()[0]
            return [RankedMove(move, str(move), 5, 0.9, "win", (str(move),))]
        return [RankedMove(game.parse_move(self.best), self.best, 5, 1.0, "win", (self.best, "a1/0r"))]


# --- One board a turn -----------------------------------------------------------------------------------------------


def test_there_is_one_board_for_a_move_and_its_answer():
    assert boards(play()) == 1
    assert boards(play("c3/1r")) == 2
    assert boards(play("c3/1r", "d4/1r", "e5/1r")) == 4


def test_where_the_agent_begins_the_first_board_shows_its_move():
    assert boards(play(side=1)) == 1


def test_two_people_and_two_agents_see_a_board_after_every_move():
    assert boards(play("c3/1r", "d4/1r", players=TWO_PEOPLE)) == 3
    watched = play(saved=ONE_SHORT, players=TWO_AGENTS)
    assert watched.played.is_over
    assert boards(watched) == len(moves_of(watched))


# --- Back and forth -------------------------------------------------------------------------------------------------


def test_redo_brings_back_what_was_undone():
    session = play("c3/1r", "d4/0f", "undo 2", "redo", "redo")
    assert moves_of(session)[::2] == ["c3/1r", "d4/0f"]
    assert "nothing to play again" in play("redo").screen.text
    assert "only 2" not in play("c3/1r", "undo", "redo 3").screen.text
    assert len(moves_of(play("c3/1r", "undo", "redo"))) == 2


def test_looking_back_leaves_the_game_and_takes_no_moves():
    session = play("c3/1r", "d4/0f", "back 3", "e5/0f", "forward", "end")
    assert len(moves_of(session)) == 4
    text = " ".join(session.screen.text.split())
    assert "Position after move 1 of 4." in text
    assert "Not played: you look at move 1 of 4. Type end to go on with the game, or here" in text
    assert "Position after move 2 of 4." in text


def test_look_takes_the_number_of_a_move_that_there_is():
    assert "Position after move 0 of 2." in play("c3/1r", "look 0").screen.text
    for wrong in ("look", "look 3", "look -1", "look x"):
        assert "Type look and the number of a move, 0 to 2" in play("c3/1r", wrong).screen.text


def test_here_plays_on_from_the_position_that_is_looked_at():
    session = play("c3/1r", "d4/0f", "look 2", "here", "e5/0f")
    assert moves_of(session)[:3] == ["c3/1r", "a1/0r", "e5/0f"]
    assert "already" in play("here").screen.text


def test_the_moves_that_were_played_are_listed():
    assert "  1. c3/1r      2. a1/0r" in play("c3/1r", "list").screen.text
    assert "No move has been played." in play("list").screen.text


# --- Who plays ------------------------------------------------------------------------------------------------------


def test_after_a_change_of_sides_the_agent_makes_the_persons_move():
    session = play("sides")
    assert (moves_of(session), session.played.side) == (["a1/0r"], 1)
    assert "You play Black (B) against first_agent." in session.screen.text


def test_a_side_is_given_to_another_agent_or_to_a_person():
    session = play("agent b me", "c3/1r", "d4/1r", "agent w random_agent")
    assert moves_of(session)[:2] == ["c3/1r", "d4/1r"]
    assert session.played.players == ["random_agent", "human_agent"]
    assert "Two people: White (W) moves first, then Black (B)." in session.screen.text


def test_of_two_people_the_side_has_to_be_said():
    text = play("agent random_agent", players=TWO_PEOPLE).screen.text
    assert "Which side? Type agent w random_agent or agent b random_agent." in text
    text = " ".join(play("new level 2", players=TWO_PEOPLE).screen.text.split())
    assert "Which side? Type new agent w level_agent:level=2 or new agent b level_agent:level=2." in text


def test_a_level_is_chosen_by_number_or_name_and_another_is_refused():
    assert play("level 2").played.players[1] == "level_agent:level=2"
    assert "You play White (W) against level 3 (casual)." in play("level casual").screen.text
    session = play("level 99")
    assert "There is no level '99'; there are: 1 first steps," in " ".join(session.screen.text.split())
    assert session.played.players[1] == "first_agent"


def test_level_alone_says_what_to_type_and_lists_the_levels():
    session = play("level")
    text = " ".join(session.screen.text.split())
    assert "Type level and a number or a name, as in level 3. The levels are: 1 first steps, 2 beginner," in text
    assert "no level" not in text
    assert session.played.players[1] == "first_agent"


def test_two_people_resign_for_the_side_that_is_to_move():
    assert "Game over: Black resigns; White wins." in play("c3/1r", "resign", players=TWO_PEOPLE).screen.text


def test_an_agent_that_does_not_exist_leaves_the_players_as_they_are():
    session = session_of(load_game("pentago"), replay(load_game("pentago"), SavedGame()), ["agent no:thing"])
    assert "Not done: in 'no:thing', 'thing' is no option" in session.screen.text
    assert session.played.players[1] == "first_agent"


@pytest.mark.parametrize("typed", ["sides", "level 2", "agent random_agent", "agent b me"])
def test_a_game_that_is_over_keeps_its_players_and_a_new_one_may_begin_with_others(typed):
    session = play("e1/3r", typed, saved=ONE_SHORT)
    assert session.played.is_over
    assert session.played.players == ["human_agent", "first_agent"]
    said = "Not done: the game is over, and keeps its players. To begin another one with these: new "
    assert said + typed in " ".join(session.screen.text.split())
    assert session.screen.text.count("Game over: you win") == 1
    again = play("e1/3r", f"new {typed}", saved=ONE_SHORT)
    assert not again.played.is_over
    assert again.played.players != ["human_agent", "first_agent"]


def test_a_new_game_with_players_that_there_are_not_is_refused_before_the_old_one_goes():
    for typed, said in (
        ("new later", "Type new alone, or with other players: new sides, new level 3"),
        ("new sides 2", "Type new sides alone, without '2'."),
        ("new level 99", "There is no level '99'"),
        ("new agent", "Type new agent and a name, as in agent random_agent."),
        ("new agent no:thing", "Not done: in 'no:thing', 'thing' is no option"),
    ):
        session = play("c3/1r", typed)
        assert len(moves_of(session)) == 2
        assert said in session.screen.text


def test_a_new_game_whose_agent_cannot_be_started_keeps_the_players():
    class Broken(FirstMoveOpponent):
        def start(self):
            raise AgentFailed("random_agent fell over", ())

    session = play("c3/1r", "new agent random_agent", opponent=Broken())
    assert "Not done: random_agent fell over." in session.screen.text
    assert (moves_of(session), session.played.players[1]) == ([], "first_agent")


def test_what_agents_thought_before_sides_were_changed_is_not_said_of_others():
    text = play("c3/1r", "sides", "thoughts").screen.text
    assert "first_agent: it gives no analysis." in text
    assert "you: " not in text


# --- Advice ---------------------------------------------------------------------------------------------------------


def test_analyze_ranks_the_moves_of_the_position_that_is_looked_at():
    text = play("analyze", "c3/1r", "back", "analyze").screen.text
    assert "first_agent's moves for White (W), the best first:" in text
    assert "  a1/0r         -           10  a1/0r" in text  # too few visits for a percentage
    assert "first_agent's moves for Black (B), the best first:" in text
    assert "The game is over." in play("e1/3r", "analyze", saved=ONE_SHORT).screen.text


def test_the_coach_speaks_only_when_it_is_on_and_only_of_mistakes():
    silent = play("d1/3r", "quit", saved=ONE_SHORT, opponent=Oracle())
    assert "Coach:" not in silent.screen.text
    session = play("coach on", "f1/3r", saved=ONE_SHORT, opponent=Oracle())
    said = " ".join(session.screen.text.split())
    assert "Coach: f1/3r threw away a proved win. Better: e1/3r, then a1/0r. (undo takes it back)" in said
    assert "Coach:" not in play("coach on", "e1/3r", saved=ONE_SHORT, opponent=Oracle()).screen.text
    assert "Type coach on or coach off" in play("coach perhaps").screen.text


def test_a_coach_that_cannot_analyse_says_so_once_and_the_game_goes_on():
    class Silent(FirstMoveOpponent):
        def ranked(self, positions):
            raise AgentFailed("first_agent does not analyse", ())

    session = play("coach on", "c3/1r", "d4/1r", opponent=Silent())
    assert session.screen.text.count("The coach is silent from now on: first_agent does not analyse.") == 1
    assert len(moves_of(session)) == 4


def test_the_summary_names_the_turning_points_by_their_number():
    text = " ".join(play("f1/3r", "summary", saved=ONE_SHORT, opponent=Oracle()).screen.text.split())
    assert "2 moves, 1 turning point." in text
    assert "1. you: f1/3r threw away a proved win." in text
    assert "as in look 1." in text
    assert "No move has been played." in play("summary").screen.text
    alone = play("f1/3r", "summary", saved=ONE_SHORT, opponent=Oracle(), players=TWO_PEOPLE)
    assert "1 move, 1 turning point." in alone.screen.text


def test_the_coach_sums_a_game_up_once():
    session = play("coach on", "e1/3r", "sides", "board", "agent random_agent", saved=ONE_SHORT, opponent=Oracle())
    assert session.played.is_over
    assert session.screen.text.count("turning point") == 1


def test_a_move_is_kept_before_the_coach_looks_at_it():
    kept = []

    class Kept(NotKept):
        def write(self, saved, is_over=False):
            kept.append(saved.moves)

    class Watched(Oracle):
        def ranked(self, positions):
            looked.append(list(kept))
            return super().ranked(positions)

    looked = []
    session = session_of(load_game("pentago"), replay(load_game("pentago"), ONE_SHORT), [], opponent=Watched())
    session.kept, session.has_coach = Kept(), True
    session._play("f1/3r")
    assert looked[0] == [("f1/3r",)]


def test_what_is_waited_for_is_known_while_it_is_waited_for():
    session = play()
    task = Task("first_agent", True)
    seen = []
    session.screen.wait = lambda text, wait, on_line: (seen.append(session.tasks), task.run(lambda _: None))
    session.waited(task, "starting ...")
    assert (seen, session.tasks) == ([[task]], [])


# --- The game -------------------------------------------------------------------------------------------------------


def test_a_position_is_set_up_by_its_text():
    session = play(f"setup {ONE_SHORT.position}", "e1/3r")
    assert "Game over: you win" in session.screen.text
    assert "....../....../....../....../....../...... w" in play("setup").screen.text
    assert "Not set up: 'x' is no position" in play("setup x").screen.text


def test_a_game_is_loaded_with_its_players(tmp_path):
    file = tmp_path / "game.json"
    play("c3/1r", f"save {file}", players=("human_agent", "human_agent"))
    session = play("d4/1r", f"load {file}")
    assert (moves_of(session), session.played.persons) == (["c3/1r"], [0, 1])
    assert "Not loaded: " in play(f"load {tmp_path / 'none.json'}").screen.text
    assert "Load what?" in play("load").screen.text


@pytest.mark.parametrize(
    ("name", "words"),
    [("", "is a folder"), ("/pipe", "is a pipe or a device"), ("/none.json", None)],
)
def test_what_is_no_file_is_not_loaded_and_that_is_said_in_words(tmp_path, name, words):
    os.mkfifo(tmp_path / "pipe")
    path = f"{tmp_path}{name}"
    text = " ".join(play(f"load {path}").screen.text.split())
    assert f"Not loaded: {path} {words}" in text if words else f"Not loaded: there is no file {path}" in text
    assert "Errno" not in text


def test_a_folder_or_a_pipe_is_not_written_over(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    folder = " ".join(play(f"save {tmp_path}").screen.text.split())
    assert f"Not saved: cannot write {tmp_path}: it is a folder" in folder
    pipe = " ".join(play(f"save {tmp_path}/pipe --force").screen.text.split())
    assert f"{tmp_path}/pipe is a pipe or a device, and not a file" in pipe


@pytest.mark.parametrize(("answer", "is_new"), [("y", True), ("n", False)])
def test_on_a_terminal_new_asks_before_a_game_is_given_up(answer, is_new):
    session = play("c3/1r", "new", answer, interactive=True)
    assert "This game is not over. Give it up? (y/n) " in session.screen.said
    assert (moves_of(session) == []) is is_new


def test_the_agent_begins_the_new_game_where_it_moves_first():
    assert moves_of(play("c3/1r", "new", side=1)) == ["a1/0r"]


def test_now_and_go_say_that_nobody_thinks():
    text = play("now", "go").screen.text
    assert "Nobody is thinking." in text
    assert "The game is not paused." in text


def test_a_paused_game_waits_for_go():
    session = play("pause", "c3/1r", "list", "go", "d4/1r")
    assert "  1. c3/1r" in session.screen.said
    assert "paused> " in session.screen.said
    assert len(moves_of(session)) == 4


# --- The command line -----------------------------------------------------------------------------------------------


def run(*arguments, lines="", **more):
    return CliRunner().invoke(main, ["play", "--hints", "random_agent", *arguments], input=lines, **more)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "unforced" / "games"


def test_an_interrupted_game_is_resumed_with_its_settings(cache):
    first = run("--agent", "random_agent", "--side", "b", "--handicap", "time=2", lines="d4/1r\n")
    assert first.exit_code == 0, first.output
    again = run("--resume", lines="list\n")
    assert "You play Black (B) against random_agent." in again.output
    assert "2. d4/1r" in again.output
    assert "--handicap=time=2" in again.output


def test_there_may_be_nothing_to_resume(cache):
    result = run("--resume")
    assert (result.exit_code, "there is no game to go on with" in result.output) == (2, True)


def test_a_game_that_is_over_can_be_resumed_once(cache):
    run("--agent", "random_agent", "--position", ONE_SHORT.position, lines="e1/3r\n")
    assert "Game over: you win" in run("--resume").output
    assert list(cache.iterdir()) == []


def test_a_game_that_cannot_be_kept_is_played_and_that_is_said(cache):
    cache.parent.write_text("a file where the folder should be")
    result = run("--agent", "random_agent", lines="c3/1r\n")
    assert result.exit_code == 0
    assert result.output.count("play --resume will not find this game") == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--level", "3", "--agent", "random_agent"], "--level is instead of an --agent"),
        (["--against", "random_agent"], "--against is the second of two agents"),
        (["--resume", "--moves", "c3/1r"], "--resume has its own game"),
        (["--level", "ten"], "there is no level 'ten'"),
        (["--handicap", "0"], "is no handicap"),
        (["--side", "x", "--agent", "random_agent"], "has no side 'x'"),
    ],
)
def test_options_that_cannot_be_are_refused(arguments, complaint):
    result = run(*arguments)
    assert result.exit_code == 2
    assert complaint in " ".join(result.output.split())


@pytest.mark.parametrize("how", [["--plain"], []])
@pytest.mark.parametrize("look", [["--ascii"], ["--theme", "light"], ["--no-animation"]])
def test_options_for_the_full_screen_change_nothing_in_lines(cache, how, look):
    result = run("--agent", "human_agent", *how, *look, lines="quit\n")
    assert result.exit_code == 0, result.output
    assert "Two people" in result.output


def test_two_agents_are_watched_to_the_end(cache):
    position = "wwww../bbb.../....../....../....../b..... w"
    arguments = ["--side", "none", "--agent", "random_agent", "--against", "random_agent", "--position", position]
    result = run(*arguments, lines="list\n")
    assert result.exit_code == 0, result.output
    assert "random_agent as White (W) against random_agent as Black (B)." in result.output
    assert "Game over: " in result.output


def test_human_agent_is_a_second_person(cache):
    result = run("--agent", "human_agent", lines="c3/1r\nd4/1r\n")
    assert "Two people: White (W) moves first, then Black (B)." in result.output
    assert "To continue this game:\n  python runner.py play --agent=human_agent" in result.output


# --- A terminal -----------------------------------------------------------------------------------------------------


def read_until(descriptor, text, seconds=60):
    """What a terminal shows until that text, which has to come."""
    shown, deadline = "", time.monotonic() + seconds
    while text not in shown:
        assert time.monotonic() < deadline, shown
        if select.select([descriptor], [], [], 0.1)[0]:
            shown += os.read(descriptor, 1 << 16).decode()
    return shown


@pytest.fixture
def shell(tmp_path):
    """A shell on a terminal, with job control."""
    pid, descriptor = pty.fork()
    if pid == 0:
        os.environ.update(TERM="dumb", PS1="SHELL> ", XDG_CACHE_HOME=str(tmp_path))
        os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
    read_until(descriptor, "SHELL> ")
    yield descriptor
    os.write(descriptor, b"\x03\nexit\n")
    os.close(descriptor)
    os.waitpid(pid, 0)


def type_in(descriptor, text):
    os.write(descriptor, text.encode())


@pytest.mark.slow
def test_on_a_terminal_ctrl_z_costs_no_time_typing_ahead_is_dropped_and_ctrl_c_asks(shell):
    waits = AGENTS / "waits.py"
    options = f"--agent {waits} --hints random_agent --move-time 2 --first-move-time 30 --cushion 1"
    type_in(shell, f"{sys.executable} {RUNNER} play {options}\n")
    read_until(shell, "w> ")
    type_in(shell, "c3/1r\n")
    time.sleep(0.3)
    type_in(shell, "now\n")
    read_until(shell, "w> ")  # the first move has 30 seconds
    type_in(shell, "d4/1r\nresign\n")
    assert "ignored" in read_until(shell, "ignored")
    type_in(shell, "\x1a")
    read_until(shell, "SHELL> ")
    time.sleep(4)  # more than the move and the cushion
    type_in(shell, "fg\n")
    shown = read_until(shell, "w> ")
    assert "waits plays" in shown
    assert "Game over" not in shown
    type_in(shell, "\x03")
    read_until(shell, "Leave the game? play --resume goes on with it. (y/n) ")
    type_in(shell, "n\n")
    read_until(shell, "w> ")
    type_in(shell, "quit\n")
    assert "To continue this game" in read_until(shell, "SHELL> ")
