"""A program that speaks GTP and resigns as soon as it is asked for a move: the fastest game there is.

Start it with `python -I -S`: it is then ready in 15 ms.
"""

import sys

for line in sys.stdin:
    number, _, command = line.strip().partition(" ")
    answer = "resign" if command.startswith("genmove") else ""
    print(f"={number} {answer}\n", flush=True)
    if command == "quit":
        break
