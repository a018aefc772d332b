"""The slow, obvious twin of `go`: a board is a tuple of strings, chains are flood fills, superko compares whole boards.

`.` is an empty point, `b` a black stone, `w` a white one; row 0 is at the top. A move is a point, (row, column), or
PASS. Nothing here shares code or representation with the fast rules.
"""

from dataclasses import dataclass, field

Point = tuple[int, int]
Rows = tuple[str, ...]

PASS = (-1, -1)
OTHER = {"b": "w", "w": "b"}


def neighbours(rows: Rows, point: Point) -> list[Point]:
    """The two to four points beside a point."""
    row, column = point
    beside = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [(i, j) for i, j in beside if 0 <= i < len(rows) and 0 <= j < len(rows)]


def points_like(rows: Rows, point: Point) -> set[Point]:
    """The chain of a stone, or the region of an empty point: all that hangs together with it and looks alike."""
    found, front = {point}, [point]
    while front:
        for i, j in neighbours(rows, front.pop()):
            if (i, j) not in found and rows[i][j] == rows[point[0]][point[1]]:
                found.add((i, j))
                front.append((i, j))
    return found


def touched(rows: Rows, points: set[Point]) -> set[str]:
    """What stands beside some points, those points themselves left out."""
    return {rows[i][j] for point in points for i, j in neighbours(rows, point) if (i, j) not in points}


def has_liberty(rows: Rows, point: Point) -> bool:
    """Whether the chain of a stone has a liberty."""
    return "." in touched(rows, points_like(rows, point))


def put(rows: Rows, points: set[Point], symbol: str) -> Rows:
    """The board with some points changed."""
    cells = [list(row) for row in rows]
    for i, j in points:
        cells[i][j] = symbol
    return tuple("".join(row) for row in cells)


def place(rows: Rows, point: Point, side: str) -> tuple[Rows, set[Point]]:
    """The board after a stone on an empty point and the removal of what it captures, and the captured points."""
    placed = put(rows, {point}, side)
    captured: set[Point] = set()
    for i, j in neighbours(rows, point):
        if rows[i][j] == OTHER[side] and not has_liberty(placed, (i, j)):
            captured |= points_like(placed, (i, j))
    return put(placed, captured, "."), captured


def without_dead_chains(rows: Rows) -> Rows:
    """The board less its chains without a liberty, taken off one by one from the top left."""
    for i in range(len(rows)):
        for j in range(len(rows)):
            if rows[i][j] != "." and not has_liberty(rows, (i, j)):
                rows = put(rows, points_like(rows, (i, j)), ".")
    return rows


def is_eye(rows: Rows, point: Point, side: str) -> bool:
    """Whether an empty point is a player's own eye of one point, as playouts judge it.

    All its neighbours are the player's, and the opponent holds at most one of its diagonals, none at the edge.
    """
    row, column = point
    if rows[row][column] != "." or any(rows[i][j] != side for i, j in neighbours(rows, point)):
        return False
    corners = [(row - 1, column - 1), (row - 1, column + 1), (row + 1, column - 1), (row + 1, column + 1)]
    inside = [(i, j) for i, j in corners if 0 <= i < len(rows) and 0 <= j < len(rows)]
    theirs = sum(rows[i][j] == OTHER[side] for i, j in inside)
    return theirs <= (1 if len(inside) == 4 else 0)


@dataclass(frozen=True)
class Board:
    """A position.

    Attributes:
        rows: the board from the top.
        side: who moves.
        ko: the point that simple ko forbids.
        passes: consecutive passes so far.
        captures: stones captured by black, by white.
        earlier: every board that has stood in this game, the present one too.
        superko: whether a board may not stand twice.
    """

    rows: Rows
    side: str = "b"
    ko: Point | None = None
    passes: int = 0
    captures: tuple[int, int] = (0, 0)
    earlier: frozenset[Rows] = frozenset()
    superko: bool = True
    _reasons: dict[Point, str | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def empty(cls, size: int, superko: bool = True) -> "Board":
        """The start of a game."""
        return cls(("." * size,) * size, superko=superko)

    def reason_against(self, move: Point) -> str | None:
        """`over`, `taken`, `ko`, `suicide` or `repeats` for an illegal move, None for a legal one."""
        if move not in self._reasons:  # several checks ask for the same
            self._reasons[move] = self._reason_against(move)
        return self._reasons[move]

    def _reason_against(self, move: Point) -> str | None:
        if self.passes == 2:
            return "over"
        if move == PASS:
            return None
        if self.rows[move[0]][move[1]] != ".":
            return "taken"
        if move == self.ko:
            return "ko"
        after, _ = place(self.rows, move, self.side)
        if not has_liberty(after, move):
            return "suicide"
        return "repeats" if self.superko and (after == self.rows or after in self.earlier) else None

    def legal_moves(self) -> list[Point]:
        """Row by row from the top left, PASS last."""
        everywhere = [(i, j) for i in range(len(self.rows)) for j in range(len(self.rows))]
        return [move for move in [*everywhere, PASS] if self.reason_against(move) is None]

    def play(self, move: Point) -> "Board":
        """The position after a legal move."""
        earlier = self.earlier | {self.rows}
        if move == PASS:
            return Board(self.rows, OTHER[self.side], None, self.passes + 1, self.captures, earlier, self.superko)
        after, captured = place(self.rows, move, self.side)
        chain = points_like(after, move)
        empty = [(i, j) for i, j in neighbours(after, move) if after[i][j] == "."]
        is_ko = len(captured) == 1 and len(chain) == 1 and len(empty) == 1
        black, white = self.captures
        captures = (black + len(captured), white) if self.side == "b" else (black, white + len(captured))
        return Board(after, OTHER[self.side], empty[0] if is_ko else None, 0, captures, earlier, self.superko)

    def area(self) -> Rows:
        """The owner of each point: that of its stone, or of all stones around its region; else `.` for nobody."""
        owners, seen = self.rows, set[Point]()
        for i in range(len(self.rows)):
            for j in range(len(self.rows)):
                if self.rows[i][j] == "." and (i, j) not in seen:
                    region = points_like(self.rows, (i, j))
                    seen |= region
                    if len(sides := touched(self.rows, region)) == 1:
                        owners = put(owners, region, sides.pop())
        return owners

    def score(self, komi: float) -> float:
        """Black's area less white's less komi."""
        owners = "".join(self.area())
        return owners.count("b") - owners.count("w") - komi

    def perft(self, plies: int) -> int:
        """The number of legal move sequences of that length."""
        if plies == 0:
            return 1
        return sum(self.play(move).perft(plies - 1) for move in self.legal_moves())
