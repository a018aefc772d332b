"""Go on a screen: the board in several sizes, with stones from one character on; below it stands a button to pass.

A target is a `GoMove`.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from board_view import (
    DIRECTIONS,
    GHOSTS,
    ROLES,
    BoardView,
    Canvas,
    Direction,
    Draft,
    Mark,
    Picture,
    Role,
    Scene,
    SetUpView,
    Target,
)
from go.drawing import format_komi, is_star
from go.position import PASS, GoMove, format_move
from go.tables import COLUMNS

_MOST_NUMBERS = 9  # of an expected line: a point has room for one digit


class Geometry(NamedTuple):
    """Sizes of a board in characters; stones have a middle, so that their width and height are odd.

    Attributes:
        size: points of a line.
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
        """Of the whole picture: column letters and the foot are above and below."""
        return (self.size - 1) * self.down + self.stone[0] + 2

    @property
    def width(self) -> int:
        """Of the whole picture: line numbers are at both sides; the foot needs some room, too."""
        return max(self.size * self.across + 5, 34)

    def place(self, point: GoMove) -> tuple[int, int]:
        """The line and the character of a point, which is the middle of its stone."""
        return 1 + self.stone[0] // 2 + point.row * self.down, 2 + self.across // 2 + point.column * self.across


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
        """See `go/set_up_view.py`."""
        from go.set_up_view import GoSetUpView  # noqa: PLC0415  (it imports this module)

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

    def beside(self, position: Any, chosen: tuple[Target, ...], target: Target, direction: Direction) -> Target:
        """Points as they lie; below the last line is the pass."""
        assert isinstance(target, GoMove)
        if target == PASS:
            return GoMove(self.size - 1, self.size // 2) if direction == "up" else PASS
        row, column = (a + b for a, b in zip(target, DIRECTIONS[direction], strict=True))
        if row == self.size:
            return PASS
        return GoMove(max(row, 0), min(max(column, 0), self.size - 1))

    def keys(
        self, position: Any, chosen: tuple[Target, ...], pointed: Target | None
    ) -> Mapping[str, tuple[Target, bool]]:
        """P points at the pass, and a second p passes: no game should end by a slip."""
        return {"p": (PASS, pointed == PASS)}

    def picture(self, scene: Scene) -> Picture:
        """Lines, stars, stones; below, captures, komi, and the button to pass."""
        boards = [Geometry(self.size, *step) for step in _STEPS]
        fitting = (board for board in boards if board.height <= scene.height and board.width <= scene.width)
        geometry = next(fitting, boards[-1])
        canvas = Canvas(geometry.height, geometry.width)
        self._foot(canvas, scene)
        self._coordinates(canvas, geometry)
        self._grid(canvas, geometry, scene.ascii)
        board = scene.position.board
        if scene.position.result is not None:
            self._territory(canvas, geometry, scene)
        for row in range(self.size):
            for column in range(self.size):
                self._point(canvas, geometry, scene, GoMove(row, column), int(board[row, column]))
        self._expected(canvas, geometry, scene)
        return canvas.picture()

    def _coordinates(self, canvas: Canvas, geometry: Geometry) -> None:
        for place in range(self.size):
            line, column = geometry.place(GoMove(place, place))
            canvas.put(0, column, COLUMNS[place], "label")
            canvas.put(line, 0, f"{self.size - place:2}", "label")
            canvas.put(line, self.size * geometry.across + 3, str(self.size - place), "label")

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
        star = is_star(self.size, row, column)
        if is_ascii:
            return "+" if star else "."
        if star:
            return "╋"
        lines = ("┌┬┐", "├┼┤", "└┴┘")[(row > 0) + (row == self.size - 1)]
        return lines[(column > 0) + (column == self.size - 1)]

    def _point(self, canvas: Canvas, geometry: Geometry, scene: Scene, point: GoMove, owner: int) -> None:
        line, column = geometry.place(point)
        position = scene.position
        height, width = geometry.stone
        top, left = line - height // 2, column - width // 2
        is_last, is_pointed = position.last_move == point, scene.pointed == point
        marks: list[Mark] = ["last"] if is_last else []
        marks += ["cursor"] if is_pointed else []
        if marks:
            for lower in range(top, top + height):
                canvas.put(lower, left, " " * width, "plain", marks)
        if owner:
            role: Role = ROLES[owner - 1]
            for lower, text in enumerate(_stone(owner - 1, height, width, scene.ascii), top):
                canvas.put(lower, left, text, role, marks)
        elif is_pointed and position.result is None and not isinstance(position, Draft):
            role = GHOSTS[position.to_move]
            canvas.put(line, column, _small_stones(scene)[position.to_move], role, marks)
        elif position.ko == point:
            canvas.put(line, column, "#", "label", marks)
        if pair := "[]" if is_pointed else "()" if is_last else "":
            canvas.put(line, left - 1, pair[0], "label", marks)
            canvas.put(line, left + width, pair[1], "label", marks)
        below = 0 if point.row == self.size - 1 else geometry.down - height
        canvas.listen(top, left - 1, height + below, geometry.across, point)

    def _territory(self, canvas: Canvas, geometry: Geometry, scene: Scene) -> None:
        """Whose area each empty point is, at the end of a game."""
        area, symbols = scene.position.area(), _small_stones(scene)
        for row in range(self.size):
            for column in range(self.size):
                if owner := int(area[row, column]):  # stones are drawn over it
                    canvas.put(*geometry.place(GoMove(row, column)), symbols[owner - 1], GHOSTS[owner - 1])

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


def _stone(player: int, height: int, width: int, is_ascii: bool) -> list[str]:
    """The lines of a stone; black is filled, and white is drawn as its edge."""
    if is_ascii or (height, width) == (1, 1):
        return ["XO●○"[player + 2 * (not is_ascii)] * width] * height
    if height == 1:
        return [("▐█▌", "▐ ▌")[player]]
    first, middle, last = (("▟█▙", "███", "▜█▛"), ("╭─╮", "│ │", "╰─╯"))[player]
    return [line[0] + line[1] * (width - 2) + line[2] for line in (first, *[middle] * (height - 2), last)]


def _small_stones(scene: Scene) -> str:
    """The signs of Black and White where no stone stands: without colours, only shapes tell them from stones."""
    return "xo" if scene.ascii else "•◦"
