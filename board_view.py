"""How the board of a game looks, and how clicks, keys and a cursor become a move.

The `BoardView` of a game draws its board in character cells: a *picture* is lines of spans of text. A span has a
*role*, which says what is drawn, and *marks*, which say why it stands out. `Picture.text` makes the text that
`Game.draw` returns, a theme in `simulator/fullscreen/` turns roles and marks into colours, and a page draws what
`outline` and `traces` say.
A move is made in *steps*: in each, one of several *targets* is chosen - a cell, a turn of a quadrant, a pit - until the
choices make a move. A position is set up by clicks in a `SetUpView`, which changes a `Draft`.
Begin reading at `BoardView`; `mancala/board_view.py` is the shortest.
"""

import html
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np

Target = Hashable
Keys = Mapping[str, tuple[Target, bool]]  # by keys, targets and whether they are chosen at once
Direction = Literal["left", "right", "up", "down"]
DIRECTIONS: Mapping[Direction, tuple[int, int]] = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}

Role = Literal["plain", "grid", "label", "empty", "first", "second", "first ghost", "second ghost", "button"]
ROLES: tuple[Role, Role] = ("first", "second")  # of the players
GHOSTS: tuple[Role, Role] = ("first ghost", "second ghost")
Mark = Literal["last", "win", "cursor", "turned", "changed"]
# ANSI escapes. White is the terminal's own colour, bold, an empty place is dim: the background may be dark or light.
_ANSI = {"w": "\x1b[1m", "b": "\x1b[35m", "empty": "\x1b[2m"}
_LAST, _WON, _PLAIN = "\x1b[7m", "\x1b[32m", "\x1b[0m"
# On a page, by the classes of `Picture.html`, whatever the page's own colours are.
PAGE_STYLE = """<style>
.unforced-board { display: inline-block; padding: .6em; background: #fbf7ee; color: #222; line-height: 1.15;
  font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.unforced-board i { font-style: normal; }
.unforced-board .grid { color: #a97f48; } .unforced-board .empty, .unforced-board .label { color: #77736a; }
.unforced-board .last { background: #ffe08a; } .unforced-board .win { background: #a5e0ac; }
.unforced-board .turned, .unforced-board .changed { color: #c2185b; }
</style>"""


class Place(NamedTuple):
    """What stands at a cell, point or pit.

    Attributes:
        player: whose stones, None if there are none.
        is_ghost: the stones are only a preview, or show whose territory it is.
        marks: why it stands out.
    """

    player: int | None
    is_ghost: bool
    marks: Sequence[Mark]

    @property
    def role(self) -> Role:
        """What is drawn."""
        return "empty" if self.player is None else (GHOSTS if self.is_ghost else ROLES)[self.player]


class Span(NamedTuple):
    """Characters of a line that look alike."""

    text: str
    role: Role
    marks: frozenset[Mark]


class Area(NamedTuple):
    """A rectangle of a picture where a click chooses a target, or only moves the cursor to it (`only_points`)."""

    row: int
    column: int
    height: int
    width: int
    target: Target
    only_points: bool = False


class Picture(NamedTuple):
    """A drawn board; the areas that come first lie on top."""

    lines: tuple[tuple[Span, ...], ...]
    areas: tuple[Area, ...]

    def area_at(self, row: int, column: int) -> Area | None:
        """What a click there means, None where it means nothing."""
        here = (a for a in self.areas if 0 <= row - a.row < a.height and 0 <= column - a.column < a.width)
        return next(here, None)

    def text(self, players: Sequence[str] = ()) -> str:
        """The characters, without spaces at the ends of lines; with ANSI escapes for the `players` of a `Game`."""
        styles = {role: _ANSI[player] for role, player in zip((*ROLES, *GHOSTS), (*players, *players), strict=False)}
        if players:
            styles["empty"] = _ANSI["empty"]

        def shown(span: Span) -> str:
            last = _LAST if "last" in span.marks and players else ""
            won = _WON if "win" in span.marks and span.role == "label" and players else ""
            style = last + won + styles.get(span.role, "")
            return f"{style}{span.text}{_PLAIN}" if style else span.text

        return "\n".join("".join(map(shown, line)).rstrip() for line in self.lines)

    def html(self) -> str:
        """The characters for a page that has `PAGE_STYLE`."""

        def shown(span: Span) -> str:
            kinds = " ".join(sorted({span.role.removesuffix(" ghost"), *span.marks} - {"plain"}))
            text = html.escape(span.text)
            return f'<i class="{kinds}">{text}</i>' if kinds else text

        lines = "\n".join("".join(map(shown, line)) for line in self.lines)
        return f'<pre class="unforced-board">{lines}</pre>'


def stone_lines(player: str, height: int, width: int, letters: str, *, is_ghost: bool = False) -> Sequence[str]:
    """The lines of a stone: Black's is filled, White's is drawn as its edge.

    Args:
        player: "w" or "b".
        letters: four letters, where only ASCII characters are wanted: White, Black, and their ghosts; else empty.
        is_ghost: the stone is only a preview; without colours, its shape says so.
    """
    kind = "wb".index(player) + 2 * is_ghost
    if letters:
        return [letters[kind] * width] * height
    if width == 1:
        return ["○●◦•"[kind]]
    if height == 1:
        return [("▐ ▌", "▐█▌")[kind]]
    first, middle, last = (("╭─╮", "│ │", "╰─╯"), ("▟█▙", "███", "▜█▛"), ("╭ ╮", "   ", "╰ ╯"), ("▒▒▒",) * 3)[kind]
    return [line[0] + line[1] * (width - 2) + line[2] for line in (first, *[middle] * (height - 2), last)]


class Canvas:
    """A rectangle of characters to draw on; what would fall outside is left out."""

    def __init__(self, height: int, width: int) -> None:
        self._cells = [[(" ", "plain", frozenset[Mark]()) for _ in range(width)] for _ in range(height)]
        self._areas: list[Area] = []

    def put(self, row: int, column: int, text: str, role: Role = "plain", marks: Iterable[Mark] = ()) -> None:
        """Write a text from a character on."""
        marked = frozenset(marks)
        for offset, character in enumerate(text, column):
            if 0 <= row < len(self._cells) and 0 <= offset < len(self._cells[row]):
                self._cells[row][offset] = (character, role, marked)

    def boxes(self, row: int, column: int, heights: Sequence[int], widths: Sequence[int], is_ascii: bool) -> None:
        """Draw the borders of boxes in rows; `heights` and `widths` are those of the room inside them."""
        across, down, crossings = ("-", "|", "+++++++++") if is_ascii else ("─", "│", "┌┬┐├┼┤└┴┘")
        for number, height in enumerate((*heights, 0)):
            kind = 0 if number == 0 else 6 if number == len(heights) else 3
            left, middle, right = tuple(crossings[kind : kind + 3])
            self.put(row, column, left + middle.join(across * width for width in widths) + right, "grid")
            for lower in range(row + 1, row + 1 + height):
                for place in range(len(widths) + 1):
                    self.put(lower, column + sum(widths[:place]) + place, down, "grid")
            row += height + 1

    def listen(self, row: int, column: int, height: int, width: int, target: Target, only_points: bool = False) -> None:
        """Let a click in a rectangle choose a target; where rectangles overlap, the earlier one counts."""
        self._areas.append(Area(row, column, height, width, target, only_points))

    def picture(self) -> Picture:
        """What was drawn."""
        lines = (groupby(line, key=lambda cell: cell[1:]) for line in self._cells)
        spans = (tuple(Span("".join(cell[0] for cell in alike), *look) for look, alike in line) for line in lines)
        return Picture(tuple(spans), tuple(self._areas))


@dataclass(frozen=True)
class Scene:
    """What is to be drawn.

    Attributes:
        position: of the game; its last move is marked.
        height: of the room that there is, in characters; a view draws as large as fits.
        width: of the room.
        chosen: the targets that were chosen so far for the next move.
        pointed: the target under the cursor or the mouse, whose effect is previewed.
        expected: the moves that an agent expects from here, drawn as ghosts.
        before: the position before the last move, while that move is animated; else None.
        frame: which of the `BoardView.frames` pictures is shown then, from 0.
        ascii: draw with ASCII characters only.
    """

    position: Any
    height: int = 20
    width: int = 44
    chosen: tuple[Target, ...] = ()
    pointed: Target | None = None
    expected: tuple[Any, ...] = ()
    before: Any = None
    frame: int = 0
    ascii: bool = False


class BoardView:
    """The base class of views; the methods that raise NotImplementedError have to be written.

    Each target is a move, unless a game whose moves take several steps overrides `targets`, `refusal` and `move`.

    Attributes:
        rules: how the game is played and won, for somebody who has never seen it, in a few sentences.
    """

    rules: str = ""

    def picture(self, scene: Scene) -> Picture:
        """The board, as large as fits into the room; where nothing fits, the smallest."""
        raise NotImplementedError

    def frames(self, before: Any, after: Any) -> int:
        """How many pictures animate the move from one position to the next; 0 for no animation."""
        return 0

    def outline(self) -> dict[str, Any]:
        """What a page needs to draw the board besides positions, as JSON: `kind` names a drawing in `boards.js`."""
        return {"kind": "text"}

    def traces(self, position: Any) -> list[int]:
        """Where and how the last move is marked on a page, by numbers that the drawing knows."""
        return []

    def score(self, position: Any) -> str:
        """How the points of a finished game are counted, in a line for each player; empty where none are."""
        return ""

    def set_up_view(self) -> "SetUpView | None":
        """How a position is set up by clicks; None in a game whose positions are typed."""
        return None

    def targets(self, position: Any, chosen: tuple[Target, ...]) -> Sequence[Target]:
        """What may be chosen next, in the order in which Tab goes through it."""
        return tuple(position.legal_moves())

    def refusal(self, position: Any, chosen: tuple[Target, ...], target: Target) -> str:
        """Why a target cannot be chosen, as a sentence without its full stop; empty if it can."""
        try:
            position.play(target)
        except ValueError as error:  # IllegalMove: its module imports this one
            return str(error)
        return ""

    def move(self, position: Any, chosen: tuple[Target, ...]) -> Any:
        """The move that these choices make, None while one is missing."""
        return chosen[0] if chosen else None

    def prompt(self, position: Any, chosen: tuple[Target, ...], pointed: Target | None) -> str:
        """What the player has to do next, and with which keys."""
        raise NotImplementedError

    def start(self, position: Any, chosen: tuple[Target, ...]) -> Target:
        """Where the cursor is at the beginning of a step."""
        return self.targets(position, chosen)[0]

    def beside(self, position: Any, chosen: tuple[Target, ...], target: Target, direction: Direction) -> Target:
        """Where an arrow key moves the cursor to; the same target at an edge."""
        raise NotImplementedError

    def keys(self, position: Any, chosen: tuple[Target, ...], pointed: Target | None) -> Keys:
        """Keys with a target of their own, and whether they choose it at once instead of moving the cursor there."""
        return {}


# --- Positions that are set up by clicks ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Draft:
    """A board that is being set up, which need not be legal yet; a view draws it as it draws a position.

    Attributes:
        rows: a number for each place of the board; 0 is empty, what others mean is the game's.
        to_move: FIRST or SECOND.
    """

    rows: tuple[tuple[int, ...], ...]
    to_move: int
    last_move: ClassVar[None] = None
    result: ClassVar[None] = None

    @property
    def board(self) -> np.ndarray:
        """The numbers, as of a position."""
        return np.array(self.rows, np.int8)

    def with_number(self, row: int, column: int, number: int) -> Self:
        """The board with another number at one place."""
        numbers = (*self.rows[row][:column], number, *self.rows[row][column + 1 :])
        return replace(self, rows=(*self.rows[:row], numbers, *self.rows[row + 1 :]))

    def cleared(self) -> Self:
        """The empty board."""
        return replace(self, rows=tuple((0,) * len(row) for row in self.rows))


class SetUpView(BoardView):
    """The base class of views to set up a position with; a game's comes before its `BoardView` among the bases.

    A target is a row and a column of a `Draft`, as a tuple of two. There are no moves: `changed` says what choosing a
    target does.

    Attributes:
        symbols: in the text of a position, of an empty place, the first player, the second.
    """

    symbols: ClassVar[str]

    def draft(self, position: Any) -> Draft:
        """What is on the board of a position."""
        return Draft(tuple(map(tuple, position.board.tolist())), position.to_move)

    def text(self, draft: Draft) -> str:
        """The position as `Game.parse_position` reads it, which says whether it is legal."""
        rows = ("".join(self.symbols[number] for number in row) for row in draft.rows)
        return f"{'/'.join(rows)} {self.symbols[1 + draft.to_move]}"

    def changed(self, draft: Draft, target: Any, step: int) -> Draft:
        """The draft after a step of 1 or of -1 at a place: nothing, a stone of the first player, of the second."""
        row, column = target
        return draft.with_number(row, column, (draft.rows[row][column] + step) % 3)

    def targets(self, position: Any, chosen: tuple[Target, ...]) -> Sequence[Target]:
        """Every place."""
        return tuple((row, column) for row, numbers in enumerate(position.rows) for column in range(len(numbers)))

    def prompt(self, position: Any, chosen: tuple[Target, ...], pointed: Target | None) -> str:
        """What a click does."""
        return "Click or Enter: first player's stone, second player's, none."

    def keys(self, position: Any, chosen: tuple[Target, ...], pointed: Target | None) -> Keys:
        """No keys of its own: all belong to the screen."""
        return {}
