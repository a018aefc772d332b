"""Commands of the full screen: keys, dialogs, the list of all commands, and the panels beside and below the board.

`test_play_controller.py` tests what a command does.
"""

import json
import threading
from pathlib import Path

import pytest
from textual.widgets import Input

from game import FIRST, SECOND, load_game
from simulator.fullscreen.board_app import Look
from simulator.fullscreen.keys import KEYS
from simulator.fullscreen.panels import _words, positions_after
from simulator.gtp.analysis import Analysis
from simulator.play.coach import Judgement
from simulator.play.thinker import RankedMove, Request
from simulator.player.lookup import PERSON
from tests.playing import FirstMoveOpponent
from tests.screens import PATIENCE_SECONDS, SHORT, against, on_screen, pentago_from, people, run
from tests.test_game_files import NIM

AGENTS = Path(__file__).parent / "agents"

# --- Keys -----------------------------------------------------------------------------------------------------------


@on_screen(people, opponent=FirstMoveOpponent())
async def test_every_command_has_a_line_of_the_list_and_every_key_a_command(driver):
    assert set(KEYS) <= set(driver.app.commands)
    assert max(len(command.help) for command in driver.app.commands.values()) <= 55
    for name in driver.app.commands:
        if name != "quit":
            await driver.press(KEYS[name].key.split(",")[0]) if name in KEYS else driver.app.obey(name)
            await driver.press("escape")
            assert driver.app._exception is None


@on_screen(people)
async def test_keys_take_back_play_again_and_look_back(driver):
    await driver.type("a1/0r", "b2/1r", "c3/2r")
    await driver.press("u", "u", "U")
    assert driver.played.moves == ["a1/0r", "b2/1r"]
    await driver.press("U", "U")
    assert "There is no move to play again" in driver.text()
    await driver.press("pageup")
    assert "You look at 1. ... " in driver.line(-2)
    await driver.press("enter", "enter")
    assert driver.played.present == 3
    await driver.press("home")
    assert driver.app.board.position.ply == 0
    await driver.press("pagedown", "end")
    assert driver.app.board.position.ply == 3 and driver.app.board.can_choose
    row = next(number for number, line in enumerate(driver.text().splitlines()) if "b2/1r" in line)
    await driver.pilot.click(offset=(driver.line(row).index("b2/1r") + 1, row))
    assert driver.played.shown == 2


@on_screen(people)
async def test_p_stops_the_game_and_lets_it_go_on(driver):
    await driver.press("P")
    assert "Paused" in driver.line(-2)
    await driver.press("enter", "enter")
    await driver.press("escape")
    await driver.type("a1/0r")
    assert driver.played.present == 0
    await driver.press("escape", "P", "enter", "enter")
    assert driver.played.present == 1


@pytest.mark.parametrize("asking", ["ctrl+c", "q"])
@on_screen(people)
async def test_ctrl_c_asks_while_a_game_is_on_and_leaves_while_it_is_asked(driver, asking):
    await driver.type("a1/0r")
    await driver.press("R")
    assert "Resign? Then Black loses the game." in driver.text()
    await driver.press("n", "ctrl+c")
    assert "Leave?" in driver.text()
    await driver.press("n")
    assert driver.app.is_running and len(driver.app.screen_stack) == 1
    await driver.press(asking, "ctrl+c")
    assert driver.app._exit


@on_screen(people)
async def test_help_lists_the_rules_and_every_command_which_can_be_chosen_or_clicked(driver):
    names = list(driver.app.commands)
    await driver.press("question_mark")
    assert "Five of your" in driver.text() and f" of {len(names)}" in driver.text()
    await driver.press(*["down"] * names.index("view"), "enter")
    assert driver.app.shows_thoughts
    await driver.press("question_mark")
    row = next(number for number, line in enumerate(driver.text().splitlines()) if " view " in line)
    await driver.pilot.click(offset=(10, row))
    await driver.drop()
    assert not driver.app.shows_thoughts
    await driver.press("question_mark", "end")
    assert driver.text().count("quit") == 1 and " type " not in driver.text()
    await driver.press("escape")
    assert len(driver.app.screen_stack) == 1


# --- Dialogs --------------------------------------------------------------------------------------------------------


@on_screen(lambda: against("first_agent"), opponent=FirstMoveOpponent())
async def test_a_new_game_of_another_kind_and_with_sides_changed(driver):
    await driver.type("a1/0r")
    await driver.press("n")
    assert "not over" in driver.text()
    await driver.press("down", "down", "down", "enter")
    assert driver.played.game.name == "go" and driver.played.present == 0
    await driver.press("enter")
    assert driver.played.moves[0] == "E5"
    await driver.press("n", "down", "enter")
    assert len(driver.played.moves) == 1 and driver.played.side == SECOND


@on_screen(people, opponent=FirstMoveOpponent())
async def test_who_plays_is_chosen(driver):
    await driver.press("o", "down", "down", "enter")
    assert driver.played.players == [PERSON, "level_agent:level=3"]
    await driver.press("o", "end", "up", "up", "enter")
    await driver.enter("random_agent")
    assert driver.played.players == [PERSON, "random_agent"]
    await driver.press("o", "end", "up", "enter")
    assert driver.played.players == [PERSON, PERSON]
    await driver.press("o", "end", "enter")
    for wrong, words in (("random_agent no_agent", "no agent is called 'no_agent'"), ('"gtp:a b', "No closing quot")):
        await driver.enter(wrong)
        assert words in driver.text()
    await driver.enter(f"'random_agent' {PERSON}")
    assert driver.played.players == ["random_agent", PERSON]


@on_screen(people, look=Look(theme="ansi", animated=False))
async def test_saving_asks_for_a_name_and_before_it_overwrites(driver, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "my"

    await driver.type("a1/0r")
    await driver.press("w")
    assert driver.app.screen.query_one(Input).get_component_rich_style("input--selection").reverse
    await driver.press("m", "y", "enter")  # typing replaces the name that is offered
    assert driver.notice == "Saved as my"
    file.write_text("precious")
    for key, is_written in (("n", False), ("y", True)):
        await driver.type("save my")
        await driver.press(key)
        assert (file.read_text() != "precious") is is_written
    await driver.type("b2/1r")
    await driver.press("l")
    await driver.enter("none.json")
    assert "there is no file none.json" in driver.text()
    await driver.enter("my")
    await driver.press("y")
    assert driver.played.moves == ["a1/0r"]


def test_a_loaded_game_goes_on_with_the_time_that_each_player_has_used_and_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    before = people()
    before.seconds[:] = 75.0, 3600.0
    before.save(tmp_path / "game.json")

    async def test(driver):
        driver.app.now = lambda: driver.app._ticked  # no time passes
        await driver.type(f"load {tmp_path}/game.json", "a1/0r")
        assert "1:15" in driver.line(0) and "60:00" in driver.line(1)
        driver.app.now = lambda: driver.app._ticked + 0.9
        driver.app._tick()
        assert driver.played.seconds[SECOND] > 3600.5

    run(test, people(), is_kept=True)
    kept = json.loads(next(tmp_path.glob("unforced/games/*.game")).read_text())
    assert kept["saved"]["moves"] == ["a1/0r"]


@on_screen(people)
async def test_the_screen_is_alive_while_the_rules_of_another_game_are_compiled(driver, monkeypatch):
    compiled, keys = threading.Event(), ("n", *["down"] * 6, "enter")
    monkeypatch.setattr("simulator.fullscreen.front_end.compile_rules", lambda game: compiled.wait(PATIENCE_SECONDS))

    await driver.press(*keys)
    assert "Preparing the rules" in driver.text() and driver.played.game.name == "pentago"
    await driver.press("escape")
    assert "Preparing the rules" not in driver.text() and driver.played.game.name == "pentago"
    await driver.press(*keys)
    compiled.set()
    await driver.until(lambda: driver.played.game.name == "kalah")
    assert "Preparing the rules" not in driver.text()


@on_screen(lambda: against("first_agent"), opponent=FirstMoveOpponent())
async def test_of_a_loaded_game_whose_agent_has_gone_it_is_said_who_plays_instead(driver, tmp_path):
    against("players/has_gone.py").save(tmp_path / "game.json")
    await driver.type(f"load {tmp_path}/game.json")
    assert "players/has_gone.py. uct_agent plays instead" in driver.notice
    assert driver.played.players == [PERSON, "uct_agent"]


# --- Agents ---------------------------------------------------------------------------------------------------------


@on_screen(lambda: against(f"{AGENTS}/raises_in_import.py"))
async def test_an_agent_that_cannot_be_started_is_named_and_another_one_is_chosen(driver):
    await driver.until(lambda: "Choose who plays" in driver.notice, "the reason")
    assert "raises_in_import" in driver.notice and driver.played.present == 0
    await driver.type("agent players/has_gone.py")
    assert driver.notice == "Not done: there is no file players/has_gone.py"
    await driver.type(f"agent {AGENTS}/raises_in_step.py")
    await driver.turn()
    await driver.type("a1/0r")
    await driver.until(lambda: driver.played.present == 2 or driver.played.is_over)
    if not driver.played.is_over:
        await driver.type(str(driver.played.position.legal_moves()[0]))
    await driver.until(lambda: driver.played.is_over, "the end")
    assert driver.played.winner == FIRST and "crashed" in driver.text()


class Slow(FirstMoveOpponent):
    """Answers when a test calls `answer_now`; `request` is the last request."""

    request: Request[object]

    def _task(self, work):
        self.request, self.work = Request(self.name, True), work
        return self.request

    def answer_now(self):
        self.request.run(self.work)


def test_an_agent_that_starts_and_thinks_is_waited_for_and_keys_are_not_played_meanwhile():
    opponent = Slow()

    async def test(driver):
        await driver.press("enter")
        chosen = driver.app.board.chosen
        opponent.answer_now()
        await driver.until(lambda: not driver.app.controller.starting)
        assert chosen and driver.app.board.chosen == chosen  # what was chosen is kept
        await driver.press("enter")
        assert "is thinking" in driver.line(-2)
        await driver.press(*["enter"] * 6)
        assert driver.played.present == 1
        await driver.press("space")
        assert opponent.request.hurries
        opponent.answer_now()
        await driver.until(lambda: driver.played.present == 2)
        assert driver.app.board.chosen == ()

    run(test, against("first_agent"), opponent=opponent)


def seconds_in(line, words):
    """The number of seconds that follows these words."""
    return int(line.partition(words)[2].split()[0])


def test_the_seconds_of_those_who_are_waited_for_are_counted():
    opponent = Slow()

    async def test(driver):
        await driver.press("h")
        opponent.request._started -= 2
        driver.app.lines.count()
        assert 2 <= seconds_in(driver.notice, "first_agent is thinking about it ... ") < PATIENCE_SECONDS
        await driver.press("v")
        assert driver.app.shows_thoughts
        opponent.answer_now()
        await driver.until(lambda: "first_agent would play" in driver.text())
        await driver.type("agent w random_agent")
        opponent.request._started -= 2
        driver.app.lines.count()
        await driver.drop()
        assert 2 <= seconds_in(driver.line(-2), "Starting first_agent ... ") < PATIENCE_SECONDS

    run(test, people(), opponent=opponent, hints="first_agent")


# --- Advice ---------------------------------------------------------------------------------------------------------


@on_screen(lambda: pentago_from(SHORT), opponent=FirstMoveOpponent())
async def test_a_hint_is_shown_on_the_board(driver):
    await driver.press("h")
    assert driver.app.board.expected and "irst_agent would play e1/0r. On the board it is marked 1." in driver.text()
    await driver.press("escape")
    assert not driver.app.board.expected


@on_screen(people, opponent=FirstMoveOpponent())
async def test_the_coach_speaks_beside_the_board_until_the_next_move_or_change(driver):
    await driver.press("c")
    await driver.type("b2/0r")
    await driver.until(lambda: "Coach: a good move" in driver.text())
    assert "looking at" not in driver.notice
    await driver.press("u")
    assert "Coach: " not in driver.text()


@on_screen(lambda: pentago_from(SHORT))
async def test_the_ranked_moves_do_not_open_over_another_dialog(driver):
    await driver.press("n")
    driver.app.front_end.show_ranked("it", [RankedMove(None, "e1/3f", 1, 1.0, "win", ("e1/3f",))])
    await driver.drop()
    assert "A new game" in driver.text() and "Moves, the best first" not in driver.text()
    await driver.press("escape")
    assert "press a to see them" in driver.text()
    await driver.press("a")
    assert "Moves, the best first" in driver.text()


def ranked_in(driver):
    """A ranking of two moves of the position that is shown."""
    game, position = driver.played.game, driver.played.shown_position
    pairs = zip(position.legal_moves(), (1000, 99), strict=False)
    return [RankedMove(move, text := game.format_move(move), visits, 0.6, None, (text,)) for move, visits in pairs]


def board_lines(driver):
    """The lines of the screen where the board is."""
    board = driver.app.board.region
    return [line[: board.width].rstrip() for line in driver.text().splitlines()[: board.height]]


@pytest.mark.parametrize("played", [people(), people("go", size=19), people("kalah", pits=10)], ids=["p", "go", "k"])
def test_ranked_moves_stand_beside_the_board_which_shows_the_one_under_the_cursor(played):
    async def test(driver):
        ranked = ranked_in(driver)
        driver.app.board.expect((ranked[1].move,))
        await driver.drop()
        expected = board_lines(driver)
        driver.app.front_end.show_ranked("it", ranked)
        await driver.press("down")
        assert board_lines(driver) == expected
        beside = "\n".join(line[driver.app.board.region.width :] for line in driver.text().splitlines())
        assert "60.0%     1,000" in beside and "-        99" in beside
        assert beside.index("chance") - beside.index("move") == max(4, *(len(one.text) for one in ranked)) + 1
        await driver.press("escape")
        assert not driver.app.board.expected

    run(test, played)


@on_screen(people)
async def test_what_is_said_while_the_coach_looks_through_the_game_stays(driver):
    front_end, answers = driver.app.front_end, []
    front_end.when_done(Request("uct_agent", True), answers.append, "looking: 1 of 3 positions")
    front_end.when_done(Request("uct_agent", True), answers.append, "looking: 2 of 3 positions", goes_on=True)
    assert driver.notice == "Looking: 1 of 3 positions"  # until the next answer comes
    front_end.say("")
    front_end.when_done(Request("uct_agent", True), answers.append, "looking: 2 of 3 positions", goes_on=True)
    assert driver.notice == "Looking: 2 of 3 positions"
    front_end.say("saved as game.json")
    front_end.when_done(Request("uct_agent", True), answers.append, "looking: 3 of 3 positions", goes_on=True)
    assert driver.notice == "Saved as game.json"
    front_end.when_done(Request("uct_agent", True), answers.append, "looking: 3 of 3 positions")
    assert driver.notice == "Looking: 3 of 3 positions"


@on_screen(people)
async def test_the_turning_points_stand_beside_the_board_which_shows_the_one_under_the_cursor(driver):
    await driver.type("a1/0r", "b2/1r", "c3/1r")
    wrong = [Judgement(ply, ply, "a1/0r", 0.9, 0.1, "chances dropped", "f6/3f", ("f6/3f",)) for ply in (0, 1)]
    for key, shown in (("escape", 3), ("enter", 1)):
        driver.app.front_end.show_summary(wrong)
        await driver.press("down")
        assert driver.played.shown == 1 and driver.app.board.expected
        assert "1 │" in board_lines(driver)[2] and "winning chance" in driver.text()
        await driver.press(key)
        assert driver.played.shown == shown


@on_screen(people)
async def test_a_move_that_is_played_while_a_list_is_open_is_on_the_board_after_it(driver):
    await driver.type("a1/0r")
    ranked, wrong = ranked_in(driver), Judgement(0, 0, "a1/0r", 0.9, 0.1, "chances dropped", "f6/3f", ("f6/3f",))
    for key, open_list in (
        ("enter", lambda: driver.app.front_end.show_ranked("it", ranked)),
        ("escape", lambda: driver.app.front_end.show_summary([wrong])),
    ):
        open_list()
        await driver.drop()
        driver.app.controller.play(driver.played.position.legal_moves()[-1])
        await driver.press(key)
        assert driver.played.shown == driver.played.present and "is marked 1 on the board" not in driver.notice
    assert driver.played.present == 3


def test_an_expected_line_ends_where_the_rules_of_a_file_fail(tmp_path):
    path = tmp_path / "nim.py"
    path.write_text(f"{NIM}def legal_moves(state): return [1] if state[0][0] > 2 else 1 // 0\n")
    game = load_game(str(path))
    assert len(positions_after(game, game.initial(), ["1"] * 5)) == 3


def test_a_number_of_moves_is_named_only_for_a_line_that_ends_the_game():
    game = pentago_from(SHORT)
    game.play(game.game.parse_move("e1/3f", game.position))
    for line, words in ((("e1/3f",), "a win for White in 1 move\n"), (("e2/3f", "e1/3f"), "a win for White\n")):
        text = "\n".join(_words(game, 1, Analysis(proven="win", pv=line), 1.0)) + "\n"
        assert words in text
