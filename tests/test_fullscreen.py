"""The full screen: whole games by keys and by mouse, wrong input, every command, small and changing terminals."""

import json
import random
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from agents.limits import Limits
from board_view import Target
from game import FIRST, SECOND, load_game
from go.position import PASS
from pentago.board_view import Cell, Turn
from simulator.fullscreen.commands import COMMANDS
from simulator.fullscreen.layout import Look
from simulator.fullscreen.panels import _words
from simulator.gtp.analysis import Analysis
from simulator.play.coach import Judgement
from simulator.play.game_in_progress import GameInProgress
from simulator.play.thinker import AgentMove, Task
from simulator.player.lookup import PERSON
from tests.screens import Driver, against, people, run

PROJECT = Path(__file__).parent.parent
AGENTS = Path(__file__).parent / "agents"
SHORT = "wwww../bbb.../....../....../b...../...... w"  # white wins with a stone on e1


def pentago_from(text: str, players: tuple[str, str] = (PERSON, PERSON)) -> GameInProgress:
    game = load_game("pentago")
    return GameInProgress(game, [game.parse_position(text)], players)


# --- Whole games ----------------------------------------------------------------------------------------------------


async def choose_by_keys(driver: Driver, target: Target) -> None:
    """Move the cursor with arrow keys, and press Enter."""
    board = driver.app.board
    paths: dict[Target, tuple[str, ...]] = {board.pointed: ()}
    queue = [board.pointed]
    while target not in paths:
        here = queue.pop(0)
        for key in ("left", "right", "up", "down"):
            there = board.view.beside(board.position, board.chosen, here, key)  # type: ignore[arg-type]
            if there not in paths:
                paths[there] = (*paths[here], key)
                queue.append(there)
    await driver.press(*paths[target], "enter")


async def choose_by_mouse(driver: Driver, target: Target) -> None:
    await driver.click(target)


async def play_whole_game(
    driver: Driver, choose: Callable[[Driver, Target], Awaitable[None]], plies: int = 400
) -> None:
    """Play random moves until the game is over; passing in Go once the board is half full."""
    rng, board = random.Random(2), driver.app.board
    while not driver.played.is_over and driver.played.present < plies:
        await driver.turn()
        if driver.played.is_over:
            break
        position, before = driver.played.position, driver.played.present
        targets = list(board.view.targets(position, ()))
        first = PASS if PASS in targets and position.ply > 20 else rng.choice(targets)
        await choose(driver, first)
        if driver.app.board.chosen:
            await choose(driver, rng.choice(board.view.targets(position, (first,))))
        assert driver.played.present > before
        assert driver.played.line[before + 1].last_move[:1] == first[:1] if isinstance(first, tuple) else True


@pytest.mark.parametrize("choose", [choose_by_keys, choose_by_mouse])
@pytest.mark.parametrize(
    "played",
    [
        lambda: against("random_agent"),
        lambda: people("go", size=5),
        lambda: against("random_agent", "kalah", pits=3, stones=3),
    ],
    ids=["pentago", "go", "kalah"],
)
def test_a_whole_game(
    played: Callable[[], GameInProgress], choose: Callable[[Driver, Target], Awaitable[None]]
) -> None:
    async def test(driver: Driver) -> None:
        await play_whole_game(driver, choose)
        assert driver.played.is_over
        assert "Game over" in driver.line(-2)

    run(test, played())


def test_a_beginning_of_go_against_an_agent() -> None:
    async def test(driver: Driver) -> None:
        await play_whole_game(driver, choose_by_mouse, 12)
        assert driver.played.present >= 12

    run(test, against("random_agent", "go", size=9))


def test_an_agent_that_moves_first_begins() -> None:
    async def test(driver: Driver) -> None:
        await driver.turn()
        assert driver.played.present == 1

    run(test, GameInProgress(load_game("pentago"), players=("random_agent", PERSON)))


def test_two_agents_play_by_themselves() -> None:
    async def test(driver: Driver) -> None:
        await driver.until(lambda: driver.played.is_over, "the end")

    run(test, GameInProgress(load_game("kalah", pits=3, stones=2), players=("random_agent", "greedy_agent")))


# --- Pentago in two steps -------------------------------------------------------------------------------------------


def test_escape_takes_the_stone_back() -> None:
    async def test(driver: Driver) -> None:
        await driver.press("enter")
        assert driver.app.board.chosen == (Cell(2, 2),)
        assert driver.line(-2).startswith(" White: 2. Turn a quadrant")
        await driver.press("escape")
        assert driver.app.board.chosen == ()
        assert driver.line(-2).startswith(" White: 1. Put a stone")
        assert driver.played.present == 0

    run(test, people())


def test_keys_name_quadrant_and_turn() -> None:
    async def test(driver: Driver) -> None:
        await driver.press("enter", "3", "f", "enter")
        assert driver.played.moves == ["c3/3f"]

    run(test, people())


def test_a_click_on_a_quadrant_shows_its_turns_and_its_button_plays() -> None:
    async def test(driver: Driver) -> None:
        await driver.click(Cell(0, 0))
        board = driver.app.board
        top, left = board._offset(board.picture())
        for kind in (0, 1, 0):
            await driver.pilot.click(board, offset=(left + 30, top + 14))
            assert board.pointed == Turn(3, kind)
        await driver.click(Turn(1, 1))
        assert driver.played.moves == ["a1/1f"]

    run(test, people())


def test_the_mouse_previews_what_it_points_at() -> None:
    async def test(driver: Driver) -> None:
        board = driver.app.board
        area = board.picture().area_of(Cell(4, 4))
        assert area is not None
        top, left = board._offset(board.picture())
        await driver.pilot.hover(board, offset=(left + area.column + 2, top + area.row))
        assert board.pointed == Cell(4, 4)

    run(test, people())


def test_a_move_is_animated_and_nothing_can_be_played_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulator.fullscreen.board.FRAME_SECONDS", 1000.0)

    async def test(driver: Driver) -> None:
        await driver.press("enter", "enter")
        assert driver.app.board.is_animated
        await driver.press("enter", "enter", "enter", "enter")
        assert driver.played.present == 1
        for _ in range(4):
            driver.app.board.next_frame()
        await driver.drop()
        await driver.press("right", "enter", "enter")
        assert driver.played.present == 2

    run(test, people(), look=Look(theme="dark"))


@pytest.mark.parametrize("animated", [True, False])
def test_sowing_is_animated_unless_that_is_switched_off(animated: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulator.fullscreen.board.FRAME_SECONDS", 1000.0)

    async def test(driver: Driver) -> None:
        await driver.press("3", "3")
        assert driver.played.present == 1
        assert driver.app.board.is_animated is animated

    run(test, people("kalah"), look=Look(theme="dark", animated=animated))


def test_the_winning_five_are_marked_on_the_screen() -> None:
    async def test(driver: Driver) -> None:
        await driver.type("e1/3f")
        assert driver.played.winner == FIRST
        assert "Game over: White wins" in driver.line(-2)
        spans = [span for line in driver.app.board.picture().lines for span in line if "win" in span.marks]
        assert len(spans) >= 5

    run(test, pentago_from(SHORT))


def test_only_changed_lines_of_the_board_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(driver: Driver) -> None:
        board, drawn = driver.app.board, set()
        render = type(board).render_line

        def noted(self: Any, y: int) -> Any:
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

    run(test, people())


# --- Wrong input ----------------------------------------------------------------------------------------------------


def test_a_taken_cell_is_refused_by_name() -> None:
    async def test(driver: Driver) -> None:
        await driver.click(Cell(0, 0))
        assert driver.line(-3).strip() == "A1 is taken." or driver.line(-3).strip() == "a1 is taken."
        assert driver.app.board.chosen == ()

    run(test, pentago_from(SHORT))


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("a1/0r", "a1 is taken"),
        ("d4/4r", "quadrant 4"),
        ("nonsense", "can't read"),
        ("undo x", "type a number from 1 on"),
    ],
)
def test_wrong_lines_are_explained_and_nothing_is_played(typed: str, says: str) -> None:
    async def test(driver: Driver) -> None:
        await driver.type(typed)
        assert says.lower() in driver.text().lower()
        assert driver.played.present == 0

    run(test, pentago_from(SHORT))


def test_typed_moves_are_read_in_any_usual_spelling() -> None:
    async def test(driver: Driver) -> None:
        for typed in ("d4/1r", "c3 0 f", "a12r", "4 5 1 0"):
            await driver.type(typed)
        assert driver.played.moves == ["d4/1r", "c3/0f", "a1/2r", "f5/1r"]

    run(test, people())


def test_escape_leaves_the_line_without_playing() -> None:
    async def test(driver: Driver) -> None:
        await driver.press("m", "d", "4", "escape")
        assert not driver.app.part("line").display
        await driver.press("enter")
        assert driver.app.board.chosen

    run(test, people())


# --- Commands -------------------------------------------------------------------------------------------------------


async def play(driver: Driver, *moves: str) -> None:
    for move in moves:
        await driver.type(move)


def test_undo_and_redo() -> None:
    async def test(driver: Driver) -> None:
        await play(driver, "a1/0r", "b2/1r", "c3/2r")
        await driver.press("u", "u")
        assert driver.played.moves == ["a1/0r"]
        await driver.press("U")
        assert driver.played.moves == ["a1/0r", "b2/1r"]
        await driver.type("undo 2")
        assert driver.played.moves == []
        await driver.type("redo 3")
        assert len(driver.played.moves) == 3
        await driver.press("U")
        assert "nothing to play again" in driver.text()

    run(test, people())


def test_undo_against_an_agent_takes_its_answer_back_too() -> None:
    async def test(driver: Driver) -> None:
        await driver.type("a1/0r")
        await driver.until(lambda: driver.played.present == 2)
        await driver.press("u")
        assert driver.played.present == 0
        assert driver.app.board.can_choose

    run(test, against("random_agent"))


def test_looking_back_loses_nothing() -> None:
    async def test(driver: Driver) -> None:
        await play(driver, "a1/0r", "b2/1r", "c3/2r")
        await driver.press("pageup")
        assert "You look at move 2 of 3" in driver.line(-2)
        await driver.press("enter", "enter")
        assert driver.played.present == 3
        await driver.press("home")
        assert driver.app.board.position.ply == 0
        await driver.press("pagedown", "end")
        assert driver.app.board.position.ply == 3
        assert driver.app.board.can_choose

    run(test, people())


def test_a_move_in_the_list_can_be_clicked() -> None:
    async def test(driver: Driver) -> None:
        await play(driver, "a1/0r", "b2/1r", "c3/2r")
        row = next(number for number, line in enumerate(driver.text().splitlines()) if "b2/1r" in line)
        await driver.pilot.click(offset=(driver.line(row).index("b2/1r") + 1, row))
        assert driver.played.shown == 2

    run(test, people())


def test_sides_are_changed_and_the_agent_moves() -> None:
    async def test(driver: Driver) -> None:
        await driver.press("s")
        await driver.turn()
        assert driver.played.players == ["random_agent", PERSON]
        assert driver.played.present == 1

    run(test, against("random_agent"))


def test_resigning_asks_first() -> None:
    async def test(driver: Driver) -> None:
        await driver.press("R", "n")
        assert not driver.played.is_over
        await driver.press("R", "y")
        assert driver.played.winner == SECOND
        assert "Game over: White resigns" in driver.line(-2)

    run(test, people())


def test_ctrl_c_asks_while_a_game_is_on_and_leaves_at_the_second() -> None:
    async def test(driver: Driver) -> None:
        await driver.type("a1/0r")
        await driver.press("ctrl+c")
        assert "Leave?" in driver.text()
        await driver.press("n")
        assert driver.app.is_running and len(driver.app.screen_stack) == 1
        await driver.press("ctrl+c", "ctrl+c")
        assert driver.app._exit

    run(test, people())


def test_a_new_game_of_another_kind() -> None:
    async def test(driver: Driver) -> None:
        await driver.type("a1/0r")
        await driver.press("n")
        assert "not over" in driver.text()
        await driver.press("down", "down", "down", "enter")
        assert driver.played.game.name == "go"
        assert driver.played.present == 0
        await driver.press("enter")
        assert driver.played.moves == ["E5"]

    run(test, people())


def test_who_plays_is_chosen() -> None:
    async def test(driver: Driver) -> None:
        assert "level_agent:level=3" in [choice.value for choice in driver.app.player_choices()]
        await driver.type("agent random_agent")
        assert driver.played.players == [PERSON, "random_agent"]
        await driver.press("o", "end", "up", "enter")
        assert driver.played.players == [PERSON, PERSON]
        await driver.press("o", "end", "enter")
        field: Any = driver.app.screen.query_one("#text")
        field.value = "random_agent no_agent"
        await driver.press("enter")
        assert "no agent is called 'no_agent'" in driver.text()
        await driver.press("escape")
        assert driver.played.players == [PERSON, PERSON]

    run(test, people())


def test_saving_asks_before_it_overwrites(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text("precious")

    async def test(driver: Driver) -> None:
        await driver.type("a1/0r")
        driver.app.action_save(str(file))
        await driver.drop()
        await driver.press("n")
        assert file.read_text() == "precious"
        driver.app.action_save(str(file))
        await driver.drop()
        await driver.press("y")
        assert json.loads(file.read_text())["moves"] == ["a1/0r"]
        await driver.type("b2/1r")
        driver.app.action_load(str(file))
        await driver.drop()
        await driver.press("y")
        assert driver.played.moves == ["a1/0r"]

    run(test, people())


def test_a_loaded_game_goes_on_with_the_time_that_each_player_has_used(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    before = people()
    before.seconds[:] = 75.0, 3600.0
    before.save(file)

    async def test(driver: Driver) -> None:
        await driver.type(f"load {file}")
        assert "1:15" in driver.line(0) and "60:00" in driver.line(1)
        driver.app.clocks.seconds[FIRST] += 10
        assert driver.played.saved().seconds[FIRST] >= 85

    run(test, people())


def test_files_that_cannot_be_loaded_are_explained(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        driver.app.action_load(str(tmp_path / "none.json"))
        await driver.drop()
        assert "No such file" in driver.text()

    run(test, people())


def test_a_hint_is_shown_on_the_board() -> None:
    async def test(driver: Driver) -> None:
        await driver.press("h")
        await driver.until(lambda: bool(driver.app.board.expected), "a hint")
        assert "greedy_agent would play e1/" in driver.text()
        await driver.press("escape")
        assert not driver.app.board.expected

    run(test, pentago_from(SHORT))


def test_help_lists_the_rules_and_every_command_which_can_be_chosen() -> None:
    async def test(driver: Driver) -> None:
        await driver.press("question_mark")
        assert "Five of your" in driver.text()
        await driver.press(*["down"] * next(i for i, one in enumerate(COMMANDS) if one.name == "view"), "enter")
        assert driver.app.shows_thoughts

    run(test, people())


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_works_by_its_key_at_the_start(command: Any) -> None:
    async def test(driver: Driver) -> None:
        if command.name != "quit":
            await driver.press(command.keys.split(",")[0])
            await driver.press("escape")
            assert driver.app._exception is None
        assert callable(getattr(driver.app, f"action_{command.action}"))

    run(test, people())


# --- Agents ---------------------------------------------------------------------------------------------------------


def test_keys_that_are_pressed_while_an_agent_thinks_are_not_played_until_it_is_told_to_move() -> None:
    async def test(driver: Driver) -> None:
        await play(driver, "a1/0r")
        await driver.until(lambda: "is thinking" in driver.line(-2), "the agent")
        await driver.press(*["enter"] * 6)
        assert driver.played.present == 1
        await driver.press("space")
        await driver.until(lambda: driver.played.present == 2)
        assert driver.app.board.chosen == ()

    run(test, against("montecarlo_agent"), limits=Limits(move_seconds=300, first_move_seconds=300))


def test_an_agent_that_cannot_be_loaded_is_named_before_the_first_move() -> None:
    async def test(driver: Driver) -> None:
        await driver.until(lambda: "Choose who plays" in driver.app.notice, "the reason")
        assert "raises_in_import" in driver.app.notice
        assert driver.played.present == 0
        await driver.type("agent random_agent")
        await driver.turn()
        await driver.type("a1/0r")
        await driver.until(lambda: driver.played.present == 2)

    run(test, against(f"{AGENTS}/raises_in_import.py"))


def test_choices_are_kept_when_the_agent_has_been_started_meanwhile() -> None:
    async def test(driver: Driver) -> None:
        await driver.press("enter")
        chosen = driver.app.board.chosen
        await driver.until(lambda: not driver.app.starting, "the agent")
        assert chosen and driver.app.board.chosen == chosen

    run(test, against("random_agent"))


def test_an_agent_that_crashes_loses() -> None:
    async def test(driver: Driver) -> None:
        await play(driver, "a1/0r")
        await driver.until(lambda: driver.played.present == 2 or driver.played.is_over)
        free = [str(move) for move in driver.played.position.legal_moves()]
        await play(driver, *free[:1])
        await driver.until(lambda: driver.played.is_over, "the end")
        assert driver.played.winner == FIRST
        assert "crashed" in driver.text()

    run(test, against(f"{AGENTS}/raises_in_step.py"))


def test_paused_agents_do_not_play() -> None:
    async def test(driver: Driver) -> None:
        await driver.press("P")
        assert "Paused" in driver.line(-2)
        await driver.press("enter", "enter")
        assert driver.played.present == 0
        await driver.press("P", "enter", "enter")
        assert driver.played.present == 1

    run(test, people())


# --- What happens meanwhile -----------------------------------------------------------------------------------------


def answered(move: Any = None, error: Exception | None = None, name: str = "random_agent") -> Task[AgentMove]:
    """A task whose answer is there: a move, or what went wrong."""
    task: Task[AgentMove] = Task(name, can_hurry=True)

    def work(task: Task[AgentMove]) -> AgentMove:
        if error is not None:
            raise error
        return AgentMove(move, 0.0, Analysis())

    task.run(work)
    return task


def expect_answer(driver: Driver, task: Task[AgentMove]) -> None:
    """Let the agent that is asked answer this."""
    driver.app.call_off()
    driver.app.thinking = task
    driver.app.on_flow_answered(driver.app.Answered(task))


SLOW = Limits(move_seconds=300, first_move_seconds=300)


async def the_agent_thinks(driver: Driver) -> None:
    await play(driver, "a1/0r")
    await driver.until(lambda: driver.app.thinking is not None, "the agent")


def test_an_answer_during_an_animation_is_played_when_something_else_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("simulator.fullscreen.board.FRAME_SECONDS", 1000.0)

    async def test(driver: Driver) -> None:
        await the_agent_thinks(driver)
        assert driver.app.board.is_animated
        expect_answer(driver, answered(driver.played.position.legal_moves()[0]))
        assert driver.played.present == 1
        await driver.press("home")
        assert driver.played.present == 2
        assert driver.played.shown == 0

    run(test, against("montecarlo_agent"), look=Look(theme="dark"), limits=SLOW)


def test_an_answer_during_a_pause_is_played_after_it() -> None:
    async def test(driver: Driver) -> None:
        await the_agent_thinks(driver)
        await driver.press("P")
        expect_answer(driver, answered(driver.played.position.legal_moves()[0]))
        await driver.drop()
        assert driver.played.present == 1
        await driver.press("P")
        assert driver.played.present == 2

    run(test, against("montecarlo_agent"), limits=SLOW)


def test_a_fault_of_this_machine_pauses_and_decides_no_game() -> None:
    async def test(driver: Driver) -> None:
        await the_agent_thinks(driver)
        expect_answer(driver, answered(error=OSError("no more processes")))
        await driver.drop()
        assert not driver.played.is_over
        assert driver.app.is_paused
        assert "no more processes" in driver.text()

    run(test, against("montecarlo_agent"), limits=SLOW)


def test_a_loaded_game_whose_agent_has_gone_pauses_until_another_is_chosen(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    against("players/has_gone.py").save(file)

    async def test(driver: Driver) -> None:
        await driver.type(f"load {file}")
        assert "Choose who plays" in driver.app.notice
        await driver.press("P")
        assert driver.app.is_paused
        assert "Choose who plays" in driver.app.notice
        await driver.type("agent random_agent")
        await play(driver, "a1/0r")
        await driver.until(lambda: driver.played.present == 2)

    run(test, people())


def test_a_resignation_does_not_change_a_game_that_has_ended_meanwhile() -> None:
    async def test(driver: Driver) -> None:
        await driver.press("R")
        driver.played.resign(SECOND)
        await driver.press("y")
        assert driver.played.winner == FIRST

    run(test, people())


def test_a_verdict_of_a_move_that_was_taken_back_is_not_shown() -> None:
    async def test(driver: Driver) -> None:
        await play(driver, "a1/0r")
        said = driver.app.Judged(driver.played.position, [Judgement(0, 0, "a1/0r", 0.5, 0.5)], "", False)
        driver.app.on_advice_judged(said)
        await driver.drop()
        assert "Coach: a good move" in driver.text()
        await driver.press("u")
        assert "Coach" not in driver.text()
        driver.app.on_advice_judged(said)
        await driver.drop()
        assert "Coach" not in driver.text()

    run(test, people())


def test_the_same_hint_is_asked_for_once() -> None:
    async def test(driver: Driver) -> None:
        await driver.press("h")
        first = driver.app._asked
        await driver.press("h")
        assert driver.app._asked is first or driver.app._asked is None
        await driver.until(lambda: bool(driver.app.board.expected), "a hint")

    run(test, pentago_from(SHORT))


def test_a_file_that_goes_before_the_answer_is_explained(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    people().save(file)

    async def test(driver: Driver) -> None:
        await play(driver, "a1/0r")
        await driver.type(f"load {file}")
        file.unlink()
        await driver.press("y")
        assert "not loaded" in driver.text().lower()
        assert driver.played.present == 1

    run(test, people())


def test_a_number_of_moves_is_named_only_for_a_line_that_ends_the_game() -> None:
    game = pentago_from(SHORT)
    game.play(game.game.parse_move("e1/3f", game.position))
    for line, words in ((("e1/3f",), "a win for White in 1 moves"), (("e2/3f", "e1/3f"), "a win for White\n")):
        text = "\n".join(_words(game, 1, Analysis(proven="win", pv=line), 1.0)) + "\n"
        assert words in text


def test_the_keys_work_again_when_the_terminal_is_large_again() -> None:
    async def test(driver: Driver) -> None:
        await driver.pilot.resize_terminal(70, 20)
        await driver.until(lambda: "70x20" in driver.text())
        await driver.pilot.resize_terminal(80, 24)
        await driver.until(lambda: "70x20" not in driver.text())
        await driver.until(lambda: driver.app.focused is driver.app.board)
        before = driver.app.board.pointed
        await driver.press("right")
        assert driver.app.board.pointed != before

    run(test, people())


@pytest.mark.parametrize(("game", "options", "keys"), [("go", {"size": 5}, "pp"), ("kalah", {}, "33")])
def test_after_a_move_by_a_key_the_next_such_key_points_first(game: str, options: dict[str, Any], keys: str) -> None:
    async def test(driver: Driver) -> None:
        await driver.press(*keys)
        assert driver.played.present == 1
        await driver.press(keys[0])
        assert driver.played.present == 1

    run(test, people(game, **options))


def test_the_names_of_agents_keep_their_small_letter() -> None:
    async def test(driver: Driver) -> None:
        driver.app.say("gnugo would play e5")
        assert driver.app.notice == "gnugo would play e5"
        driver.app.say("level 5 (club) would play e5")
        assert driver.app.notice.startswith("Level 5")

    run(test, people("go", size=9), hints="gtp:gnugo --mode gtp")


# --- Terminals ------------------------------------------------------------------------------------------------------


def test_a_terminal_that_becomes_too_small_says_so_and_nothing_is_lost() -> None:
    async def test(driver: Driver) -> None:
        await driver.type("a1/0r")
        await driver.pilot.resize_terminal(70, 20)
        await driver.until(lambda: "70x20" in driver.text() and "--plain" in driver.text())
        await driver.pilot.resize_terminal(120, 40)
        await driver.until(lambda: "a1/0r" in driver.text() and "╭────╮" in driver.text())
        await driver.pilot.resize_terminal(80, 24)
        await driver.until(lambda: "a1/0r" in driver.text() and "╭──╮" in driver.text())

    run(test, people())


def test_the_screen_of_go_on_19x19_fits_80x24() -> None:
    async def test(driver: Driver) -> None:
        assert " 1 └─┴" in driver.text() and "[ pass ]" in driver.text() and "19 ┌─┬" in driver.text()
        assert "Black: K10: put a stone" in driver.line(-2)

    run(test, people("go", size=19))


def test_a_game_without_a_view_is_drawn_as_text_and_takes_typed_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    from mancala.game import Kalah

    monkeypatch.setattr(Kalah, "board_view", lambda self: None)

    async def test(driver: Driver) -> None:
        assert "South (b)" in driver.text()
        await driver.type("3")
        assert driver.played.moves == ["3"]
        await driver.press("enter", "1", "enter")
        assert driver.played.moves == ["3", "1"]

    run(test, people("kalah"))


def test_a_running_game_is_kept_for_resume(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        await driver.type("a1/0r")

    run(test, people(), cache=tmp_path)
    kept = json.loads(next(tmp_path.glob("*.game")).read_text())
    assert kept["saved"]["moves"] == ["a1/0r"]


def test_no_other_command_and_no_agent_loads_textual() -> None:
    modules = (
        "commands.match, commands.tournament, commands.play, simulator.player.worker, simulator.terminal.play, runner"
    )
    code = f"import {modules}, sys; sys.exit('textual' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=PROJECT, check=True)
