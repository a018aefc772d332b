"""The board on the screen: it draws a game's view, and turns clicks, keys and the cursor into a move."""

from dataclasses import replace
from typing import Any, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from board_view import DIRECTIONS, Area, BoardView, Direction, Picture, Scene, Target
from game import Game
from simulator.fullscreen.plain_view import PlainView
from simulator.fullscreen.theme import TEXTUAL_THEMES, board_style, is_ascii

FRAME_SECONDS = 0.12  # of an animation


class Board(Widget, can_focus=True):
    """The board of a game, and the choices for the next move.

    Attributes:
        pointed: the target under the cursor.
        is_open: whether a move can be made; if not, keys are ignored.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(direction, f"point('{direction}')", show=False) for direction in DIRECTIONS),
        Binding("enter", "choose", "Choose", key_display="Enter"),
        Binding("escape", "step_back", "Back", key_display="Esc"),
        Binding("tab", "point_next(1)", show=False),
        Binding("shift+tab", "point_next(-1)", show=False),
    ]

    class MoveChosen(Message):
        """A move was made in a position."""

        def __init__(self, move: Any, position: Any) -> None:
            super().__init__()
            self.move, self.position = move, position

    class Refused(Message):
        """What was chosen is not possible; `reason` says why."""

        def __init__(self, reason: str) -> None:
            super().__init__()
            self.reason = reason

    class Changed(Message):
        """The cursor or the choices so far have changed."""

    class Shown(Message):
        """The animation of a move has ended, or was broken off."""

    class Clicked(Message):
        """The board was clicked or Enter was pressed while it is not open."""

    def __init__(self, game: Game, position: Any, view: BoardView | None = None, *, animated: bool = False) -> None:
        super().__init__(id="board")
        self._animated = animated
        self.is_open = False
        self._timer: Timer | None = None
        self.show_game(game, position, view)

    # --- What is shown ---

    def show_game(self, game: Game, position: Any, view: BoardView | None = None) -> None:
        """Show another game by its own view, or by the picture of `Game.draw` if it has no view."""
        self.game, self.view = game, view or game.board_view() or PlainView(game)
        self.chosen: tuple[Target, ...] = ()
        self.expected: tuple[Any, ...] = ()
        self.position = position
        self.pointed: Target | None = self._start(position)
        self._before: Any = None
        self._frame = self._frames = 0
        self._drawn: Picture | None = None
        self._drawn_size = Size()  # of the widget when `_drawn` was made

    def show(self, position: Any, before: Any = None) -> None:
        """Show a position; if `before` is the position before the last move, that move is animated."""
        self._stop_animation()
        self.chosen, self.expected, self.position = (), (), position
        if self.pointed not in self._pointable(position) or (before is not None and self._is_chosen_by_a_key()):
            self.pointed = self._start(position)
        self._frames = self.view.frames(before, position) if before is not None and self._animated else 0
        if self._frames:
            self._before, self._frame = before, 0
            self._timer = self.set_interval(FRAME_SECONDS, self.next_frame)
        self.redraw()

    def _start(self, position: Any) -> Target | None:
        """Where the cursor is at the beginning of a move."""
        return self.view.start(position, ()) if position.result is None else None

    def _pointable(self, position: Any) -> set[Target]:
        """Where the cursor can stand at the first step."""
        if position.result is not None:
            return set()
        areas = self.view.picture(Scene(position)).areas
        return {area.target for area in areas if not area.only_points}

    def _is_chosen_by_a_key(self) -> bool:
        """Whether a key would choose at once the target under the cursor; after a move, it must first point there."""
        keys = self.view.keys(self.position, (), self.pointed)
        return any(target == self.pointed and at_once for target, at_once in keys.values())

    @property
    def is_animated(self) -> bool:
        """Whether a move is being animated."""
        return self._before is not None

    def next_frame(self) -> None:
        """Show the next picture of the animation."""
        self._frame += 1
        if self._frame >= self._frames:
            self._stop_animation()
        self.redraw()

    def _stop_animation(self) -> None:
        self._before, self._frame = None, 0
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
            self.post_message(self.Shown())

    def expect(self, moves: tuple[Any, ...]) -> None:
        """Show moves as ghosts."""
        self.expected = moves
        self.redraw()

    @property
    def shows_expected(self) -> bool:
        """Whether the expected moves can be seen: a view may have no place for a move."""
        scene = self.scene()
        return self.view.picture(scene).lines != self.view.picture(replace(scene, expected=())).lines

    def scene(self) -> Scene:
        """What is drawn now."""
        return Scene(
            self.position,
            height=self.size.height,
            width=self.size.width,
            chosen=self.chosen,
            pointed=self.pointed if self.is_open else None,
            expected=self.expected,
            before=self._before,
            frame=self._frame,
            ascii=is_ascii(self),
        )

    def size_for(self, height: int, width: int) -> Size:
        """The size of the board if it has so many lines and characters of room."""
        lines, characters = _extent(self.view.picture(replace(self.scene(), height=height, width=width)))
        return Size(characters, lines)

    def picture(self) -> Picture:
        """What is on the screen."""
        return self.view.picture(self.scene())

    def redraw(self) -> None:
        """Draw the lines that have changed since they were drawn last."""
        before, now = self._drawn, self.picture()
        self._drawn, self._drawn_size = now, self.size
        if before is None or _extent(before) != _extent(now):
            self.refresh()
            return
        top, _ = self._offset(now)
        pairs = enumerate(zip(before.lines, now.lines, strict=True), top)
        if changed := [Region(0, line, self.size.width, 1) for line, (old, new) in pairs if old != new]:
            self.refresh(*changed)

    def _offset(self, picture: Picture) -> tuple[int, int]:
        """The line and character of the widget where the picture begins: it is in the middle."""
        height, width = _extent(picture)
        return max(0, (self.size.height - height) // 2), max(0, (self.size.width - width) // 2)

    def render_lines(self, crop: Any) -> list[Strip]:
        """Draw the picture once for all lines, and again after a change of size."""
        if self._drawn is None or self._drawn_size != self.size:
            self._drawn, self._drawn_size = self.picture(), self.size
        self._place = self._offset(self._drawn)
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """A line of the picture, with what is beside it."""
        assert self._drawn is not None  # by `render_lines`
        top, left = self._place
        is_own = self.app.theme == TEXTUAL_THEMES["ansi"]
        blank = self.rich_style if not is_own else Style.parse("default on default")
        if not 0 <= y - top < len(self._drawn.lines):
            return Strip.blank(self.size.width, blank)
        spans = self._drawn.lines[y - top]
        segments = [Segment(" " * left, blank)]
        first = self.game.players[0]
        segments += [Segment(span.text, board_style(span.role, span.marks, first, is_own)) for span in spans]
        return Strip(segments).adjust_cell_length(self.size.width, blank)

    # --- Choosing ---

    def open(self, is_open: bool) -> None:
        """Open or close the board for a move; choices are kept as long as it stays open."""
        if not is_open and self.chosen:
            self.pointed, self.chosen = self.chosen[0], ()
        self.is_open = is_open
        if is_open and self.pointed is None:
            self.pointed = self.view.start(self.position, ())
        self.redraw()

    @property
    def can_choose(self) -> bool:
        """Whether a target can be chosen now."""
        return self.is_open and not self.is_animated

    def point_at(self, target: Target) -> None:
        """Move the cursor."""
        if target != self.pointed:
            self.pointed = target
            self.redraw()
            self.post_message(self.Changed())

    def choose(self, target: Target) -> None:
        """Choose a target: the next step begins, or the move is made."""
        if not self.can_choose:
            return
        self.point_at(target)
        if reason := self.view.refusal(self.position, self.chosen, target):
            self.post_message(self.Refused(reason))
            return
        self.chosen = (*self.chosen, target)
        move = self.view.move(self.position, self.chosen)
        if move is None:
            self.pointed = self.view.start(self.position, self.chosen)
            self.redraw()
            self.post_message(self.Changed())
            return
        self.pointed, self.chosen = self.chosen[0], ()
        self.post_message(self.MoveChosen(move, self.position))

    def action_choose(self) -> None:
        """Choose what the cursor points at."""
        if self.can_choose and self.pointed is not None:
            self.choose(self.pointed)
        else:
            self.post_message(self.Clicked())

    def action_step_back(self) -> None:
        """Take the last choice back."""
        if self.chosen:
            self.pointed = self.chosen[-1]
            self.chosen = self.chosen[:-1]
            self.redraw()
        self.expect(())
        self.post_message(self.Changed())

    def action_point(self, direction: Direction) -> None:
        """Move the cursor by an arrow key."""
        if self.can_choose and self.pointed is not None:
            self.point_at(self.view.beside(self.position, self.chosen, self.pointed, direction))

    def action_point_next(self, step: int) -> None:
        """Move the cursor to the next thing that can be chosen."""
        targets = list(self.view.targets(self.position, self.chosen)) if self.can_choose else []
        if targets:
            place = targets.index(self.pointed) + step if self.pointed in targets else 0
            self.point_at(targets[place % len(targets)])

    def on_key(self, event: events.Key) -> None:
        """The view's own keys."""
        if not self.can_choose:
            return
        keys = self.view.keys(self.position, self.chosen, self.pointed)
        if (found := keys.get(event.character or "")) is None:
            return
        event.stop()
        event.prevent_default()
        target, at_once = found
        (self.choose if at_once else self.point_at)(target)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The cursor follows the mouse."""
        area = self._area_at(event)
        if area is not None and self.can_choose and not area.only_points:
            self.point_at(area.target)

    def on_click(self, event: events.Click) -> None:
        """Choose what was clicked."""
        area = self._area_at(event)
        if not self.can_choose:
            self.post_message(self.Clicked())
        elif area is not None:
            (self.point_at if area.only_points else self.choose)(area.target)

    def _area_at(self, event: events.MouseEvent) -> Area | None:
        picture = self.picture()
        top, left = self._offset(picture)
        return picture.area_at(event.y - top, event.x - left)


def _extent(picture: Picture) -> tuple[int, int]:
    """The number of lines, and of characters in the longest."""
    return len(picture.lines), max((sum(len(span.text) for span in line) for line in picture.lines), default=0)
