"""Answers each question but the first after a set time."""

import time
from typing import ClassVar

from agents.agent import Agent, register_agent


@register_agent("late_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"seconds": 1.0}

    def step(self, position, clock):
        if position.ply >= 2:
            time.sleep(self.options["seconds"])
        return self.rng.choice(position.legal_moves())
