"""The controller of a game: every command, whose turn it is, and which answers of agents are used when."""

import os
from functools import partial
from unittest.mock import Mock

import pytest

from agents.agent import AgentError
from game import FIRST as WHITE
from game import SECOND as BLACK
from game import RulesError, load_game
from simulator.play.autosave import Autosave, newest
from simulator.play.coach import Judgement
from simulator.play.commands import COMMANDS
from simulator.play.settings import PlaySettings
from simulator.play.thinker import AgentFailed, Request
from simulator.player.lookup import PERSON
from simulator.records.saved_game import SavedGame
from tests.leagues import random_game, write_games
from tests.playing import (
    ANSWERS,
    FIRST,
    ONE_SHORT,
    SECOND,
    TWO_AGENTS,
    TWO_PEOPLE,
    FirstMoveOpponent,
    Oracle,
    controller_of,
    game_of,
    type_in,
)


def said(*lines, **more):
    """The last sentence after these lines."""
    return controller_of(*lines, **more).front_end.said[-1]


def moves(*lines, **more):
    """The moves of the game after these lines."""
    return controller_of(*lines, **more).played.moves


# --- All commands ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("saved", [None, ONE_SHORT])
@pytest.mark.parametrize("command", [*COMMANDS, "?", "QUIT", "exit", "players"])
def test_every_command_works_at_any_time(command, saved):
    controller, heard = controller_of(saved=saved), 0
    for line in (command, "e1/3r", command):
        type_in(controller, line)
        before, heard = heard, len(controller.front_end.said) + len(controller.front_end.told)
        assert heard > before or line == "pause"


@pytest.mark.parametrize("name", [name for name, command in COMMANDS.items() if not command.argument])
def test_a_command_that_takes_nothing_says_so_and_is_not_run(name):
    controller = controller_of(f"{name} now", "c3/1r")
    assert f"type {name} alone, without 'now'" in controller.front_end.said
    assert len(controller.played.moves) == 2


@pytest.mark.parametrize("command", ["undo", "redo", "back", "forward"])
@pytest.mark.parametrize("number", ["0", "-1", "1.5", "x", "1 2", "\u00b2", "9" * 5000])
def test_what_is_no_positive_number_is_refused_in_words(command, number):
    controller = controller_of("c3/1r", f"{command} {number}")
    assert f"type a number from 1 on, as in {command} 2, not" in controller.front_end.said[-1]
    assert controller.played.present == controller.played.shown == 2


# --- Back and forth -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        ("c3/1r", ["c3/1r", "a1/0r"]),
        ("sides", ["a1/0r"]),
        ("sides new", ["a1/0r"]),
        (f"sides setup_{ONE_SHORT.position.replace(' ', '_')}", ["e1/0r"]),
        (f"setup_{ONE_SHORT.position.replace(' ', '_')} e1/3r c3/1r", ["e1/3r"]),
        ("c3/1r d4/1r undo", ["c3/1r", "a1/0r"]),
        ("c3/1r undo undo", []),
        ("c3/1r d4/0f e5/0f undo_2", ["c3/1r", "a1/0r"]),
        ("c3/1r d4/0f resign undo_2", ["c3/1r", "a1/0r"]),
        ("c3/1r resign undo", ["c3/1r", "a1/0r"]),
        ("c3/1r resign undo undo", []),
        ("resign undo c3/1r", ["c3/1r", "a1/0r"]),
        ("c3/1r undo redo", ["c3/1r", "a1/0r"]),
        ("c3/1r d4/0f undo_2 redo", ["c3/1r", "a1/0r"]),
        ("c3/1r d4/0f undo_2 redo_2", ["c3/1r", "a1/0r", "d4/0f", "b1/0r"]),
        ("c3/1r d4/0f undo_2 c3/1r redo", ["c3/1r", "a1/0r", "d4/0f", "b1/0r"]),  # playing the undone move again
        ("c3/1r d4/0f undo_2 e5/0f redo", ["e5/0f", "a1/0r"]),  # after another move, nothing is left to redo
        ("c3/1r d4/0f undo_3", ["c3/1r", "a1/0r", "d4/0f", "b1/0r"]),
        ("c3/1r d4/0f look_2 here e5/0f", ["c3/1r", "a1/0r", "e5/0f", "b1/0r"]),
    ],
)
def test_these_lines_lead_to_these_moves(lines, left):
    assert moves(*(line.replace("_", " ") for line in lines.split())) == left


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["c3/1r", "d4/0f", "undo 3"], "there are only 2 moves to take back"),
        (["c3/1r", "undo 2"], "there is only 1 move to take back"),
        (["undo"], "there is no move to take back"),
        (["redo"], "there is no move to play again"),
        (["c3/1r", "d4/0f", "undo 2", "redo", "redo 2"], "there is only 1 move to play again"),
        (["here"], "you are looking at the present position already: play on"),
        (["c3/1r", "look"], "type look and the number of a move, 0 to 2, as in look 2"),
        (["c3/1r", "look 3"], "type look and the number of a move, 0 to 2, as in look 2"),
        (["c3/1r", "look -1"], "type look and the number of a move, 0 to 2, as in look 2"),
        (["go"], "the game is not paused"),
        (["now"], "no agent is thinking. While one thinks, now makes it move at once"),
        (["coach perhaps"], "type coach on or coach off, not 'perhaps'"),
        (["summary"], "no move has been played"),
        (["c3/1r", "back", "e5/0f"], "not played: you look at move 1 of 2. Type end to go on with the game, or here"),
        (["c9/1r"], "there is no cell c9"),
        (["c3/1r", "undo", "c3/1r", "b3/9r"], "quadrant 9"),
        (["setup"], "The one shown is:\n  ....../....../....../....../....../...... w"),
        (["setup x"], "'x' is not a position"),
        (["save"], "save where?"),
        (["save --force"], "save where?"),
        (["save ~nobody-of-that-name/game.json"], "not saved: "),
        (["save game.sgf"], "not saved: pentago cannot be written as SGF"),
        (["load"], "load what?"),
        (["level"], "type level and a number or a name, as in level 3. The levels are: 1 first steps, 2 beginner,"),
        (["level 99"], "there is no level '99'; there are: 1 first steps,"),
        (["c3/1r", "agent x me"], "no player is called x: w and b play here"),
        (["c3/1r", "agent no:thing"], "not done: in 'no:thing', 'thing' is no option"),
        (["c3/1r", "new later"], "type new alone, or with other players: new sides, new level 3"),
        (["c3/1r", "new sides 2"], "type new sides alone, without '2'"),
        (["c3/1r", "new agent"], "type new agent and a name, as in agent random_agent"),
        (["c3/1r", "new agent no:thing"], "not done: in 'no:thing', 'thing' is no option"),
        (["agent"], "You play White (W) against first_agent."),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_and_changes_nothing(lines, words):
    controller = controller_of(*lines)
    assert words in controller.front_end.said[-1]
    assert controller.played.moves == moves(*lines[:-1])
    assert controller.played.players == list(FIRST)


def test_undo_where_two_agents_play_pauses_them():
    controller = controller_of(players=TWO_AGENTS, saved=ONE_SHORT)
    assert controller.played.is_over
    type_in(controller, "undo")
    assert controller.is_paused and not controller.played.is_over


def test_looking_back_leaves_the_game_and_loses_nothing():
    controller = controller_of("c3/1r", "d4/0f", "back 3", "forward")
    assert (controller.played.shown, controller.played.present) == (2, 4)
    for line, shown in (("first", 0), ("look 3", 3), ("end", 4), ("back 9", 0), ("last", 4)):
        type_in(controller, line)
        assert controller.played.shown == shown


def test_an_illegal_move_is_told_from_one_that_cannot_be_read():
    go = load_game("go", size=5)
    assert said("C3", "C3", game=go, players=TWO_PEOPLE) == "not legal: C3 is taken"
    assert said("C9", game=go, players=TWO_PEOPLE).startswith("C9 is not on this board")
    assert said("e1/3r", "f1/3r", saved=ONE_SHORT) == "the game is over"


# --- Who plays ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "line", "after"),
    [
        (FIRST, "sides", list(SECOND)),
        (FIRST, "level 2", [PERSON, "level_agent:level=2"]),
        (SECOND, "level casual", ["level_agent:level=3", PERSON]),
        (FIRST, "agent random_agent", [PERSON, "random_agent"]),
        (FIRST, "agent b me", list(TWO_PEOPLE)),
        (FIRST, "agent me", list(TWO_PEOPLE)),
        (FIRST, "agent w random_agent", ["random_agent", "first_agent"]),
        (TWO_PEOPLE, "agent random_agent", [PERSON, "random_agent"]),
        (TWO_PEOPLE, "agent w random_agent", ["random_agent", PERSON]),
    ],
)
def test_who_plays_is_chosen(before, line, after):
    for command in (line, f"new {line}"):
        assert controller_of(command, players=before).played.players == after


def test_it_is_said_who_plays():
    assert said("agent", players=TWO_PEOPLE) == "Two people: White (W) moves first, then Black (B)."


def test_who_cannot_be_started_pauses_the_beginning_of_a_game_and_later_those_play_on_who_played(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    broken = FirstMoveOpponent(fails_to_start=AgentFailed("it fell over", ()))
    controller = controller_of(opponent=broken)
    assert controller.is_paused and str(controller.front_end.last("cannot_play")[0]) == "it fell over"
    type_in(controller, "go")
    type_in(controller, "c3/1r")
    assert len(controller.played.moves) == 2
    broken.fails_to_start = AgentFailed("it fell over", ())
    controller._started.clear()  # as if another agent were to be started
    controller.front_end.waits = True
    with Autosave(PlaySettings()) as controller.autosave:
        type_in(controller, "level 2")
        controller.front_end.deliver()
    assert controller.front_end.said[-1] == "not done: it fell over"
    assert controller.played.players == list(FIRST) and not controller.is_paused
    assert newest().saved == controller.played.saved()  # the agent that fell over would refuse --resume


# --- An agent's turn ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("instead", "result", "words"),
    [
        ("resign", "W+R", "first_agent resigns; you win"),
        (AgentFailed("it fell over", ("last words",)), "W+F", "it fell over; you win"),
    ],
)
def test_an_agent_that_resigns_or_fails_loses_and_can_be_asked_again(instead, result, words):
    controller = controller_of("c3/1r", opponent=FirstMoveOpponent(instead))
    assert (controller.played.forfeit.result, controller.played.ending()) == (result, words)
    type_in(controller, "undo")
    assert controller.played.moves == []


def test_a_fault_of_this_machine_pauses_and_decides_no_game():
    controller = controller_of("c3/1r", opponent=FirstMoveOpponent(OSError("no more processes")))
    assert controller.is_paused and not controller.played.is_over
    assert controller.front_end.said[-1] == "first_agent could not be asked: no more processes"


def test_an_answer_is_played_when_nobody_pauses_and_what_is_shown_is_over():
    controller = controller_of("c3/1r", ANSWERS, "pause", ANSWERS, waits=True)
    assert controller.played.present == 1
    controller.is_paused = False
    controller.next_turn(may_play=False)
    assert controller.played.present == 1
    controller.next_turn()
    assert controller.played.present == 2


def test_an_answer_while_an_earlier_position_is_looked_at_leaves_that_on_the_board():
    controller = controller_of("c3/1r", ANSWERS, "first", ANSWERS, waits=True)
    assert (controller.played.present, controller.played.shown) == (2, 0)
    assert controller.front_end.said[-1] == "a1/0r was played: End shows it"


def test_an_answer_to_a_position_that_was_taken_back_is_not_played():
    assert moves("c3/1r", ANSWERS, "undo", ANSWERS, waits=True) == []


def test_now_and_pause_are_told_to_the_agent_that_thinks():
    controller = controller_of("c3/1r", ANSWERS, waits=True)
    controller.thinking = request = Request("first_agent", True)
    type_in(controller, "pause")
    assert request.is_paused and controller.is_paused
    type_in(controller, "go")
    assert not request.is_paused
    type_in(controller, "pause")
    type_in(controller, "now")
    assert request.hurries and not controller.is_paused
    controller.thinking = Request("engine", False)
    type_in(controller, "now")
    assert "engine cannot be told to move now" in controller.front_end.said[-1]


def test_a_resignation_does_not_change_a_game_that_has_ended_while_it_was_asked_about():
    controller = controller_of("c3/1r", players=TWO_PEOPLE)
    controller.front_end.confirm = lambda question, then: (controller.played.lose(WHITE), then())
    type_in(controller, "resign")
    assert controller.played.winner == BLACK
    assert said("resign", "resign") == "the game is over"
    assert controller_of("c3/1r", "resign").played.ending() == "you resign; first_agent wins"


# --- Advice ---------------------------------------------------------------------------------------------------------


def test_a_hint_names_a_move_of_the_position_that_is_looked_at_without_playing_it():
    controller = controller_of("e1/3r", "hint", saved=ONE_SHORT)
    assert controller.front_end.said[-1] == "no advice: the game is over in this position"
    type_in(controller, "back")
    type_in(controller, "hint")
    name, answer = controller.front_end.last("show_hint")
    assert (name, str(answer.move)) == ("first_agent", "e1/0r")
    type_in(controller, "analyze")
    assert [one.text for one in controller.front_end.last("show_ranked")[1]] == ["e1/0r"]
    assert len(controller.played.moves) == 1


@pytest.mark.parametrize("error", [AgentFailed("it fell over", ()), RulesError("it fell over")])
def test_advice_that_cannot_be_had_is_told_and_can_be_asked_for_again(error):
    controller = controller_of("hint", "hint", opponent=FirstMoveOpponent(error))
    assert controller.front_end.said == ["no advice: it fell over"] * 2


def test_the_same_question_is_asked_once_and_another_one_when_it_is_answered():
    controller = controller_of("hint", "hint", players=TWO_PEOPLE, waits=True)
    assert len(controller.front_end.undelivered) == 1
    type_in(controller, "analyze")
    first_then = "first_agent first answers the earlier question, then gives a ranking of all moves"
    assert controller.front_end.said[-1] == first_then
    assert len(controller.front_end.undelivered) == 1
    controller.front_end.deliver()
    assert controller.front_end.last("show_hint") and not controller.front_end.last("show_ranked")
    controller.front_end.deliver()
    assert controller.front_end.last("show_ranked")


class Silent(FirstMoveOpponent):
    """Does not say what it thinks of moves."""

    def ranked(self, positions):
        raise AgentFailed("first_agent does not analyse", ())


def test_a_question_that_came_meanwhile_is_asked_though_the_one_before_has_no_answer():
    lines = ("analyze", "hint", ANSWERS, ANSWERS)
    front_end = controller_of(*lines, players=TWO_PEOPLE, waits=True, opponent=Silent()).front_end
    assert front_end.said[-1] == "no advice: first_agent does not analyse"
    assert front_end.last("show_hint") and not front_end.undelivered


@pytest.mark.parametrize(
    ("lines", "what", "told", "words"),
    [
        (["hint", "c3/1r", ANSWERS], "show_hint", None, ""),
        (["coach", "a1/0r", ANSWERS, "undo", ANSWERS], "show_judgement", (None,), ""),
        (["c3/1r", "d4/1r", "summary", "e5/1r", *[ANSWERS] * 3], "show_summary", None, "the coach has looked through"),
        (["c3/1r", "d4/1r", "summary", "undo", *[ANSWERS] * 3], "show_summary", None, ""),
    ],
)
def test_advice_on_what_is_not_looked_at_any_more_is_not_shown(lines, what, told, words):
    front_end = controller_of(*lines, players=TWO_PEOPLE, waits=True).front_end
    assert (front_end.last(what), front_end.undelivered) == (told, [])
    assert words in "".join(front_end.said)


def test_the_coach_speaks_only_when_it_is_on():
    assert controller_of("f1/3r", saved=ONE_SHORT, opponent=Oracle()).front_end.last("show_judgement") == (None,)
    for lines, switched_on, kind in (
        (("coach on", "f1/3r"), False, "win thrown away"),
        (("coach on", "e1/3r"), False, ""),
        (("f1/3r",), True, "win thrown away"),
    ):
        controller = controller_of(
            *lines, saved=ONE_SHORT, opponent=Oracle(), players=TWO_PEOPLE, settings={"coach": switched_on}
        )
        assert controller.front_end.last("show_judgement")[0].kind == kind


def test_a_coach_that_cannot_analyse_says_so_once_and_the_game_goes_on():
    controller = controller_of("coach on", "c3/1r", "d4/1r", opponent=Silent())
    assert controller.front_end.said.count("the coach is off from now on: first_agent does not analyse") == 1
    assert len(controller.played.moves) == 4


def test_the_summary_looks_at_each_position_once():
    controller = controller_of("c3/1r", "d4/1r", "summary", players=TWO_PEOPLE, waits=True)
    type_in(controller, "summary")  # the summary is already being made
    for _ in range(3):
        assert len(controller.front_end.undelivered) == 1
        controller.front_end.deliver()
    assert [type(one) for one in controller.front_end.last("show_summary")[0]] == [Judgement] * 2


def test_the_coach_asks_nobody_of_another_game_about_the_game_before():
    controller = controller_of("c3/1r", "summary", players=TWO_PEOPLE, waits=True)
    controller.begin_with(partial(controller.played.new_game, load_game("kalah")))
    controller.front_end.deliver()
    assert not controller.front_end.undelivered
    type_in(controller, "1")
    type_in(controller, "summary")
    while controller.front_end.undelivered:
        controller.front_end.deliver()
    assert len(controller.front_end.last("show_summary")[0]) == 1


def test_a_move_is_kept_before_the_coach_looks_at_it():
    class Watched(Oracle):
        def ranked(self, positions):
            looked.append(list(kept))
            return super().ranked(positions)

    kept, looked = [], []
    controller = controller_of("coach", saved=ONE_SHORT, opponent=Watched())
    controller.keep = lambda: kept.append(controller.played.moves)
    type_in(controller, "f1/3r")
    assert looked[0] == [["f1/3r"]]


# --- What is asked before it is done ------------------------------------------------------------------------------


PUT_AWAY = "The game on the board is not over. Leave it?"
WITH_THESE = "The game is over, and keeps its players. Begin a new game with these?"


@pytest.mark.parametrize(
    ("before", "line", "question"),
    [
        ("c3/1r", "new", PUT_AWAY),
        ("c3/1r", f"setup {ONE_SHORT.position}", PUT_AWAY),
        ("c3/1r", "load game.json", PUT_AWAY),
        ("c3/1r", "save game.json", "game.json exists. Overwrite it?"),
        ("c3/1r", "resign", "Resign? Then you lose the game."),
        *(("resign", line, WITH_THESE) for line in ("sides", "level 2", "agent random_agent", "agent b me")),
    ],
)
def test_what_cannot_be_undone_is_done_only_if_it_is_meant(tmp_path, monkeypatch, before, line, question):
    def state():
        played = controller.played
        return played.moves, played.players, played.is_over, file.read_text()

    monkeypatch.chdir(tmp_path)
    file = tmp_path / "game.json"
    game_of().save(file)
    controller = controller_of(before)
    controller.front_end.questions.clear()
    was, controller.front_end.agrees = state(), False
    type_in(controller, line)
    assert (state(), controller.front_end.questions) == (was, [question])
    controller.front_end.agrees = True
    type_in(controller, line)
    assert state() != was


# --- Files ----------------------------------------------------------------------------------------------------------


def test_a_game_is_written_over_a_file_unasked_with_force_and_comes_back_with_its_players(tmp_path):
    file = tmp_path / "my game.json"
    file.write_text("a poem")
    controller = controller_of("c3/1r", f"save {file} --force", players=TWO_PEOPLE)
    assert controller.front_end.last("saved") == (file, str(file))
    assert controller.front_end.questions == []
    loaded = controller_of("d4/1r", f"load {file}")
    assert (loaded.played.moves, loaded.played.persons) == (["c3/1r"], [0, 1])


@pytest.mark.parametrize("mark", ['"', "'"])
def test_a_name_with_blanks_may_be_quoted(tmp_path, mark):
    file = tmp_path / "my game.json"
    quoted = f"{mark}{file}{mark}"
    controller_of("c3/1r", f"save {quoted}", f"save {quoted} --force", players=TWO_PEOPLE)
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    assert controller_of("d4/1r", f"load {quoted}").played.moves == ["c3/1r"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("load {}", "not loaded: {} is a folder"),
        ("load {}/pipe", "not loaded: {}/pipe is a pipe or a device"),
        ("load /dev/zero", "not loaded: /dev/zero is a pipe or a device"),
        ("load {}/none.json", "not loaded: there is no file {}/none.json"),
        ("load {}/poem", "{}/poem is not a saved game: it is neither JSON nor SGF"),
        ("save {}", "not saved: cannot write {}: it is a folder"),
        ("save {}/pipe", "not saved: cannot write {}/pipe: a file of that name exists already"),
        ("save {}/pipe --force", "{}/pipe is a pipe or a device, not a file"),
        ("save {}/none/game.json", "not saved: cannot write {}/none/game.json: no such folder"),
    ],
)
def test_what_is_no_file_is_refused_in_words(tmp_path, line, words):
    os.mkfifo(tmp_path / "pipe")  # a program that opens it waits for somebody who writes
    (tmp_path / "poem").write_text("a poem")
    told = said(line.format(tmp_path))
    assert words.format(tmp_path) in told
    assert "Errno" not in told


def test_a_file_that_goes_before_the_answer_is_explained(tmp_path):
    file = tmp_path / "game.json"
    game_of().save(file)
    controller = controller_of("c3/1r")
    controller.front_end.confirm = lambda question, then: (file.unlink(), then())
    type_in(controller, f"load {file}")
    assert controller.front_end.said[-1].startswith("not loaded: there is no file")
    assert len(controller.played.moves) == 2


def test_a_file_whose_games_rules_fail_is_refused_and_the_game_goes_on(tmp_path):
    game_of(TWO_PEOPLE, game=load_game("kalah")).save(tmp_path / "kalah.json")
    controller = controller_of("c3/1r", players=TWO_PEOPLE)
    controller.front_end.prepare_rules = Mock(side_effect=RulesError("legal_moves fails"))
    type_in(controller, f"load {tmp_path}/kalah.json")
    assert controller.front_end.said[-1] == "not loaded: legal_moves fails"
    assert controller.played.moves == ["c3/1r"]


def test_the_rules_of_another_game_are_compiled_once_and_before_it_begins(tmp_path):
    game_of(TWO_PEOPLE, game=load_game("kalah")).save(tmp_path / "kalah.json")
    controller, prepared = controller_of(players=TWO_PEOPLE), []
    controller.front_end.prepare_rules = lambda game, begin: prepared.append(begin)
    for _ in range(2):
        type_in(controller, f"load {tmp_path}/kalah.json")
        assert controller.played.game.name == "pentago"
    prepared[0]()
    type_in(controller, f"load {tmp_path}/kalah.json")
    assert controller.played.game.name == "kalah" and len(prepared) == 2


def test_of_a_loaded_game_only_an_agent_that_has_gone_is_replaced(tmp_path):
    file = tmp_path / "game.json"
    game_of(("players/has_gone.py", PERSON), SavedGame(moves=("c3/1r",))).save(file)
    controller = controller_of(f"load {file}", players=TWO_PEOPLE)
    why = "there is no file players/has_gone.py"
    assert controller.front_end.said[-1] == f"an agent of this game cannot play: {why}. uct_agent plays instead"
    assert (controller.played.moves, controller.played.players) == (["c3/1r"], ["uct_agent", PERSON])


def test_a_finished_game_keeps_an_agent_that_has_gone(tmp_path):
    before = game_of((PERSON, "players/has_gone.py"), SavedGame(moves=("c3/1r",)))
    before.lose(WHITE)
    before.save(tmp_path / "game.json")
    controller = controller_of(f"load {tmp_path}/game.json")
    assert not controller.front_end.said
    assert controller.played.is_over and controller.played.players[1] == "players/has_gone.py"


def test_an_agent_that_has_gone_is_missed_when_its_finished_game_is_open_again():
    controller = controller_of("c3/1r", "resign")
    controller.agents.player = Mock(side_effect=AgentError("it has gone"))
    type_in(controller, "undo")
    assert controller.is_paused and str(controller.front_end.last("cannot_play")[0]) == "it has gone"


def test_a_finished_game_of_a_match_is_nobodys(tmp_path):
    file = write_games(tmp_path / "match.jsonl", random_game(("alpha", "beta")))
    played = controller_of(f"load {file}").played
    assert played.is_over and "you" not in played.ending()


def test_the_names_of_agents_keep_their_small_letter():
    controller = controller_of(settings={"hints": "gtp:gnugo --mode gtp"})
    for text, shown in (
        ("gnugo would play e5", "gnugo would play e5"),
        ("first_agent would resign", "first_agent would resign"),
        ("level 5 (club) would play e5", "Level 5 (club) would play e5"),
        ("d4 is taken", "d4 is taken"),
        ("not saved", "Not saved"),
    ):
        assert controller.sentence(text) == shown


def test_thoughts_are_kept_by_ply_and_forgotten_with_the_moves():
    controller = controller_of("c3/1r", "d4/0f", "undo", "e5/0f")
    assert sorted(controller.thoughts) == [2, 4]
    type_in(controller, "undo 2", "agent b me", "c3/1r", "d5/0f")
    assert controller.thoughts == {}  # of a move that a person has played since
    type_in(controller, "new")
    assert controller.thoughts == {}
