"""Pentago on a screen: the board in three sizes; a move is a cell, then a turn of a quadrant.

A target is a `Cell` or a `Turn`. While a turn is being chosen, the board is shown as the turn would leave it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
from pentago.drawing import landing_cell
from pentago.game import COLUMNS, TURNS, PentagoMove, winning_cells
from pentago.tables import row_and_column

Square = tuple[int, int]  # row and column
_RING = ((0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0))  # of a quadrant, clockwise
_BRACKETS: Mapping[Mark, str] = {"cursor": "[]", "win": "**", "last": "()"}  # the first that is there counts
TURN_NAMES = ("turned", "flipped")


class Cell(NamedTuple):
    """Where a stone can be put."""

    row: int
    column: int

    def __str__(self) -> str:
        return f"{COLUMNS[self.column]}{self.row + 1}"


@dataclass(frozen=True)  # no tuple: that would equal a cell's
class Turn:
    """A quadrant, and 0 to rotate it clockwise or 1 to flip it."""

    quadrant: int
    kind: int


Shapes = tuple[tuple[str, ...], tuple[str, ...]]  # lines of a stone of white, of black


class Geometry(NamedTuple):
    """Sizes in characters; see `_SIZES`."""

    cell_width: int
    cell_height: int
    stones: Shapes
    ghosts: Shapes  # of stones that are not there yet: without colours, only their shapes tell them from stones

    @property
    def quadrant_width(self) -> int:
        """Within its borders."""
        return 3 * self.cell_width

    @property
    def quadrant_height(self) -> int:
        """Within its borders: a line is free between cells."""
        return 3 * self.cell_height + 2

    @property
    def size(self) -> Square:
        """Height and width of the whole picture."""
        return 2 * self.quadrant_height + 5, 2 * self.quadrant_width + 7

    def corner(self, row: int, column: int) -> Square:
        """Of a cell: its first line and character."""
        top = 2 + row // 3 * (self.quadrant_height + 1) + row % 3 * (self.cell_height + 1)
        return top, 3 + column // 3 * (self.quadrant_width + 1) + column % 3 * self.cell_width

    def border(self, quadrant: int) -> Square:
        """Of a quadrant: the line of its border with the buttons, the upper or lower one, and its first character."""
        top = 1 if quadrant < 2 else 3 + 2 * self.quadrant_height
        return top, 3 + quadrant % 2 * (self.quadrant_width + 1)


_SIZES = (  # the largest first
    Geometry(
        8,
        3,
        stones=(("╭────╮", "│    │", "╰────╯"), ("▟████▙", "██████", "▜████▛")),
        ghosts=(("╭    ╮", "      ", "╰    ╯"), ("▒▒▒▒▒▒", "▒▒▒▒▒▒", "▒▒▒▒▒▒")),
    ),
    Geometry(6, 2, stones=(("╭──╮", "╰──╯"), ("▟██▙", "▜██▛")), ghosts=(("╭  ╮", "╰  ╯"), ("▒▒▒▒", "▒▒▒▒"))),
    Geometry(4, 1, stones=(("○",), ("●",)), ghosts=(("◦",), ("•",))),
)


def _in_letters(shapes: Shapes, white: str, black: str) -> Shapes:
    """Stones of the same size made of a letter."""
    return tuple(white * len(line) for line in shapes[0]), tuple(black * len(line) for line in shapes[1])


_ASCII_SIZES = tuple(
    size._replace(stones=_in_letters(size.stones, "W", "B"), ghosts=_in_letters(size.ghosts, "w", "b"))
    for size in _SIZES
)


class PentagoView(BoardView):
    """See `board_view.BoardView`."""

    rules = (
        "White and Black take turns. A move has two parts: put a stone on an empty cell, then turn one of the four "
        "quadrants, any of them: rotate it clockwise by a quarter (r) or flip it left to right (f). Five of your "
        "stones in a row win, across, down or diagonally; they count after the turn. If both have five, or the board "
        "is full, it is a draw. With the mouse, a click inside a quadrant shows its turns, and one on [r] or [f] in "
        "its border plays that turn."
    )

    def frames(self, before: Any, after: Any) -> int:
        """The stone, then three pictures of the quadrant on its way."""
        return 4

    def set_up_view(self) -> SetUpView:
        """See `pentago/set_up_view.py`."""
        from pentago.set_up_view import PentagoSetUpView  # noqa: PLC0415  (it imports this module)

        return PentagoSetUpView()

    def targets(self, position: Any, chosen: tuple[Target, ...]) -> Sequence[Target]:
        """Empty cells; then the eight turns."""
        if chosen:
            return tuple(Turn(quadrant, kind) for quadrant in range(4) for kind in (0, 1))
        return tuple(dict.fromkeys(Cell(move.row, move.column) for move in position.legal_moves()))

    def refusal(self, position: Any, chosen: tuple[Target, ...], target: Target) -> str:
        """Only an empty cell can be chosen; every turn can."""
        if position.result is not None:
            return "the game is over"
        if isinstance(target, Turn):
            return "" if chosen else "choose a cell for your stone first"
        if chosen:
            return "your stone is placed: turn a quadrant, or take the stone back with Esc"
        assert isinstance(target, Cell)
        return f"{target} is taken" if position.board[target] else ""

    def move(self, position: Any, chosen: tuple[Target, ...]) -> PentagoMove | None:
        """A cell and a turn make a move."""
        if len(chosen) < 2:
            return None
        cell, turn = chosen
        assert isinstance(cell, Cell) and isinstance(turn, Turn)
        return PentagoMove(cell.row, cell.column, turn.quadrant, turn.kind)

    def prompt(self, position: Any, chosen: tuple[Target, ...], pointed: Target | None) -> str:
        """Says which of the two steps comes next."""
        if not chosen:
            return "1. Put a stone on an empty cell: arrow keys and Enter, or the mouse."
        shown = f" {pointed.quadrant} {TURN_NAMES[pointed.kind]}" if isinstance(pointed, Turn) else ""
        return f"2. Turn a quadrant: 0-3, r, f; Enter or click [r]. Esc: back.{shown}"

    def start(self, position: Any, chosen: tuple[Target, ...]) -> Target:
        """A cell in the middle; then the quadrant of the stone."""
        if chosen:
            cell = chosen[0]
            assert isinstance(cell, Cell)
            return Turn(cell.row // 3 * 2 + cell.column // 3, 0)
        return Cell(2, 2)

    def beside(self, position: Any, chosen: tuple[Target, ...], target: Target, direction: Direction) -> Target:
        """Cells as they lie; turns as two lines of four: left quadrant r and f, right quadrant r and f."""
        down, right = DIRECTIONS[direction]
        if isinstance(target, Turn):
            line, place = target.quadrant // 2 + down, target.quadrant % 2 * 2 + target.kind + right
            line, place = min(max(line, 0), 1), min(max(place, 0), 3)
            return Turn(2 * line + place // 2, place % 2)
        assert isinstance(target, Cell)
        return Cell(min(max(target.row + down, 0), 5), min(max(target.column + right, 0), 5))

    def keys(
        self, position: Any, chosen: tuple[Target, ...], pointed: Target | None
    ) -> Mapping[str, tuple[Target, bool]]:
        """While a turn is chosen: 0 to 3 for the quadrant, r and f for the kind of turn."""
        if not isinstance(pointed, Turn):
            return {}
        quadrants = {str(number): (Turn(number, pointed.kind), False) for number in range(4)}
        return quadrants | {letter: (Turn(pointed.quadrant, kind), False) for kind, letter in enumerate(TURNS)}

    def picture(self, scene: Scene) -> Picture:
        """Stones with coordinates around them, and the buttons of the turns in the quadrants' borders."""
        return _Drawing(scene, self.move).picture()


class _Drawing:
    """One picture: what is on the board after preview or animation, and what is marked of it."""

    def __init__(self, scene: Scene, move_of: Any) -> None:
        self.scene = scene
        self.size = _geometry(scene)
        self.turned: Turn | None = None
        self.last: Square | None = None
        self.ghosts: dict[Square, int] = {}
        self.shown, self.board = scene.position, scene.position.board
        if scene.chosen:
            self._preview(move_of)
        else:
            self._show_last_move()
            self._ghost_under_the_cursor()
        self.canvas = Canvas(*self.size.size)

    def _show_last_move(self) -> None:
        position = self.scene.position
        if (move := position.last_move) is None:
            return
        self.turned = Turn(move.quadrant, move.turn)
        self.last = row_and_column(landing_cell(position))
        if self.scene.before is not None:
            self.board = _frame(self.scene.before, position, self.scene.frame)
            self.last = (move.row, move.column) if self.scene.frame < 2 else None

    def _ghost_under_the_cursor(self) -> None:
        position, cell = self.scene.position, self.scene.pointed
        is_open = position.result is None and not isinstance(position, Draft)
        if isinstance(cell, Cell) and is_open and not self.board[cell]:
            self.ghosts[cell.row, cell.column] = position.to_move

    def _preview(self, move_of: Any) -> None:
        """The stone as a ghost, and the quadrant that is pointed at as it would be."""
        position, pointed = self.scene.position, self.scene.pointed
        cell = self.scene.chosen[0]
        if not isinstance(pointed, Turn):
            self.ghosts[cell] = position.to_move  # type: ignore[index]
            return
        after = position.play(move_of(position, (cell, pointed)))
        self.turned, self.shown, self.board = pointed, after, after.board
        self.ghosts[row_and_column(landing_cell(after))] = position.to_move

    def picture(self) -> Picture:
        """Draw all of it."""
        self._labels()
        self._borders()
        winning = [] if self.scene.before is not None else winning_cells(self.shown)
        for row in range(6):
            for column in range(6):
                self._cell(row, column, (row, column) in winning)
        self._expected()
        return self.canvas.picture()

    def _labels(self) -> None:
        height, width = self.size.size
        for place in range(6):
            top, left = self.size.corner(place, place)
            middle = left + self.size.cell_width // 2
            for line in (0, height - 1):
                self.canvas.put(line, middle, COLUMNS[place], "label")
            for column in (0, width - 1):
                self.canvas.put(top + (self.size.cell_height - 1) // 2, column, str(place + 1), "label")

    def _borders(self) -> None:
        across, down, crossings = ("-", "|", "+++++++++") if self.scene.ascii else ("─", "│", "┌┬┐├┼┤└┴┘")
        tall, wide = self.size.quadrant_height, self.size.quadrant_width
        for i in range(3):
            line = 1 + i * (tall + 1)
            corners = crossings[3 * i : 3 * i + 3]
            self.canvas.put(line, 2, (across * wide).join(corners), "grid")
            for j in range(1, tall + 1):
                if i < 2:
                    for k in range(3):
                        self.canvas.put(line + j, 2 + k * (wide + 1), down, "grid")
        for quadrant in range(4):
            self._title(quadrant)

    def _title(self, quadrant: int) -> None:
        """A quadrant's number; with the buttons of its turns while one is chosen, else the sign of the last turn."""
        line, left = self.size.border(quadrant)
        is_turned = self.turned is not None and self.turned.quadrant == quadrant
        if not self.scene.chosen:
            sign = f"{self._sign(self.turned.kind)} " if is_turned and self.turned else ""
            title = f" {quadrant} {sign}"
            middle = left + (self.size.quadrant_width - len(title)) // 2
            self.canvas.put(line, middle, title, "label", ["turned"] if is_turned else [])
            return
        self.canvas.put(line, left, f" {quadrant} ", "label", ["turned"] if is_turned else [])
        for kind in (0, 1):
            turn = Turn(quadrant, kind)
            column = left + 3 + kind * 5
            self.canvas.put(line, column, f"[{TURNS[kind]}{self._sign(kind)}]", "button", self._cursor(turn))
            self.canvas.listen(line, column, 1, 4, turn)
        top, first = self.size.corner(quadrant // 2 * 3, quadrant % 2 * 3)
        other = 1 - self.turned.kind if is_turned and self.turned else 0
        self.canvas.listen(top, first, self.size.quadrant_height, self.size.quadrant_width, Turn(quadrant, other), True)

    def _cursor(self, target: Target) -> list[Mark]:
        return ["cursor"] if self.scene.pointed == target else []

    def _sign(self, kind: int) -> str:
        return ("@=" if self.scene.ascii else "↻⇄")[kind]

    def _cell(self, row: int, column: int, is_winning: bool) -> None:
        top, left = self.size.corner(row, column)
        marks = self._marks(row, column, is_winning)
        ghost = self.ghosts.get((row, column))
        player = int(self.board[row, column]) - 1 if ghost is None else ghost
        shapes, roles = (self.size.stones, ROLES) if ghost is None else (self.size.ghosts, GHOSTS)
        look = shapes[player] if player >= 0 else ()
        role: Role = roles[player] if player >= 0 else "empty"
        wide, tall = self.size.cell_width, self.size.cell_height
        start = left + (2 if tall == 1 else 1) if look else left + wide // 2
        for line in range(tall):
            self.canvas.put(top + line, left + (tall == 1), " " * (wide - (tall == 1)), "plain", marks)
            if look:
                self.canvas.put(top + line, start, look[line], role, marks)
        if not look:
            self.canvas.put(top + (tall - 1) // 2, start, "." if self.scene.ascii else "·", role, marks)
        self._brackets(top, start, len(look[0]) if look else 1, marks)
        if not self.scene.chosen:
            self.canvas.listen(top, left, tall, wide, Cell(row, column))

    def _marks(self, row: int, column: int, is_winning: bool) -> list[Mark]:
        marks: list[Mark] = ["win"] if is_winning else []
        marks += ["last"] if self.last == (row, column) else []
        marks += self._cursor(Cell(row, column))
        if self.turned and (row // 3 * 2 + column // 3) == self.turned.quadrant and self.scene.chosen:
            marks.append("changed")
        return marks

    def _brackets(self, top: int, start: int, width: int, marks: list[Mark]) -> None:
        """Around a cell: shapes say what colours say."""
        pair = next((pair for mark, pair in _BRACKETS.items() if mark in marks), "")
        if pair:
            line = top + (self.size.cell_height - 1) // 2
            self.canvas.put(line, start - 1, pair[0], "label", marks)
            self.canvas.put(line, start + width, pair[1], "label", marks)

    def _expected(self) -> None:
        """The first move of an expected line, where the stone would be put: its turn moves the cells of the others."""
        for move in self.scene.expected[:1]:
            top, left = self.size.corner(move.row, move.column)
            line, column = top + (self.size.cell_height - 1) // 2, left + self.size.cell_width // 2
            self.canvas.put(line, column, "1", GHOSTS[self.scene.position.to_move])


def _geometry(scene: Scene) -> Geometry:
    sizes = _ASCII_SIZES if scene.ascii else _SIZES
    fitting = (size for size in sizes if size.size[0] <= scene.height and size.size[1] <= scene.width)
    return next(fitting, sizes[-1])


def _frame(before: Any, after: Any, frame: int) -> Any:
    """The board while a move is made: the stone, then the quadrant half-way."""
    move = after.last_move
    board = before.board
    board[move.row, move.column] = before.to_move + 1
    top, left = move.quadrant // 2 * 3, move.quadrant % 2 * 3
    part = board[top : top + 3, left : left + 3]  # a view
    if move.turn:  # flip: row by row
        for row in range(max(0, frame - 1)):
            part[row] = part[row][::-1].copy()
    elif frame >= 2:  # rotate: its ring by an eighth
        stones = [part[cell] for cell in _RING]
        for place, stone in enumerate(stones):
            part[_RING[(place + frame - 1) % 8]] = stone
    return board
