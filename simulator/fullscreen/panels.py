"""What stands beside the board: the players with their clocks, the moves, what the agent thinks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.scrollbar import ScrollBarRender
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Static

from game import FIRST, SECOND, Game, RulesError
from options import counted
from simulator.fullscreen.theme import is_ascii
from simulator.gtp.analysis import Analysis
from simulator.play.chances import chance_of_first, how_found
from simulator.play.game_in_progress import GameInProgress
from simulator.play.names import plain_side_name

BAR = "▁▂▃▄▅▆▇█"
ASCII_BAR = ".:-=+*#@"
ARROWS = {"→": "Right", "←": "Left", "↓": "Down", "↑": "Up"}


def draw(panel: Static, text: str, *, is_markup: bool = False, layout: bool = True) -> None:
    """Show a text, unless it is shown already; `layout` is False if the size of the panel cannot change."""
    if str(panel.content) != text:
        panel.update(text if is_markup else Content(text), layout=layout)


def keys_line(keys: Iterable[Binding], panel: Widget, target: str = "app") -> str:
    """As many keys as fit into a line, as markup: a click on a key does its action on the `target`."""
    shown, room = [], panel.app.size.width - 2
    for key in keys:
        sign = key.key_display or ""
        sign = ARROWS.get(sign, sign) if is_ascii(panel) else sign
        room -= len(sign) + len(key.description) + 3
        if room < 0:
            break
        shown.append(f"[@click={target}.{key.action}][b]{sign}[/b] {key.description}[/]")
    return "  ".join(shown)


def clock_text(seconds: float) -> str:
    """Minutes and seconds.

    >>> clock_text(0), clock_text(75.9), clock_text(3600)
    ('0:00', '1:15', '60:00')
    """
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


class Players(Static):
    """Both players, each with the sign of its stones as boards show them."""

    def show(
        self, game: Game, names: Sequence[str], figures: Sequence[str], to_move: int | None, winner: int | None
    ) -> None:
        """Draw both; `figures` stand at the right: clocks, for example."""
        lines = []
        for side, (name, right) in enumerate(zip(names, figures, strict=True)):
            letter = game.players[side]
            stone = {"w": "○", "b": "●"}.get(letter, "●○"[side])
            if is_ascii(self):
                stone = letter.upper() if game.name != "go" else "XO"[side]
            arrow = (">" if is_ascii(self) else "▶") if side == to_move else " "
            won = " (won)" if side == winner else ""
            room = max(10, (self.size.width or 34) - len(right) - 2)
            lines.append(f"{f'{arrow} {stone} {name}'[: room - len(won)] + won:<{room}} {right}")
        draw(self, "\n".join(lines), layout=False)


class _WholeCells(ScrollBarRender):
    """A scroll bar whose ends are whole cells, since parts of cells are no ASCII characters."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "] * 8


class Moves(VerticalScroll, can_focus=False):
    """The moves of the game, each of which can be clicked; the one that is looked at is marked."""

    def on_mount(self) -> None:
        """Choose the characters of the scroll bar."""
        if is_ascii(self):
            self.vertical_scrollbar.renderer = _WholeCells  # type: ignore[misc]  # as Textual's documentation has it

    def compose(self) -> ComposeResult:
        """One text for all."""
        yield Static(id="moves-text")

    def show(self, played: GameInProgress, rules: str) -> None:
        """Draw the list; moves that were taken back are dim. Before the first move, show the rules of the game."""
        if len(played.line) == 1:
            draw(self.query_one("#moves-text", Static), rules)
            return
        panel, lines = self.query_one("#moves-text", Static), Content("\n").join(_move_lines(played))
        if panel.content != lines:
            panel.update(lines)
        row = next((number for number, row in enumerate(_rows(played)) if played.shown in row), 0)
        self.call_after_refresh(lambda: self.scroll_to(y=max(0, row - self.size.height + 2), animate=False))


def _rows(played: GameInProgress) -> list[list[int]]:
    """The plies of each line of the list: two moves, or a single move if a player moves several times in a row."""
    rows: list[list[int]] = []
    last = SECOND
    for ply, before in enumerate(played.line[:-1], 1):
        if not rows or before.to_move in (FIRST, last):
            rows.append([])
        rows[-1].append(ply)
        last = before.to_move
    return rows


def move_number(played: GameInProgress, ply: int) -> str:
    """The number of a move in the list, with dots for a move of the second player."""
    number = next(number for number, row in enumerate(_rows(played), 1) if ply in row)
    return f"{number}. ..." if played.line[ply - 1].to_move == SECOND else f"{number}."


def _move_lines(played: GameInProgress) -> Iterator[Content]:
    texts = [played.game.format_move(position.last_move) for position in played.line[1:]]
    width = max(map(len, texts)) + 2
    for number, row in enumerate(_rows(played), 1):
        indent = " " * (width if played.line[row[0] - 1].to_move == SECOND else 0)
        moves = (_link(played, ply, texts[ply - 1]) + " " * (width - len(texts[ply - 1])) for ply in row)
        yield Content.styled(f"{number:3}.", "dim") + f" {indent}" + Content("").join(moves)


def _link(played: GameInProgress, ply: int, text: str) -> Content:
    """A move that can be clicked."""
    style = Style.from_meta({"@click": f"app.look_at({ply})"})
    return Content.styled(text, style + Style(reverse=ply == played.shown or None, dim=ply > played.present or None))


class Thoughts(Static):
    """What the agents thought at their moves: a bar over the game, the last value, proof, simulations."""

    def show(self, played: GameInProgress, thoughts: Mapping[int, Analysis]) -> None:
        """Draw what was thought of the move that is looked at, or else of the last move before it."""
        plies = [ply for ply in thoughts if ply <= played.present]
        values = {ply: chance_of_first(thoughts[ply], played.line[ply - 1].to_move) for ply in plies}
        known = [(ply, value) for ply, value in sorted(values.items()) if value is not None]
        lines = [self._bar(played, known)] if known else []
        ply = max((ply for ply in values if ply <= played.shown), default=None)
        if ply is not None:
            lines += _words(played, ply, thoughts[ply], values[ply])
        else:
            lines.append("no agent has said what it thinks yet")
        draw(self, "\n".join(lines))

    def _bar(self, played: GameInProgress, known: Sequence[tuple[int, float]]) -> str:
        """A character for each value, high where the first player is ahead."""
        bars = ASCII_BAR if is_ascii(self) else BAR
        name = plain_side_name(played.game, FIRST)
        room = max(8, (self.size.width or 34) - len(name) - 2)
        return f"{name} " + "".join(bars[min(7, int(value * 8))] for _, value in known[-room:])


def _words(played: GameInProgress, ply: int, one: Analysis, value: float | None) -> list[str]:
    game, mover = played.game, played.line[ply - 1].to_move
    lines = []
    if one.proven:
        winner = {"win": mover, "loss": 1 - mover}.get(one.proven)
        what = "a draw" if winner is None else f"a win for {plain_side_name(game, winner)}"
        after = positions_after(game, played.line[ply - 1], one.pv or ())
        is_ended = winner is not None and after and after[-1].result is not None
        lines.append(f"proved: {what}" + (f" in {counted(len(after), 'move')}" if is_ended else ""))
    elif value is not None:
        ahead, share = (FIRST, value) if value >= 0.5 else (SECOND, 1 - value)
        lines.append(f"{share:.0%} for {plain_side_name(game, ahead)}")
    lines += how_found(one)
    if one.pv and len(one.pv) > 1:
        lines.append("expects " + " ".join(one.pv[1:5]))
    return lines


def positions_after(game: Game, position: Any, texts: Sequence[str]) -> list[Any]:
    """The positions along an expected line, as far as its moves can be played."""
    found = []
    for text in texts:
        try:
            position = position.play(game.parse_move(text, position))
        except (ValueError, RulesError):
            break
        found.append(position)
    return found
