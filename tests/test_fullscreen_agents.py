"""Agents on the full screen: thinking, failing, answering while something else is shown."""

import threading
from pathlib import Path
from typing import Any

import pytest

from agents.limits import Limits
from game import FIRST
from simulator.fullscreen.board_app import Look
from simulator.gtp.analysis import Analysis
from simulator.play.thinker import AgentMove, Task
from tests.screens import Driver, against, people, play, run

AGENTS = Path(__file__).parent / "agents"
SLOW = Limits(move_seconds=300, first_move_seconds=300)


def test_keys_that_are_pressed_while_an_agent_thinks_are_not_played_until_it_is_told_to_move() -> None:
    async def test(driver: Driver) -> None:
        await play(driver, "a1/0r")
        await driver.until(lambda: "is thinking" in driver.line(-2), "the agent")
        await driver.press(*["enter"] * 6)
        assert driver.played.present == 1
        await driver.press("space")
        await driver.until(lambda: driver.played.present == 2)
        assert driver.app.board.chosen == ()

    run(test, against("uct_agent:book=no,stop=proof"), limits=SLOW)


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


def test_an_agent_that_is_being_started_is_waited_for_with_the_seconds_that_it_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiling = threading.Event()
    monkeypatch.setattr("simulator.play.thinker.compile_ahead", lambda *_, **__: compiling.wait())

    async def test(driver: Driver) -> None:
        try:
            for passed in (1, 2):
                await driver.until(lambda passed=passed: f"Starting random_agent ... {passed} s" in driver.line(-2))
        finally:
            compiling.set()
        await driver.turn()
        assert driver.played.present == 1

    game = against("random_agent")
    game.players.reverse()
    run(test, game)


def test_the_seconds_of_the_adviser_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    compiling = threading.Event()
    monkeypatch.setattr("simulator.play.thinker.compile_ahead", lambda *_, **__: compiling.wait())

    async def test(driver: Driver) -> None:
        await driver.press("h")
        try:
            await driver.until(lambda: driver.app.notice == "greedy_agent is thinking about it ... 1 s")
            await driver.press("v")
            assert driver.app.shows_thoughts
        finally:
            compiling.set()
        await driver.until(lambda: "greedy_agent would play" in driver.text())

    run(test, people())


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
