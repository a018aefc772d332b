"""The board of Pentago for programs that import nothing of this project: the stone of each cell, empty if none."""

COLUMNS = "abcdef"
START = {column + row: "" for row in "123456" for column in COLUMNS}


def turned(board: dict[str, str], quadrant: int, flips: bool) -> dict[str, str]:
    """The board after a quadrant of it was mirrored or turned clockwise."""
    top, left = 3 * (quadrant // 2), 3 * (quadrant % 2)

    def cell(row: int, column: int) -> str:
        return f"{COLUMNS[left + column]}{top + row + 1}"

    places = [(row, column) for row in range(3) for column in range(3)]
    return board | {cell(r, c): board[cell(r, 2 - c) if flips else cell(2 - c, r)] for r, c in places}


def played(board: dict[str, str], move: str, player: str) -> dict[str, str]:
    """The board after a move such as `f5/1r`."""
    return turned(board | {move[:2]: player}, int(move[3]), move[4] == "f")
