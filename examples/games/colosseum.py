"""Colosseum Survival: walk, then put up a wall beside you; once walls part the two players, the larger area wins.

The rules are those of McGill's COMP 424 in 2022 and 2023. A move is ((row, column), side): up to (size + 1) // 2 steps
to that cell, around walls and the opponent, and a wall on a side of it that has none: 0 up, 1 right, 2 down, 3 left.
"""

import random

import numpy as np

players = ("x", "o")
SIDES = {0: "u", 1: "r", 2: "d", 3: "l"}
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def initial(size: int = 8, layout: int = 0):
    """The walls, an array [row, column, side]; the cells of both players; the player to move.

    Some walls are there at the start. They and the players' cells are symmetric; `layout` chooses them.
    """
    if not 4 <= size <= 26:
        raise ValueError("size must be from 4 to 26")
    chance = random.Random(layout)
    while True:
        walls = np.zeros((size, size, 4), bool)
        walls[0, :, 0] = walls[:, -1, 1] = walls[-1, :, 2] = walls[:, 0, 3] = True
        for _ in range(most_steps(walls)):
            row, column, side = chance.choice(np.argwhere(~walls).tolist())
            put_wall(walls, (row, column), side)
            put_wall(walls, (size - 1 - row, size - 1 - column), (side + 2) % 4)
        first = divmod(chance.randrange(size * size), size)
        second = (size - 1 - first[0], size - 1 - first[1])
        state = walls, (first, second), 0
        if first != second and result(state) is None:
            return state


def put_wall(walls, cell, side):
    """Put a wall on the side of a cell, which is the opposite side of its neighbour."""
    (row, column), (down, right) = cell, STEPS[side]
    walls[row, column, side] = walls[row + down, column + right, (side + 2) % 4] = True


def to_move(state):
    return state[2]


def reached(walls, start, most=None, blocked=None):
    """The cells that can be reached from `start` in at most so many steps, with `start`, in order of distance.

    `walls` is a nested list; nobody enters the cell `blocked`.
    """
    cells, ring = {start: None}, [start]
    while ring and most != 0:
        outer = []
        for row, column in ring:
            for side, (down, right) in enumerate(STEPS):
                cell = (row + down, column + right)
                if not walls[row][column][side] and cell != blocked and cell not in cells:
                    cells[cell] = None
                    outer.append(cell)
        ring, most = outer, most and most - 1
    return list(cells)


def most_steps(walls):
    """The number of steps that a player may walk."""
    return (len(walls) + 1) // 2


def legal_moves(state):
    """Every cell in reach with every side that has no wall."""
    walls, cells, player = state
    known = walls.tolist()
    reach = reached(known, cells[player], most_steps(known), cells[1 - player])
    return [((row, column), side) for row, column in reach for side in range(4) if not known[row][column][side]]


def play(state, move):
    """The state after a move."""
    walls, cells, player = state
    cell, side = move
    walls = walls.copy()
    put_wall(walls, cell, side)
    return walls, (cell, cells[1]) if player == 0 else (cells[0], cell), 1 - player


def result(state):
    """Once walls part the players: the player with the larger area, or "draw"; None before."""
    walls, cells, _ = state
    known = walls.tolist()
    area = reached(known, cells[0])
    if cells[1] in area:
        return None
    lead = len(area) - len(reached(known, cells[1]))
    return "draw" if lead == 0 else int(lead < 0)


def cell_text(cell):
    return f"{'abcdefghijklmnopqrstuvwxyz'[cell[1]]}{cell[0] + 1}"


def move_text(move):
    """The cell and the side of the wall: `c4-u`."""
    return f"{cell_text(move[0])}-{SIDES[move[1]]}"


def to_text(state):
    """Rows of hexadecimal digits, whose bits 1, 2, 4, 8 are walls up, right, down, left; cells; the player to move."""
    walls, cells, player = state
    masks = (walls * [1, 2, 4, 8]).sum(axis=2).tolist()
    rows = "/".join("".join(f"{mask:x}" for mask in row) for row in masks)
    return f"{rows} {cell_text(cells[0])} {cell_text(cells[1])} {players[player]}"


def from_text(text):
    """The state that `to_text` wrote."""
    rows, *cells, player = text.split()
    masks = np.array([[int(digit, 16) for digit in row] for row in rows.split("/")])
    walls = (masks[:, :, None] & [1, 2, 4, 8]) > 0
    upper, left = walls[1:, :, 0], walls[:, 1:, 3]
    if (upper != walls[:-1, :, 2]).any() or (left != walls[:, :-1, 1]).any():
        raise ValueError("each wall between two cells is a side of both")
    if not (walls[0, :, 0].all() and walls[:, -1, 1].all() and walls[-1, :, 2].all() and walls[:, 0, 3].all()):
        raise ValueError("there are walls all around")
    first, second = ((int(cell[1:]) - 1, ord(cell[0]) - ord("a")) for cell in cells)
    if first == second or not {*first, *second} <= set(range(len(walls))):
        raise ValueError("the players stand on two cells of the board")
    return walls, (first, second), players.index(player)


def draw(state):
    """The board with its walls, x and o."""
    walls, cells, _ = state
    size = len(walls)
    lines = ["    " + "   ".join(cell_text((0, column))[0] for column in range(size))]
    for row in range(size):
        lines.append("  +" + "+".join("---" if walls[row, column, 0] else "   " for column in range(size)) + "+")
        line = f"{row + 1:2}"
        for column in range(size):
            here = [players[player] for player in (0, 1) if cells[player] == (row, column)]
            line += ("|" if walls[row, column, 3] else " ") + f" {here[0] if here else ' '} "
        lines.append(line + "|")
    return "\n".join([*lines, "  +" + "+".join(["---"] * size) + "+"])
