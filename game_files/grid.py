"""The board of a game whose state has rows and columns of whole numbers: drawn, and clicked where moves are cells.

A move is made in steps, one for each of its parts. A part that is a cell is chosen on the board, any other part, such
as a pass, by a button below the board. Moves that are numbers are columns if all numbers at the start are columns, else
cells, counted along the rows, if all are cells.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from board_view import (
    DIRECTIONS,
    GHOSTS,
    BoardView,
    Canvas,
    Direction,
    Keys,
    Mark,
    Picture,
    Place,
    Scene,
    Target,
    stone_lines,
)
from game import Game, IllegalMove, RulesError
from game_files.texts import column_name, is_board, is_cell, move_text, symbols

Cell = tuple[int, int]
_LEFT, _TOP = 3, 1  # characters of the labels
_MOST_NUMBERS = 9  # of an expected line: a cell has room for one digit
_BRACKETS = {"cursor": "[]", "last": "()"}


class _Size(NamedTuple):
    """How large cells are drawn: the room in them, in characters, and whether they have borders."""

    height: int
    width: int
    has_borders: bool

    def corner(self, cell: Cell) -> Cell:
        """The line and the first character in a cell."""
        border = int(self.has_borders)
        row, column = cell
        return _TOP + border + row * (self.height + border), _LEFT + border + column * (self.width + border)


_SIZES = (_Size(3, 7, True), _Size(1, 3, True), _Size(1, 2, False))


class GridView(BoardView):
    """See `board_view.BoardView`; a target is a cell or the text of a part of a move."""

    def __init__(self, game: Game) -> None:
        start = game.initial()
        self._game = game
        self.rules = " ".join((type(game).__doc__ or "").split())
        self.rows, self.columns = start.board.shape
        most = max((move for move in start.legal_moves() if isinstance(move, int)), default=self.columns)
        self._stones = game.players if set(game.players) == {"b", "w"} else ("b", "w")  # how they are drawn
        self._has_columns = most < self.columns and self.rows > 1
        cells = self.rows * self.columns
        self._numbered = self.columns if self._has_columns else cells if most < cells else 0

    def steps(self, move: Any) -> tuple[Any, ...]:
        """What has to be chosen for a move, in order."""
        if isinstance(move, tuple) and not is_cell(move):
            return tuple(self._cell_of(part) or move_text(part) for part in move)
        return (self._cell_of(move) or self._game.format_move(move),)

    def _cell_of(self, part: Any) -> Any:
        """The cell that a move, or a part of one, is; None if it is none."""
        if isinstance(part, int) and 0 <= part < self._numbered:
            return divmod(part, self.columns)
        return part if is_cell(part) and part[0] < self.rows and part[1] < self.columns else None

    def targets(self, position: Any, chosen: tuple[Target, ...]) -> Sequence[Target]:
        """The next steps of the moves that begin with those that were chosen, each once."""
        count = len(chosen)
        moves = (self.steps(move) for move in position.legal_moves())
        return tuple(dict.fromkeys(steps[count] for steps in moves if len(steps) > count and steps[:count] == chosen))

    def refusal(self, position: Any, chosen: tuple[Target, ...], target: Target) -> str:
        """Says that no legal move goes on there."""
        if target in self.targets(position, chosen):
            return ""
        return f"{' '.join(map(self._name, (*chosen, target)))} is no legal move here"

    def _name(self, target: Any) -> str:
        return str(target[1]) if self._has_columns and is_cell(target) else move_text(target)

    def move(self, position: Any, chosen: tuple[Target, ...]) -> Any:
        """The first legal move with these steps; None if there is none."""
        return next((move for move in position.legal_moves() if self.steps(move) == chosen), None)

    def prompt(self, position: Any, chosen: tuple[Target, ...], pointed: Target | None) -> str:
        """Says what is to be chosen, after what."""
        what = "column" if self._has_columns else "cell"
        so_far = "".join(f"{self._name(target)}: " for target in chosen)
        return f"{so_far}Choose a {what} by arrow keys and Enter or the mouse."

    def beside(self, position: Any, chosen: tuple[Target, ...], target: Any, direction: Direction) -> Target:
        """Cells as they lie; below the last row are the buttons."""
        buttons = self._buttons(position, chosen)
        down, right = DIRECTIONS[direction]
        if target in buttons:
            at = buttons.index(target) + right
            return (self.rows - 1, 0) if down < 0 else buttons[min(max(at, 0), len(buttons) - 1)]
        row, column = target[0] + down, target[1] + right
        if buttons and row >= (1 if self._has_columns else self.rows):
            return buttons[0]
        return (0 if self._has_columns else min(max(row, 0), self.rows - 1)), min(max(column, 0), self.columns - 1)

    def _buttons(self, position: Any, chosen: tuple[Target, ...]) -> list[str]:
        return [target for target in self.targets(position, chosen) if isinstance(target, str)]

    def keys(self, position: Any, chosen: tuple[Target, ...], pointed: Target | None) -> Keys:
        """P points at the pass, and a second p passes."""
        name = self._game.format_move(None) if None in position.legal_moves() else ""
        return {"p": (name, pointed == name)} if name in self.targets(position, chosen) else {}

    def picture(self, scene: Scene) -> Picture:
        """The board with its coordinates; below it, buttons."""
        fitting = (size for size in _SIZES if self._fits(size, scene))
        return self._drawn(scene, next(fitting, _SIZES[-1]))

    def _room(self, size: _Size) -> Cell:
        """The height in lines and the width in characters of the board."""
        return size.corner((self.rows, self.columns))

    def _fits(self, size: _Size, scene: Scene) -> bool:
        height, width = self._room(size)
        lines = max((line for line, _ in self._button_places(scene).values()), default=0) + 1
        return height + lines <= scene.height and width <= scene.width

    def _button_places(self, scene: Scene) -> dict[str, Cell]:
        """The line below the board and the first character of each button; those that do not fit go to the next."""
        places: dict[str, Cell] = {}
        line, left = 0, _LEFT
        for button in [] if scene.position.result is not None else self._buttons(scene.position, scene.chosen):
            width = len(button) + 4
            if left > _LEFT and left + width > scene.width:
                line, left = line + 1, _LEFT
            places[button] = line, left
            left += width + 1
        return places

    def text(self, position: Any, colour: bool) -> str:
        """The board in lines of text, see `Game.draw`."""
        picture = self._drawn(Scene(position), _Size(1, 3, False), symbols(self._game.players))
        return picture.text(self._stones if colour else "")

    def _drawn(self, scene: Scene, size: _Size, letters: str = "") -> Picture:
        """The board in one size; with `letters`, stones are these characters of the values of the board."""
        height, width = self._room(size)
        buttons = self._button_places(scene)
        ends = [(line + 1, left + len(button) + 4) for button, (line, left) in buttons.items()]
        lines, right = map(max, zip((0, width), *ends, strict=True))
        canvas = Canvas(height + lines, right)
        letters = letters or (symbols(self._game.players) if scene.ascii else "")
        if size.has_borders:
            sizes = [size.height] * self.rows, [size.width] * self.columns
            canvas.boxes(_TOP, _LEFT, *sizes, is_ascii=scene.ascii)
        self._labels(canvas, size)
        board, places = self._places(scene)
        for cell, place in places.items():
            self._cell(canvas, size, cell, place, int(board[cell]), letters)
            canvas.listen(*size.corner(cell), size.height, size.width, (0, cell[1]) if self._has_columns else cell)
        for cell, (number, player) in self._expected(scene).items():
            line, left = size.corner(cell)
            canvas.put(line + size.height // 2, left + size.width // 2, str(number), GHOSTS[player])
        for button, (line, left) in buttons.items():
            marks: list[Mark] = ["cursor"] if scene.pointed == button else []
            canvas.put(height + line, left, f"[ {button} ]", "button", marks)
            canvas.listen(height + line, left, 1, len(button) + 4, button)
        return canvas.picture()

    def _labels(self, canvas: Canvas, size: _Size) -> None:
        for column in range(self.columns):
            name = str(column) if self._has_columns else column_name(column)
            canvas.put(0, size.corner((0, column))[1], name.center(size.width), "label")
        for row in range(self.rows):
            canvas.put(size.corner((row, 0))[0] + size.height // 2, 0, f"{row + 1:2}", "label")

    def _places(self, scene: Scene) -> tuple[Any, dict[Cell, Place]]:
        """The board, with what the pointed move would change, and what stands at each cell."""
        position = scene.position
        now, after = position.board, self._previewed(scene)
        last = [] if position.last_player is None else self._cells_of(position.last_move, now)
        places = {}
        for row in range(self.rows):
            for column in range(self.columns):
                cell = (row, column)
                is_under = (0, column) == scene.pointed if self._has_columns and row == 0 else cell == scene.pointed
                marks: list[Mark] = ["last"] if cell in last else []
                marks += ["changed"] if cell in scene.chosen else []
                marks += ["cursor"] if is_under else []
                value, is_ghost = int(after[cell] or now[cell]), bool(now[cell] != after[cell])
                places[cell] = Place(value - 1 if value in (1, 2) else None, is_ghost, marks)
        return after, places

    def _previewed(self, scene: Scene) -> Any:
        """The board after the move that the pointed target would complete; else the board as it is."""
        board = scene.position.board
        if scene.pointed is None or scene.position.result is not None:
            return board
        move = self.move(scene.position, (*scene.chosen, scene.pointed))
        try:
            after = board if move is None else scene.position.play(move).board
        except (IllegalMove, RulesError):  # a RulesError is reported when the move is played
            return board
        return after if is_board(after) and after.shape == board.shape else board

    def _cells_of(self, move: Any, board: Any) -> list[Cell]:
        """The cells of a move, in order; of a column, its uppermost cell that is not empty."""
        cells = [step for step in self.steps(move) if is_cell(step)]
        if self._has_columns:
            return [(next((row for row in range(self.rows) if board[row, column]), 0), column) for _, column in cells]
        return cells

    def _expected(self, scene: Scene) -> dict[Cell, tuple[int, int]]:
        """Where the moves of an expected line end on free cells: their numbers from 1, and who makes them."""
        found: dict[Cell, tuple[int, int]] = {}
        position, board = scene.position, scene.position.board
        for number, move in enumerate(scene.expected[:_MOST_NUMBERS], 1):
            player, position = position.to_move, position.play(move)
            for cell in [cell for cell in self._cells_of(move, position.board) if board[cell] == 0][-1:]:
                found.setdefault(cell, (number, player))
        return found

    def _cell(self, canvas: Canvas, size: _Size, cell: Cell, place: Place, value: int, letters: str) -> None:
        line, left = size.corner(cell)
        if place.marks:
            for lower in range(line, line + size.height):
                canvas.put(lower, left, " " * size.width, "plain", place.marks)
        if place.player is None or letters:
            known = symbols(self._game.players)
            text = "·" if value == 0 and not letters else known[value] if 0 <= value < len(known) else "?"
            shown = [text.center(size.width)] if value or not size.has_borders else [" " * size.width]
        else:
            height = size.height if not place.is_ghost else 1
            width = 5 if height > 1 else 1
            stone = stone_lines(self._stones[place.player], height, width, letters, is_ghost=place.is_ghost)
            shown = [text.center(size.width) for text in stone]
        top = line + (size.height - len(shown)) // 2
        for lower, text in enumerate(shown, top):
            canvas.put(lower, left, text, place.role, place.marks)
        if size.height == 1 and place.marks and place.marks[-1] in _BRACKETS and size.width > 2:
            pair = _BRACKETS[place.marks[-1]]
            canvas.put(line, left, pair[0], "label", place.marks)
            canvas.put(line, left + size.width - 1, pair[1], "label", place.marks)
