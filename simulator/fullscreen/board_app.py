"""What all full screens share: a board with panels beside it and lines below, colours, sizes, signals."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import App
from textual.binding import Binding
from textual.widget import Widget
from textual.widgets import Static

from game import RulesError
from simulator.fullscreen.board import Board
from simulator.fullscreen.driver import TerminalDriver
from simulator.fullscreen.panels import draw, keys_line
from simulator.fullscreen.signals import end_at_signals
from simulator.fullscreen.theme import TEXTUAL_THEMES, ThemeName, wanted_theme, wants_no_colour

LEAST_WIDTH, LEAST_HEIGHT = 80, 24
SIDE_WIDTH, WIDEST_SIDE = 34, 64  # characters beside the board
RESUME_SECONDS = 0.2  # after `fg`, until the terminal is ours again


@dataclass(frozen=True)
class Look:
    """How the screen looks."""

    theme: ThemeName = "auto"
    ascii: bool = False
    animated: bool = True


class BoardApp(App[None]):
    """The base class. Its parts have names: `upper` holds the board and the `side`; `small` replaces all other parts.

    Attributes:
        advice: what to do in a small terminal.
        lower_parts: the names of the lines below the board.
        lower_lines: the number of lines that these take.
        shows_whole_board: whether a terminal is too small if a part of the board does not fit.
        ends_at_signals: whether SIGTERM and SIGHUP end the application.
        least_side: the least width of the side, in characters.
        margin: characters between the board and the side.
    """

    CSS_PATH = "screen.tcss"
    ENABLE_COMMAND_PALETTE = False
    TITLE = "Unforced"
    advice: ClassVar[str]
    lower_parts: ClassVar[tuple[str, ...]]
    lower_lines: int
    shows_whole_board: ClassVar[bool] = True
    ends_at_signals: ClassVar[bool] = True
    least_side: ClassVar[int] = SIDE_WIDTH
    margin: ClassVar[int] = 4

    def __init__(self, look: Look | None = None, driver: type[TerminalDriver] = TerminalDriver) -> None:
        # Without ansi_color Textual makes the terminal's own colours grey.
        super().__init__(driver_class=driver, ansi_color=wants_no_colour() or None)
        self.look = look or Look()
        self.set_class(self.look.ascii, "ascii")
        self.theme_name: ThemeName = self.look.theme

    def on_mount(self) -> None:
        """Set the colours, and let signals end the application. Textual also calls `on_mount` of a subclass."""
        if self.ends_at_signals:
            end_at_signals(self)
        self.set_look(self.look.theme)
        self.part("small").display = False
        self.app_resume_signal.subscribe(self, lambda _: self.set_timer(RESUME_SECONDS, self._redraw))

    def _handle_exception(self, error: Exception) -> None:
        """Let rules of a game's file that fail where the board is drawn say so in words, without our own traceback."""
        if isinstance(error, RulesError):
            vars(error)["__rich__"] = partial(Text, f"Error: {error}")  # which Textual shows in its place
        super()._handle_exception(error)

    def _redraw(self) -> None:
        """Draw everything again after `fg`: the terminal has lost it."""
        for screen in self.screen_stack:
            for widget in screen.query("*"):
                widget.refresh()
            screen.refresh(layout=True)

    @property
    def board(self) -> Board:
        """The board."""
        return self.query_one(Board)

    def part(self, name: str) -> Widget:
        """A line or panel of the screen below all dialogs."""
        return self.query_one(f"#{name}")

    def write(self, name: str, text: str, *, layout: bool = True) -> None:
        """Write a line or panel."""
        draw(self.query_one(f"#{name}", Static), text, layout=layout)

    def write_keys(self, keys: Iterable[Binding]) -> None:
        """Show keys, as many as fit; each can be clicked."""
        line = keys_line(keys, self.part("keys"))
        draw(self.query_one("#keys", Static), line, is_markup=True, layout=False)

    def set_look(self, theme: ThemeName) -> None:
        """Choose the colours."""
        self.theme_name = wanted_theme(theme, self.console.color_system)
        self.theme = TEXTUAL_THEMES[self.theme_name]
        self.board.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Draw as large as fits."""
        self.call_after_refresh(self.fit)

    def fit(self) -> None:
        """Share the width between the board and the panels; if the terminal is too small, say that instead."""
        width, height = self.size
        board = self.board.size_for(height - self.lower_lines, width - SIDE_WIDTH - 2)
        least_height = max(LEAST_HEIGHT, board.height + self.lower_lines) if self.shows_whole_board else LEAST_HEIGHT
        is_small = width < LEAST_WIDTH or height < least_height
        was_small = self.part("small").display
        self.part("small").display = is_small
        for name in ("upper", *self.lower_parts):
            self.part(name).display = not is_small
        if is_small:
            said = f"This terminal has {width}x{height} characters, and the board needs {LEAST_WIDTH}x{least_height}"
            self.write("small", f"{said}: {self.advice}")
            return
        self.part("side").styles.width = min(WIDEST_SIDE, max(self.least_side, width - board.width - self.margin))
        if was_small:
            self.enlarged()
        self.call_after_refresh(self.update_all)

    def enlarged(self) -> None:
        """Called when the terminal is no longer too small: what was hidden has lost the focus."""

    def update_all(self) -> Any:
        """Draw everything that is not the board."""
        raise NotImplementedError
