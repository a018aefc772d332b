"""A program that speaks GTP and plays Pentago to the end by random moves, in each game the same ones.

`gtp_plays_on.py [--seconds S] [--says TEXT]` takes so long for each move where two stones or more are on the
board, and from its second move on says the text in place of a move.
Start it with `python -I -S`: then it is there in 30 ms, where an agent of this project takes most of a second of CPU.
"""

import argparse
import random
import sys
import time

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


def main() -> None:
    """Answer every line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=0.0)
    parser.add_argument("--says", default="")
    options, _ = parser.parse_known_args()
    board, rng, has_moved = START, random.Random(1), False
    for line in sys.stdin:
        number, command, *arguments = line.lower().split()
        answer = ""
        if command == "play":
            board = played(board, arguments[1], arguments[0])
        elif command == "genmove":
            cell = rng.choice([cell for cell, stone in board.items() if not stone])
            answer = f"{cell}/{rng.randrange(4)}{rng.choice('rf')}"
            if sum(map(bool, board.values())) >= 2:
                time.sleep(options.seconds)
            board = played(board, answer, arguments[0])
            if has_moved and options.says:
                answer = options.says
            has_moved = True
        elif command == "clear_board":
            board = START
        print(f"={number} {answer}\n", flush=True)
        if command == "quit":
            break


main()
