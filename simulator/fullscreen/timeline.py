"""The timeline of a game on the screen: a slider, and a plot of the agents' values.

A click goes to that move, by the application's action `look_at`.
"""

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.strip import Strip
from textual.widget import Widget

from game import FIRST
from simulator.fullscreen.theme import is_ascii

EIGHTHS = " ▁▂▃▄▅▆▇█"
PLOT_HEIGHT = 4  # lines
_LOOKS = (Style.parse("bold"), Style.parse("dim"))  # for values of the first player, of the second


class Slider(Widget):
    """A line with a mark where the game stands; click or drag it."""

    ply = last = 0

    def show(self, ply: int, last: int) -> None:
        """Show where a move is in a game of `last` moves."""
        self.ply, self.last = ply, last
        self.refresh()

    def column_of(self, ply: int) -> int:
        """The column of a move's mark."""
        return round(ply * (self.size.width - 1) / max(1, self.last))

    def ply_at(self, column: int) -> int:
        """The move whose mark is in that column, or nearest to it."""
        return min(self.last, max(0, round(column * self.last / max(1, self.size.width - 1))))

    def render_line(self, y: int) -> Strip:
        """The line."""
        before, width = self.column_of(self.ply), self.size.width
        rest, done, mark = ("-", "=", "o") if is_ascii(self) else ("─", "━", "●")
        style = self.rich_style
        text = [
            Segment(done * before, style),
            Segment(mark, style + Style(bold=True)),
            Segment(rest * (width - before - 1), style),
        ]
        return Strip(text).adjust_cell_length(width, style)

    async def on_mouse_down(self, event: events.MouseDown) -> None:
        """Go there, and follow the mouse until it is released."""
        self.capture_mouse()
        await self.run_action(f"app.look_at({self.ply_at(event.x)})")

    async def on_mouse_move(self, event: events.MouseMove) -> None:
        """Follow the mouse while a button is pressed."""
        if event.button and (ply := self.ply_at(event.x)) != self.ply:
            await self.run_action(f"app.look_at({ply})")

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Stop following the mouse."""
        self.release_mouse()


class ValuePlot(Widget):
    """Bars of the first player's winning chance by the agents' own values; those from its opponent are dim."""

    values: Sequence[float | None] = ()
    movers: Sequence[int] = ()
    ply = 0

    def show(self, values: Sequence[float | None], movers: Sequence[int], ply: int) -> None:
        """Show a value for each move, and which player made it; the column of move `ply` (from 1) is marked."""
        self.values, self.movers, self.ply = values, movers, ply
        self.display = any(value is not None for value in values)
        self.refresh()

    def plies_at(self, column: int) -> range:
        """The moves, from 1, that share a column; one move may be several columns wide."""
        first, behind = (at * len(self.values) // self.size.width for at in (column, column + 1))
        return range(first + 1, max(behind, first + 1) + 1)

    def _column(self, column: int) -> tuple[float | None, Style]:
        """The last known value of a column, and its style."""
        plies = [ply for ply in self.plies_at(column) if ply <= len(self.values)]
        known = [ply for ply in plies if self.values[ply - 1] is not None]
        style = self.rich_style + (_LOOKS[self.movers[known[-1] - 1] != FIRST] if known else Style())
        if self.ply in plies:
            style += Style(reverse=True, dim=False)
        return self.values[known[-1] - 1] if known else None, style

    def render_line(self, y: int) -> Strip:
        """One of the lines, the highest first."""
        segments = []
        for column in range(self.size.width):
            value, style = self._column(column)
            segments.append(Segment(self._sign(value, PLOT_HEIGHT - 1 - y), style))
        return Strip(segments)

    def _sign(self, value: float | None, above: int) -> str:
        """The part of a bar in a line that has `above` lines below it."""
        if value is None:
            return " "
        eighths = min(8, max(0, round(value * 8 * PLOT_HEIGHT) - 8 * above))
        if above == 0:
            eighths = max(1, eighths)  # a bar of height 0 is seen, too
        if is_ascii(self):
            return "#" if eighths >= 4 else "." if above == 0 else " "
        return EIGHTHS[eighths]

    async def on_click(self, event: events.Click) -> None:
        """Go to the move that was clicked."""
        ply = self.plies_at(event.x)[-1]
        await self.run_action(f"app.look_at({min(ply, len(self.values))})")
