"""Replay on the full screen: a game by keys, slider, values and list; the list of games; logs; small terminals."""

import asyncio
import json
import re
from dataclasses import replace

import pytest
from textual.geometry import Offset
from textual.widgets import DataTable

from game import NotationError
from options import InputError
from simulator.fullscreen.board_app import Look
from simulator.fullscreen.replay import ReplayApp
from simulator.fullscreen.timeline import Slider, ValuePlot
from simulator.gtp.analysis import Analysis
from simulator.records.database import write_store
from simulator.records.reader import PlayedGames, read_games
from simulator.referee.game_record import Reason
from tests.leagues import random_game, write_games, write_league
from tests.programs import finished
from tests.screens import QUIET, replay_screen

SHORT = random_game(("alpha", "beta"), plies=4)


def run(path, body, number=None, **more):
    """Do something at the screen that shows a file."""

    async def main():
        async with replay_screen(path, number, **more) as driver:
            await body(driver)

    asyncio.run(main())


def on_screen(*shown, number=None, **more):
    """Make a test of what somebody does at the screen of these games, or of the league's if there are none."""

    def test_of(body):
        def test(league, tmp_path):
            run(write_games(tmp_path / "games.jsonl", *shown) if shown else league, body, number, **more)

        return test

    return test_of


@pytest.fixture(scope="module")
def league(tmp_path_factory):
    names, folder = ("alpha", "beta", "[b]gamma"), tmp_path_factory.mktemp("league")
    path = write_league(folder / "league.db", names, faults={2: Reason.CRASH}, stderr=("[red]last words",))
    return path


# --- A game ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(80, 24), (200, 50)])
def test_keys_step_through_the_game(league, size):
    async def body(driver):
        app = driver.app
        last = app.replay.last
        assert "The start of the game" in driver.text()
        for keys, ply in (
            (["right"], 1), (["enter", "n"], 3), (["left"], 2), (["b", "b", "b"], 0), (["end"], last),
            (["right"], last), (["home"], 0), (["l"], last), (["f"], 0), (["pagedown"], 10), (["pageup"], 0),
        ):  # fmt: skip
            await driver.press(*keys)
            assert app.replay.ply == ply
            assert app.board.position == app.replay.positions[ply]
            assert app.query_one(Slider).ply == ply
        await driver.press("right")
        assert f"Move 1 of {last}: {app.replay.name(0)} played " in driver.text()
        await driver.press("q")
        assert not app.is_running

    run(league, body, 2, size=size)


@on_screen(number=2)
async def test_a_number_goes_to_that_move(driver):
    await driver.press("1", "2", "enter")
    assert driver.app.replay.ply == 12
    await driver.press("g", "9", "9", "enter")
    assert f"a number from 0 to {driver.app.replay.last}" in driver.text()
    await driver.enter("9" * 5000)
    assert f"a number from 0 to {driver.app.replay.last}" in driver.text()
    await driver.press("escape")
    assert driver.app.replay.ply == 12


@on_screen(number=2, size=(120, 40))
async def test_slider_values_and_list_lead_to_a_move(driver):
    app, slider, plot = driver.app, driver.app.query_one(Slider), driver.app.query_one(ValuePlot)
    for ply in (app.replay.last, 5, 0):
        await driver.pilot.click(slider, offset=Offset(slider.column_of(ply), 0))
        assert app.replay.ply == ply
    column = next(at for at in range(plot.size.width) if 7 in plot.plies_at(at))
    await driver.pilot.click(plot, offset=Offset(column, 0))
    assert app.replay.ply in plot.plies_at(column)
    await app.run_action("look_at(4)")
    assert app.replay.ply == 4


SAID = (Analysis(value=0.75), Analysis(value=0.75), Analysis(), Analysis(value=0.75, proven="win"))
VALUED = replace(SHORT, moves=tuple(replace(move, analysis=said) for move, said in zip(SHORT.moves, SAID, strict=True)))


@on_screen(VALUED)
async def test_values_are_drawn_as_the_first_players_chance(driver):
    assert "White's chance" in driver.text()
    plot = driver.app.query_one(ValuePlot)
    heights = []
    for ply in (1, 2, 3, 4):
        column = next(at for at in range(plot.size.width) if ply in plot.plies_at(at))
        signs = ["".join(segment.text for segment in plot.render_line(y))[column] for y in range(4)]
        heights.append("".join(signs).replace(" ", ""))
    assert heights == ["███", "█", "", "▁"]


def test_space_plays_the_game_to_its_end_and_whoever_steps_stops_it(league, monkeypatch):
    async def body(driver):
        app = driver.app

        def plays():
            assert ("Space stop" in driver.text()) != ("Space play" in driver.text())
            return "Space stop" in driver.text()

        await driver.press("end", "space")
        assert (app.replay.ply, plays()) == (0, True)
        app._advance()
        await driver.pilot.pause()
        assert (app.replay.ply, plays()) == (1, True)
        for key, ply in (("right", 2), ("space", 2), ("left", 1)):
            await driver.press(key)
            assert (app.replay.ply, plays()) == (ply, key == "space")
        await driver.press("space", "o", "escape")  # the logs stop it, too
        assert not plays()
        monkeypatch.setattr("simulator.fullscreen.replay.PLAY_SECONDS", 0.1)
        await driver.press("end", "left", "left", "space")
        await driver.until(lambda: app.replay.ply == app.replay.last and not plays())

    monkeypatch.setattr("simulator.fullscreen.replay.PLAY_SECONDS", 3600.0)
    run(league, body, 2)


@on_screen(number=2, look=Look(theme="dark"))
async def test_moves_are_shown_being_made(driver):
    await driver.press("right")
    assert driver.app.board.is_animated
    await driver.press("end")
    assert not driver.app.board.is_animated


@on_screen(number=3, with_texts=True)
async def test_logs_are_shown_as_they_are(driver):
    for keys in ((), ("escape", "o")):
        await driver.press(*keys)
        assert "log of [b]gamma:\n" in "\n".join(line.strip(" │") for line in driver.text().splitlines())
        assert "[red]last words" in driver.text()
    await driver.press("escape")
    assert "log of" not in driver.text()


@on_screen(with_texts=True)
async def test_logs_are_shown_with_a_game_that_was_chosen_from_the_list(driver):
    assert "log of" not in driver.text()
    await driver.press("enter")
    assert "log of" in driver.text()


@on_screen(VALUED)
async def test_each_move_has_as_many_columns_as_others_in_the_plot(driver):
    plot = driver.app.query_one(ValuePlot)
    columns = [sum(ply in plot.plies_at(at) for at in range(plot.size.width)) for ply in (1, 2, 3, 4)]
    assert max(columns) - min(columns) <= 1 and sum(columns) == plot.size.width


@pytest.mark.parametrize(("game", "options"), [("go", {"size": 19}), ("kalah", {}), ("tictactoe", {})])
def test_other_games_are_shown_too(tmp_path, game, options):
    async def body(driver):
        before = driver.text()
        await driver.press("end")
        assert driver.text() != before
        assert "alpha" in driver.text()
        if game == "go":
            assert "─┘ 1" in driver.text() and "[normal]" in driver.text()

    record = random_game(("alpha", "beta"), game=game, options=options, plies=30)
    run(write_games(tmp_path / "games.jsonl", record), body)


# --- The list of games ----------------------------------------------------------------------------------------------


@on_screen()
async def test_a_file_of_several_games_begins_with_their_list(driver):
    assert "league.db: 6 games" in driver.text()
    table = driver.app.screen.query_one(DataTable)
    assert [str(cell) for cell in table.get_row("3")][4:6] == ["W+", "crash"]
    await driver.press("down", "down", "enter")
    assert driver.app.number == 3
    assert "game 3, round 1" in driver.text()
    assert "[b]gamma" in driver.text()  # a name is not read as markup
    await driver.press("escape")
    assert table.row_count == 6
    await driver.press("escape")
    assert driver.app.number == 3


@on_screen()
async def test_one_click_opens_a_game_of_the_list_and_keys_still_go_to_the_filter(driver):
    table = driver.app.screen.query_one(DataTable)
    await driver.pilot.click(table, offset=(8, 0))  # the heading
    await driver.press("down", *"w+")
    await driver.until(lambda: table.row_count < 6)
    await driver.pilot.click(table, offset=(8, 1))
    await driver.press()
    assert len(driver.app.screen_stack) == 1


@on_screen()
async def test_the_list_shows_the_games_that_are_looked_for(driver):
    await driver.press(*"crash")
    table = driver.app.screen.query_one(DataTable)
    await driver.until(lambda: table.row_count == 1)
    await driver.press("enter")
    assert driver.app.number == 3
    await driver.press("escape", *"nobody")
    await driver.until(lambda: driver.app.screen.query_one(DataTable).row_count == 0)
    await driver.press("enter")  # there is nothing to open
    assert driver.app.screen.query_one(DataTable)


LONG = ("日本語のエージェントは強い", "the_agent_that_bob_has_handed_in")


@on_screen(random_game(LONG, plies=9, fault=Reason.TIMEOUT), SHORT, size=(80, 24))
async def test_the_list_shows_how_games_between_long_names_ended(driver):
    assert re.search("1 +日本語.*… +the_agent.*… +W[+] +timeout +9 ", driver.text())


@on_screen(number=1)
async def test_neighbours_are_the_games_of_the_file(driver):
    for key, number in (("up", 1), ("down", 2), ("down", 3), ("up", 2)):
        await driver.press(key)
        assert (driver.app.number, driver.app.replay.ply) == (number, 0)


@on_screen(SHORT)
async def test_a_single_game_is_shown_at_once(driver):
    assert "The start of the game" in driver.text()
    assert "Esc games" not in driver.text()
    await driver.press("escape", "down", "up")
    assert "game 1:" in driver.text()


def test_a_game_that_cannot_be_shown_says_why_and_hides_no_other(tmp_path):
    bad = json.dumps(replace(SHORT, moves=(replace(SHORT.moves[0], move="z9"),)).to_json())
    path, good = tmp_path / "games.jsonl", json.dumps(SHORT.to_json())
    path.write_text(f"nonsense\n{good}\n{bad}\n{good}\n")

    async def body(driver):
        app = driver.app
        assert [game.reason for game in app.list] == ["unreadable", "normal", "normal", "normal"]
        assert app.number == 2
        for key, number in (("escape", 2), ("down", 4), ("up", 2), ("up", 2)):
            await driver.press(key)
            await driver.until(lambda: app._timer is None)
            assert app.number == number
        assert "Game 1 cannot be shown" in driver.text()
        assert not app.open(3)
        await driver.press()
        assert "Game 3 cannot be shown: move 1, z9" in " ".join(driver.text().split())

    run(path, body, size=(120, 40))
    with read_games(path) as games:
        for number, error, words in ((3, NotationError, "z9"), (7, InputError, "no game 7")):
            with pytest.raises(error, match=words):
                ReplayApp(games, number)


def test_a_key_stops_the_search_for_a_game_that_can_be_shown(tmp_path):
    bad = json.dumps(replace(SHORT, moves=(replace(SHORT.moves[0], move="z9"),)).to_json())
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join([json.dumps(SHORT.to_json()), *[bad] * 300]))

    async def body(driver):
        read, opened = driver.app.read, []
        driver.app.read = lambda number: (opened.append(number), read(number))
        driver.app.simulate_key("down")
        driver.app.simulate_key("right")
        await driver.until(lambda: driver.app.replay.ply == 1)
        assert driver.app._timer is None
        assert len(opened) < 300

    run(path, body, number=1)


def test_summaries_of_a_file_are_those_of_its_records(league):
    with read_games(league) as games:
        quick, whole = list(games.summaries()), list(PlayedGames.summaries(games))
    assert quick == whole
    assert [game.number for game in quick] == [1, 2, 3, 4, 5, 6]


def test_a_tournament_that_has_not_begun_has_no_games(tmp_path):
    with write_store(tmp_path / "new.db"):
        pass
    with read_games(tmp_path / "new.db") as games, pytest.raises(InputError, match="no game has been played yet"):
        ReplayApp(games)


# --- The terminal ---------------------------------------------------------------------------------------------------


@on_screen(number=2, size=(60, 20))
async def test_a_small_terminal_says_so_until_it_is_larger(driver):
    assert "the board needs 80x24" in " ".join(driver.text().split())
    await driver.pilot.resize_terminal(100, 30)
    await driver.press()
    assert "game 2, round 1" in driver.text()


@on_screen(number=2, look=replace(QUIET, ascii=True))
async def test_boards_of_ascii_characters_and_colours_that_go_around(driver):
    await driver.press("end")
    assert [line for line in driver.text().splitlines() if not line.isascii()] == []
    for name in ("light", "ansi", "dark"):
        await driver.press("t")
        assert driver.app.theme_name == name
    await driver.press("?")
    assert "+---" in driver.text() and driver.text().isascii()


def test_without_a_terminal_or_with_plain_nothing_of_textual_is_loaded(league):
    code = "import sys; from tests.command_line import invoke; print(invoke('replay', sys.argv[1], '--plain').output)"
    done = finished("-c", f"{code}; print('textual' in sys.modules)", league)
    assert "move 1 of" in done.stdout and done.stdout.endswith("\nFalse\n"), done.stderr
