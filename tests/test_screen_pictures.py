"""The main screens as text and the marks on their boards, compared with the files in `tests/data/screens`.

After an intended change, `UNFORCED_NEW_SCREENS=1 python -m pytest tests/test_screen_pictures.py` writes them anew;
read them before you commit them. Colours are not compared; the marks on the board are listed below the screen. It also
writes the picture that the README shows.
"""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from game import SECOND, load_game, play_moves
from simulator.fullscreen.board_app import Look
from simulator.gtp.analysis import Analysis
from simulator.play.game_in_progress import GameInProgress
from simulator.player.lookup import PERSON
from tests.leagues import random_game, write_games
from tests.programs import PROJECT
from tests.screens import QUIET, people, replay_screen, screen

SCREENS = Path(__file__).parent / "data" / "screens"


def after(moves, game="pentago", **options):
    """A game of two people after these moves."""
    loaded = load_game(game, **options)
    return GameInProgress(loaded, play_moves(loaded, moves.split()), (PERSON, PERSON))


WON = "a1/3f a6/3f b1/3f b6/3f c1/3f c6/3f d1/2f e6/2f e1/2f"
GO_OVER = "E5 C3 E4 C4 E3 C5 pass pass"
KALAH_OVER = "2 1 2 1 2 2 3"
PLAYED = "c3/0r d4/1f b2/2r d3/0f e5/3r b4/1r"
CASES: dict[str, tuple[Callable[[], GameInProgress], tuple[int, int], Look, tuple[str, ...]]] = {
    "pentago-start": (people, (80, 24), QUIET, ()),
    "pentago-turn": (lambda: after(PLAYED), (80, 24), QUIET, ("up", "enter", "2", "f")),
    "pentago-won": (lambda: after(WON), (80, 24), QUIET, ()),
    "pentago-taken": (lambda: after("c3/3f"), (80, 24), QUIET, ("enter",)),
    "pentago-120x40": (lambda: after(PLAYED), (120, 40), QUIET, ("v",)),
    "pentago-200x50": (lambda: after(PLAYED), (200, 50), QUIET, ("pageup",)),
    "pentago-ascii": (lambda: after(PLAYED), (80, 24), Look(theme="ansi", ascii=True, animated=False), ()),
    "pentago-help": (people, (80, 24), QUIET, ("question_mark",)),
    "pentago-new": (lambda: after(PLAYED), (80, 24), QUIET, ("n",)),
    "pentago-leave": (lambda: after(PLAYED), (80, 24), QUIET, ("ctrl+c",)),
    "go-9": (lambda: after("E5 C3 G7", "go", size=9), (80, 24), QUIET, ()),
    "go-13": (lambda: after("G7 D4", "go", size=13), (120, 40), QUIET, ()),
    "go-19": (lambda: after("Q16 D4 pass", "go", size=19), (80, 24), QUIET, ("down", "p")),
    "go-over": (lambda: after(GO_OVER, "go", size=9), (80, 24), QUIET, ()),
    "set-up": (lambda: after(PLAYED), (80, 24), QUIET, ("e", "enter", "b")),
    "kalah": (lambda: after("3", "kalah"), (80, 24), QUIET, ("right",)),
    "kalah-over": (lambda: after(KALAH_OVER, "kalah", pits=3, stones=2), (80, 24), QUIET, ()),
}


def marked(board):
    """The marks of the board, line by line."""
    found = []
    for number, line in enumerate(board.picture().lines):
        spans = [f"{span.text!r} {'+'.join(sorted(span.marks))}" for span in line if span.marks]
        if spans:
            found.append(f"{number}: " + ", ".join(spans))
    return "\n".join(found)


def seen_on(driver):
    """The screen, and the marks of its board."""
    return f"{driver.text()}\n\n{marked(driver.app.board)}\n"


def assert_as_it_was(name, seen):
    """Compare a screen with its file, or write the file anew."""
    file = SCREENS / f"{name}.txt"
    if os.environ.get("UNFORCED_NEW_SCREENS"):
        file.write_text(seen, encoding="utf-8")
    assert seen == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CASES)
def test_the_screen_is_as_it_was(name):
    played, size, look, keys = CASES[name]
    assert_as_it_was(name, asyncio.run(_seen(played(), size, look, keys)))


def test_the_picture_of_the_readme_can_be_drawn():
    picture = asyncio.run(_picture())
    if os.environ.get("UNFORCED_NEW_SCREENS"):
        (PROJECT / "docs" / "play.svg").write_text(picture, encoding="utf-8")
    assert "uct_agent" in picture and "Turn" in picture


async def _picture():
    """The SVG of a game in which the turn of a quadrant is being chosen. Nobody thinks, so it is always the same."""
    async with screen(after(f"{PLAYED} c2/2f e2/0r"), (100, 30), show_analysis=True) as driver:
        driver.app.now = lambda: 0.0
        driver.played.seconds[:] = 74.0, 8.2
        line = ("e2/0r", "f6/3f", "c5/1r")
        driver.app.controller.thoughts = {
            ply: Analysis(value=value, simulations=412_309.0, pv=line)
            for ply, value in {2: 0.42, 4: 0.47, 6: 0.51, 8: 0.56}.items()
        }
        await driver.press("right", "right", "enter", "right", "right")
        driver.played.players[SECOND] = "uct_agent"  # only its name is shown
        driver.app.update_all()
        await driver.drop()
        return driver.app.export_screenshot(title="python runner.py play --analysis")


async def _seen(played, size, look, keys):
    async with screen(played, size, look) as driver:
        driver.app.now = lambda: 0.0
        driver.played.seconds[:] = 0.0, 0.0
        driver.app.controller.thoughts = {2: Analysis(value=0.25, simulations=1234.0, pv=("d4/1f", "b2/2r", "d3/0f"))}
        for key in keys:
            await driver.press(key)
        driver.app.update_all()
        await driver.drop()
        return seen_on(driver)


REPLAYS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "replay-pentago": ({"seed": 5}, ("pagedown", "right")),
    "replay-pentago-won": ({"opening": WON.split(), "plies": 0}, ("end",)),
    "replay-go": ({"game": "go", "options": {"size": 9}, "plies": 30}, ("pagedown", "pagedown")),
    "replay-go-over": ({"game": "go", "options": {"size": 9}, "opening": GO_OVER.split(), "plies": 0}, ("end",)),
}


@pytest.mark.parametrize("name", REPLAYS)
def test_the_screen_of_a_replay_is_as_it_was(name, tmp_path):
    game, keys = REPLAYS[name]
    file = write_games(tmp_path / "games.jsonl", random_game(("alpha", "beta"), **game))
    assert_as_it_was(name, asyncio.run(_seen_in_replay(file, keys)))


async def _seen_in_replay(file, keys):
    async with replay_screen(file, 1) as driver:
        for key in keys:
            await driver.press(key)
        await driver.drop()
        return seen_on(driver)
