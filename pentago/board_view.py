"""Pentago's board as a text and, in three sizes, on a screen; a move is a cell, then a turn of a quadrant.

A target is a `Cell` or a `Turn`. While a turn is being chosen, the board is shown as the turn would leave it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

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
from pentago import rules
from pentago.game import COLUMNS, TURNS, Pentago, PentagoMove, winning_cells
from pentago.tables import row_and_column

_RING = ((0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0))  # of a quadrant, clockwise
_BRACKETS: Mapping[Mark, str] = {"cursor": "[]", "win": "**", "last": "()"}  # the first mark that a cell has counts
# In a text, by (whether the stone was the last one, whether it is in a line that ended the game).
_TEXT_BRACKETS = {(True, False): "()", (False, True): "[]", (True, True): "{}"}


class Cell(NamedTuple):
    """Where a stone can be put."""

    row: int
    column: int

    @property
    def quadrant(self) -> int:
        """The number of its quadrant."""
        return self.row // 3 * 2 + self.column // 3

    def __str__(self) -> str:
        return f"{COLUMNS[self.column]}{self.row + 1}"


@dataclass(frozen=True)  # no tuple: it would be equal to a `Cell`
class Turn:
    """A quadrant, and 0 to rotate it clockwise or 1 to flip it."""

    quadrant: int
    kind: int


class Geometry(NamedTuple):
    """Sizes in characters; see `_SIZES`. Cells are `across` characters and `down` lines apart."""

    cell_width: int
    cell_height: int
    across: int
    down: int

    @property
    def quadrant_width(self) -> int:
        """The width within its borders."""
        return 2 * self.across + self.cell_width

    @property
    def quadrant_height(self) -> int:
        """The height within its borders."""
        return 2 * self.down + self.cell_height

    @property
    def size(self) -> tuple[int, int]:
        """Height and width of the whole picture."""
        return 2 * self.quadrant_height + 5, 2 * self.quadrant_width + 7

    def corner(self, row: int, column: int) -> tuple[int, int]:
        """The first line and the first character of a cell."""
        top = 2 + row // 3 * (self.quadrant_height + 1) + row % 3 * self.down
        return top, 3 + column // 3 * (self.quadrant_width + 1) + column % 3 * self.across

    def middle(self, row: int, column: int, width: int = 1) -> tuple[int, int]:
        """The line in the middle of a cell, and the first of so many characters there."""
        top, left = self.corner(row, column)
        return top + (self.cell_height - 1) // 2, left + (self.cell_width - width + 1) // 2

    def border(self, quadrant: int) -> tuple[int, int]:
        """The line of a quadrant's outer border, upper or lower, which has its buttons; and its first character."""
        top = 1 if quadrant < 2 else 3 + 2 * self.quadrant_height
        return top, 3 + quadrant % 2 * (self.quadrant_width + 1)

    def shape(self, place: Place, is_ascii: bool) -> Sequence[str]:
        """The lines of text that show what stands on a cell."""
        if place.player is None:
            return "." if is_ascii else "·"
        tall, wide = self.cell_height, self.cell_width - 2 if self.cell_height > 1 else 1
        letters = "WBwb" if is_ascii else ""
        return stone_lines(Pentago.players[place.player], tall, wide, letters, is_ghost=place.is_ghost)


_SIZES = (Geometry(8, 3, 8, 4), Geometry(6, 2, 6, 3), Geometry(4, 1, 4, 2))  # on a screen, the largest first
_TEXT = Geometry(3, 1, 4, 1)


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
        """A board on which clicks on cells set up a position."""
        return PentagoSetUpView()

    def targets(self, position: Any, chosen: tuple[Target, ...]) -> Sequence[Target]:
        """Empty cells; then the eight turns."""
        if chosen:
            return tuple(Turn(quadrant, kind) for quadrant in range(4) for kind in (0, 1))
        return tuple(dict.fromkeys(Cell(move.row, move.column) for move in position.legal_moves()))

    def refusal(self, position: Any, chosen: tuple[Target, ...], target: Any) -> str:
        """Only an empty cell can be chosen; every turn can."""
        if position.result is not None:
            return "the game is over"
        if isinstance(target, Turn):
            return "" if chosen else "choose a cell for your stone first"
        if chosen:
            return "your stone is placed: turn a quadrant, or take the stone back with Esc"
        return f"{target} is taken" if position.board[target] else ""

    def move(self, position: Any, chosen: tuple[Any, ...]) -> PentagoMove | None:
        """A cell and a turn make a move."""
        if len(chosen) < 2:
            return None
        cell, turn = chosen
        return PentagoMove(cell.row, cell.column, turn.quadrant, turn.kind)

    def prompt(self, position: Any, chosen: tuple[Target, ...], pointed: Target | None) -> str:
        """Says which of the two steps comes next."""
        if not chosen:
            return "1. Put a stone on an empty cell: arrow keys and Enter, or the mouse."
        shown = f" {pointed.quadrant} {('turned', 'flipped')[pointed.kind]}" if isinstance(pointed, Turn) else ""
        return f"2. Turn a quadrant: 0-3, r, f; Enter or click [r]. Esc: back.{shown}"

    def start(self, position: Any, chosen: tuple[Any, ...]) -> Target:
        """A cell in the middle; then the quadrant of the stone."""
        if chosen:
            return Turn(chosen[0].quadrant, 0)
        return Cell(2, 2)

    def beside(self, position: Any, chosen: tuple[Target, ...], target: Any, direction: Direction) -> Target:
        """Cells as they lie; turns as two lines of four: left quadrant r and f, right quadrant r and f."""
        down, right = DIRECTIONS[direction]
        if isinstance(target, Turn):
            line, place = target.quadrant // 2 + down, target.quadrant % 2 * 2 + target.kind + right
            line, place = min(max(line, 0), 1), min(max(place, 0), 3)
            return Turn(2 * line + place // 2, place % 2)
        row, column = target
        return Cell(min(max(row + down, 0), 5), min(max(column + right, 0), 5))

    def keys(self, position: Any, chosen: tuple[Target, ...], pointed: Target | None) -> Keys:
        """While a turn is chosen: 0 to 3 for the quadrant, r and f for the kind of turn."""
        if not isinstance(pointed, Turn):
            return {}
        quadrants = {str(number): (Turn(number, pointed.kind), False) for number in range(4)}
        return quadrants | {letter: (Turn(pointed.quadrant, kind), False) for kind, letter in enumerate(TURNS)}

    def outline(self) -> dict[str, Any]:
        """The names of rows and columns."""
        return {"kind": "pentago", "rows": list("123456"), "columns": list(COLUMNS.upper()), "stars": []}

    def traces(self, position: Any) -> list[int]:
        """Where the stone was put, where it stands after the turn, the quadrant and its turn."""
        move = position.last_move
        row, column = landing_cell(position)
        return [move.row * 6 + move.column, row * 6 + column, move.quadrant, move.turn]

    def picture(self, scene: Scene) -> Picture:
        """Stones with coordinates around them, and the buttons of the turns in the quadrants' borders."""
        fitting = (size for size in _SIZES if size.size[0] <= scene.height and size.size[1] <= scene.width)
        return _Drawing(scene, next(fitting, _SIZES[-1])).picture()


class PentagoSetUpView(SetUpView, PentagoView):
    """See `board_view.SetUpView`; a target is a `Cell`."""

    symbols = ".wb"


def draw(position: Any, colour: bool) -> str:
    """See `Pentago.draw`."""
    return _TextDrawing(Scene(position, ascii=True), _TEXT, colour).picture().text(Pentago.players if colour else ())


def landing_cell(position: Any) -> Cell:
    """Where the last stone stands now, after the turn of its own move."""
    empty = np.zeros(2, np.uint64)
    rules.place_and_turn(position.game.kernel, empty, position.last_move.code)
    return Cell(*row_and_column(int(empty[1]).bit_length() - 1))


def _described(scene: Scene) -> tuple[dict[Cell, Place], Turn | None]:
    """What stands at each cell, with preview or animation, and the turn that is shown."""
    position, pointed = scene.position, scene.pointed
    shown, board, move = position, position.board, position.last_move
    turned = None if move is None else Turn(move.quadrant, move.turn)
    ghost: Any = None
    last: Cell | None = None
    if scene.chosen:
        (ghost,), turned = scene.chosen, None
        if isinstance(pointed, Turn):
            turned, shown = pointed, position.play(PentagoMove(ghost[0], ghost[1], pointed.quadrant, pointed.kind))
            board, ghost = shown.board, landing_cell(shown)
    elif isinstance(pointed, Cell) and position.result is None and not isinstance(position, Draft):
        ghost = pointed
    if move is not None and not scene.chosen:
        last = landing_cell(position)
        if scene.before is not None:
            board = _frame(scene.before, position, scene.frame)
            last = Cell(move.row, move.column) if scene.frame < 2 else None
    winning = winning_cells(shown) if scene.before is None else []
    places = {}
    for cell in (Cell(row, column) for row in range(6) for column in range(6)):
        is_changed = scene.chosen and turned is not None and turned.quadrant == cell.quadrant
        reasons: dict[Mark, bool] = {
            "win": cell in winning, "last": cell == last, "cursor": cell == pointed, "changed": bool(is_changed),
        }  # fmt: skip
        is_ghost = cell == ghost and (bool(scene.chosen) or not board[cell])
        player = position.to_move if is_ghost else int(board[cell]) - 1
        places[cell] = Place(None if player < 0 else player, is_ghost, [mark for mark in reasons if reasons[mark]])
    return places, turned


class _Drawing:
    """One picture of a scene in one size; with `colour`, colours show what a text without colours shows by brackets."""

    def __init__(self, scene: Scene, size: Geometry, colour: bool = True) -> None:
        self.scene, self.size, self.colour = scene, size, colour
        self.places, self.turned = _described(scene)
        self.canvas = Canvas(*size.size)

    def picture(self) -> Picture:
        """Draw all of it."""
        self._labels()
        tall, wide = self.size.quadrant_height, self.size.quadrant_width
        self.canvas.boxes(1, 2, (tall, tall), (wide, wide), self.scene.ascii)
        for quadrant in range(4):
            is_turned = self.turned is not None and self.turned.quadrant == quadrant
            self.title(quadrant, ["turned"] if is_turned else [])
        for cell, place in self.places.items():
            self.cell(cell, place)
        for move in self.scene.expected[:1]:  # where the stone would be put; its turn moves the cells of later moves
            self.canvas.put(*self.size.middle(move.row, move.column), "1", GHOSTS[self.scene.position.to_move])
        return self.canvas.picture()

    def _labels(self) -> None:
        height, width = self.size.size
        for place in range(6):
            side, middle = self.size.middle(place, place)
            for line in (0, height - 1):
                self.canvas.put(line, middle, COLUMNS[place], "label")
            for column in (0, width - 1):
                self.canvas.put(side, column, str(place + 1), "label")

    def title(self, quadrant: int, marks: list[Mark]) -> None:
        """A quadrant's number; with the buttons of its turns while a turn is chosen, else with the last turn's sign."""
        line, left = self.size.border(quadrant)
        signs, kind = "@=" if self.scene.ascii else "↻⇄", self.turned.kind if marks and self.turned else None
        if not self.scene.chosen:
            title = f" {quadrant} " + ("" if kind is None else f"{signs[kind]} ")
            middle = left + (self.size.quadrant_width - len(title)) // 2
            self.canvas.put(line, middle, title, "label", marks)
            return
        self.canvas.put(line, left, f" {quadrant} ", "label", marks)
        for each in (0, 1):
            turn, column = Turn(quadrant, each), left + 3 + each * 5
            cursor: list[Mark] = ["cursor"] if self.scene.pointed == turn else []
            self.canvas.put(line, column, f"[{TURNS[each]}{signs[each]}]", "button", cursor)
            self.canvas.listen(line, column, 1, 4, turn)
        top, first = self.size.corner(quadrant // 2 * 3, quadrant % 2 * 3)
        other = Turn(quadrant, 0 if kind is None else 1 - kind)
        self.canvas.listen(top, first, self.size.quadrant_height, self.size.quadrant_width, other, True)

    def cell(self, cell: Cell, place: Place) -> None:
        """A stone or nothing, with brackets around it, since shapes have to show what colours show."""
        (top, left), look = self.size.corner(*cell), self.size.shape(place, self.scene.ascii)
        wide, tall = self.size.cell_width, self.size.cell_height
        middle, start = self.size.middle(*cell, len(look[0]))
        for line in range(top, top + tall):
            self.canvas.put(line, left + (tall == 1), " " * (wide - (tall == 1)), "plain", place.marks)
        for line, text in enumerate(look, top if place.player is not None else middle):
            self.canvas.put(line, start, text, place.role, place.marks)
        if pair := next((pair for mark, pair in _BRACKETS.items() if mark in place.marks), ""):
            self.canvas.put(middle, start - 1, pair[0], "label", place.marks)
            self.canvas.put(middle, start + len(look[0]), pair[1], "label", place.marks)
        if not self.scene.chosen:
            self.canvas.listen(top, left, tall, wide, cell)


class _TextDrawing(_Drawing):
    """The picture that `draw` makes: brackets only around what colours do not show."""

    def title(self, quadrant: int, marks: list[Mark]) -> None:
        """A quadrant's number, in brackets if it was turned last."""
        line, left = 1 + quadrant // 2 * (self.size.quadrant_height + 1), self.size.border(quadrant)[1]
        self.canvas.put(line, left + 4, f"[{quadrant}]" if marks else f" {quadrant} ", "label")

    def cell(self, cell: Cell, place: Place) -> None:
        """A letter or a dot, with brackets."""
        line, column = self.size.middle(*cell)
        self.canvas.put(line, column, self.size.shape(place, True)[0], place.role, place.marks)
        has_won = "win" in place.marks
        if pair := _TEXT_BRACKETS.get(("last" in place.marks and not self.colour, has_won)):
            for at, bracket in zip((column - 1, column + 1), pair, strict=True):
                self.canvas.put(line, at, bracket, "label", ["win"] if has_won else [])


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
