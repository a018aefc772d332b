"""The full screen without a terminal: the screen as text, and games that keys and the mouse drive."""

import asyncio
import functools
import inspect
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import textual.app
import textual.pilot
import textual.screen
from textual.app import App
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.widgets import Input

from agents.limits import Limits
from board_view import Target
from game import load_game
from simulator.fullscreen.app import PlayApp
from simulator.fullscreen.board import Board
from simulator.fullscreen.board_app import Look
from simulator.fullscreen.replay import ReplayApp
from simulator.play.agents import Agents
from simulator.play.autosave import Autosave
from simulator.play.game_in_progress import GameInProgress
from simulator.play.settings import PlaySettings
from simulator.player.lookup import PERSON
from simulator.records.reader import read_games
from tests.pictures import area_of
from tests.playing import NOWHERE, FakeAgents, FirstMoveOpponent

QUIET = Look(theme="dark", animated=False)
SHORT = "wwww../bbb.../....../....../b...../...... w"  # of Pentago: white wins with a stone on e1
PATIENCE_SECONDS = 60.0  # for an agent on a busy machine


async def nothing_is_left_to_do(min_sleep: float = 0.0, max_sleep: float = 1.0) -> None:
    """Wait until everything in the event loop that can run has run.

    This replaces Textual's own function, which waits until the process uses no processor: 20 ms each time, more on a
    busy machine.
    """
    loop: Any = asyncio.get_running_loop()
    deadline = time.monotonic() + max_sleep
    idle = 0
    while idle < 2 and time.monotonic() < deadline:
        await asyncio.sleep(0)
        idle = 0 if loop._ready else idle + 1


textual.app.wait_for_idle = textual.pilot.wait_for_idle = nothing_is_left_to_do


def people(game: str = "pentago", **options: Any) -> GameInProgress:
    """A game of two people, which needs no agent."""
    return GameInProgress(load_game(game, **options), players=(PERSON, PERSON))


def against(agent: str) -> GameInProgress:
    """A game of Pentago between a person, who begins, and an agent."""
    return GameInProgress(load_game("pentago"), players=(PERSON, agent))


def text_of(app: App[None]) -> str:
    """Everything on the screen, without spaces at the ends of lines."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


def is_to_be_drawn(screen: textual.screen.Screen[Any]) -> bool:
    """Whether something on the screen has changed and is not drawn yet; Textual says it in private attributes only."""
    return bool(screen._dirty_widgets or screen._layout_required or screen._callbacks)


def pentago_from(text: str, players: tuple[str, str] = (PERSON, PERSON)) -> GameInProgress:
    """A game of Pentago from this position."""
    game = load_game("pentago")
    return GameInProgress(game, [game.parse_position(text)], players)


class Driver:
    """Somebody at the screen of a `PlayApp`, or of another application, which has no `played`."""

    def __init__(self, app: Any, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def played(self) -> GameInProgress:
        return self.app.controller.played

    def text(self) -> str:
        """Everything on the screen, without spaces at the ends of lines."""
        return text_of(self.app)

    @property
    def notice(self) -> str:
        """The sentence that is shown."""
        return self.app.lines.notice

    def line(self, number: int) -> str:
        """A line of the screen; -1 is the lowest."""
        return self.text().splitlines()[number]

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.drop()

    async def type(self, *lines: str) -> None:
        """Enter lines, each after the key that opens the command line."""
        for text in lines:
            await self.press("m")
            await self.enter(text)

    async def enter(self, text: str) -> None:
        """Enter a text in the line that has the focus."""
        assert isinstance(self.app.focused, Input)
        self.app.focused.value = text
        await self.press("enter")

    async def click(self, target: Target, board: Board | None = None, button: int = 1) -> None:
        """Click where a target is drawn, on the game's board unless another is given."""
        board = board or self.app.board
        picture = board.picture()
        area = area_of(picture, target)
        top, left = board._offset(picture)
        offset = Offset(left + area.column + area.width // 2, top + area.row)
        await self.pilot.click(board, offset=offset, button=button)
        await self.drop()

    async def until(self, is_so: Callable[[], bool], what: str = "") -> None:
        """Wait until a condition holds; fail after PATIENCE_SECONDS."""
        for _ in range(int(PATIENCE_SECONDS / 0.02)):
            if is_so():
                await self.drop()
                return
            await self.pilot.pause(0.02)
        raise AssertionError(f"waited in vain for {what or is_so}:\n{self.text()}")

    async def turn(self) -> None:
        """Wait until the person can move, or the game is over."""
        await self.until(lambda: self.app.board.can_choose or self.played.is_over, "the person's turn")

    async def drop(self) -> None:
        """Let everything that was sent arrive, and what follows from it be drawn."""
        for _ in range(3):  # a change of size is drawn in three steps
            await self.pilot.pause()


@asynccontextmanager
async def replay_screen(
    path: Path, number: int | None = None, size: tuple[int, int] = (80, 24), look: Look = QUIET, **more: Any
) -> AsyncIterator[Driver]:
    """The screen that shows a file of games, until the end of the block."""
    with read_games(path) as games:
        app = ReplayApp(games, number, look, **more)
        async with app.run_test(size=size) as pilot:
            driver = Driver(app, pilot)
            await driver.press()
            yield driver


@asynccontextmanager
async def screen(
    played: GameInProgress,
    size: tuple[int, int] = (80, 24),
    look: Look = QUIET,
    is_kept: bool = False,
    opponent: FirstMoveOpponent | None = None,
    **settings: Any,
) -> AsyncIterator[Driver]:
    """The application with that game, until the end of the block; an `opponent` answers without a process."""
    limits = Limits(move_seconds=0.2)
    how = PlaySettings(**{"limits": limits, "hints": "greedy_agent", "isolation": "none", "seed": 0} | settings)
    autosave: Any = Autosave(how) if is_kept else NOWHERE
    agents = Agents(played, how)
    try:
        app = PlayApp(played, agents if opponent is None else FakeAgents(opponent, how), autosave, look)
        async with app.run_test(size=size) as pilot:
            driver = Driver(app, pilot)
            await driver.drop()
            yield driver
    finally:
        agents.close()
        if is_kept:
            autosave.close()


def run(test: Callable[[Driver], Awaitable[None]], played: GameInProgress, **more: Any) -> None:
    """Run what somebody does at the screen of a game."""

    async def body() -> None:
        async with screen(played, **more) as driver:
            await test(driver)

    asyncio.run(body())


def on_screen(played: Callable[[], GameInProgress], **more: Any) -> Callable[[Callable[..., Awaitable[None]]], Any]:
    """Make a test from a function that says what somebody does at the screen of that game."""

    def made(test: Callable[..., Awaitable[None]]) -> Any:
        @functools.wraps(test)
        def on_a_screen(**fixtures: Any) -> None:
            run(lambda driver: test(driver, **fixtures), played(), **more)

        fixtures = list(inspect.signature(test).parameters.values())[1:]
        on_a_screen.__signature__ = inspect.Signature(fixtures)  # type: ignore[attr-defined]
        return on_a_screen

    return made
