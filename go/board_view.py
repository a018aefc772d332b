"""Go's board as a text and, in several sizes, on a screen; below it stands a button to pass.

A target is a `GoMove`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from board_view import (
    DIRECTIONS,
    GHOSTS,
    BoardView,
    Canvas,
    Direction,
    Draft,
    Keys,
    Mark,
    Picture,
    Place,
    Scene,
    SetUpView,
    Target,
    stone_lines,
)
from go.game import handicap_points, most_handicap
from go.position import PASS, GoMove, format_komi, format_move
from go.tables import COLUMNS

_BRACKETS = {"cursor": "[]", "last": "()"}
_MOST_NUMBERS = 9  # of an expected line: a point has room for one digit


class Geometry(NamedTuple):
    """Sizes of a board in characters; stones have a middle, so that their width and height are odd.

    Attributes:
        size: points in a row.
        down: lines from a point to the next.
        across: characters from a point to the next; between two stones, one is free for brackets.
    """

    size: int
    down: int
    across: int

    @property
    def stone(self) -> tuple[int, int]:
        """Height and width of a stone."""
        return (self.down - 1) // 2 * 2 + 1, self.across - 1

    @property
    def height(self) -> int:
        """The height of the whole picture: column letters are above, the foot is below."""
        return (self.size - 1) * self.down + self.stone[0] + 2

    @property
    def width(self) -> int:
        """The width of the whole picture: row numbers are at both sides; the foot needs some room, too."""
        return max(self.size * self.across + 5, 34)

    def place(self, point: GoMove) -> tuple[int, int]:
        """The line and the character of a point, which is the middle of its stone."""
        return 1 + self.stone[0] // 2 + point.row * self.down, 2 + self.across // 2 + point.column * self.across

    def corner(self, point: GoMove) -> tuple[int, int]:
        """The first line and character of a stone on a point."""
        (line, column), (height, width) = self.place(point), self.stone
        return line - height // 2, column - width // 2


_STEPS = ((5, 10), (4, 8), (3, 6), (2, 4), (1, 4), (1, 2))  # `down` and `across` of boards, the largest first


class GoView(BoardView):
    """See `board_view.BoardView`; of a board of one size."""

    rules = (
        "Black and White take turns to put a stone on a point. Stones of one colour that touch along the lines are a "
        "group; a group is captured when no point beside it is free. You may not leave your own group without a free "
        "point, nor repeat an earlier board. Pass when nothing is left to gain; after two passes the game is over. "
        "Every stone on the board, and every free point that only one colour surrounds, is a point; White gets "
        "komi on top. Capture what is dead before you pass."
    )

    def __init__(self, size: int) -> None:
        self.size = size

    def score(self, position: Any) -> str:
        """Stones and territory of both, and komi."""
        board, area, komi = position.board, position.area(), position.komi
        lines = []
        for owner, name in ((1, "Black"), (2, "White")):
            stones, points = (int((grid == owner).sum()) for grid in (board, area))
            more, total = (f" + {format_komi(komi)} komi", points + komi) if owner == 2 else ("", points)
            parts = f"{stones} stone{'' if stones == 1 else 's'} + {points - stones} territory{more}"
            lines.append(f"{name}: {parts} = {format_komi(total)}")
        return "\n".join(lines)

    def set_up_view(self) -> SetUpView:
        """A board on which clicks on points set up a position."""
        return GoSetUpView(self.size)

    def prompt(self, position: Any, chosen: tuple[Target, ...], pointed: Target | None) -> str:
        """Says how to play, and that one can pass."""
        if pointed == PASS:
            return "To pass, press p or Enter; after two passes in a row the game is over."
        here = f"{format_move(pointed, self.size)}: " if isinstance(pointed, GoMove) else ""
        return f"{here}put a stone by arrow keys and Enter or the mouse; p twice passes."

    def start(self, position: Any, chosen: tuple[Target, ...]) -> Target:
        """The middle of the board."""
        return GoMove(self.size // 2, self.size // 2)

    def beside(self, position: Any, chosen: tuple[Target, ...], target: Any, direction: Direction) -> Target:
        """Points as they lie; below the last line is the pass."""
        if target == PASS:
            return GoMove(self.size - 1, self.size // 2) if direction == "up" else PASS
        row, column = (a + b for a, b in zip(target, DIRECTIONS[direction], strict=True))
        if row == self.size:
            return PASS
        return GoMove(max(row, 0), min(max(column, 0), self.size - 1))

    def keys(self, position: Any, chosen: tuple[Target, ...], pointed: Target | None) -> Keys:
        """P points at the pass, and a second p passes: no game should end by a slip."""
        return {"p": (PASS, pointed == PASS)}

    def outline(self) -> dict[str, Any]:
        """The names of rows and columns, and where stones of handicaps stand, by numbers along the rows."""
        most = most_handicap(self.size)
        stars = handicap_points(self.size, most) if most else ()
        return {
            "kind": "go",
            "rows": [str(self.size - row) for row in range(self.size)],
            "columns": list(COLUMNS[: self.size]),
            "stars": sorted(point.row * self.size + point.column for point in stars),
        }

    def traces(self, position: Any) -> list[int]:
        """The point, -1 for a pass."""
        row, column = position.last_move
        return [row * self.size + column if row >= 0 else -1]

    def _points(self) -> list[GoMove]:
        return [GoMove(row, column) for row in range(self.size) for column in range(self.size)]

    def described(self, scene: Scene, area: np.ndarray) -> dict[GoMove, Place]:
        """What stands at each point; `area` says whose each free point is."""
        position, board = scene.position, scene.position.board
        is_open = position.result is None and not isinstance(position, Draft)
        places = {}
        for point in self._points():
            marks: list[Mark] = ["last"] if position.last_move == point else []
            marks += ["cursor"] if scene.pointed == point else []
            owner = int(board[point] or area[point])
            is_preview = not owner and is_open and "cursor" in marks
            player = position.to_move if is_preview else owner - 1 if owner else None
            places[point] = Place(player, not board[point], marks)
        return places

    def picture(self, scene: Scene) -> Picture:
        """Lines, stars, stones; below, captures, komi, and the button to pass."""
        boards = [Geometry(self.size, *step) for step in _STEPS]
        fitting = (board for board in boards if board.height <= scene.height and board.width <= scene.width)
        geometry = next(fitting, boards[-1])
        canvas = Canvas(geometry.height, geometry.width)
        self._foot(canvas, scene)
        area = scene.position.board if scene.position.result is None else scene.position.area()
        self.draw_points(canvas, geometry, scene, self.described(scene, area))
        for point in self._points():
            (top, left), (height, _) = geometry.corner(point), geometry.stone
            below = 0 if point.row == self.size - 1 else geometry.down - height
            canvas.listen(top, left - 1, height + below, geometry.across, point)
        self._expected(canvas, geometry, scene)
        return canvas.picture()

    def draw_points(
        self,
        canvas: Canvas,
        geometry: Geometry,
        scene: Scene,
        places: Mapping[GoMove, Place],
        has_brackets: bool = True,
    ) -> None:
        """The letters and numbers of the lines, the lines, and what stands at the points."""
        for each in range(self.size):
            line, column = geometry.place(GoMove(each, each))
            canvas.put(0, column, COLUMNS[each], "label")
            canvas.put(line, 0, f"{self.size - each:2}", "label")
            canvas.put(line, self.size * geometry.across + 3, str(self.size - each), "label")
        self._grid(canvas, geometry, scene.ascii)
        for point, place in places.items():
            self._point(canvas, geometry, scene, point, place)
            if place.marks and has_brackets:
                (line, _), (_, left), pair = geometry.place(point), geometry.corner(point), _BRACKETS[place.marks[-1]]
                canvas.put(line, left - 1, pair[0], "label", place.marks)
                canvas.put(line, left + geometry.stone[1], pair[1], "label", place.marks)

    def _grid(self, canvas: Canvas, geometry: Geometry, is_ascii: bool) -> None:
        for row in range(self.size):
            line, left = geometry.place(GoMove(row, 0))
            if not is_ascii:
                canvas.put(line, left, "─" * ((self.size - 1) * geometry.across), "grid")
            for column in range(self.size):
                at = left + column * geometry.across
                canvas.put(line, at, self._crossing(row, column, is_ascii), "empty" if is_ascii else "grid")
                for lower in range(line + 1, line + geometry.down):
                    if row < self.size - 1 and not is_ascii:
                        canvas.put(lower, at, "│", "grid")

    def _crossing(self, row: int, column: int, is_ascii: bool) -> str:
        if is_star(self.size, row, column):
            return "+" if is_ascii else "╋"
        lines = ("┌┬┐", "├┼┤", "└┴┘")[(row > 0) + (row == self.size - 1)]
        return "." if is_ascii else lines[(column > 0) + (column == self.size - 1)]

    def _point(self, canvas: Canvas, geometry: Geometry, scene: Scene, point: GoMove, place: Place) -> None:
        (line, column), (top, left), (height, width) = geometry.place(point), geometry.corner(point), geometry.stone
        letters = "OXox" if scene.ascii else ""
        if place.marks:
            for lower in range(top, top + height):
                canvas.put(lower, left, " " * width, "plain", place.marks)
        if place.player is not None and not place.is_ghost:
            for lower, text in enumerate(stone_lines("bw"[place.player], height, width, letters), top):
                canvas.put(lower, left, text, place.role, place.marks)
        elif place.player is not None:
            text = stone_lines("bw"[place.player], 1, 1, letters, is_ghost=True)[0]
            canvas.put(line, column, text, place.role, place.marks)
        elif scene.position.ko == point:
            canvas.put(line, column, "#", "label", place.marks)

    def _expected(self, canvas: Canvas, geometry: Geometry, scene: Scene) -> None:
        """The moves of an expected line by number, where their points are free; the others are named in the foot."""
        elsewhere = self._elsewhere(scene)
        for number, move in enumerate(scene.expected[:_MOST_NUMBERS]):
            if number not in elsewhere:
                role = GHOSTS[(scene.position.to_move + number) % 2]
                canvas.put(*geometry.place(move), str(number + 1), role)

    def _elsewhere(self, scene: Scene) -> dict[int, GoMove]:
        """The moves of an expected line that have no free point, by their places in it.

        Those are passes, moves where a stone stands that is captured before, and second moves on a point.
        """
        board, line = scene.position.board, scene.expected[:_MOST_NUMBERS]
        return {
            number: move
            for number, move in enumerate(line)
            if move == PASS or board[move.row, move.column] or move in line[:number]
        }

    def _foot(self, canvas: Canvas, scene: Scene) -> None:
        position = scene.position
        line = len(canvas.picture().lines) - 1
        if isinstance(position, Draft):
            canvas.put(line, 1, f"komi {format_komi(position.komi)}", "label")  # type: ignore[attr-defined]
            return
        first, second = "XO" if scene.ascii else "●○"
        black, white = position.captures
        cursor: list[Mark] = ["cursor"] if scene.pointed == PASS else []
        last: list[Mark] = ["last"] if position.last_move == PASS else []
        canvas.put(line, 1, "[ pass ]" if not position.passes else "[ pass ]*", "button", cursor + last)
        canvas.listen(line, 1, 1, 8, PASS)
        text = f"{first}+{black} {second}+{white} komi {format_komi(position.komi)}"
        if named := self._elsewhere(scene):
            text = ", ".join(f"{number + 1}: {format_move(move, self.size)}" for number, move in named.items())
        canvas.put(line, 11, text, "label")


def is_star(size: int, row: int, column: int) -> bool:
    """Whether a board of that size has a star point there."""
    edge, middle = 2 if size < 13 else 3, size // 2
    if size % 2 and row == column == middle:
        return True
    lines = {edge, size - 1 - edge} | ({middle} if size % 2 and size >= 13 else set())
    return size >= 7 and row in lines and column in lines


# --- Positions that are set up --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GoDraft(Draft):
    """A board with any stones: 0 empty, 1 black, 2 white."""

    komi: float
    ko: ClassVar[None] = None


class GoSetUpView(SetUpView, GoView):
    """See `board_view.SetUpView`; a target is the `GoMove` of a point."""

    symbols = ".bw"

    def draft(self, position: Any) -> GoDraft:
        """The stones of the position."""
        return GoDraft(super().draft(position).rows, position.to_move, position.komi)

    def text(self, draft: Any) -> str:
        """Rows of `. b w`, the side to move, no ko point, komi."""
        return f"{super().text(draft)} - {format_komi(draft.komi)}"

    def beside(self, position: Any, chosen: tuple[Target, ...], target: Target, direction: Direction) -> Target:
        """Points as they lie; there is nothing to pass."""
        there = super().beside(position, chosen, target, direction)
        return target if there == PASS else there


# --- As a text ------------------------------------------------------------------------------------------------------


def draw(position: Any, colour: bool) -> str:
    """See `Go.draw`."""
    ko, (black, white) = position.ko, position.captures
    notes = [f"X black has captured {black}, O white {white}; komi {format_komi(position.komi)}"]
    if ko:
        notes.append(f"# is forbidden by ko: {format_move(ko, position.size)}")
    if position.passes:
        who = "both players have" if position.passes > 1 else f"{('white', 'black')[position.to_move]} has"
        notes.append(f"{who} passed")
    canvas = _text_canvas(position, position.board, notes, colour)
    if position.last_move == PASS:
        canvas.put(position.size + 1 + len(notes), 0, notes[-1], "plain", ["last"])
    return canvas.picture().text("bw" if colour else "")


def draw_area(position: Any, colour: bool) -> str:
    """See `Go.draw_area`."""
    area, score = position.area(), position.score()
    black, white = (int((area == owner).sum()) for owner in (1, 2))
    verdict = "a draw" if score == 0 else f"{'black' if score > 0 else 'white'} is ahead by {abs(score):g}"
    points = f"x black {black} point{'' if black == 1 else 's'}; o white {white} + {format_komi(position.komi)} komi"
    canvas = _text_canvas(replace(position, last_move=None), area, [f"{points}: {verdict}"], colour)
    for row, column in zip(*np.nonzero(area == 0), strict=True):  # no stars, and no ko
        canvas.put(1 + row, 3 + 2 * column, ".", "empty")
    return canvas.picture().text("bw" if colour else "")


def _text_canvas(position: Any, area: np.ndarray, notes: Sequence[str], colour: bool) -> Canvas:
    """The points between two rows of column letters, with the notes below; `area` is the board, or the owners."""
    size = len(area)
    view, geometry, scene = GoView(size), Geometry(size, *_STEPS[-1]), Scene(position, ascii=True)
    canvas = Canvas(size + 2 + len(notes), max(geometry.width, *map(len, notes)))
    view.draw_points(canvas, geometry, scene, view.described(scene, area), has_brackets=not colour)
    for line, note in enumerate(("   " + " ".join(COLUMNS[:size]), *notes), size + 1):
        canvas.put(line, 0, note)
    return canvas
