"""A program that speaks GTP and answers as its options say.

`gtp_player.py [--moves "C3 D4"] [--refuse "play w"] [--without undo] [--log FILE] [--error TEXT] [--slow MOVE]` plays
the moves in turn, then it passes; with --dies TEXT, it then writes TEXT to stderr and ends instead. It answers `?` to
every command that begins with the text after --refuse, and does not list the command after --without. It writes every
command to the log. With --lies, it reports an analysis of each move that no record can hold, each time another one.
"""

import argparse
import sys
import time
from itertools import cycle

COMMANDS = [
    "list_commands",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "undo",
    "time_left",
    "time_settings",
    "final_score",
]
LIES = (  # written by hand, because a library would refuse some of it
    '{"pv": ' + "[" * 700 + "]" * 700 + ', "value": 0.5}',
    '{"pv": ' + "[" * 30_000 + "]" * 30_000 + "}",
    r'{"pv": ["\ud800", "a1/0r \udfff"], "value": 0.5}',
    r'{"pv": ["\u001b[2J\u0007\u202e"], "value": 0.5}',
    '{"value": ' + "9" * 5000 + ', "nodes": 1e400}',
    '{"value": 0.5, "value": [1], "__class__": {"a": 1}}',
)
lies = cycle(LIES)


def answer(command, arguments, moves):
    """Return the answer to a command, with {} where the command's number belongs."""
    if arguments.refuse and command.startswith(arguments.refuse):
        return f"?{{}} {arguments.error}"
    name = command.split(maxsplit=1)[0]
    if name == "list_commands":
        commands = COMMANDS + ["unforced-search_stats"] * arguments.lies
        return "={} " + "\n".join(known for known in commands if known != arguments.without)
    if name == "genmove":
        if arguments.dies and not moves:
            sys.exit(arguments.dies)
        move = moves.pop(0) if moves else "PASS"
        if move == arguments.slow:
            time.sleep(arguments.seconds)
        return "={} " + move
    if name == "unforced-search_stats":
        return "={} " + next(lies)
    if name == "final_score":
        return "={} B+99"
    return "={} "


def main():
    """Answer every line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--moves", default="")
    parser.add_argument("--refuse", default="")
    parser.add_argument("--error", default="illegal move")
    parser.add_argument("--without", default="")
    parser.add_argument("--dies", default="")
    parser.add_argument("--log", default="")
    parser.add_argument("--lies", action="store_true")
    parser.add_argument("--slow", default="", help="the move that takes long")
    parser.add_argument("--seconds", type=float, default=0.0, help="how long")
    arguments = parser.parse_args()
    moves = arguments.moves.split()
    for line in sys.stdin:
        number, _, command = line.strip().partition(" ")
        if arguments.log:
            with open(arguments.log, "a", encoding="utf-8") as log:
                log.write(command + "\n")
        print(answer(command, arguments, moves).replace("{}", number, 1), end="\n\n", flush=True)
        if command == "quit":
            break


main()
