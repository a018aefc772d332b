"""Plays the agent of a file as a program that speaks GTP, without our engine: `gtp_host.py misbehaves.py deed=forks`.

Start it with `python -I -S`, see `gtp_plays_on.py`. The sandbox is that of every agent. The file finds a small class in
the place of ours, and of a position of Pentago what most agents ask for; what it raises is answered in our words.
"""

import json
import os
import random
import sys
import traceback
from types import ModuleType, SimpleNamespace
from typing import ClassVar

sys.path.insert(0, os.path.dirname(__file__))

from small_pentago import START, played

CLASSES = []  # that were registered


class Agent:
    default_options: ClassVar = {}

    def __init__(self, given):
        self.options = {name: type(default)(given.get(name, default)) for name, default in self.default_options.items()}
        self.rng = random.Random(31)  # by which the games that are played in tests go on for some moves

    def setup(self):
        pass

    def analysis(self):
        return {}

    def close(self):
        pass


class Position:
    def __init__(self, board):
        self.board, self.ply = board, sum(map(bool, board.values()))

    def legal_moves(self):
        free = [cell for cell, stone in self.board.items() if not stone]
        return [f"{cell}/{quadrant}{turn}" for cell in free for quadrant in range(4) for turn in "rf"]


class Server:
    finished, agent, board = False, None, START

    def __init__(self, options):
        self.options = dict(option.split("=", 1) for option in options)

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
            return "unforced-search_stats"
        elif command == "unforced-search_stats":
            return json.dumps(self.agent.analysis())
        elif command == "quit":
            self.finished = True
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
    """Serve the agent; the wire is a private copy of stdin and stdout, as that of our engine."""
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
