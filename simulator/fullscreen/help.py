"""The rules of the game and all commands, one of which can be chosen.

All of it is one widget, which takes 22 ms of processor time to open. A list with its scroll bar, a title and notes took
67 ms.
"""

import textwrap
from collections.abc import Mapping
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from simulator.fullscreen.dialogs import Dialog
from simulator.fullscreen.keys import KEYS
from simulator.play.commands import Command

WIDEST, WIDTH_SHARE, HEIGHT_SHARE = 78, 0.96, 0.94  # of a dialog, as `screen.tcss` has it; shares of the terminal
FRAME_WIDTH, FRAME_HEIGHT = 4, 2  # characters and lines of the border, with padding at the sides
FOOT = "Arrow keys, Enter: choose   Esc: back"  # a line


class Help(Dialog[str | None]):
    """Shows how to play and all commands; returns the name of the command that was chosen, None after Escape.

    Attributes:
        chosen: the number of the command under the cursor.
        top: the number of the first command that is shown.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,f1", "dismiss(None)", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "move(-8)", show=False),
        Binding("pagedown", "move(8)", show=False),
        Binding("home", "move(-1000)", show=False),
        Binding("end", "move(1000)", show=False),
        Binding("enter", "choose", show=False),
    ]

    def __init__(self, commands: Mapping[str, Command]) -> None:
        super().__init__(classes="alone")  # it fills 80x24: drawing the board below it each time took 80 ms
        self._commands = list(commands.items())
        self._rules = ""
        self.chosen = self.top = 0

    def begin(self, rules: str) -> None:
        """Show the rules of this game, with the cursor on the first command."""
        self._rules = rules
        self.chosen = self.top = 0
        if self.is_mounted:
            self._draw()

    def compose(self) -> ComposeResult:
        """One widget for all."""
        yield Static(self._content(), classes="dialog", id="help")

    def on_resize(self, event: events.Resize) -> None:
        """Show as many commands as fit."""
        self._draw()

    def _width(self) -> int:
        """Characters of a line."""
        return max(1, min(WIDEST, int(self.app.size.width * WIDTH_SHARE)) - FRAME_WIDTH)

    def _head(self) -> list[str]:
        """The lines above the commands."""
        return ["How to play, and all commands", *textwrap.wrap(self._rules, self._width()), ""]

    def _room(self) -> int:
        """How many commands can be shown."""
        return max(1, int(self.app.size.height * HEIGHT_SHARE) - FRAME_HEIGHT - len(self._head()) - 1)

    def _shown(self) -> range:
        """The numbers of the commands that are shown; the chosen one is among them."""
        room = self._room()
        self.top = min(max(self.top, self.chosen - room + 1, 0), self.chosen, max(0, len(self._commands) - room))
        return range(self.top, min(self.top + room, len(self._commands)))

    def _content(self) -> Content:
        head, shown, width = self._head(), self._shown(), self._width()
        more = (
            f"   {shown.start + 1} to {shown.stop} of {len(self._commands)}" if len(shown) < len(self._commands) else ""
        )
        parts = [(head[0] + "\n", "bold"), ("\n".join(head[1:]) + "\n", "")]
        for number in shown:
            name, command = self._commands[number]
            key = KEYS[name].key_display if name in KEYS else ""
            line = f"{key:>6}  {name:<8} {command.help}"[:width]
            parts.append((f"{line:<{width}}\n", "reverse" if number == self.chosen else ""))
        return Content.assemble(*parts, (FOOT + more, "dim"))

    def _draw(self) -> None:
        self.query_one("#help", Static).update(self._content())

    def action_move(self, step: int) -> None:
        """Move the cursor by so many commands."""
        self.chosen = min(max(self.chosen + step, 0), len(self._commands) - 1)
        self._draw()

    def action_choose(self) -> None:
        """Choose the command under the cursor."""
        self.dismiss(self._commands[self.chosen][0])

    def on_click(self, event: events.Click) -> None:
        """Choose the command that was clicked."""
        number = event.screen_y - self.query_one("#help").content_region.y - len(self._head()) + self.top
        if number in self._shown():
            self.chosen = number
            self.action_choose()

    def on_mouse_scroll_down(self) -> None:
        """Go to the next command."""
        self.action_move(1)

    def on_mouse_scroll_up(self) -> None:
        """Go to the command before."""
        self.action_move(-1)
