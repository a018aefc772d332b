"""A program that speaks GTP and writes what it likes where its analysis is asked for: `gtp_liar.py nested`.

The JSON is written by hand, because a library would refuse some of it.
"""

import sys

SAID = {
    "nested": '{"pv": ' + "[" * 700 + "]" * 700 + ', "value": 0.5}',
    "deeper": '{"pv": ' + "[" * 30_000 + "]" * 30_000 + "}",
    "surrogate": r'{"pv": ["\ud800", "a1/0r \udfff"], "value": 0.5}',
    "escape": r'{"pv": ["\u001b[2J\u0007\u202e"], "value": 0.5}',
    "digits": '{"value": ' + "9" * 5000 + ', "nodes": 1e400}',
    "keys": '{"value": 0.5, "value": [1], "__class__": {"a": 1}}',
}
COMMANDS = "list_commands boardsize clear_board play genmove undo quit unforced-search_stats"


def main() -> None:
    """Answer every line; play the moves given in turn."""
    said, moves = SAID[sys.argv[1]], sys.argv[2:]
    for line in sys.stdin:
        number, _, command = line.strip().partition(" ")
        name = command.split(maxsplit=1)[0]
        answers = {"list_commands": COMMANDS.replace(" ", "\n"), "unforced-search_stats": said}
        answer = (moves.pop(0) if moves else "resign") if name == "genmove" else answers.get(name, "")
        print(f"={number} {answer}", end="\n\n", flush=True)
        if name == "quit":
            break


main()
