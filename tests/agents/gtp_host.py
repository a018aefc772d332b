"""Plays the agent of a file as a program that speaks GTP, without our engine: `gtp_host.py misbehaves.py deed=forks`.

Start it with `python -I -S`: it is then ready in 50 ms, while our engine takes half a second of CPU. The sandbox is the
same. The agent's file imports a small `Agent` from here in place of ours, and gets positions of Pentago that have what
most agents use. To an exception of the agent, it answers as our engine does.
"""

import json
import os
import random
import sys
import traceback
from types import ModuleType, SimpleNamespace
from typing import ClassVar

COLUMNS = "abcdef"
START = {column + row: "" for row in "123456" for column in COLUMNS}
CLASSES = []  # of registered agents


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


class Agent:
    default_options: ClassVar = {}

    def __init__(self, given):
        self.options = {name: type(default)(given.get(name, default)) for name, default in self.default_options.items()}
        self.rng = random.Random(31)  # a seed with which the games of the tests last for some moves

    def setup(self):
        pass

    close = setup


class Position:
    def __init__(self, board):
        self.board, self.ply = board, sum(map(bool, board.values()))

    def legal_moves(self):
        free = [cell for cell, stone in self.board.items() if not stone]
        return [f"{cell}/{quadrant}{turn}" for cell in free for quadrant in range(4) for turn in "rf"]


class Server:
    finished, agent, board = False, None, START

    def __init__(self, options):
        self.options = dict(option.split("=", 1) for option in options if "=" in option)

    def serve(self, lines, writer):
        while not self.finished and (line := lines.read()):
            for piece in self.pieces(line.decode()):
                writer.write(piece.encode())
                writer.flush()

    def pieces(self, line):
        number, command, *words = line.lower().split()
        try:
            yield f"={number} {self.answer(command, *words)}\n\n"
        except Exception as error:
            traceback.print_exc()
            reason = "".join(traceback.format_exception_only(error)).replace("\n", " ")
            yield f"?{number} agent failed: {reason}\n\n"

    def answer(self, command, *words):
        if command == "play":
            self.board = played(self.board, words[1], words[0])
        elif command == "genmove":
            return self.move(words[0])
        elif command == "list_commands":
            return "unforced-search_stats" if hasattr(CLASSES[0], "analysis") else ""
        elif command == "unforced-search_stats":
            return json.dumps(self.agent.analysis())
        elif command == "clear_board":
            self.board = START
        elif command == "quit":
            self.finished = True
            if self.agent is not None:
                self.agent.close()
        return ""

    def move(self, player):
        if self.agent is None:
            self.agent = CLASSES[0](self.options)
            self.agent.setup()
        position = Position(self.board)
        answer = str(self.agent.step(position, None))
        if answer in position.legal_moves():
            self.board = played(self.board, answer, player)
        return answer


def main(file, *options):
    """Serve the agent; the wire is a private copy of stdin and stdout, as in our engine."""
    reader, writer = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.close(0)
    os.open(os.devnull, os.O_RDONLY)
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)
    module = ModuleType("agents.agent")
    module.Agent, module.register_agent = Agent, lambda name: CLASSES.append
    sys.modules |= {"agents": module, "agents.agent": module}
    with open(file) as source:
        exec(compile(source.read(), file, "exec"), {"__name__": "agent", "__file__": file})
    Server(options).serve(SimpleNamespace(read=reader.readline), writer)
    os._exit(0)


main(*sys.argv[1:])
