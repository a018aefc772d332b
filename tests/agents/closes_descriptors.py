"""Closes everything that is open from `first` on, and would not have its process end."""

import atexit
import os
import time
from typing import ClassVar

from agents.agent import Agent, register_agent


@register_agent("closes_descriptors_agent")
class Scoundrel(Agent):
    default_options: ClassVar = {"first": 3}

    def step(self, position, clock):
        if position.ply >= 2:
            atexit.register(time.sleep, 60)
            os.closerange(self.options["first"], 1000)
        return self.rng.choice(position.legal_moves())
