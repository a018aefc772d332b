"""Moves on the full screen by keys, by mouse and typed; wrong input; drawing; small terminals; signals."""

import os
import random
import signal
import threading

import pytest
from textual import events
from textual.widgets import Input

from game import RulesError, load_game
from go.position import PASS
from mancala.game import Kalah
from pentago.board_view import Cell, Turn
from simulator.fullscreen.board_app import Look
from simulator.fullscreen.dialogs import Confirm, Wait
from simulator.fullscreen.theme import wanted_theme
from simulator.play.game_in_progress import GameInProgress
from simulator.player.lookup import PERSON
from tests.pictures import area_of, ways_from
from tests.playing import FirstMoveOpponent
from tests.scoundrels.games import PLAYS_ON
from tests.screens import SHORT, against, on_screen, pentago_from, people, run
from tests.test_game_files import NIM

EXAMPLES = "examples/games"  # games in plain Python
NEARLY_FULL = "wwbbww/bbwwbb/wwbbww/bbwwbb/wwbbww/bb.... w"

# --- Whole games ------------------------------------------------------------------------------------------------------


async def choose_by_keys(driver, target):
    """Move the cursor with arrow keys, and press Enter."""
    board = driver.app.board
    ways = ways_from(board.pointed, board.view, board.position, board.chosen)
    await driver.press(*ways[target], "enter")


async def choose_by_mouse(driver, target):
    await driver.click(target)


@pytest.mark.parametrize(
    ("played", "choose"),
    [
        pytest.param(lambda: pentago_from(NEARLY_FULL, (PERSON, PLAYS_ON)), choose_by_keys, id="pentago by keys"),
        pytest.param(lambda: pentago_from(NEARLY_FULL), choose_by_mouse, id="pentago by mouse"),
        pytest.param(lambda: people("go", size=3), choose_by_keys, id="go by keys"),
        pytest.param(lambda: people("go", size=3), choose_by_mouse, id="go by mouse"),
        pytest.param(lambda: people("kalah", pits=3, stones=2), choose_by_mouse, id="kalah by mouse"),
        pytest.param(lambda: people(f"{EXAMPLES}/connect_four.py", columns=4), choose_by_keys, id="columns by keys"),
        pytest.param(lambda: people(f"{EXAMPLES}/tic_tac_toe.py"), choose_by_mouse, id="cells by mouse"),
    ],
)
def test_random_moves_to_the_end_of_a_game(played, choose):
    async def test(driver):
        rng, board = random.Random(2), driver.app.board
        await driver.turn()
        while not driver.played.is_over:
            position, before = driver.played.position, driver.played.present
            targets = list(board.view.targets(position, ()))
            first = PASS if PASS in targets and position.ply > 5 else rng.choice(targets)
            await choose(driver, first)
            if driver.app.board.chosen:
                await choose(driver, rng.choice(board.view.targets(position, (first,))))
            assert driver.played.present > before
            move = driver.played.line[before + 1].last_move
            assert not isinstance(move, tuple) or move[:1] == first[:1]
            await driver.turn()
        assert "Game over" in driver.line(-2)

    run(test, played())


@pytest.mark.parametrize(("game", "options"), [("go", {"size": 3}), ("kalah", {})])
def test_what_is_chosen_twice_at_once_is_played_once(game, options):
    async def test(driver):
        await driver.turn()
        board = driver.app.board
        target = board.view.targets(board.position, ())[3 if game == "kalah" else 0]  # pit 4 of Kalah ends the turn
        board.choose(target)
        board.choose(target)
        await driver.drop()
        assert driver.played.present == 1

    run(test, people(game, **options))


@on_screen(lambda: pentago_from(SHORT))
async def test_a_dialog_that_is_left_twice_at_once_takes_no_other_screen_with_it(driver):
    await driver.press("n")
    dialog = driver.app.screen
    for _ in range(2):
        dialog.dismiss(None)
    await driver.drop()
    assert driver.app.screen is not dialog and len(driver.app.screen_stack) == 1


@on_screen(lambda: pentago_from(SHORT))
async def test_what_is_waited_for_may_end_below_a_question(driver):
    done, answers = threading.Event(), []
    driver.app.push_screen(Wait("it takes long", done.wait), answers.append)
    driver.app.push_screen(Confirm("really?"), answers.append)
    await driver.drop()
    done.set()
    await driver.drop()
    assert len(driver.app.screen_stack) == 3
    await driver.press("n")
    await driver.until(lambda: answers == [False, True])


@on_screen(lambda: pentago_from(SHORT))
async def test_dialogs_survive_the_narrowest_terminal(driver):
    for key in ("n", "o", "?"):
        await driver.press(key)
        for width in (5, 7, 100):
            await driver.pilot.resize_terminal(width, 10)
        await driver.press("escape")


@on_screen(lambda: GameInProgress(load_game("pentago"), players=("first_agent", PERSON)), opponent=FirstMoveOpponent())
async def test_an_agent_that_moves_first_begins_and_answers(driver):
    await driver.turn()
    assert driver.played.present == 1
    await driver.type("c3/0r")
    assert driver.played.present == 3


# --- Pentago in two steps ---------------------------------------------------------------------------------------------


@on_screen(people)
async def test_a_stone_then_a_turn_by_keys_and_escape_takes_the_stone_back(driver):
    await driver.press("enter")
    assert driver.app.board.chosen == (Cell(2, 2),)
    assert driver.line(-2).startswith(" White: 2. Turn a quadrant")
    await driver.press("escape")
    assert driver.app.board.chosen == ()
    assert driver.line(-2).startswith(" White: 1. Put a stone")
    assert driver.played.present == 0
    await driver.press("enter", "3", "f", "enter")
    assert driver.played.moves == ["c3/3f"]


@on_screen(people)
async def test_the_mouse_points_shows_turns_by_a_click_on_a_quadrant_and_plays_by_its_button(driver):
    board = driver.app.board
    area = area_of(board.picture(), Cell(4, 4))
    top, left = board._offset(board.picture())
    await driver.pilot.hover(board, offset=(left + area.column + 2, top + area.row))
    assert board.pointed == Cell(4, 4)
    await driver.click(Cell(0, 0))
    top, left = board._offset(board.picture())
    for kind in (0, 1, 0):
        await driver.pilot.click(board, offset=(left + 30, top + 14))
        assert board.pointed == Turn(3, kind)
    assert driver.line(-2) == " White: 2. Turn a quadrant: 0-3, r, f; Enter or click [r]. Esc: back. 3 turned"
    assert "a click inside a quadrant shows its turns, and one on [r] or [f]" in board.view.rules
    await driver.click(Turn(1, 1))
    assert driver.played.moves == ["a1/1f"]


@on_screen(people, look=Look(theme="dark"))
async def test_a_move_is_animated_and_nothing_can_be_played_meanwhile(driver, monkeypatch):
    monkeypatch.setattr("simulator.fullscreen.board.FRAME_SECONDS", 1000.0)

    await driver.press("enter", "enter")
    assert driver.app.board.is_animated
    await driver.press("enter", "enter", "enter", "enter")
    assert driver.played.present == 1
    for _ in range(4):
        driver.app.board.next_frame()
    await driver.drop()
    await driver.press("right", "enter", "enter")
    assert driver.played.present == 2


@on_screen(lambda: against("first_agent"), look=Look(theme="dark"), opponent=FirstMoveOpponent())
async def test_an_answer_during_an_animation_is_played_when_something_else_is_looked_at(driver, monkeypatch):
    monkeypatch.setattr("simulator.fullscreen.board.FRAME_SECONDS", 1000.0)

    await driver.type("a1/0r")
    assert driver.app.board.is_animated and driver.played.present == 1
    await driver.press("home")
    assert (driver.played.present, driver.played.shown) == (2, 0)


@pytest.mark.parametrize("animated", [True, False])
def test_sowing_is_animated_unless_that_is_switched_off(animated, monkeypatch):
    monkeypatch.setattr("simulator.fullscreen.board.FRAME_SECONDS", 1000.0)

    async def test(driver):
        await driver.press("3", "3")
        assert driver.played.present == 1
        assert driver.app.board.is_animated is animated

    run(test, people("kalah"), look=Look(theme="dark", animated=animated))


@on_screen(people)
async def test_only_changed_lines_of_the_board_are_drawn(driver, monkeypatch):
    board, drawn = driver.app.board, set()
    await driver.drop()  # everything that the start has to draw
    render = type(board).render_line

    def noted(self, y):
        drawn.add(y)
        return render(self, y)

    monkeypatch.setattr(type(board), "render_line", noted)
    await driver.press("right")
    await driver.until(lambda: bool(drawn), "the cursor")
    assert len(drawn) <= 2
    board.refresh()
    shown = driver.text()
    await driver.drop()
    assert driver.text() == shown


# --- Typed and wrong input --------------------------------------------------------------------------------------------


@on_screen(lambda: pentago_from(SHORT))
async def test_wrong_moves_and_lines_are_explained_and_nothing_is_played(driver):
    await driver.click(Cell(0, 0))
    assert driver.line(-3).strip().lower() == "a1 is taken."
    assert driver.app.board.chosen == ()
    for typed, says in (
        ("a1/0r", "a1 is taken"),
        ("d4/4r", "quadrant 4"),
        ("nonsense", "can't read"),
        ("undo x", "type a number from 1 on"),
    ):
        await driver.press("escape")
        await driver.type(typed)
        assert says in driver.text().lower()
    assert driver.played.present == 0


@on_screen(people)
async def test_keys_that_follow_m_at_once_go_to_the_line_and_escape_leaves_it(driver):
    for key in "mundo":  # u, n and o are commands, too
        driver.app.post_message(events.Key(key, key))
    await driver.until(lambda: driver.app.query_one("#line", Input).value == "undo")
    assert len(driver.app.screen_stack) == 1
    await driver.press("escape")
    assert not driver.app.part("line").display
    await driver.press("enter")
    assert driver.app.board.chosen


@on_screen(people)
async def test_who_goes_to_the_board_has_left_the_line(driver):
    for leave in (lambda: driver.press("tab"), lambda: driver.click(driver.app.board.pointed)):
        await driver.press("m")
        assert driver.app.part("line").display
        await leave()
        assert not driver.app.part("line").display and driver.app.part("notice").display


def test_a_game_that_cannot_be_kept_is_said_once(tmp_path, monkeypatch):
    (tmp_path / "unforced").write_text("in the way of the folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    async def test(driver):
        await driver.type("a1/0r")
        assert "game is not kept" in driver.notice
        await driver.type("a2/0r")
        assert "game is not kept" not in driver.notice

    run(test, people(), is_kept=True)


@on_screen(people)
async def test_an_ending_that_is_longer_than_a_line_stands_beside_the_board(driver):
    driver.played.lose(1, "my_agent crashed at move 5: ModuleNotFoundError: No module named 'opening_book'", "F")
    driver.app.front_end.turn()
    await driver.drop()
    assert driver.line(-2) == " Game over: see beside the board."
    assert "'opening_book'; White wins." in driver.text() and "q leave" in driver.line(-1)


@pytest.mark.parametrize(("game", "options", "keys"), [("go", {"size": 5}, "pp"), ("kalah", {}, "33")])
def test_after_a_move_by_a_key_the_next_such_key_points_first(game, options, keys):
    async def test(driver):
        await driver.press(*keys)
        assert driver.played.present == 1
        await driver.press(keys[0])
        assert driver.played.present == 1

    run(test, people(game, **options))


# --- Terminals --------------------------------------------------------------------------------------------------------


def test_no_color_wins_over_every_theme(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    assert wanted_theme("dark", "truecolor") == wanted_theme("auto", "256") == "ansi"


@on_screen(people)
async def test_a_terminal_that_becomes_too_small_says_so_and_nothing_is_lost(driver):
    await driver.type("a1/0r")
    for *size, said, shown in ((79, 24, "79x24", "--plain"), (120, 40, "a1/0r", "╭────╮"), (80, 24, "a1/0r", "╭──╮")):
        await driver.pilot.resize_terminal(*size)
        await driver.until(lambda said=said, shown=shown: said in driver.text() and shown in driver.text())
    await driver.until(lambda: driver.app.focused is driver.app.board)
    before = driver.app.board.pointed
    await driver.press("right")
    assert driver.app.board.pointed != before


def test_a_game_without_a_view_is_drawn_as_text_and_its_moves_and_positions_are_typed(monkeypatch):
    monkeypatch.setattr(Kalah, "board_view", lambda self: None)

    async def test(driver):
        assert "South (b)" in driver.text()
        await driver.type("3")
        assert driver.played.moves == ["3"]
        await driver.press("enter", "1", "enter")
        assert driver.played.moves == ["3", "1"]
        await driver.press("e")
        assert "Begin from this position" in driver.text()

    run(test, people("kalah"))


def test_a_drawing_that_fails_ends_the_application_with_the_traceback_of_the_games_file_alone(tmp_path, capsys):
    (tmp_path / "nim.py").write_text(f"{NIM}def draw(state): return 'o' * (state[0][0] // (1 - state[1]))\n")

    async def test(driver):
        await driver.type("1")
        driver.app.call_later(driver.app.board.redraw)

    with pytest.raises(RulesError):
        run(test, people(str(tmp_path / "nim.py")))
    printed = capsys.readouterr().err
    assert printed.startswith("Error: nim: draw fails:") and printed.count("Traceback") == 1
    assert "ZeroDivisionError" in printed and "plain.py" not in printed


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_end_the_application_with_the_status_that_shells_report(number):
    async def test(driver):
        await driver.type("a1/0r")
        os.kill(os.getpid(), number)
        await driver.until(lambda: driver.app.return_code is not None, "the end")
        assert driver.app.return_code == 128 + number

    before = signal.getsignal(number)
    run(test, people())
    assert signal.getsignal(number) == before
