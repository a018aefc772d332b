"""Files on the full screen: saving, loading, agents that have gone, the running game that is kept."""

import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from game import FIRST
from simulator.fullscreen.board_app import Look
from simulator.player.lookup import PERSON
from tests.leagues import random_game
from tests.screens import PATIENCE_SECONDS, Driver, against, people, play, run


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


def test_a_typed_name_replaces_the_one_that_is_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def test(driver: Driver) -> None:
        await driver.press("w")
        assert driver.app.screen.query_one(Input).get_component_rich_style("input--selection").reverse
        await driver.press("m", "y", "enter")
        assert "Saved as my" in driver.app.notice and [file.name for file in tmp_path.iterdir()] == ["my"]

    run(test, people(), look=Look(theme="ansi", animated=False))


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
        assert f"there is no file {tmp_path}/none.json" in said(driver)

    run(test, people())


def said(driver: Driver) -> str:
    """The line that is shown, with its first letter as it was written."""
    return driver.app.notice[:1].lower() + driver.app.notice[1:]


def test_folders_and_pipes_are_refused_at_once_and_in_words(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)  # a program that opens it waits for somebody who writes

    async def test(driver: Driver) -> None:
        for name, words in ((tmp_path, "is a folder"), (pipe, "is a pipe or a device"), ("/dev/zero", "is a pipe or")):
            driver.app.action_load(str(name))
            await driver.drop()
            assert f"{name} {words}" in said(driver)
        for name, words in ((tmp_path, "it is a folder"), (pipe, "there is a file of that name")):
            driver.app.action_save(str(name))
            await driver.drop()
            assert said(driver) == f"not saved: cannot write {name}: {words}"

    run(test, people(), size=(120, 40))


@pytest.mark.parametrize(
    "keys", [("n", *["down"] * 6, "enter"), ("m", *"load", "space", "k", "enter")], ids=["n", "load"]
)
def test_the_screen_is_alive_while_the_rules_of_another_game_are_compiled(
    keys: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    people("kalah").save(tmp_path / "k")
    compiled = threading.Event()
    monkeypatch.setattr("simulator.fullscreen.games.compile_rules", lambda game: compiled.wait(PATIENCE_SECONDS))

    async def test(driver: Driver) -> None:
        await driver.press(*keys)
        assert "Preparing the rules" in driver.text() and driver.played.game.name == "pentago"
        await driver.press("escape")
        assert "Preparing the rules" not in driver.text() and driver.played.game.name == "pentago"
        await driver.press(*keys)
        compiled.set()
        await driver.until(lambda: driver.played.game.name == "kalah")
        assert "Preparing the rules" not in driver.text()

    run(test, people())


def test_a_finished_game_of_a_match_is_nobodys(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    file.write_text(json.dumps(random_game(("alpha", "beta")).to_json()) + "\n")

    async def test(driver: Driver) -> None:
        await driver.type(f"load {file}")
        assert driver.played.is_over and "you" not in driver.played.ending()

    run(test, people())


def test_an_agent_that_has_gone_is_told_before_the_board_and_another_plays_the_loaded_game(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    before = against("players/has_gone.py")
    before.play(before.game.parse_move("c3/0r"))
    before.save(file)

    async def test(driver: Driver) -> None:
        await driver.type(f"load {file}")
        assert "players/has_gone.py plays in this game: there is no file" in driver.text()
        assert driver.played.present == 0
        await driver.press("escape")
        assert driver.played.present == 0 and "Not loaded" in driver.text()
        await driver.type(f"load {file}")
        await driver.press("down", "enter")
        field: Any = driver.app.screen.query_one("#text")
        field.value = "random_agent"
        await driver.press("enter")
        assert driver.played.players == [PERSON, "random_agent"]
        await driver.until(lambda: driver.played.present == 2)

    run(test, people())


def test_a_finished_game_whose_agent_has_gone_is_loaded_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    before = against("players/has_gone.py")
    before.play(before.game.parse_move("c3/0r"))
    before.resign(FIRST)
    before.save(file)

    async def test(driver: Driver) -> None:
        await driver.type(f"load {file}")
        assert len(driver.app.screen_stack) == 1
        assert driver.played.is_over
        assert driver.played.players == [PERSON, "players/has_gone.py"]

    run(test, people())


def test_a_game_whose_agent_has_gone_pauses_until_another_is_chosen(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    against("players/has_gone.py").save(file)

    async def test(driver: Driver) -> None:
        await driver.type(f"load {file}")
        await driver.press("end", "enter")
        assert "Choose who plays" in driver.app.notice
        await driver.press("P")
        assert driver.app.is_paused
        assert "Choose who plays" in driver.app.notice
        await driver.type("agent random_agent")
        await play(driver, "a1/0r")
        await driver.until(lambda: driver.played.present == 2)

    run(test, people())


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


def test_a_running_game_is_kept_for_resume(tmp_path: Path) -> None:
    async def test(driver: Driver) -> None:
        await driver.type("a1/0r")

    run(test, people(), cache=tmp_path)
    kept = json.loads(next(tmp_path.glob("*.game")).read_text())
    assert kept["saved"]["moves"] == ["a1/0r"]
