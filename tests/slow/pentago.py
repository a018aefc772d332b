"""The slow, obvious twin of `pentago`: a board is six lists of six characters, and the rules are written out.

`.` is an empty cell, `w` a white stone, `b` a black one; row 0 is at the top. A turn takes the old 3x3 quadrant to the
new one. Nothing here shares code or representation with the fast rules.
"""

import math
from collections.abc import Callable, Iterator

Quadrant = list[list[str]]
Turn = Callable[[Quadrant], Quadrant]


def rotate(old: Quadrant) -> Quadrant:
    """90 degrees clockwise."""
    return [[old[2 - column][row] for column in range(3)] for row in range(3)]


def flip(old: Quadrant) -> Quadrant:
    """Left becomes right."""
    return [[old[row][2 - column] for column in range(3)] for row in range(3)]


def rotate_back(old: Quadrant) -> Quadrant:
    """90 degrees counter-clockwise, as three times clockwise."""
    return rotate(rotate(rotate(old)))


TWIST = {"r": rotate, "f": flip}
CLASSIC = {"r": rotate, "f": rotate_back}  # OpenSpiel's pentago: either way


class Board:
    """A position of the slow twin, given by its six rows from the top; `w` moves when both have equally many stones."""

    def __init__(self, rows: list[str] | None = None, turns: dict[str, Turn] = TWIST) -> None:
        self.cells = [list(row) for row in rows or ["......"] * 6]
        self.turns = turns

    @property
    def rows(self) -> list[str]:
        """Six strings."""
        return ["".join(row) for row in self.cells]

    @property
    def mover(self) -> str:
        """Whose move it is."""
        stones = "".join(self.rows)
        return "w" if stones.count("w") == stones.count("b") else "b"

    def has_five(self, player: str) -> bool:
        """Whether a player has five or more in a row, across, down or diagonally."""
        return player * 5 in self.fives()

    @property
    def result(self) -> str | None:
        """`W`, `B` or `D` for a game that is over, else None."""
        fives = set(self.fives())
        white, black = "w" * 5 in fives, "b" * 5 in fives
        if white and black:
            return "D"
        if white or black:
            return "W" if white else "B"
        return None if "." in "".join(self.rows) else "D"

    def moves(self) -> Iterator[str]:
        """The text of every legal move."""
        if self.result is None:
            for row in range(6):
                for column in range(6):
                    if self.cells[row][column] == ".":
                        for quadrant in "0123":
                            for turn in "rf":
                                yield f"{'abcdef'[column]}{row + 1}/{quadrant}{turn}"

    def play(self, move: str) -> "Board":
        """The board after a legal move."""
        row, column, quadrant = int(move[1]) - 1, "abcdef".index(move[0]), int(move[3])
        after = Board(self.rows, self.turns)
        after.cells[row][column] = self.mover
        top, left = {0: (0, 0), 1: (0, 3), 2: (3, 0), 3: (3, 3)}[quadrant]
        new = self.turns[move[4]]([after.cells[top + i][left : left + 3] for i in range(3)])
        for i in range(3):
            after.cells[top + i][left : left + 3] = new[i]
        return after

    def successors(self) -> dict[str, str | None]:
        """The distinct boards after one move, rows joined by `/`, each with its result."""
        boards = [self.play(move) for move in self.moves()]
        return {"/".join(board.rows): board.result for board in boards}

    def fives(self) -> Iterator[str]:
        """The cells of each five that can be a line, as text."""
        for row in range(6):
            for column in range(6):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    if row + 4 * down < 6 and 0 <= column + 4 * right < 6:
                        yield "".join(self.cells[row + k * down][column + k * right] for k in range(5))

    def evaluation(self) -> float:
        """The mover's chance by open lines: a five with n stones of one player, none of the other, counts 4^(n - 1)."""
        mine, theirs = ("w", "b") if self.mover == "w" else ("b", "w")
        total = 0
        for five in self.fives():
            if mine in five and theirs not in five:
                total += 4 ** (five.count(mine) - 1)
            if theirs in five and mine not in five:
                total -= 4 ** (five.count(theirs) - 1)
        return 1 / (1 + math.exp(-total / 40))
