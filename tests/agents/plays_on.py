"""Plays random moves to the end, the same ones in each game; it runs only as a program, see `gtp_host.py`.

It takes `seconds` for each move when two stones or more are on the board. If `says` has a text, the agent says that
text instead of a move, from its second move on.
"""

import random
import time
from typing import ClassVar

from agents.agent import Agent, register_agent


@register_agent("plays_on_agent")
class PlaysOn(Agent):
    default_options: ClassVar = {"seconds": 0.0, "says": ""}
    numbers, has_moved = random.Random(1), False

    def step(self, position, clock):
        cell = self.numbers.choice([cell for cell, stone in position.board.items() if not stone])
        move = f"{cell}/{self.numbers.randrange(4)}{self.numbers.choice('rf')}"
        if position.ply >= 2:
            time.sleep(self.options["seconds"])
        has_moved, self.has_moved = self.has_moved, True
        return (has_moved and self.options["says"]) or move
