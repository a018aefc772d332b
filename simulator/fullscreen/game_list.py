"""The games of a file as a list, from which one is chosen."""

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import DataTable, Input, Static

from simulator.fullscreen.dialogs import Dialog
from simulator.records.reader import Summary

COLUMNS = ("game", "round", "first", "second", "result", "ended by", "moves")
TYPING_SECONDS = 0.15  # after the last key until the list is made: a league's list takes longer than a key
LONGEST_NAME = 22  # characters of an agent in the list, fewer on a narrow screen
BESIDE_NAMES = 50  # characters that the other columns and the frame take


class _Games(DataTable[Text], can_focus=False):  # what is typed goes to the filter
    """The table, in which one click chooses a game."""

    def on_click(self, event: events.Click) -> None:
        """Put the cursor where the click is: `DataTable` chooses only what is under the cursor before."""
        row, column = (event.style.meta.get(name, -1) for name in ("row", "column"))
        if row >= 0:
            self.move_cursor(row=row, column=column)


class GameList(Dialog[int | None]):
    """Returns the number of the game that was chosen, None for Escape.

    The list shows the games in which each typed word is a part of the number, a name, the result, or the reason.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False, priority=True)]

    def __init__(self, title: str, games: Sequence[Summary], chosen: int) -> None:
        super().__init__()
        self._title, self._games, self._chosen = title, games, chosen
        self._timer: Timer | None = None  # runs until the list is filtered by what was typed

    def compose(self) -> ComposeResult:
        """The title, the filter, the games."""
        with Vertical(classes="dialog", id="game-list"):
            yield Static(Content(self._title), classes="title")
            yield Input(placeholder="type to search: an agent, a result, crash, timeout ...", compact=True)
            yield _Games(id="games", cursor_type="row", zebra_stripes=True)
            yield Static(Content("Up, Down: choose   Enter: show   Esc: back"), classes="foot")

    def on_mount(self) -> None:
        """Show all games, the cursor on the one that was shown."""
        self.query_one(_Games).add_columns(*COLUMNS)
        self._fill(self._games)

    def _fill(self, games: Sequence[Summary]) -> None:
        table = self.query_one(_Games)
        table.clear()
        longest = min(LONGEST_NAME, (self.app.size.width * 24 // 25 - BESIDE_NAMES) // 2)
        for game in games:
            cells = [Text("" if cell is None else str(cell)) for cell in game]
            for name in cells[2:4]:
                name.truncate(longest, overflow="ellipsis")
            table.add_row(*cells, key=str(game.number))
        numbers = [game.number for game in games]
        if self._chosen in numbers:
            table.move_cursor(row=numbers.index(self._chosen))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show the games that have every typed word, once nothing has been typed for a moment."""
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(TYPING_SECONDS, self._filter)

    def _filter(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = None
        words = self.query_one(Input).value.lower().split()
        self._fill([game for game in self._games if all(word in _described(game) for word in words)])

    def on_input_submitted(self) -> None:
        """Enter shows the game under the cursor."""
        if self._timer is not None:
            self._filter()
        table = self.query_one(_Games)
        if table.row_count:
            key = table.coordinate_to_cell_key(table.cursor_coordinate).row_key
            self.dismiss(int(str(key.value)))

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """A click shows that game."""
        self.dismiss(int(str(event.row_key.value)))

    def on_key(self, event: events.Key) -> None:
        """Keys that move go to the list; all others are typed."""
        moves = {"up": "cursor_up", "down": "cursor_down", "pageup": "page_up", "pagedown": "page_down"}
        if (action := moves.get(event.key)) is not None:
            getattr(self.query_one(_Games), f"action_{action}")()


def _described(game: Summary) -> str:
    """The text in which typed words are looked for."""
    return f"{game.number} {game.first} {game.second} {game.result} {game.reason}".lower()
