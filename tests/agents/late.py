"""Answers each question but the first after a set time, with a move or with what it is to say."""

import time
from typing import ClassVar

from agents.agent import Agent, register_agent


@register_agent("late_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"seconds": 1.0, "says": ""}
    has_moved = False

    def step(self, position, clock):
        if position.ply >= 2:
            time.sleep(self.options["seconds"])
        if self.has_moved and self.options["says"]:
            return self.options["says"]
        self.has_moved = True
        return self.rng.choice(position.legal_moves())
