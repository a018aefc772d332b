"""A program that speaks GTP and plays Pentago to the end by random moves, in each game the same ones.

`gtp_plays_on.py [--seconds S] [--says TEXT]` takes so long for each move where two stones or more are on the
board, and from its second move on says the text in place of a move.
Start it with `python -I -S`: then it is there in 30 ms, where an agent of this project takes most of a second of CPU.
"""

import argparse
import os
import random
import sys
import time

sys.path.insert(0, os.path.dirname(__file__))

from small_pentago import START, played  # a file of its own: an opponent's program is hidden from an agent


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
