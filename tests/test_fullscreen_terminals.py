"""Terminals of the full screen: small ones, changing ones, games without a view."""

import os
import signal
from pathlib import Path

import pytest

from tests.screens import Driver, on_screen, people, run

PROJECT = Path(__file__).parent.parent


@on_screen(people)
async def test_a_terminal_that_becomes_too_small_says_so_and_nothing_is_lost(driver: Driver) -> None:
    await driver.type("a1/0r")
    await driver.pilot.resize_terminal(70, 20)
    await driver.until(lambda: "70x20" in driver.text() and "--plain" in driver.text())
    await driver.pilot.resize_terminal(120, 40)
    await driver.until(lambda: "a1/0r" in driver.text() and "╭────╮" in driver.text())
    await driver.pilot.resize_terminal(80, 24)
    await driver.until(lambda: "a1/0r" in driver.text() and "╭──╮" in driver.text())
    await driver.until(lambda: driver.app.focused is driver.app.board)
    before = driver.app.board.pointed
    await driver.press("right")
    assert driver.app.board.pointed != before


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


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_end_the_application_with_the_status_that_shells_report(number: signal.Signals) -> None:
    async def test(driver: Driver) -> None:
        await driver.type("a1/0r")
        os.kill(os.getpid(), number)
        await driver.until(lambda: driver.app.return_code is not None, "the end")
        assert driver.app.return_code == 128 + number

    before = signal.getsignal(number)
    run(test, people())
    assert signal.getsignal(number) == before
