"""Commands of the full screen: back and forth, who plays, new games, the list of all keys."""

from typing import Any

import pytest

from game import FIRST, SECOND
from simulator.fullscreen.commands import COMMANDS
from simulator.player.lookup import PERSON
from tests.scoundrels.games import PLAYS_ON
from tests.screens import SHORT, Driver, against, pentago_from, people, play, run


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
        assert "You look at 1. ... " in driver.line(-2)
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
        assert driver.played.players == [PLAYS_ON, PERSON]
        assert driver.played.present == 1

    run(test, against(PLAYS_ON))


def test_resigning_asks_first() -> None:
    async def test(driver: Driver) -> None:
        await driver.press("R", "n")
        assert not driver.played.is_over
        await driver.press("R", "y")
        assert driver.played.winner == SECOND
        assert "Game over: White resigns" in driver.line(-2)

    run(test, people())


@pytest.mark.parametrize("asking", ["ctrl+c", "q"])
def test_ctrl_c_asks_while_a_game_is_on_and_leaves_while_it_is_asked(asking: str) -> None:
    async def test(driver: Driver) -> None:
        await driver.type("a1/0r")
        await driver.press("ctrl+c")
        assert "Leave?" in driver.text()
        await driver.press("n")
        assert driver.app.is_running and len(driver.app.screen_stack) == 1
        await driver.press(asking, "ctrl+c")
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


def test_help_lists_the_rules_and_every_command_which_can_be_chosen() -> None:
    async def test(driver: Driver) -> None:
        await driver.press("question_mark")
        assert "Five of your" in driver.text()
        await driver.press(*["down"] * next(i for i, one in enumerate(COMMANDS) if one.name == "view"), "enter")
        assert driver.app.shows_thoughts

    run(test, people())


def test_a_command_in_the_list_can_be_clicked_and_the_list_follows_the_cursor() -> None:
    async def test(driver: Driver) -> None:
        await driver.press("question_mark")
        assert f" of {len(COMMANDS)}" in driver.text()
        for name, found in (("view", True), ("theme", False)):
            assert any(f" {name} " in line for line in driver.text().splitlines()) is found
        row = next(number for number, line in enumerate(driver.text().splitlines()) if " view " in line)
        await driver.pilot.click(offset=(10, row))
        await driver.drop()
        assert driver.app.shows_thoughts
        await driver.press("question_mark", "end")
        assert driver.text().count("quit") == 1 and " type " not in driver.text()
        await driver.press("escape")
        assert len(driver.app.screen_stack) == 1

    run(test, people())


def test_every_command_is_explained_in_a_line_of_the_list() -> None:
    assert max(len(command.help) for command in COMMANDS) <= 55  # what a terminal of 80 characters leaves


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_works_by_its_key_at_the_start(command: Any) -> None:
    async def test(driver: Driver) -> None:
        if command.name != "quit":
            await driver.press(command.keys.split(",")[0])
            await driver.press("escape")
            assert driver.app._exception is None
        assert callable(getattr(driver.app, f"action_{command.action}"))

    run(test, people())


def test_a_resignation_does_not_change_a_game_that_has_ended_meanwhile() -> None:
    async def test(driver: Driver) -> None:
        await driver.press("R")
        driver.played.resign(SECOND)
        await driver.press("y")
        assert driver.played.winner == FIRST

    run(test, people())


def test_a_game_that_is_over_keeps_its_players_until_a_new_one_begins() -> None:
    async def test(driver: Driver) -> None:
        await play(driver, "e1/3r")
        assert driver.played.is_over
        before = list(driver.played.players)
        await driver.press("s")
        assert "Begin a new one" in driver.text()
        await driver.press("escape")
        assert driver.played.is_over and driver.played.players == before
        await driver.press("s", "y")
        assert not driver.played.is_over and driver.played.players == before[::-1]

    run(test, pentago_from(SHORT, (PERSON, "random_agent")))
