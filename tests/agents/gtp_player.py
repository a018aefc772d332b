"""A program that speaks GTP and does as it is told.

`gtp_player.py [--moves "C3 D4"] [--refuse "play w"] [--without undo] [--log FILE] [--error TEXT] [--slow MOVE]` plays
the moves in turn and passes from then on. Every command that begins with the text after --refuse is answered with `?`,
the one after --without is not among its commands, and all that it is asked is written to the log.
"""

import argparse
import sys
import time

COMMANDS = [
    "list_commands",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "undo",
    "time_settings",
    "final_score",
]


def answer(command: str, arguments: argparse.Namespace, moves: list[str]) -> str:
    """The answer's sign, then what is said."""
    if arguments.refuse and command.startswith(arguments.refuse):
        return f"?{{}} {arguments.error}"
    name = command.split(maxsplit=1)[0]
    if name == "list_commands":
        return "={} " + "\n".join(known for known in COMMANDS if known != arguments.without)
    if name == "genmove":
        move = moves.pop(0) if moves else "PASS"
        if move == arguments.slow:
            time.sleep(arguments.seconds)
        return "={} " + move
    if name == "final_score":
        return "={} B+99"
    return "={} "


def main() -> None:
    """Answer every line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--moves", default="")
    parser.add_argument("--refuse", default="")
    parser.add_argument("--error", default="illegal move")
    parser.add_argument("--without", default="")
    parser.add_argument("--log", default="")
    parser.add_argument("--slow", default="", help="the move that takes long")
    parser.add_argument("--seconds", type=float, default=0.0, help="how long")
    arguments = parser.parse_args()
    moves = arguments.moves.split()
    for line in sys.stdin:
        number, _, command = line.strip().partition(" ")
        if arguments.log:
            with open(arguments.log, "a", encoding="utf-8") as log:
                log.write(command + "\n")
        print(answer(command, arguments, moves).format(number), end="\n\n", flush=True)
        if command == "quit":
            break


main()
